// SPDX-License-Identifier: MIT
//! Finds heads that carry both `Content-Length` and `Transfer-Encoding`. hyper takes the second and hides the first,
//! the contract wants 400. So the bytes are followed on their way to hyper: heads by their lines, bodies by counting.

use std::mem;

/// Of a line that comes in pieces only the start is kept: names, lengths and chunk sizes are short.
const KEPT: usize = 256;

#[derive(Default)]
pub struct Framing {
    state: State,
    kept: Vec<u8>,
}

enum State {
    Head(Head),
    Body(u64),
    ChunkSize,
    Chunk(u64),
    Trailer,
    /// No more HTTP comes, or hyper will refuse what comes.
    Over,
}

#[derive(Default)]
struct Head {
    started: bool,
    length: Option<u64>,
    coded: bool,
    websocket: bool,
}

impl Default for State {
    fn default() -> Self {
        Self::Head(Head::default())
    }
}

impl Framing {
    /// Breaks the last byte of a head that carries both, so that hyper answers it with 400 and closes.
    pub fn follow(&mut self, bytes: &mut [u8]) {
        let mut at = 0;
        while at < bytes.len() {
            match &mut self.state {
                State::Over => return,
                State::Body(0) => self.state = State::default(),
                State::Chunk(0) => self.state = State::ChunkSize,
                State::Body(left) | State::Chunk(left) => {
                    let here = (bytes.len() - at).min(usize::try_from(*left).unwrap_or(usize::MAX));
                    at += here;
                    *left -= here as u64;
                }
                _ => match memchr::memchr(b'\n', &bytes[at..]) {
                    None => return self.keep(&bytes[at..]),
                    Some(length) => {
                        if self.line(&bytes[at..at + length]) {
                            bytes[at + length] = 0;
                        }
                        at += length + 1;
                    }
                },
            }
        }
    }

    fn keep(&mut self, part: &[u8]) {
        let room = KEPT - self.kept.len();
        self.kept.extend_from_slice(&part[..part.len().min(room)]);
    }

    /// Whether this line ended a head that carries both.
    fn line(&mut self, end: &[u8]) -> bool {
        if self.kept.is_empty() {
            return self.state.line(end);
        }
        self.keep(end);
        let line = mem::take(&mut self.kept);
        self.state.line(&line)
    }
}

impl State {
    fn line(&mut self, line: &[u8]) -> bool {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match self {
            Self::Head(head) if line.is_empty() => {
                let both = head.length.is_some() && head.coded;
                *self = match head {
                    // Empty lines before a request are allowed.
                    Head { started: false, .. } => return false,
                    head if both || head.websocket => Self::Over,
                    Head { coded: true, .. } => Self::ChunkSize,
                    Head { length, .. } => Self::Body(length.unwrap_or(0)),
                };
                return both;
            }
            Self::Head(head) if head.started => head.field(line),
            Self::Head(head) => head.started = true,
            Self::ChunkSize => {
                let size = line.split(|b| *b == b';').next().unwrap_or_default();
                let size = std::str::from_utf8(size).map(|hex| u64::from_str_radix(hex.trim(), 16));
                *self = match size {
                    Ok(Ok(0)) => Self::Trailer,
                    // With the line's end after it.
                    Ok(Ok(size)) => Self::Chunk(size.saturating_add(2)),
                    _ => Self::Over,
                };
            }
            Self::Trailer if line.is_empty() => *self = Self::default(),
            _ => {}
        }
        false
    }
}

impl Head {
    fn field(&mut self, line: &[u8]) {
        // Most fields are none of the three, and their first letter says so.
        if !matches!(line[0] | 0x20, b'c' | b't' | b'u') {
            return;
        }
        let Some(colon) = memchr::memchr(b':', line) else {
            return;
        };
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        if name.eq_ignore_ascii_case(b"content-length") {
            self.length = Some(
                std::str::from_utf8(value)
                    .ok()
                    .and_then(|v| v.parse().ok())
                    .unwrap_or(0),
            );
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.coded = true;
        } else if name.eq_ignore_ascii_case(b"upgrade") {
            self.websocket |= value.eq_ignore_ascii_case(b"websocket");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Framing;

    const BOTH: [&str; 3] = [
        "POST /a HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: a\r\ncontent-length:5\r\n\r\n",
        "\r\nPOST /a HTTP/1.1\ntransfer-encoding: gzip, chunked\nCONTENT-LENGTH: 0\n\n",
    ];
    const FINE: [&str; 4] = [
        "GET /a HTTP/1.1\r\nHost: a\r\nCookie: x\r\n\r\n",
        "POST /a HTTP/1.1\r\nContent-Length: 13\r\n\r\n\r\n1234567\r\n\r\n",
        "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n12;x=y\r\nContent-Length: 3\n\r\n1\r\nx\r\n0\r\nContent-Length: 4\r\n\r\n",
        "POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
    ];

    fn follow(framing: &mut Framing, text: &str, piece: usize) -> Vec<u8> {
        let mut bytes = text.as_bytes().to_vec();
        bytes.chunks_mut(piece).for_each(|part| framing.follow(part));
        bytes
    }

    #[test]
    fn both_are_found_behind_anything_and_in_any_pieces_and_nothing_else_is_changed() {
        for both in BOTH {
            for piece in [1, 2, 3, 7, 16, 1000] {
                let mut framing = Framing::default();
                for fine in FINE {
                    assert_eq!(
                        follow(&mut framing, fine, piece),
                        fine.as_bytes(),
                        "{fine:?} in pieces of {piece}"
                    );
                }
                let mut broken = both.as_bytes().to_vec();
                *broken.last_mut().unwrap() = 0;
                assert_eq!(
                    follow(&mut framing, both, piece),
                    broken,
                    "{both:?} in pieces of {piece}"
                );
            }
        }
    }

    #[test]
    fn what_comes_after_an_upgrade_is_left_alone() {
        let mut framing = Framing::default();
        follow(&mut framing, "GET /ws HTTP/1.1\r\nUpgrade: WebSocket\r\n\r\n", 1000);
        assert_eq!(follow(&mut framing, BOTH[0], 1000), BOTH[0].as_bytes());
    }
}
