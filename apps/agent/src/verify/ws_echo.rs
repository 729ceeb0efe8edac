//! `ws-echo`: each message back, same type, same bytes, in order, whole.

use std::time::Duration;

use super::draw::{log_between, one_of, rng};
use super::echo::echoed;
use super::http_semantics;
use super::page::request;
use super::report::{CheckFault, CheckResult, Checks};
use super::websocket::{FrameKind, WebSocket, WsMessage, fragmented, frame, handshake, new_key};
use super::ws_burst;
use super::ws_message::{SHORT, code_of, draw, payload, same, text};
use crate::workload::files::random;

const CLOSE_LIMIT: Duration = Duration::from_secs(5);

pub fn check(checks: &mut Checks) {
    checks.check("handshake", "the handshake is right and agrees to nothing", |c| {
        for more in ["", "Sec-WebSocket-Extensions: permessage-deflate\r\n"] {
            let headers = format!("Connection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n{more}");
            let mut socket = WebSocket::with(c, &headers)?;
            // Digits: of a wrong echo the checks below say what is wrong.
            let data = rng().below(1 << 60).to_string().into_bytes();
            let kind = one_of(&mut rng(), &[FrameKind::Text, FrameKind::Binary]);
            echoed(&mut socket, &WsMessage { kind, data })?;
        }
        Ok(())
    });
    check_echoes(checks);
    checks.check("fragments", "a fragmented message comes back whole", fragments);
    checks.check("ping", "a pong returns the bytes of its ping", |c| {
        let mut socket = WebSocket::open(c)?;
        for length in [0, 1, 125] {
            ping(&mut socket, random(&mut rng(), length))?;
        }
        echoed(&mut socket, &draw(&mut rng(), 10, 200))
    });
    checks.check("close", "a close gets its own code back", close);
    checks.check("utf-8", "text that is not UTF-8 ends with 1007", |c| {
        let mut socket = WebSocket::open(c)?;
        socket.send(FrameKind::Text, b"abc \xff\xfe")?;
        ends_with(&mut socket, 1007, "Text that is not UTF-8")
    });
    checks.check("unmasked", "an unmasked frame ends with 1002", |c| {
        let mut socket = WebSocket::open(c)?;
        socket.send_bytes(&frame(&mut rng(), 1, b"hello", true, false))?;
        ends_with(&mut socket, 1002, "An unmasked frame")
    });
    checks.check("refused", "what is no handshake is refused", refused);
    checks.check("not-found", "an unknown path gets status 404", |c| {
        http_semantics::not_found(c, &format!("/{}", super::draw::random_name()))
    });
}

/// The checks of whole messages.
pub fn check_echoes(checks: &mut Checks) {
    checks.check("echo", "text and binary of 0 bytes to 1 MiB come back", sizes);
    checks.check("order", "messages come back in order", |c| {
        let messages: Vec<WsMessage> = (0..5).map(|_| draw(&mut rng(), 20, 300)).collect();
        let mut socket = WebSocket::open(c)?;
        for message in &messages {
            socket.send(message.kind, &message.data)?;
        }
        for (number, message) in messages.iter().enumerate() {
            let what = format!("Message {} of 5", number + 1);
            same(message, &socket.read(&what)?, &what)?;
        }
        Ok(())
    });
    checks.check("burst", "no message of a burst is lost", ws_burst::check);
    checks.check(
        "lasting",
        "the echo stays right for hundreds of messages",
        ws_burst::hundreds_of_messages,
    );
}

/// Where the frame's length changes its form, what the loads send, and one or two lengths between each power of two and the
/// next: each as binary and as both sorts of text.
fn sizes(checks: &Checks) -> CheckResult {
    let mut rng = rng();
    let mut socket = WebSocket::open(checks)?;
    let mut right = |message: WsMessage| {
        echoed(&mut socket, &message).map_err(|fault| checks.until_this_message(fault))?;
        checks.count_right();
        Ok(())
    };
    let mut lengths = vec![0, 1, SHORT, 125, 126, 1000, 65_535, 65_536, 1 << 20];
    for power in 0..20 {
        let count = if power < 16 { 2 } else { 1 };
        lengths.extend((0..count).map(|_| log_between(&mut rng, 1 << power, 2 << power)));
    }
    rng.shuffle(&mut lengths);
    // The first shows lower case whatever is drawn: it has capitals.
    lengths.insert(0, 20);
    for bytes in lengths {
        let kind = FrameKind::Text;
        for ascii in [true, false] {
            let data = text(&mut rng, bytes, ascii);
            right(WsMessage { kind, data })?;
        }
        right(payload(&mut rng, FrameKind::Binary, bytes))?;
    }
    Ok(())
}

fn ping(socket: &mut WebSocket, data: Vec<u8>) -> CheckResult {
    let what = format!("A ping of {} bytes", data.len());
    socket.send(FrameKind::Ping, &data)?;
    let kind = FrameKind::Pong;
    same(&WsMessage { kind, data }, &socket.read(&what)?, &what)
}

fn fragments(checks: &Checks) -> CheckResult {
    let mut rng = rng();
    let mut socket = WebSocket::open(checks)?;
    for (kind, bytes) in [
        (FrameKind::Text, 40),
        (FrameKind::Binary, 5000),
        (FrameKind::Text, 100_000),
    ] {
        let message = payload(&mut rng, kind, bytes);
        let ping = payload(&mut rng, FrameKind::Ping, 20);
        let bytes = fragmented(&mut rng, &message, 4, std::slice::from_ref(&ping));
        socket.send_bytes(&bytes)?;
        let what = "A ping between the fragments of a message";
        let pong = WsMessage {
            kind: FrameKind::Pong,
            data: ping.data,
        };
        same(&pong, &socket.read(what)?, what)?;
        let what = format!("A message of {} bytes in four fragments", message.data.len());
        same(&message, &socket.read(&what)?, &what)?;
    }
    Ok(())
}

fn ends_with(socket: &mut WebSocket, code: u16, what: &str) -> CheckResult {
    let came = socket.read(what)?;
    match (came.kind, code_of(&came)) {
        (FrameKind::Close, Some(received)) if received == code => Ok(()),
        (FrameKind::Close, received) => Err(CheckFault::new(format!(
            "{what}: the server closed with {} and not with {code}.",
            received.map_or("no code".to_owned(), |received| received.to_string())
        ))),
        (other, _) => Err(CheckFault::new(format!(
            "{what}: {} came and not a close.",
            other.name()
        ))),
    }
}

fn close(checks: &Checks) -> CheckResult {
    let mut socket = WebSocket::open(checks)?;
    let last = draw(&mut rng(), 10, 200);
    echoed(&mut socket, &last)?;
    socket.send(FrameKind::Close, &1000u16.to_be_bytes())?;
    ends_with(&mut socket, 1000, "Close 1000")?;
    match socket.connection.closed_within(CLOSE_LIMIT) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CheckFault::new("Close 1000: the server kept the connection open.")),
        Err(more) => Err(CheckFault::new(format!(
            "Close 1000: {more} bytes came after the close frame."
        ))),
    }
}

fn refused(checks: &Checks) -> CheckResult {
    let key = new_key();
    let upgrade = "Connection: Upgrade\r\nSec-WebSocket-Version: ";
    for (what, request) in [
        ("A plain GET on /ws", request("GET", "/ws", "")),
        (
            "A handshake of version 12",
            handshake(&key, &format!("{upgrade}12\r\n")),
        ),
    ] {
        let fault = |e| CheckFault::http(what, e);
        let mut connection = checks.connect()?;
        connection.send(request.as_bytes()).map_err(fault)?;
        let status = connection.head().map_err(fault)?.status;
        if !(400..500).contains(&status) {
            return Err(CheckFault::new(format!("{what} got status {status} and not 4xx.")));
        }
    }
    Ok(())
}
