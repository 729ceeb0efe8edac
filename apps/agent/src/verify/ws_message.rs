//! What is sent as a message, and how an echo that differs is described.

use super::draw::{between, log_between, one_of};
use super::report::{CheckFault, CheckResult};
use super::websocket::{FrameKind, WsMessage};
use crate::splitmix::SplitMix64;
use crate::workload::files::random;

const ASCII: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 {}\":,";
const WIDE: &str = "äÖßÉжЖ€漢😀";
/// Bytes of the number at the start of a message.
const NUMBER: usize = 4;
/// What the load ws-10b sends.
pub const SHORT: usize = 10;

/// `bytes` bytes of text in both cases, half of the texts of ASCII alone and the others also of letters of two to four bytes,
/// or of anything.
pub fn payload(rng: &mut SplitMix64, kind: FrameKind, bytes: usize) -> WsMessage {
    let ascii = one_of(rng, &[true, false]);
    let data = match kind {
        FrameKind::Text => text(rng, bytes, ascii),
        _ => random(rng, bytes),
    };
    WsMessage { kind, data }
}

/// Exactly so many bytes, a capital among them.
pub fn text(rng: &mut SplitMix64, bytes: usize, ascii: bool) -> Vec<u8> {
    let more = if ascii { "" } else { WIDE };
    let letters: Vec<char> = ASCII.chars().chain(more.chars()).collect();
    let mut text = String::with_capacity(bytes + 4);
    while text.len() < bytes {
        text.push(one_of(rng, &letters));
    }
    while text.len() > bytes {
        text.pop();
    }
    // What a letter was too long for.
    text.extend(std::iter::repeat_n('Z', bytes - text.len()));
    if bytes > 0 && !text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        // A short text may have drawn none.
        let at: Vec<usize> = (0..bytes).filter(|at| text.as_bytes()[*at].is_ascii()).collect();
        if !at.is_empty() {
            let at = one_of(rng, &at);
            text.replace_range(at..=at, "Q");
        }
    }
    text.into_bytes()
}

pub fn draw(rng: &mut SplitMix64, low: usize, high: usize) -> WsMessage {
    let (kind, bytes) = (
        one_of(rng, &[FrameKind::Text, FrameKind::Binary]),
        between(rng, low, high),
    );
    payload(rng, kind, bytes)
}

/// Of a length in `low..=high`, small ones as likely as large ones; one in four as short as that of the load `ws-10b`, where that
/// is allowed. It begins with `number`, where it is long enough for it: equal messages would hide that one was lost.
pub fn numbered(rng: &mut SplitMix64, low: usize, high: usize, number: usize) -> WsMessage {
    let short = low <= SHORT && rng.below(4) == 0;
    let bytes = if short { SHORT } else { log_between(rng, low, high) };
    let kind = one_of(rng, &[FrameKind::Text, FrameKind::Binary]);
    let digits = format!("{number:0NUMBER$}").into_bytes();
    if bytes <= digits.len() {
        return payload(rng, kind, bytes);
    }
    let mut data = digits;
    data.extend(payload(rng, kind, bytes - data.len()).data);
    WsMessage { kind, data }
}

/// Byte by byte, case included.
pub fn same(sent: &WsMessage, came: &WsMessage, what: &str) -> CheckResult {
    if sent == came {
        return Ok(());
    }
    if came.kind == FrameKind::Close {
        let code = code_of(came).map_or("no code".to_owned(), |code| code.to_string());
        return Err(CheckFault::new(format!("{what}: the server closed with {code}.")));
    }
    if sent.kind != came.kind {
        return Err(CheckFault::new(format!(
            "{what}: it was sent as {} and came back as {}.",
            sent.kind.name(),
            came.kind.name()
        )));
    }
    let (sent, came) = (&sent.data, &came.data);
    if is_lower_case(sent, came) {
        return Err(CheckFault::new(format!("{what}: it came back in lower case.")));
    }
    let (expected, actual) = (sent.len() as u64, came.len() as u64);
    let message = if sent.len() != came.len() {
        format!("{what}: {expected} bytes were sent and {actual} came back.")
    } else {
        let at = sent.iter().zip(came).position(|(a, b)| a != b).unwrap_or_default();
        format!("{what}: the echo of {expected} bytes differs from byte {at} on.")
    };
    Err(CheckFault::bytes(message, expected, actual))
}

/// As programs lower bytes, and as they lower the letters of all scripts.
fn is_lower_case(sent: &[u8], came: &[u8]) -> bool {
    let letters = || std::str::from_utf8(sent).is_ok_and(|text| text.to_lowercase().as_bytes() == came);
    came == sent.to_ascii_lowercase() || letters()
}

pub fn code_of(close: &WsMessage) -> Option<u16> {
    let bytes = close.data.get(..2)?;
    Some(u16::from_be_bytes([bytes[0], bytes[1]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_exactly_the_given_length_and_half_of_it_is_ascii() {
        let mut rng = SplitMix64::new(7);
        let mut plain = 0;
        for bytes in 0..300 {
            let data = payload(&mut rng, FrameKind::Text, bytes).data;
            assert_eq!(data.len(), bytes);
            plain += usize::from(data.is_ascii());
            assert!(String::from_utf8(data).is_ok());
        }
        assert!((120..200).contains(&plain), "{plain}");
    }

    #[test]
    fn ascii_text_of_any_length_has_a_capital() {
        let mut rng = SplitMix64::new(8);
        for bytes in 1..50 {
            let data = text(&mut rng, bytes, true);
            assert!(data.len() == bytes && data.is_ascii() && data.to_ascii_lowercase() != data);
        }
    }

    #[test]
    fn messages_of_six_bytes_and_more_are_told_apart_and_a_quarter_has_ten() {
        let mut rng = SplitMix64::new(9);
        let messages: Vec<WsMessage> = (0..1000).map(|n| numbered(&mut rng, 6, 20, n)).collect();
        for (i, message) in messages.iter().enumerate() {
            assert_eq!(messages.iter().position(|m| m == message), Some(i));
        }
        let ten = messages.iter().filter(|m| m.data.len() == SHORT).count();
        assert!((200..450).contains(&ten), "{ten}");
    }

    #[test]
    fn lower_case_is_named() {
        let text = |data: &str| WsMessage {
            kind: FrameKind::Text,
            data: data.into(),
        };
        for came in ["abcÖ", "abcö"] {
            let fault = same(&text("aBcÖ"), &text(came), "It").unwrap_err();
            assert_eq!(fault.message, "It: it came back in lower case.");
        }
        let fault = same(&text("aBc"), &text("aBd"), "It").unwrap_err();
        assert_eq!(fault.message, "It: the echo of 3 bytes differs from byte 2 on.");
    }
}
