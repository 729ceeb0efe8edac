//! Two connections that are used once before all other checks and asked again after them: a server that says that it keeps a
//! connection keeps it while nothing is sent, for 60 s at least.

use std::time::Instant;

use sha2::{Digest, Sha256};

use super::draw::{between, rng};
use super::echo::echoed;
use super::http::Connection;
use super::page::{self, Page};
use super::post::Post;
use super::report::{CheckFault, CheckResult, Checks};
use super::websocket::{FrameKind, WebSocket, WsMessage};
use crate::protocol::spec::Workload;
use crate::workload::files::{FILES, random};

const CONNECTIONS: usize = 2;

pub struct IdleConnections {
    since: Instant,
    workload: Workload,
    /// Or why there are none.
    kept: Result<Vec<IdleConnection>, CheckFault>,
}

enum IdleConnection {
    Http(Connection),
    WebSocket(Box<WebSocket>),
}

impl IdleConnections {
    pub fn open(checks: &Checks, workload: Workload) -> Self {
        let one = || {
            let mut kept = match workload {
                Workload::WsEcho => IdleConnection::WebSocket(Box::new(WebSocket::open(checks)?)),
                _ => IdleConnection::Http(checks.connect()?),
            };
            kept.ask(workload)?;
            // Echoes are not counted: these few bytes have no letters, so they do not show a server that returns lower case.
            if workload != Workload::WsEcho {
                checks.count_right();
            }
            Ok(kept)
        };
        Self {
            since: Instant::now(),
            workload,
            kept: (0..CONNECTIONS).map(|_| one()).collect(),
        }
    }

    pub fn check(self, checks: &mut Checks) {
        checks.check("idle", "a connection stays while nothing is sent on it", |_| {
            self.again()
        });
    }

    fn again(self) -> CheckResult {
        let seconds = self.since.elapsed().as_secs_f64();
        for mut kept in self.kept? {
            kept.ask(self.workload).map_err(|fault| CheckFault {
                message: format!(
                    "A connection was used, had no request for {seconds:.1} s, and was asked again: {}",
                    fault.message
                ),
                ..fault
            })?;
        }
        Ok(())
    }
}

impl IdleConnection {
    fn ask(&mut self, workload: Workload) -> CheckResult {
        match self {
            Self::WebSocket(socket) => {
                let (kind, data) = (FrameKind::Binary, random(&mut rng(), 10));
                echoed(socket, &WsMessage { kind, data })
            }
            Self::Http(connection) => {
                let head = match workload {
                    Workload::Plaintext => page::get(connection, &plaintext())?,
                    Workload::Static => page::get(connection, &small_file())?,
                    _ => {
                        let post = post(workload);
                        post.ask(connection, &format!("POST {}", post.path))?
                    }
                };
                match head.keeps_alive() {
                    true => Ok(()),
                    false => Err(CheckFault::new(
                        "The server says that it closes the connection after 1 response.",
                    )),
                }
            }
        }
    }
}

fn plaintext() -> Page {
    Page {
        path: "/plaintext".to_owned(),
        body: b"Hello, World!".to_vec(),
    }
}

fn small_file() -> Page {
    Page {
        path: FILES[0].path(),
        body: FILES[0].content(),
    }
}

fn post(workload: Workload) -> Post {
    let mut rng = rng();
    if workload == Workload::JsonSum {
        let (a, b) = (between(&mut rng, 0, 1000), between(&mut rng, 0, 1000));
        return Post {
            path: "/json-sum",
            kind: "application/json",
            body: format!("[{a},{b}]").into_bytes(),
            right: format!("sum = {}", a + b),
        };
    }
    let body = random(&mut rng, 100);
    Post {
        path: "/upload",
        kind: "application/octet-stream",
        right: hex::encode(Sha256::digest(&body)),
        body,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::test_server::{self, TestResponse};
    use super::*;

    fn open(server: std::net::SocketAddr) -> IdleConnections {
        IdleConnections::open(&test_server::checks(server), Workload::Plaintext)
    }

    fn after(pause: u64, server: std::net::SocketAddr) -> CheckResult {
        let waiting = open(server);
        std::thread::sleep(Duration::from_millis(pause));
        waiting.again()
    }

    /// When the server has closed them, however long that takes it.
    fn after_their_end(server: std::net::SocketAddr) -> CheckResult {
        let mut waiting = open(server);
        for kept in waiting.kept.as_mut().unwrap() {
            let IdleConnection::Http(connection) = kept else {
                panic!("plaintext is HTTP")
            };
            assert_eq!(connection.closed_within(Duration::from_secs(60)), Ok(true));
        }
        waiting.again()
    }

    #[test]
    fn a_connection_that_does_not_last_while_it_is_idle_is_found() {
        assert_eq!(
            after(10, test_server::serve(|_| TestResponse::ok("Hello, World!"))),
            Ok(())
        );
        let closes = |limit| test_server::closing_idle(limit, |_| TestResponse::ok("Hello, World!"));
        assert_eq!(after(0, closes(Duration::from_secs(30))), Ok(()));
        let message = after_their_end(closes(Duration::from_millis(300))).unwrap_err().message;
        let rest = message.strip_prefix("A connection was used, had no request for ");
        let (seconds, rest) = rest.and_then(|rest| rest.split_once(" s, ")).unwrap();
        assert!(
            rest.starts_with("and was asked again: ") && seconds.parse::<f64>().unwrap() >= 0.3,
            "{message}"
        );
        assert!(
            message.ends_with("the connection was closed before a response came."),
            "{message}"
        );
    }

    #[test]
    fn one_that_is_right_only_for_the_first_request_of_a_connection_is_found() {
        let server =
            test_server::serve(|request| TestResponse::ok(if request.number == 1 { "Hello, World!" } else { "" }));
        let message = after(0, server).unwrap_err().message;
        assert!(
            message.ends_with("plaintext was cut off: 0 of 13 bytes arrived."),
            "{message}"
        );
    }
}
