//! The head of a response: status, length, and whether the connection stays.

use memchr::{memchr, memmem};

use crate::workload::connection;

/// A longer head is refused.
pub const MOST_BYTES: usize = 32 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResponseHead {
    /// Bytes of the head itself, with the empty line.
    pub bytes: usize,
    pub status: u16,
    /// `None` where the body is chunked or ends with the connection.
    pub length: Option<u64>,
    pub chunked: bool,
    pub closes: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParsedHead {
    Head(ResponseHead),
    Incomplete,
    Broken,
}

pub fn parse(input: &[u8]) -> ParsedHead {
    let Some(end) = memmem::find(input, b"\r\n\r\n") else {
        return if input.len() > MOST_BYTES || !begins(input) {
            ParsedHead::Broken
        } else {
            ParsedHead::Incomplete
        };
    };
    let bytes = end + 4;
    if bytes > MOST_BYTES {
        return ParsedHead::Broken;
    }
    let Some((status, old)) = first_line(input) else {
        return ParsedHead::Broken;
    };
    let (mut says_close, mut says_keep_alive) = (false, false);
    let (mut length, mut chunked) = (None, false);
    // The first line's own end, then line by line; `end + 2` keeps the last line's end.
    let mut rest = &input[..end + 2];
    while let Some(at) = memchr(b'\n', rest) {
        rest = &rest[at + 1..];
        match rest.first() {
            Some(b'c' | b'C' | b't' | b'T') => {}
            _ => continue,
        }
        if let Some(value) = value(rest, b"content-length") {
            match number(value) {
                Some(n) if length.is_none_or(|l| l == n) => length = Some(n),
                _ => return ParsedHead::Broken,
            }
        } else if let Some(value) = value(rest, b"transfer-encoding") {
            // `chunked` is always the last coding, so the others are inside it.
            let last = value.rsplit(|b| *b == b',').next().unwrap_or_default();
            chunked = last.trim_ascii().eq_ignore_ascii_case(b"chunked");
        } else if let Some(value) = value(rest, b"connection") {
            says_close |= connection::says(value, "close");
            says_keep_alive |= connection::says(value, "keep-alive");
        }
    }
    if matches!(status, 100..200 | 204 | 304) {
        (length, chunked) = (Some(0), false);
    } else if chunked {
        // It counts alone (RFC 9112, 6.3).
        length = None;
    }
    ParsedHead::Head(ResponseHead {
        bytes,
        status,
        length,
        chunked,
        closes: says_close || (old && !says_keep_alive),
    })
}

fn begins(input: &[u8]) -> bool {
    const START: &[u8] = b"HTTP/1.";
    let n = input.len().min(START.len());
    input[..n] == START[..n]
}

/// `HTTP/1.1 200 OK`: the status, and whether this version closes by itself.
fn first_line(input: &[u8]) -> Option<(u16, bool)> {
    let line = input.strip_prefix(b"HTTP/1.")?;
    let [minor @ (b'0' | b'1'), b' ', a, b, c, b' ' | b'\r', ..] = line else {
        return None;
    };
    let digits = [a, b, c];
    if !digits.iter().all(|d| d.is_ascii_digit()) {
        return None;
    }
    let status = digits.iter().fold(0, |n, d| n * 10 + u16::from(**d - b'0'));
    (100..600).contains(&status).then_some((status, *minor == b'0'))
}

fn value<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let (head, rest) = line.split_at_checked(name.len())?;
    let rest = rest.strip_prefix(b":").filter(|_| head.eq_ignore_ascii_case(name))?;
    Some(&rest[..memchr(b'\r', rest)?])
}

fn number(text: &[u8]) -> Option<u64> {
    let text = text.trim_ascii();
    if text.is_empty() || text.len() > 15 {
        return None;
    }
    text.iter()
        .try_fold(0u64, |n, b| b.is_ascii_digit().then(|| n * 10 + u64::from(b - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn head(text: &str) -> ParsedHead {
        parse(text.as_bytes())
    }

    #[test]
    fn status_length_and_connection_are_read() {
        let text = "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 1024\r\nConnection: keep-alive\r\n\r\nrest";
        let expected = ResponseHead {
            bytes: text.len() - 4,
            status: 200,
            length: Some(1024),
            chunked: false,
            closes: false,
        };
        assert_eq!(head(text), ParsedHead::Head(expected));
        let close = "HTTP/1.1 503 Busy\r\ncontent-length:0\r\nCONNECTION: Close\r\n\r\n";
        assert!(matches!(
            head(close),
            ParsedHead::Head(ResponseHead {
                status: 503,
                length: Some(0),
                closes: true,
                ..
            })
        ));
        assert!(matches!(
            head("HTTP/1.0 200 OK\r\n\r\n"),
            ParsedHead::Head(ResponseHead {
                closes: true,
                length: None,
                ..
            })
        ));
        assert!(matches!(
            head("HTTP/1.1 101\r\n\r\n"),
            ParsedHead::Head(ResponseHead {
                status: 101,
                length: Some(0),
                ..
            })
        ));
        assert!(matches!(
            head("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n"),
            ParsedHead::Head(ResponseHead {
                chunked: true,
                length: None,
                ..
            })
        ));
        assert_eq!(head("HTTP/1.1 200 OK\r\nContent-Le"), ParsedHead::Incomplete);
        for broken in [
            "HTTP/2 200 OK\r\n\r\n",
            "SSH-2.0",
            "HTTP/1.1 20x OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        ] {
            assert_eq!(head(broken), ParsedHead::Broken, "{broken}");
        }
    }

    #[test]
    fn connection_is_a_list_in_any_case() {
        for (first, headers, expected) in [
            ("HTTP/1.1", "Connection: close, TE", true),
            ("HTTP/1.1", "Connection: TE, Close", true),
            ("HTTP/1.1", "Connection: TE\r\nConnection: CLOSE", true),
            // The end of the connection counts (RFC 9112, 9.3).
            ("HTTP/1.1", "Connection: close, keep-alive", true),
            ("HTTP/1.1", "Connection: closed", false),
            ("HTTP/1.0", "Connection: TE, Keep-Alive", false),
            ("HTTP/1.0", "Connection: TE", true),
        ] {
            let text = format!("{first} 200 OK\r\nContent-Length: 1\r\n{headers}\r\n\r\n");
            let ParsedHead::Head(head) = parse(text.as_bytes()) else {
                panic!("{text}")
            };
            assert_eq!(head.closes, expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_head_is_found_where_it_ends_however_it_is_cut(
            status in 200u16..600,
            length in 0u64..1 << 40,
            others in prop::collection::vec("[A-Za-z-]{1,12}: [ -~]{0,30}", 0..6),
            cut in any::<prop::sample::Index>(),
            body in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            prop_assume!(others.iter().all(|o| {
                let o = o.to_ascii_lowercase();
                let names = ["content-length:", "connection:", "transfer-encoding:"];
                !names.iter().any(|name| o.starts_with(name))
            }));
            let lines: String = others.iter().map(|o| format!("{o}\r\n")).collect();
            let text = format!("HTTP/1.1 {status} X\r\n{lines}Content-Length: {length}\r\n\r\n");
            let mut whole = text.clone().into_bytes();
            whole.extend(&body);
            let expected = if matches!(status, 204 | 304) { 0 } else { length };
            prop_assert_eq!(
                parse(&whole),
                ParsedHead::Head(ResponseHead { bytes: text.len(), status, length: Some(expected), chunked: false, closes: false })
            );
            let at = cut.index(text.len());
            prop_assert_eq!(parse(&text.as_bytes()[..at]), ParsedHead::Incomplete);
        }

        #[test]
        fn any_bytes_are_taken(input in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut response = b"HTTP/1.1 200 OK\r\n".to_vec();
            response.extend(&input);
            for bytes in [&input, &response] {
                if let ParsedHead::Head(head) = parse(bytes) {
                    prop_assert!(head.bytes <= bytes.len());
                }
            }
        }
    }
}
