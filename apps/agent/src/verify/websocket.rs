//! A WebSocket client (RFC 6455) that is strict about frames and can send wrong ones. It blocks, as `http` does.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha1::{Digest, Sha1};

use super::client_profiles;
use super::draw::{between, rng};
use super::http::{Connection, Head, HttpError};
use super::report::{CheckFault, Checks};
use crate::loadgen::frame::mask;
use crate::splitmix::SplitMix64;
use crate::workload::files::random;

const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// More than any message that is sent here.
const FRAME_BYTES: u64 = 4 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameKind {
    Text = 1,
    Binary = 2,
    Close = 8,
    Ping = 9,
    Pong = 10,
}

impl FrameKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Binary => "binary",
            Self::Close => "close",
            Self::Ping => "ping",
            Self::Pong => "pong",
        }
    }
}

/// A whole message or a control frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WsMessage {
    pub kind: FrameKind,
    pub data: Vec<u8>,
}

pub struct WebSocket {
    pub connection: Connection,
    /// A message whose fragments have come only in part.
    partial: Option<WsMessage>,
}

pub fn handshake(key: &str, headers: &str) -> String {
    client_profiles::handshake(key, headers)
}

pub fn new_key() -> String {
    STANDARD.encode(random(&mut rng(), 16))
}

fn accept_of(key: &str) -> String {
    STANDARD.encode(Sha1::digest(format!("{key}{GUID}")))
}

impl WebSocket {
    pub fn open(checks: &Checks) -> Result<Self, CheckFault> {
        Self::with(checks, "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n")
    }

    pub fn with(checks: &Checks, headers: &str) -> Result<Self, CheckFault> {
        let fault = |e| CheckFault::http("The handshake on /ws", e);
        let mut connection = checks.connect()?;
        let key = new_key();
        connection.send(handshake(&key, headers).as_bytes()).map_err(fault)?;
        let head = connection.head().map_err(fault)?;
        judge(&head, &key).map_err(CheckFault::new)?;
        Ok(Self {
            connection,
            partial: None,
        })
    }

    pub fn send(&mut self, kind: FrameKind, data: &[u8]) -> Result<(), CheckFault> {
        self.send_bytes(&frame(&mut rng(), kind as u8, data, true, true))
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), CheckFault> {
        self.connection
            .send(bytes)
            .map_err(|e| CheckFault::http("Sending a frame", e))
    }

    /// The next message or control frame. `what` begins the sentence when it does not come.
    pub fn read(&mut self, what: &str) -> Result<WsMessage, CheckFault> {
        loop {
            let breach = |text: String| CheckFault::new(format!("{what}: {text}."));
            let (fin, opcode, data) = self.read_frame(what)?;
            let kind = match opcode {
                0 => None,
                1 => Some(FrameKind::Text),
                2 => Some(FrameKind::Binary),
                8 => Some(FrameKind::Close),
                9 => Some(FrameKind::Ping),
                10 => Some(FrameKind::Pong),
                other => return Err(breach(format!("a frame with the unknown opcode {other} came"))),
            };
            if let Some(kind @ (FrameKind::Close | FrameKind::Ping | FrameKind::Pong)) = kind {
                if !fin || data.len() > 125 {
                    return Err(breach("a control frame that is long or fragmented came".into()));
                }
                if kind == FrameKind::Ping {
                    // Every tool does this too.
                    self.send(FrameKind::Pong, &data)?;
                    continue;
                }
                return Ok(WsMessage { kind, data });
            }
            let message = match (kind, self.partial.take()) {
                (Some(kind), None) => WsMessage { kind, data },
                (None, Some(mut begun)) => {
                    begun.data.extend_from_slice(&data);
                    begun
                }
                _ => return Err(breach("fragments came in the wrong order".into())),
            };
            if fin {
                return Ok(message);
            }
            self.partial = Some(message);
        }
    }

    fn read_frame(&mut self, what: &str) -> Result<(bool, u8, Vec<u8>), CheckFault> {
        let http = |e| match e {
            HttpError::Closed => CheckFault::new(format!("{what}: the connection was closed.")),
            HttpError::Silent(_) => CheckFault::new(format!("{what}: nothing came.")),
            other => CheckFault::http(what, other),
        };
        let breach = |text: &str| Err(CheckFault::new(format!("{what}: {text}.")));
        let head = self.connection.exactly(2).map_err(http)?;
        if head[0] & 0x70 != 0 {
            return breach("a frame with reserved bits came, but no extension was agreed");
        }
        if head[1] & 0x80 != 0 {
            return breach("the server masked a frame");
        }
        let more = match head[1] {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        let extended = self.connection.exactly(more).map_err(http)?;
        let length = match more {
            0 => u64::from(head[1]),
            _ => extended.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
        };
        if length > FRAME_BYTES {
            return breach(&format!("a frame of {length} bytes came"));
        }
        let data = self.connection.exactly(length as usize).map_err(http)?;
        Ok((head[0] & 0x80 != 0, head[0] & 15, data))
    }
}

fn judge(head: &Head, key: &str) -> Result<(), String> {
    if head.status != 101 {
        return Err(format!("The handshake on /ws got status {} and not 101.", head.status));
    }
    let header = |name| head.header(name).unwrap_or_default();
    if !header("upgrade").eq_ignore_ascii_case("websocket") {
        return Err(format!(
            "The handshake's response has Upgrade: {:?}.",
            header("upgrade")
        ));
    }
    let upgrade = |word: &str| word.trim().eq_ignore_ascii_case("upgrade");
    if !header("connection").split(',').any(upgrade) {
        return Err(format!(
            "The handshake's response has Connection: {:?}.",
            header("connection")
        ));
    }
    let (accept, right) = (header("sec-websocket-accept"), accept_of(key));
    if accept != right {
        return Err(format!("Sec-WebSocket-Accept is {accept:?} and not {right:?}."));
    }
    match head.header("sec-websocket-extensions") {
        Some(extension) => Err(format!("The server agreed to the extension {extension:?}.")),
        None => Ok(()),
    }
}

pub fn frame(rng: &mut SplitMix64, opcode: u8, data: &[u8], fin: bool, masked: bool) -> Vec<u8> {
    let mask_bit = if masked { 0x80 } else { 0 };
    let mut bytes = Vec::with_capacity(data.len() + 14);
    bytes.push(if fin { 0x80 | opcode } else { opcode });
    match data.len() {
        short @ 0..126 => bytes.push(mask_bit | short as u8),
        middle @ 126..65_536 => {
            bytes.push(mask_bit | 126);
            bytes.extend_from_slice(&(middle as u16).to_be_bytes());
        }
        long => {
            bytes.push(mask_bit | 127);
            bytes.extend_from_slice(&(long as u64).to_be_bytes());
        }
    }
    if !masked {
        bytes.extend_from_slice(data);
        return bytes;
    }
    let key = (rng.next_u64() as u32).to_le_bytes();
    bytes.extend_from_slice(&key);
    let from = bytes.len();
    bytes.extend_from_slice(data);
    mask(&mut bytes, from, key);
    bytes
}

/// One message in `pieces` fragments, the control frames between them in turn.
pub fn fragmented(rng: &mut SplitMix64, message: &WsMessage, pieces: usize, between_them: &[WsMessage]) -> Vec<u8> {
    let mut cuts: Vec<usize> = (1..pieces).map(|_| between(rng, 0, message.data.len())).collect();
    cuts.extend([0, message.data.len()]);
    cuts.sort_unstable();
    let mut controls = between_them.iter();
    let mut bytes = Vec::new();
    for (i, cut) in cuts.windows(2).enumerate() {
        let opcode = if i == 0 { message.kind as u8 } else { 0 };
        let last = i + 1 == pieces;
        bytes.extend(frame(rng, opcode, &message.data[cut[0]..cut[1]], last, true));
        if let Some(control) = controls.next().filter(|_| !last) {
            bytes.extend(frame(rng, control.kind as u8, &control.data, true, true));
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_accept_key_of_the_rfc() {
        assert_eq!(accept_of("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    #[test]
    fn frames_are_those_of_the_rfc() {
        let mut rng = SplitMix64::new(1);
        assert_eq!(frame(&mut rng, 1, b"Hello", true, false), b"\x81\x05Hello");
        assert_eq!(frame(&mut rng, 1, b"Hel", false, false), b"\x01\x03Hel");
        assert_eq!(frame(&mut rng, 2, &[0; 256], true, false)[..4], [0x82, 0x7e, 1, 0]);
        let long = frame(&mut rng, 2, &[0; 65_536], true, false);
        assert_eq!(long[..10], [0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0]);
        let masked = frame(&mut rng, 1, b"Hello", true, true);
        let plain: Vec<u8> = (0..5).map(|i| masked[6 + i] ^ masked[2 + i % 4]).collect();
        assert_eq!((&masked[..2], plain.as_slice()), (&b"\x81\x85"[..], &b"Hello"[..]));
    }
}
