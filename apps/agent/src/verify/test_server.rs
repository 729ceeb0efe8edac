//! A server for tests, wrong where a test wants it to be. One thread a connection.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::report::Checks;

pub struct TestRequest {
    pub method: String,
    pub path: String,
    pub version: String,
    /// Wants the client the connection to stay?
    pub keep: bool,
    /// Which one on this connection, from 1.
    pub number: usize,
}

pub struct TestResponse {
    pub status: u16,
    /// Beside framing and connection.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// Does the response say that the connection stays?
    pub says_kept: bool,
    pub kept: bool,
    /// Instead of a length.
    pub chunked: bool,
}

impl TestResponse {
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            body: body.into(),
            says_kept: true,
            kept: true,
            chunked: false,
        }
    }

    pub fn not_found() -> Self {
        Self {
            status: 404,
            ..Self::ok("no")
        }
    }

    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn kept(self, kept: bool) -> Self {
        Self {
            says_kept: kept,
            kept,
            ..self
        }
    }
}

pub fn serve(respond: impl Fn(&TestRequest) -> TestResponse + Send + Sync + 'static) -> SocketAddr {
    listen(None, respond)
}

/// Closes a connection that is silent for `limit` after a response.
pub fn closing_idle(
    limit: Duration,
    respond: impl Fn(&TestRequest) -> TestResponse + Send + Sync + 'static,
) -> SocketAddr {
    listen(Some(limit), respond)
}

fn listen(
    limit: Option<Duration>,
    respond: impl Fn(&TestRequest) -> TestResponse + Send + Sync + 'static,
) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let respond = Arc::new(respond);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let respond = respond.clone();
            // A client that goes is no fault.
            std::thread::spawn(move || talk(stream?, limit, &*respond));
        }
    });
    address
}

pub fn checks(server: SocketAddr) -> Checks {
    Checks::new(server, Instant::now() + Duration::from_secs(300))
}

fn talk(
    mut stream: TcpStream,
    limit: Option<Duration>,
    respond: &dyn Fn(&TestRequest) -> TestResponse,
) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let (mut buffer, mut number) = (Vec::new(), 0);
    loop {
        let head = String::from_utf8(until(&mut stream, &mut buffer, b"\r\n\r\n")?).unwrap_or_default();
        number += 1;
        let mut words = head.lines().next().unwrap_or_default().split(' ').map(str::to_owned);
        let mut word = || words.next().unwrap_or_default();
        let (method, path, version) = (word(), word(), word());
        let lower = head.to_ascii_lowercase();
        let length = lower
            .split("content-length: ")
            .nth(1)
            .and_then(|rest| rest.lines().next());
        let length: usize = length.and_then(|digits| digits.parse().ok()).unwrap_or(0);
        while buffer.len() < length {
            more(&mut stream, &mut buffer)?;
        }
        buffer.drain(..length);
        let keep = match version.as_str() {
            "HTTP/1.0" => lower.contains("connection: keep-alive"),
            _ => !lower.contains("connection: close"),
        };
        let request = TestRequest {
            method,
            path,
            version,
            keep,
            number,
        };
        let response = respond(&request);
        let (word, length) = (
            if response.says_kept { "keep-alive" } else { "close" },
            response.body.len(),
        );
        let framing = match (response.status, response.chunked) {
            // It has no body, so no length either.
            (204, _) => String::new(),
            (_, true) => "Transfer-Encoding: chunked\r\n".to_owned(),
            (_, false) => format!("Content-Length: {length}\r\n"),
        };
        let headers = response
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"));
        write!(
            stream,
            "HTTP/1.1 {} X\r\n{framing}{}Connection: {word}\r\n\r\n",
            response.status,
            headers.collect::<String>()
        )?;
        match (request.method.as_str(), response.chunked) {
            ("HEAD", _) => {}
            (_, false) => stream.write_all(&response.body)?,
            (_, true) => {
                let body = String::from_utf8_lossy(&response.body);
                write!(stream, "{length:x}\r\n{body}\r\n0\r\n\r\n")?;
            }
        }
        if !response.kept {
            return Ok(());
        }
        stream.set_read_timeout(limit)?;
    }
}

fn until(stream: &mut TcpStream, buffer: &mut Vec<u8>, end: &[u8]) -> std::io::Result<Vec<u8>> {
    loop {
        if let Some(at) = buffer.windows(end.len()).position(|w| w == end) {
            return Ok(buffer.drain(..at + end.len()).collect());
        }
        more(stream, buffer)?;
    }
}

fn more(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> std::io::Result<()> {
    let mut part = [0; 4096];
    match stream.read(&mut part)? {
        0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
        read => {
            buffer.extend_from_slice(&part[..read]);
            Ok(())
        }
    }
}
