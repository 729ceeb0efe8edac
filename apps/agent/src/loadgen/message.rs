//! Messages of a WebSocket. Each names its connection and its number, so that no two are equal. A message is
//! a short head of its own and a tail that those of a run share; nothing is allocated for one.

use super::frame::{BINARY, TEXT};
use crate::splitmix::SplitMix64;
use crate::workload::files::random;
use crate::workload::payload::letters;

const HEAD_BYTES: usize = 96;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MessageShape {
    Greeting,
    Text,
    Bytes,
}

#[derive(Debug, Clone)]
pub struct MessageKind {
    shape: MessageShape,
    bytes: usize,
    tail: Vec<u8>,
}

/// The head of one message.
#[derive(Debug, Clone, Copy)]
pub struct MessageHead {
    bytes: [u8; HEAD_BYTES],
    len: usize,
}

impl MessageHead {
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    fn number(&mut self, mut n: u64, base: u64) {
        let mut digits = [0; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b"0123456789abcdefghijklmnopqrstuvwxyz"[(n % base) as usize];
            n /= base;
            if n == 0 {
                break;
            }
        }
        self.put(&digits[at..]);
    }
}

impl MessageKind {
    pub fn greeting() -> Self {
        Self {
            shape: MessageShape::Greeting,
            bytes: 0,
            tail: Vec::new(),
        }
    }

    pub fn text(bytes: usize, seed: u64) -> Self {
        let tail = letters(&mut SplitMix64::new(seed), bytes);
        Self {
            shape: MessageShape::Text,
            bytes,
            tail,
        }
    }

    pub fn bytes(bytes: usize, seed: u64) -> Self {
        let tail = random(&mut SplitMix64::new(seed), bytes);
        Self {
            shape: MessageShape::Bytes,
            bytes,
            tail,
        }
    }

    pub fn opcode(&self) -> u8 {
        if self.shape == MessageShape::Bytes {
            BINARY
        } else {
            TEXT
        }
    }

    pub fn head(&self, connection: u64, number: u64) -> MessageHead {
        let mut head = MessageHead {
            bytes: [0; HEAD_BYTES],
            len: 0,
        };
        match self.shape {
            MessageShape::Greeting => {
                head.put(b"{\"text\": \"Hello from connection ");
                head.number(connection, 10);
                head.put(b" - message ");
                head.number(number, 10);
                head.put(b"\"}");
                return head;
            }
            // The number first: of a message that is too short for both, it is the part that differs within a connection.
            MessageShape::Text => {
                head.number(number, 36);
                head.put(b" ");
                head.number(connection, 36);
                head.put(b" Q ");
            }
            MessageShape::Bytes => {
                head.put(&number.to_le_bytes()[..4]);
                head.put(&connection.to_le_bytes()[..4]);
                head.put(&number.to_le_bytes()[4..]);
            }
        }
        head.len = head.len.min(self.bytes);
        head
    }

    pub fn tail(&self, head: &MessageHead) -> &[u8] {
        self.tail.get(head.len..).unwrap_or_default()
    }

    pub fn length(&self, head: &MessageHead) -> usize {
        head.len + self.tail(head).len()
    }

    /// Are these the message's bytes from `at` on?
    pub fn is(&self, head: &MessageHead, at: usize, bytes: &[u8]) -> bool {
        let own = head.as_slice().get(at..).unwrap_or_default();
        let n = own.len().min(bytes.len());
        if own[..n] != bytes[..n] {
            return false;
        }
        let rest = &bytes[n..];
        let from = (at + n).saturating_sub(head.len);
        rest.is_empty() || self.tail(head).get(from..from + rest.len()) == Some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(kind: &MessageKind, connection: u64, number: u64) -> Vec<u8> {
        let head = kind.head(connection, number);
        [head.as_slice(), kind.tail(&head)].concat()
    }

    #[test]
    fn each_message_is_its_own() {
        for kind in [
            MessageKind::greeting(),
            MessageKind::text(100, 1),
            MessageKind::bytes(100, 1),
            MessageKind::text(10, 2),
        ] {
            let all: std::collections::BTreeSet<Vec<u8>> = (0..5u64)
                .flat_map(|c| (0..50).map(move |n| (c, n)))
                .map(|(c, n)| whole(&kind, c, n))
                .collect();
            assert_eq!(all.len(), 250);
        }
        assert_eq!(
            whole(&MessageKind::greeting(), 7, 12),
            br#"{"text": "Hello from connection 7 - message 12"}"#
        );
    }

    #[test]
    fn messages_have_the_size_that_was_set_and_text_is_text() {
        for bytes in [0, 1, 7, 16, 17, 1000] {
            assert_eq!(whole(&MessageKind::bytes(bytes, 3), 9999, u64::MAX).len(), bytes);
            let text = whole(&MessageKind::text(bytes, 3), 9999, u64::MAX);
            assert_eq!(text.len(), bytes);
            assert!(String::from_utf8(text).is_ok());
        }
    }

    #[test]
    fn an_echo_is_recognized_in_pieces_of_any_size() {
        let kind = MessageKind::text(100, 5);
        let (head, bytes) = (kind.head(3, 4), whole(&kind, 3, 4));
        for size in [1, 3, 50, 100] {
            let mut pieces = bytes.chunks(size).enumerate();
            assert!(pieces.all(|(i, piece)| kind.is(&head, i * size, piece)), "{size}");
        }
        for wrong in 0..100 {
            let mut other = bytes.clone();
            other[wrong] ^= 0x20;
            assert!(!kind.is(&head, 0, &other), "{wrong}");
        }
        assert!(!kind.is(&head, 0, &[&bytes[..], b"x"].concat()));
    }
}
