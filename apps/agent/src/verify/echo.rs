//! One message that must come back.

use std::time::Duration;

use super::draw::rng;
use super::report::{CheckFault, CheckResult};
use super::websocket::{FrameKind, WebSocket, WsMessage};
use super::ws_message::same;
use crate::workload::files::random;

/// After so long without an echo another message is sent.
const SLOW: Duration = Duration::from_secs(1);

pub fn echoed(socket: &mut WebSocket, message: &WsMessage) -> CheckResult {
    let what = format!("A message of {} bytes, {}", message.data.len(), message.kind.name());
    socket.send(message.kind, &message.data)?;
    if !socket.connection.silent_for(SLOW) {
        return same(message, &socket.read(&what)?, &what);
    }
    // A slow server echoes both in order. If the first is lost, the second echo shows it.
    let (kind, data) = (FrameKind::Binary, random(&mut rng(), 30));
    let next = WsMessage { kind, data };
    socket.send(next.kind, &next.data)?;
    let came = socket.read(&what)?;
    if came == next {
        return Err(CheckFault::new(format!(
            "{what}, was lost: the next echo is that of the message after it."
        )));
    }
    same(message, &came, &what)?;
    let what = "The message after one that came back late";
    same(&next, &socket.read(what)?, what)
}
