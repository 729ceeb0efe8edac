//! Cheats that know what the checks have sent and repeat earlier responses: each is found, and honest responses pass.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::*;
use crate::verify::{json_sum, upload};

struct UploadRequest {
    body: Vec<u8>,
    chunked: bool,
    /// Which one on this connection, from 1.
    number: usize,
    old: bool,
}

struct CheatingServer {
    right: fn(&[u8]) -> String,
    /// The response's body; `None` closes the connection.
    respond: fn(&CheatingServer, &UploadRequest) -> Option<String>,
    remembered: Mutex<HashMap<Vec<u8>, String>>,
}

impl CheatingServer {
    /// The right response to the first body with that key.
    fn remember(&self, key: Vec<u8>, body: &[u8]) -> Option<String> {
        let mut remembered = self.remembered.lock().unwrap();
        Some(remembered.entry(key).or_insert_with(|| (self.right)(body)).clone())
    }
}

/// Lives as long as the tests do.
fn checks_of(bodies: &Bodies, respond: fn(&CheatingServer, &UploadRequest) -> Option<String>) -> Checks {
    let right = if bodies.what == "sum" { sum } else { hash };
    let remembered = Mutex::default();
    let server = Arc::new(CheatingServer {
        right,
        respond,
        remembered,
    });
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let server = server.clone();
            // It ends when the client goes.
            std::thread::spawn(move || converse(&stream.unwrap(), &server).ok());
        }
    });
    Checks::new(address, Instant::now() + Duration::from_secs(300))
}

fn converse(mut stream: &TcpStream, server: &CheatingServer) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    for number in 1.. {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head)? == 0 {
                return Ok(());
            }
        }
        let lower = head.to_ascii_lowercase();
        let (chunked, old) = (
            lower.contains("\r\ntransfer-encoding: chunked\r\n"),
            lower.contains(" http/1.0\r\n"),
        );
        let body = if chunked {
            read_chunks(&mut reader)?
        } else {
            let length = lower
                .split("content-length: ")
                .nth(1)
                .and_then(|rest| rest.lines().next());
            let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
            reader.read_exact(&mut body)?;
            body
        };
        let request = UploadRequest {
            body,
            chunked,
            number,
            old,
        };
        let Some(text) = (server.respond)(server, &request) else {
            return Ok(());
        };
        let (version, length) = (if old { "1.0" } else { "1.1" }, text.len());
        let kept = !lower.contains("\r\nconnection: close\r\n");
        let says = if kept { "keep-alive" } else { "close" };
        let head = format!(
            "HTTP/{version} 200 OK\r\nConnection: {says}\r\nContent-Type: text/plain\r\nContent-Length: {length}"
        );
        stream.write_all(format!("{head}\r\n\r\n{text}").as_bytes())?;
        if !kept {
            return Ok(());
        }
    }
    Ok(())
}

fn read_chunks(reader: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let size = usize::from_str_radix(line.trim().split(';').next().unwrap(), 16).unwrap();
        if size == 0 {
            // A trailer, perhaps.
            while line != "\r\n" {
                line.clear();
                reader.read_line(&mut line)?;
            }
            return Ok(body);
        }
        let have = body.len();
        body.resize(have + size, 0);
        reader.read_exact(&mut body[have..])?;
        reader.read_exact(&mut [0; 2])?;
    }
}

fn sum(body: &[u8]) -> String {
    let numbers: Vec<i64> = serde_json::from_slice(body).unwrap_or_default();
    format!("sum = {}", numbers.iter().sum::<i64>())
}

fn hash(body: &[u8]) -> String {
    use sha2::Digest;
    hex::encode(sha2::Sha256::digest(body))
}

/// The faults of the checks that expect status 200.
fn faults_of(bodies: &Bodies, respond: fn(&CheatingServer, &UploadRequest) -> Option<String>) -> Vec<(String, String)> {
    let mut checks = checks_of(bodies, respond);
    check(&mut checks, bodies);
    let failed = checks
        .done()
        .into_iter()
        .filter_map(|check| Some((check.id, check.message?)));
    // What is to be refused is more than this server knows.
    failed
        .filter(|(id, _)| !["cut-body", "method", "not-found"].contains(&id.as_str()))
        .collect()
}

fn honest(server: &CheatingServer, request: &UploadRequest) -> Option<String> {
    Some((server.right)(&request.body))
}

/// Length, first and last bytes: as a cheat may tell bodies apart without reading them.
fn ends(body: &[u8]) -> Vec<u8> {
    let near = body.len().min(8);
    [&body.len().to_le_bytes(), &body[..near], &body[body.len() - near..]].concat()
}

#[test]
fn honest_responses_pass() {
    for bodies in [json_sum::BODIES, upload::BODIES] {
        assert_eq!(faults_of(&bodies, honest), []);
    }
}

#[test]
fn responses_remembered_by_a_part_of_the_body() {
    for bodies in [json_sum::BODIES, upload::BODIES] {
        let cheats: [fn(&CheatingServer, &UploadRequest) -> Option<String>; 3] = [
            |server, request| server.remember(ends(&request.body), &request.body),
            |server, request| match request.body.len() {
                // Beyond what the checks sent in series.
                10_000.. => server.remember(request.body[..5000].to_vec(), &request.body),
                _ => honest(server, request),
            },
            |server, request| match request.chunked {
                true => server.remember(ends(&request.body), &request.body),
                false => honest(server, request),
            },
        ];
        for (number, cheat) in cheats.into_iter().enumerate() {
            let fault = fresh(&checks_of(&bodies, cheat), &bodies).expect_err(&format!("cheat {number} passed"));
            assert!(
                fault.message.ends_with("a stale response."),
                "{number}: {}",
                fault.message
            );
        }
    }
}

#[test]
fn a_large_body_remembered_by_its_length() {
    for bodies in [json_sum::BODIES, upload::BODIES] {
        let faults = faults_of(&bodies, |server, request| match request.body.len() {
            1_000_000.. => server.remember(ends(&request.body), &request.body),
            _ => honest(server, request),
        });
        assert!(faults.iter().any(|(id, _)| id == "chunked"), "{faults:?}");
    }
}

#[test]
fn a_limit_on_the_posts_of_an_old_connection() {
    for bodies in [json_sum::BODIES, upload::BODIES] {
        let checks = checks_of(&bodies, |server, request| {
            honest(server, request).filter(|_| !request.old || request.number <= 50)
        });
        let fault = http_1_0(&checks, bodies.draw).unwrap_err();
        let said = "The server said that it keeps the connection, but closed it after 50 responses.";
        assert_eq!(fault.message, said);
    }
}
