//! Asks until the server responds.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::http::{Connection, SILENCE};

/// Between two requests: short, because each trial waits this long when its server starts.
const PAUSE: Duration = Duration::from_millis(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Readiness {
    /// With 200.
    Ready,
    /// The last status that was not 200.
    Status(u16),
    Silent,
}

/// Ready as soon as GET `path` returns 200.
pub fn wait(server: SocketAddr, path: &str, within: Duration) -> Readiness {
    let deadline = Instant::now() + within;
    let mut last = Readiness::Silent;
    while Instant::now() < deadline {
        match status(server, path, deadline) {
            Some(200) => return Readiness::Ready,
            Some(other) => last = Readiness::Status(other),
            None => {}
        }
        std::thread::sleep(PAUSE.min(deadline.saturating_duration_since(Instant::now())));
    }
    last
}

fn status(server: SocketAddr, path: &str, deadline: Instant) -> Option<u16> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n\r\n");
    let ask = || {
        let mut connection = Connection::open(server, deadline, SILENCE)?;
        connection.send(request.as_bytes())?;
        connection.head()
    };
    ask().ok().map(|head| head.status)
}
