//! One connection to the server under test.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::head::parse_head;
use super::{Framing, Head, HttpError, REFUSAL_BYTES};
use crate::loadgen;

/// Whatever loadgen reads is right here.
const HEAD_BYTES: usize = loadgen::head::MOST_BYTES;
const BODY_BYTES: u64 = 64 << 20;

pub struct Connection {
    stream: TcpStream,
    /// Read from the socket and not yet used.
    buffer: Vec<u8>,
    deadline: Instant,
    /// Longest silence that is waited for.
    patience: Duration,
}

impl Connection {
    pub fn open(address: SocketAddr, deadline: Instant, patience: Duration) -> Result<Self, HttpError> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(HttpError::Deadline);
        }
        let stream = TcpStream::connect_timeout(&address, patience.min(left)).map_err(not_connected)?;
        let io = |e: std::io::Error| HttpError::Io(e.to_string());
        unless_shut(stream.set_nodelay(true)).map_err(io)?;
        unless_shut(stream.set_write_timeout(Some(patience))).map_err(io)?;
        Ok(Self {
            stream,
            buffer: Vec::new(),
            deadline,
            patience,
        })
    }

    pub fn send(&mut self, bytes: &[u8]) -> Result<(), HttpError> {
        send(&mut self.stream, bytes)
    }

    /// Sends from another thread while this one reads.
    pub fn writer(&self) -> Result<Writer, HttpError> {
        // It needs a descriptor and nothing of the server.
        let stream = self.stream.try_clone().map_err(|e| HttpError::Ours(e.to_string()))?;
        Ok(Writer { stream })
    }

    /// Says that nothing more will be sent.
    pub fn finish(&mut self) -> Result<(), HttpError> {
        let done = self.stream.shutdown(Shutdown::Write);
        done.map_err(|e| HttpError::Io(e.to_string()))
    }

    /// So many bytes, whatever they are.
    pub fn exactly(&mut self, bytes: usize) -> Result<Vec<u8>, HttpError> {
        while self.buffer.len() < bytes {
            if self.fill()? == 0 {
                return Err(HttpError::Closed);
            }
        }
        Ok(self.buffer.drain(..bytes).collect())
    }

    pub fn head(&mut self) -> Result<Head, HttpError> {
        let end = loop {
            let end = self.buffer.windows(4).position(|w| w == b"\r\n\r\n");
            if let Some(at) = end.filter(|at| at + 4 <= HEAD_BYTES) {
                break at;
            }
            // Say at once that it is no HTTP: a body after HEAD would otherwise be waited out.
            let start = &self.buffer[..self.buffer.len().min(5)];
            if !b"HTTP/".starts_with(start) {
                return Err(HttpError::Malformed(format!(
                    "it begins with {:?}",
                    String::from_utf8_lossy(start)
                )));
            }
            if end.is_some() || self.buffer.len() > HEAD_BYTES {
                let kib = HEAD_BYTES >> 10;
                return Err(HttpError::Malformed(format!("its header is longer than {kib} KiB")));
            }
            if self.fill()? == 0 {
                return Err(match self.buffer.is_empty() {
                    true => HttpError::Closed,
                    false => HttpError::Malformed("the connection was closed within the header".into()),
                });
            }
        };
        let text = text(&self.buffer[..end]);
        self.buffer.drain(..end + 4);
        parse_head(&text)
    }

    fn sized(&mut self, announced: u64) -> Result<Vec<u8>, HttpError> {
        if announced > BODY_BYTES {
            return Err(HttpError::TooLong(BODY_BYTES));
        }
        while (self.buffer.len() as u64) < announced {
            let cut = |got: usize| HttpError::CutOff {
                announced,
                got: got as u64,
            };
            match self.fill() {
                Ok(0) | Err(HttpError::Silent(_) | HttpError::Closed) => return Err(cut(self.buffer.len())),
                Ok(_) => {}
                Err(other) => return Err(other),
            }
        }
        let rest = self.buffer.split_off(announced as usize);
        Ok(std::mem::replace(&mut self.buffer, rest))
    }

    /// The body with any framing, as a load tool reads it; at most `limit` bytes where its length is not known before.
    pub fn any_body(&mut self, head: &Head, limit: usize) -> Result<Vec<u8>, HttpError> {
        match head.framing()? {
            Framing::Sized(length) => self.sized(length),
            Framing::Chunked => self.chunks(limit),
            Framing::UntilClosed => self.until_closed(limit),
        }
    }

    fn chunks(&mut self, limit: usize) -> Result<Vec<u8>, HttpError> {
        let mut body = Vec::new();
        loop {
            let line = self.line()?;
            let digits = line.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(digits, 16);
            match size.map_err(|_| HttpError::Malformed(format!("a chunk begins with {line:?}")))? {
                0 => break,
                size if size > limit.saturating_sub(body.len()) => return Err(HttpError::TooLong(limit as u64)),
                size => body.extend(self.exactly(size)?),
            }
            if !self.line()?.is_empty() {
                return Err(HttpError::Malformed("a chunk is longer than it says".into()));
            }
        }
        while !self.line()?.is_empty() {}
        Ok(body)
    }

    fn until_closed(&mut self, limit: usize) -> Result<Vec<u8>, HttpError> {
        while self.fill()? > 0 {
            if self.buffer.len() > limit {
                return Err(HttpError::TooLong(limit as u64));
            }
        }
        Ok(std::mem::take(&mut self.buffer))
    }

    /// Reads the body of a refusal, which may be anything.
    pub fn skip(&mut self, head: &Head) -> Result<(), HttpError> {
        self.any_body(head, REFUSAL_BYTES).map(|_| ())
    }

    fn line(&mut self) -> Result<String, HttpError> {
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer) {
                let line: Vec<u8> = self.buffer.drain(..=at).collect();
                return Ok(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
            if self.buffer.len() > HEAD_BYTES {
                return Err(HttpError::Malformed("a line of its body's framing has no end".into()));
            }
            if self.fill()? == 0 {
                return Err(HttpError::Closed);
            }
        }
    }

    /// Bytes that came beyond what was announced and are there already.
    pub fn surplus(&self) -> usize {
        self.buffer.len()
    }

    /// Everything until the server closes or is silent, at most `limit`.
    pub fn rest(&mut self, limit: usize) -> Vec<u8> {
        while self.buffer.len() < limit && matches!(self.fill(), Ok(n) if n > 0) {}
        std::mem::take(&mut self.buffer)
    }

    /// `Ok(true)` when the server closed, `Ok(false)` when it was silent, `Err` with the bytes that came instead.
    pub fn closed_within(&mut self, limit: Duration) -> Result<bool, usize> {
        if !self.buffer.is_empty() {
            return Err(self.buffer.len());
        }
        match self.fill_within(limit) {
            Ok(0) | Err(HttpError::Closed) => Ok(true),
            Ok(n) => Err(n),
            Err(_) => Ok(false),
        }
    }

    /// Has nothing come until now, and does nothing come within `limit`?
    pub fn silent_for(&mut self, limit: Duration) -> bool {
        self.buffer.is_empty() && matches!(self.fill_within(limit), Err(HttpError::Silent(_)))
    }

    fn fill(&mut self) -> Result<usize, HttpError> {
        self.fill_within(self.patience)
    }

    fn fill_within(&mut self, limit: Duration) -> Result<usize, HttpError> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(HttpError::Deadline);
        }
        let io = |e: std::io::Error| match e.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => HttpError::Silent(limit.as_secs()),
            ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => HttpError::Closed,
            _ => HttpError::Io(e.to_string()),
        };
        unless_shut(self.stream.set_read_timeout(Some(limit.min(left)))).map_err(io)?;
        acknowledge_at_once(&self.stream);
        let mut scratch = [0; 64 * 1024];
        let read = self.stream.read(&mut scratch).map_err(io)?;
        self.buffer.extend_from_slice(&scratch[..read]);
        Ok(read)
    }
}

/// macOS refuses options of a socket whose other end has closed it (EINVAL of `sosetoptlock` in XNU). What came can still be
/// read, and reading does not block any more.
fn unless_shut(set: std::io::Result<()>) -> std::io::Result<()> {
    match set {
        Err(e) if cfg!(target_os = "macos") && e.raw_os_error() == Some(libc::EINVAL) => Ok(()),
        other => other,
    }
}

fn not_connected(error: std::io::Error) -> HttpError {
    match error.raw_os_error() {
        Some(libc::EMFILE | libc::ENFILE | libc::EADDRNOTAVAIL | libc::ENOBUFS | libc::ENOMEM) => {
            HttpError::Ours(error.to_string())
        }
        _ => HttpError::Connect(error.to_string()),
    }
}

/// The values of headers are bytes (RFC 9110, 5.5): UTF-8 mostly, and otherwise Latin-1, in which all bytes are text.
fn text(head: &[u8]) -> String {
    match std::str::from_utf8(head) {
        Ok(text) => text.to_owned(),
        Err(_) => head.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// The sending half of a connection.
pub struct Writer {
    stream: TcpStream,
}

impl Writer {
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), HttpError> {
        send(&mut self.stream, bytes)
    }
}

fn send(stream: &mut TcpStream, bytes: &[u8]) -> Result<(), HttpError> {
    stream.write_all(bytes).map_err(|e| match e.kind() {
        ErrorKind::BrokenPipe | ErrorKind::ConnectionReset => HttpError::Closed,
        _ => HttpError::Io(e.to_string()),
    })
}

/// A server that writes head and body apart and leaves Nagle's algorithm on would wait 40 ms for the acknowledgement of the
/// head, hundreds of times. That is for the measurement to show; here it would only take the time of the other checks.
fn acknowledge_at_once(_stream: &TcpStream) {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        let on: libc::c_int = 1;
        // SAFETY: the descriptor is open while the stream lives, and the value is an int that outlives the call.
        unsafe {
            libc::setsockopt(
                _stream.as_raw_fd(),
                libc::IPPROTO_TCP,
                libc::TCP_QUICKACK,
                (&raw const on).cast(),
                size_of::<libc::c_int>() as libc::socklen_t,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However busy the host is, the other end has answered by then.
    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_refusal_is_read_to_its_end_also_in_chunks() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let sent = "HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nab\r\nc\r\n1\r\nd\r\n0\r\nT: 1\r\n\r\n\
                    HTTP/1.1 404 No\r\nContent-Length: 3\r\n\r\nabc\
                    HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx";
        std::thread::spawn(move || listener.accept().unwrap().0.write_all(sent.as_bytes()).unwrap());
        let mut connection = Connection::open(address, Instant::now() + LONG, LONG).unwrap();
        for _ in 0..2 {
            let head = connection.head().unwrap();
            assert_eq!((head.status, connection.skip(&head)), (404, Ok(())));
        }
        let head = connection.head().unwrap();
        assert_eq!((head.status, connection.any_body(&head, 1)), (200, Ok(b"x".to_vec())));
    }

    #[test]
    fn a_body_that_is_too_long_is_told_so() {
        for (sent, most) in [
            ("Transfer-Encoding: chunked\r\n\r\n100001\r\n", "1 MiB"),
            ("Content-Length: 67108865\r\n\r\n", "64 MiB"),
        ] {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap();
            let sent = format!("HTTP/1.1 200 OK\r\n{sent}");
            std::thread::spawn(move || listener.accept().unwrap().0.write_all(sent.as_bytes()));
            let mut connection = Connection::open(address, Instant::now() + LONG, LONG).unwrap();
            let head = connection.head().unwrap();
            let refused = connection.any_body(&head, REFUSAL_BYTES).unwrap_err().to_string();
            let expected = format!("its body is longer than {most}, the most that is read here");
            assert_eq!(refused, expected);
        }
    }

    #[test]
    fn what_this_program_lacks_is_told_from_a_server_that_refuses() {
        let ours = |code| {
            matches!(
                not_connected(std::io::Error::from_raw_os_error(code)),
                HttpError::Ours(_)
            )
        };
        assert!(ours(libc::EMFILE) && ours(libc::EADDRNOTAVAIL));
        assert!(!ours(libc::ECONNREFUSED) && !ours(libc::ECONNRESET));
        let timed_out = std::io::Error::from(ErrorKind::TimedOut);
        assert!(matches!(not_connected(timed_out), HttpError::Connect(_)));
    }

    /// The head of a response that is these bytes.
    fn head_of(sent: Vec<u8>) -> Result<Head, HttpError> {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        // Where it is refused, the client goes before all was sent.
        std::thread::spawn(move || listener.accept().unwrap().0.write_all(&sent));
        Connection::open(address, Instant::now() + LONG, LONG)?.head()
    }

    #[test]
    fn a_header_that_is_no_utf_8_is_latin_1() {
        let head = head_of(b"HTTP/1.1 200 Tr\xe8s bien\r\nX-Name: caf\xe9\r\nContent-Length: 0\r\n\r\n".to_vec());
        let head = head.unwrap();
        assert_eq!(
            (head.header("x-name"), head.content_length()),
            (Some("caf\u{e9}"), Ok(0))
        );
        let head = head_of("HTTP/1.1 200 OK\r\nX-Name: caf\u{e9}\r\n\r\n".into());
        assert_eq!(head.unwrap().header("x-name"), Some("caf\u{e9}"));
    }

    #[test]
    fn a_head_is_as_long_as_loadgen_reads_it() {
        let head = |bytes: usize| {
            let rest = "HTTP/1.1 200 OK\r\nX: \r\n\r\n";
            format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "x".repeat(bytes - rest.len())).into_bytes()
        };
        for bytes in [20 << 10, HEAD_BYTES] {
            assert_eq!(head_of(head(bytes)).map(|head| head.status), Ok(200), "{bytes}");
        }
        for bytes in [HEAD_BYTES + 1, 3 * HEAD_BYTES] {
            let refused = head_of(head(bytes)).unwrap_err();
            assert!(refused.to_string().contains("longer than 32 KiB"), "{bytes}: {refused}");
        }
    }
}
