//! Asks until the server answers.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::http::{Connection, SILENCE};

/// Between two questions: short, because a start costs this much of every trial.
const PAUSE: Duration = Duration::from_millis(5);

/// True as soon as GET `path` is answered with 200.
pub fn wait(server: SocketAddr, path: &str, within: Duration) -> bool {
    let deadline = Instant::now() + within;
    while Instant::now() < deadline {
        if answers(server, path, deadline) {
            return true;
        }
        std::thread::sleep(PAUSE.min(deadline.saturating_duration_since(Instant::now())));
    }
    false
}

fn answers(server: SocketAddr, path: &str, deadline: Instant) -> bool {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n\r\n");
    let ask = || {
        let mut connection = Connection::open(server, deadline, SILENCE)?;
        connection.send(request.as_bytes())?;
        connection.head()
    };
    ask().is_ok_and(|head| head.status == 200)
}
