//! Echoes out of received bytes, each compared whole with the message that it must be.

use super::super::frame::{self, CLOSE, CONTINUATION, FrameHead, PING, ParsedFrame};
use super::super::message::MessageKind;
use super::super::tally::LoadFault;

#[derive(Default)]
pub struct WsReader {
    /// A head that has come in part.
    carry: Vec<u8>,
    frame: Option<(FrameHead, u64)>,
    /// Of the message that is being read.
    open: bool,
    at: usize,
    wrong: bool,
    control: Vec<u8>,
}

pub enum WsStep {
    Wait,
    Echo(Option<LoadFault>),
    /// The pong must carry these bytes.
    Ping(Vec<u8>),
    Close,
    Broken(LoadFault),
}

impl WsReader {
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// `waiting` is the number of the message whose echo is next.
    pub fn feed(&mut self, input: &[u8], kind: &MessageKind, connection: u64, waiting: Option<u64>) -> (usize, WsStep) {
        let mut taken = 0;
        loop {
            let (frame, left) = match self.frame {
                Some(frame) => frame,
                None if taken == input.len() => return (taken, WsStep::Wait),
                None => match self.head(input, &mut taken) {
                    Ok(Some(frame)) if frame.opcode < CLOSE && !self.begin(frame, kind) => {
                        return (taken, WsStep::Broken(LoadFault::Other));
                    }
                    Ok(Some(frame)) => (frame, frame.length),
                    Ok(None) => return (taken, WsStep::Wait),
                    Err(fault) => return (taken, WsStep::Broken(fault)),
                },
            };
            let n = usize::try_from(left).unwrap_or(usize::MAX).min(input.len() - taken);
            let bytes = &input[taken..taken + n];
            taken += n;
            let left = left - n as u64;
            if frame.opcode >= CLOSE {
                self.control.extend_from_slice(bytes);
            } else {
                let Some(number) = waiting else {
                    return (taken, WsStep::Broken(LoadFault::Content));
                };
                self.wrong |= !kind.is(&kind.head(connection, number), self.at, bytes);
                self.at += n;
            }
            self.frame = (left > 0).then_some((frame, left));
            if left > 0 {
                return (taken, WsStep::Wait);
            }
            if let Some(step) = self.end(frame, kind, connection, waiting) {
                return (taken, step);
            }
        }
    }

    fn head(&mut self, input: &[u8], taken: &mut usize) -> Result<Option<FrameHead>, LoadFault> {
        let before = self.carry.len();
        let rest = &input[*taken..];
        let parsed = if before == 0 {
            frame::parse(rest)
        } else {
            // A head has 10 bytes at most.
            self.carry.extend_from_slice(&rest[..rest.len().min(10)]);
            frame::parse(&self.carry)
        };
        match parsed {
            ParsedFrame::Frame(head) => {
                *taken += head.bytes - before;
                self.carry.clear();
                Ok(Some(head))
            }
            ParsedFrame::Incomplete => {
                if before == 0 {
                    self.carry.extend_from_slice(rest);
                }
                *taken = input.len();
                Ok(None)
            }
            ParsedFrame::Broken => Err(LoadFault::Other),
        }
    }

    /// False where this frame is not allowed here.
    fn begin(&mut self, frame: FrameHead, kind: &MessageKind) -> bool {
        if frame.opcode == CONTINUATION {
            return self.open;
        }
        if self.open {
            return false;
        }
        (self.open, self.at, self.wrong) = (true, 0, frame.opcode != kind.opcode());
        true
    }

    fn end(&mut self, frame: FrameHead, kind: &MessageKind, connection: u64, waiting: Option<u64>) -> Option<WsStep> {
        match frame.opcode {
            CLOSE => return Some(WsStep::Close),
            PING => return Some(WsStep::Ping(std::mem::take(&mut self.control))),
            CONTINUATION..=frame::BINARY => {}
            _ => self.control.clear(),
        }
        if frame.opcode >= CLOSE || !frame.fin {
            return None;
        }
        self.open = false;
        let length = kind.length(&kind.head(connection, waiting?));
        Some(WsStep::Echo(if self.at != length {
            Some(LoadFault::Length)
        } else if self.wrong {
            Some(LoadFault::Content)
        } else {
            None
        }))
    }
}

/// A message of connection `connection`, ready to leave.
pub fn write(to: &mut Vec<u8>, kind: &MessageKind, connection: u64, number: u64, mask: [u8; 4]) {
    let head = kind.head(connection, number);
    frame::write_head(to, kind.opcode(), kind.length(&head), mask);
    let from = to.len();
    to.extend_from_slice(head.as_slice());
    to.extend_from_slice(kind.tail(&head));
    frame::mask(to, from, mask);
}

pub fn write_pong(to: &mut Vec<u8>, payload: &[u8], mask: [u8; 4]) {
    frame::write_head(to, frame::PONG, payload.len(), mask);
    let from = to.len();
    to.extend_from_slice(payload);
    frame::mask(to, from, mask);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server_frame(first: u8, payload: &[u8]) -> Vec<u8> {
        [&[first, payload.len() as u8][..], payload].concat()
    }

    fn feed_all(bytes: &[u8], piece: usize, kind: &MessageKind) -> Vec<String> {
        let (mut reader, mut described, mut number) = (WsReader::default(), Vec::new(), 0);
        for mut part in bytes.chunks(piece) {
            while !part.is_empty() {
                let (taken, step) = reader.feed(part, kind, 3, Some(number));
                part = &part[taken..];
                match step {
                    WsStep::Wait => assert!(part.is_empty()),
                    WsStep::Echo(fault) => {
                        number += 1;
                        described.push(format!("{fault:?}"));
                    }
                    WsStep::Ping(bytes) => described.push(format!("ping {}", bytes.len())),
                    WsStep::Close => described.push("close".to_owned()),
                    WsStep::Broken(fault) => return [described, vec![format!("broken {fault:?}")]].concat(),
                }
            }
        }
        described
    }

    #[test]
    fn each_echo_is_recognized_however_the_bytes_are_cut() {
        let kind = MessageKind::text(40, 9);
        let message = |n: u64| {
            let head = kind.head(3, n);
            [head.as_slice(), kind.tail(&head)].concat()
        };
        let mut bytes = server_frame(0x81, &message(0));
        bytes.extend(server_frame(0x81, &message(1).to_ascii_lowercase()));
        bytes.extend(server_frame(0x82, &message(2)));
        bytes.extend(server_frame(0x81, &message(3)[..39]));
        // In fragments, with a ping between them.
        bytes.extend(server_frame(0x01, &message(4)[..10]));
        bytes.extend(server_frame(0x89, b"here"));
        bytes.extend(server_frame(0x80, &message(4)[10..]));
        bytes.extend(server_frame(0x88, &[3, 232]));
        let expected = [
            "None",
            "Some(Content)",
            "Some(Content)",
            "Some(Length)",
            "ping 4",
            "None",
            "close",
        ];
        for piece in [1, 2, 3, 11, 64, bytes.len()] {
            assert_eq!(feed_all(&bytes, piece, &kind), expected, "{piece}");
        }
    }

    #[test]
    fn a_frame_that_is_not_allowed_is_broken() {
        let kind = MessageKind::greeting();
        assert_eq!(feed_all(&server_frame(0x80, b"x"), 9, &kind), ["broken Other"]);
        let twice = [server_frame(0x01, b"x"), server_frame(0x01, b"x")].concat();
        assert_eq!(feed_all(&twice, 99, &kind), ["broken Other"]);
        let (_, step) = WsReader::default().feed(&server_frame(0x81, b"x"), &kind, 1, None);
        assert!(matches!(step, WsStep::Broken(LoadFault::Content)));
    }
}
