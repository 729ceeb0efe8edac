//! The checks of a load of messages: as many WebSockets as it has, its messages, as many under way as it has.

use std::sync::Mutex;

use super::super::draw::{between, rng};
use super::super::echo::echoed;
use super::super::report::{CheckFault, CheckResult, Checks};
use super::super::websocket::{FrameKind, WebSocket, WsMessage};
use super::super::ws_message::same;
use super::depth::Depth;
use super::load::{Effort, LoadRequests};
use crate::loadgen::message;
use crate::protocol::spec::{Payload, Scenario};

/// On one of the connections, and on each of the others.
const MOST_MESSAGES: [usize; 2] = [240, 4];

pub fn check(checks: &mut Checks, scenario: &Scenario, depth: Depth) {
    let load = LoadRequests::of(scenario, checks.server());
    let effort = Effort::of(&load, depth);
    let many = effort.in_a_row.min(MOST_MESSAGES[0]);
    let title = format!(
        "messages as {} sends them come back over {} connections",
        load.tool.as_str(),
        effort.connections
    );
    checks.check("body", &title, |c| crowd(c, &load, &effort, many));
}

fn crowd(checks: &Checks, load: &LoadRequests<'_>, effort: &Effort, many: usize) -> CheckResult {
    let mut open = Vec::new();
    for _ in 0..effort.connections {
        open.push(WebSocket::open(checks)?);
    }
    let first: Mutex<Option<CheckFault>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for (number, mut socket) in open.into_iter().enumerate() {
            let first = &first;
            scope.spawn(move || {
                let most = if number == 0 {
                    between(&mut rng(), many, many + many / 4)
                } else {
                    MOST_MESSAGES[1].min(many)
                };
                let kind = Sent::of(load.scenario);
                let verdict = talk(checks, &mut socket, load.together, most.max(1), |nth| {
                    kind.message(number, nth)
                });
                if let Err(fault) = verdict {
                    fault.keep_in(first);
                }
            });
        }
    });
    match first.into_inner().unwrap_or_else(|e| e.into_inner()) {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

fn talk(
    checks: &Checks,
    socket: &mut WebSocket,
    together: usize,
    most: usize,
    message: impl Fn(usize) -> WsMessage,
) -> CheckResult {
    let mut sent = 0;
    while sent < most {
        let messages: Vec<WsMessage> = (sent..(sent + together).min(most)).map(&message).collect();
        sent += messages.len();
        let verdict = match messages.as_slice() {
            [one] => echoed(socket, one),
            several => burst(socket, several),
        };
        verdict.map_err(|fault| checks.until_this_message(fault))?;
        checks.count_right();
    }
    Ok(())
}

fn burst(socket: &mut WebSocket, messages: &[WsMessage]) -> CheckResult {
    for message in messages {
        socket.send(message.kind, &message.data)?;
    }
    for (number, message) in messages.iter().enumerate() {
        let what = format!("Message {} of {} under way", number + 1, messages.len());
        let came = socket.read(&what)?;
        if messages[number + 1..].contains(&came) {
            return Err(CheckFault::new(format!(
                "{what} was lost: the echo of a later one came."
            )));
        }
        same(message, &came, &what)?;
    }
    Ok(())
}

/// As loadgen makes them: each names its connection and its number.
struct Sent {
    kind: message::MessageKind,
    as_kind: FrameKind,
}

impl Sent {
    fn of(scenario: &Scenario) -> Self {
        let seed = rng().next_u64();
        let (kind, as_kind) = match scenario.payload {
            Some(Payload::Bytes { bytes }) => (message::MessageKind::bytes(bytes as usize, seed), FrameKind::Binary),
            Some(Payload::Text { bytes }) => (message::MessageKind::text(bytes as usize, seed), FrameKind::Text),
            _ => (message::MessageKind::greeting(), FrameKind::Text),
        };
        Self { kind, as_kind }
    }

    fn message(&self, connection: usize, number: usize) -> WsMessage {
        let head = self.kind.head(connection as u64, number as u64);
        let data = [head.as_slice(), self.kind.tail(&head)].concat();
        WsMessage {
            kind: self.as_kind,
            data,
        }
    }
}
