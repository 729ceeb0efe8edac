//! Asks until the server responds.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::http::{Connection, HttpError, SILENCE};

/// Between two requests: short, because each trial waits this long when its server starts.
const PAUSE: Duration = Duration::from_millis(5);
/// A proxy that came up first says so while what it stands before starts.
const NOT_YET: [u16; 3] = [502, 503, 504];
/// Some servers have nothing else to say to `GET /`.
const NOT_YET_FOR: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Readiness {
    /// With 200, or with any status where any will do.
    Ready,
    /// The last status that was not 200.
    Status(u16),
    /// What it answered is no HTTP/1.x.
    NotHttp,
    /// Connected, but answered nothing.
    Silent,
    /// No connection was ever made.
    Refused,
}

/// Ready as soon as GET `path` returns 200; without a path, as soon as GET / gets any response, one of [`NOT_YET`] a moment
/// later.
pub fn wait(server: SocketAddr, path: Option<&str>, within: Duration) -> Readiness {
    let deadline = Instant::now() + within;
    let mut last = Readiness::Refused;
    let mut not_yet_since = None;
    while Instant::now() < deadline {
        match ask(server, path.unwrap_or("/"), deadline) {
            Readiness::Status(status) if path.is_none() && NOT_YET.contains(&status) => {
                let since = not_yet_since.get_or_insert_with(Instant::now);
                if since.elapsed() >= NOT_YET_FOR {
                    return Readiness::Ready;
                }
            }
            Readiness::Status(status) if status == 200 || path.is_none() => return Readiness::Ready,
            Readiness::Status(other) => last = Readiness::Status(other),
            Readiness::NotHttp if matches!(last, Readiness::Refused | Readiness::Silent) => last = Readiness::NotHttp,
            Readiness::Silent if last == Readiness::Refused => last = Readiness::Silent,
            _ => {}
        }
        std::thread::sleep(PAUSE.min(deadline.saturating_duration_since(Instant::now())));
    }
    if not_yet_since.is_some() {
        Readiness::Ready
    } else {
        last
    }
}

/// What became of one request.
fn ask(server: SocketAddr, path: &str, deadline: Instant) -> Readiness {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n\r\n");
    let Ok(mut connection) = Connection::open(server, deadline, SILENCE) else {
        return Readiness::Refused;
    };
    match connection.send(request.as_bytes()).and_then(|()| connection.head()) {
        Ok(head) => Readiness::Status(head.status),
        Err(HttpError::Malformed(_)) => Readiness::NotHttp,
        Err(_) => Readiness::Silent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    /// Answers each connection with these bytes, until the test is over.
    fn answers(bytes: &'static [u8]) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 1024]);
                let _ = stream.write_all(bytes);
            }
        });
        address
    }

    #[test]
    fn without_a_path_any_response_will_do_and_silence_will_not() {
        let missing = answers(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        let long = Duration::from_secs(300);
        assert_eq!(wait(missing, None, long), Readiness::Ready);
        let short = Duration::from_millis(50);
        assert_ne!(wait(missing, Some("/health"), short), Readiness::Ready);
        assert_ne!(wait(answers(b"SSH-2.0-x\r\n"), None, short), Readiness::Ready);
        // An alert of TLS.
        let tls = answers(&[0x15, 3, 1, 0, 2, 2, 0x46]);
        assert_eq!(wait(tls, None, Duration::from_secs(1)), Readiness::NotHttp);
        // Nobody listens there.
        let nowhere = "127.0.0.1:1".parse().unwrap();
        assert_eq!(wait(nowhere, None, short), Readiness::Refused);
    }

    #[test]
    fn a_proxy_is_ready_when_what_it_stands_before_is() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = std::thread::spawn(move || {
            for (nth, stream) in listener.incoming().enumerate() {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 1024]);
                let status = if nth < 3 { "502 Bad Gateway" } else { "404 Not Found" };
                let _ = write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
                if nth == 3 {
                    return nth;
                }
            }
            0
        });
        assert_eq!(wait(address, None, Duration::from_secs(300)), Readiness::Ready);
        assert_eq!(asked.join().unwrap(), 3);
        // One that has nothing else to say is ready all the same.
        let busy = answers(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n");
        assert_eq!(wait(busy, None, Duration::from_millis(50)), Readiness::Ready);
    }
}
