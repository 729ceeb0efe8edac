//! Many messages at once on many connections, because some are lost only then.

use std::sync::Mutex;

use super::draw::{between, rng};
use super::echo::echoed;
use super::report::{CheckFault, CheckResult, Checks};
use super::websocket::{WebSocket, WsMessage, frame};
use super::ws_message::{SHORT, numbered, same};
use crate::splitmix::SplitMix64;

#[cfg(test)]
mod cheats;

const LONG_USED_CONNECTIONS: usize = 4;
/// The longest message of these checks: more than the load `ws-64k` sends.
const LONG: usize = 70_000;

/// What one connection of a burst is sent: how many messages, and from how many bytes to how many.
type BurstPart = (usize, usize, usize);

/// One connection with very many short messages and one with many long ones, among others with some of both.
fn parts(rng: &mut SplitMix64) -> Vec<BurstPart> {
    let mut parts = vec![
        (between(rng, 520, 640), 1, 2 * SHORT),
        (between(rng, 120, 160), 2000, LONG),
    ];
    for _ in 2..between(rng, 16, 32) {
        parts.push((between(rng, 20, 60), SHORT, 2000));
    }
    // As many connections as loads have.
    for _ in 0..between(rng, 50, 90) {
        parts.push((between(rng, 4, 12), SHORT, 2000));
    }
    rng.shuffle(&mut parts);
    parts
}

/// All are open before the first message is sent, and none waits for an echo before it sends.
pub fn check(checks: &Checks) -> CheckResult {
    let mut open = Vec::new();
    for part in parts(&mut rng()) {
        open.push((part, WebSocket::open(checks)?));
    }
    at_once(open, |(part, socket)| burst(checks, part, socket))
}

fn burst(checks: &Checks, (count, low, high): BurstPart, mut socket: WebSocket) -> CheckResult {
    let mut rng = rng();
    let messages: Vec<WsMessage> = (0..count).map(|n| numbered(&mut rng, low, high, n)).collect();
    let mut writer = socket
        .connection
        .writer()
        .map_err(|e| CheckFault::http("A second handle of the connection", e))?;
    std::thread::scope(|scope| {
        // Frames are sent in packets that do not end where they do.
        let bytes = messages
            .iter()
            .map(|m| frame(&mut rng, m.kind as u8, &m.data, true, true))
            .collect::<Vec<_>>()
            .concat();
        // What cannot be sent will be missed below.
        scope.spawn(move || bytes.chunks(4999).try_for_each(|part| writer.send(part)));
        (0..count).try_for_each(|number| {
            next(&mut socket, &messages, number).map_err(|fault| checks.until_this_message(fault))?;
            checks.count_right();
            Ok(())
        })
    })
}

fn next(socket: &mut WebSocket, messages: &[WsMessage], number: usize) -> CheckResult {
    let what = format!("Message {} of a burst of {}", number + 1, messages.len());
    let came = socket.read(&what)?;
    let later = messages[number..].iter().position(|m| *m == came).unwrap_or_default();
    if later > 0 {
        return Err(CheckFault::new(format!(
            "{what} was lost: the next echo is that of message {}.",
            number + 1 + later
        )));
    }
    same(&messages[number], &came, &what)
}

/// One after the other, more than 600 in all.
pub fn hundreds_of_messages(checks: &Checks) -> CheckResult {
    let each = between(&mut rng(), 150, 220);
    at_once(vec![(); LONG_USED_CONNECTIONS], |()| {
        let mut rng = rng();
        let mut socket = WebSocket::open(checks)?;
        for number in 0..each {
            let message = numbered(&mut rng, 1, LONG, number);
            echoed(&mut socket, &message).map_err(|fault| checks.until_this_message(fault))?;
            checks.count_right();
        }
        Ok(())
    })
}

/// One thread for each; the first fault counts.
fn at_once<T: Send>(each: Vec<T>, one: impl Fn(T) -> CheckResult + Sync) -> CheckResult {
    let first = Mutex::new(None);
    std::thread::scope(|scope| {
        for item in each {
            let (one, first) = (&one, &first);
            scope.spawn(move || {
                if let Err(fault) = one(item) {
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
