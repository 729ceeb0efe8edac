//! Many messages at once on several connections, because some are lost only then.

use std::sync::Mutex;

use super::draw::{between, rng};
use super::report::{Checks, Fault, Verdict};
use super::websocket::{Message, WebSocket, frame};
use super::ws_echo::{draw, same};

const CONNECTIONS: usize = 4;
/// Below this two messages may well be equal.
const UNLIKE_BYTES: usize = 12;

/// On each connection 80 to 130 messages without waiting, on all at the same time.
pub fn check(checks: &Checks) -> Verdict {
    at_once(|| {
        let mut rng = rng();
        let count = between(&mut rng, 80, 130);
        let messages: Vec<Message> = (0..count).map(|_| draw(&mut rng, UNLIKE_BYTES, 2000)).collect();
        let mut socket = WebSocket::open(checks)?;
        let mut writer = socket
            .connection
            .writer()
            .map_err(|e| Fault::http("A second handle of the connection", e))?;
        std::thread::scope(|scope| {
            // Frames are sent in packets that do not end where they do.
            let bytes: Vec<u8> = messages
                .iter()
                .flat_map(|m| frame(&mut rng, m.kind as u8, &m.data, true, true))
                .collect();
            // What cannot be sent will be missed below.
            scope.spawn(move || bytes.chunks(4999).try_for_each(|part| writer.send(part)));
            (0..count).try_for_each(|number| next(&mut socket, &messages, number))
        })
    })
}

fn next(socket: &mut WebSocket, messages: &[Message], number: usize) -> Verdict {
    let what = format!("Message {} of a burst of {}", number + 1, messages.len());
    let came = socket.read(&what)?;
    let later = messages[number..].iter().position(|m| *m == came).unwrap_or_default();
    if later > 0 {
        return Err(Fault::new(format!(
            "{what} was lost: the next echo is that of message {}.",
            number + 1 + later
        )));
    }
    same(&messages[number], &came, &what)
}

/// One after the other, more than 300 in all.
pub fn lasting(checks: &Checks) -> Verdict {
    let right = Mutex::new(0u64);
    let each = between(&mut rng(), 80, 130);
    at_once(|| {
        let mut rng = rng();
        let mut socket = WebSocket::open(checks)?;
        for _ in 0..each {
            let message = draw(&mut rng, UNLIKE_BYTES, 200);
            let what = format!("A message of {} bytes", message.data.len());
            socket.send(message.kind, &message.data)?;
            let verdict = socket.read(&what).and_then(|came| same(&message, &came, &what));
            let mut right = right.lock().unwrap_or_else(|e| e.into_inner());
            match verdict {
                Ok(()) => *right += 1,
                Err(fault) if *right == 0 => return Err(fault),
                Err(fault) => {
                    return Err(Fault {
                        message: format!(
                            "The echo was right for the first {right} messages and then wrong: {}",
                            fault.message
                        ),
                        ..fault
                    });
                }
            }
        }
        Ok(())
    })
}

/// The same on several connections; the first fault counts.
fn at_once(one: impl Fn() -> Verdict + Sync) -> Verdict {
    let first = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| {
                if let Err(fault) = one() {
                    first.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(fault);
                }
            });
        }
    });
    match first.into_inner().unwrap_or_else(|e| e.into_inner()) {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}
