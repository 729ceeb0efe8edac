//! The head of a response, and how the end of its body is known.

use super::HttpError;
use crate::workload::connection;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    pub minor: u8,
    pub status: u16,
    pub headers: Vec<(String, String)>,
}

impl Head {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// Does the server say that the connection stays?
    pub fn keeps_alive(&self) -> bool {
        match self.minor {
            0 => self.says_keep_alive() && !self.says("close"),
            _ => !self.says("close"),
        }
    }

    /// An HTTP/1.0 client closes without these words, whatever version the response has.
    pub fn says_keep_alive(&self) -> bool {
        self.says("keep-alive")
    }

    fn says(&self, word: &str) -> bool {
        let mut headers = self.headers.iter().filter(|(name, _)| name == "connection");
        headers.any(|(_, value)| connection::says(value.as_bytes(), word))
    }

    /// How the end of the body is known (RFC 9112, 6.3).
    pub fn framing(&self) -> Result<Framing, HttpError> {
        // Whatever its headers say: a 304 has the length that the whole response would have.
        if matches!(self.status, 100..200 | 204 | 304) {
            return Ok(Framing::Sized(0));
        }
        if let Some(encoding) = self.header("transfer-encoding") {
            let last = encoding.rsplit(',').next().unwrap_or_default().trim();
            return match last.eq_ignore_ascii_case("chunked") {
                true => Ok(Framing::Chunked),
                false => Err(HttpError::Malformed(format!("Transfer-Encoding: {encoding}"))),
            };
        }
        match self.content_length() {
            Err(HttpError::NoLength) => Ok(Framing::UntilClosed),
            other => other.map(Framing::Sized),
        }
    }

    pub fn content_length(&self) -> Result<u64, HttpError> {
        if self.header("transfer-encoding").is_some() {
            return Err(HttpError::NoLength);
        }
        let mut lengths = self
            .headers
            .iter()
            .filter(|(n, _)| n == "content-length")
            .map(|(_, v)| v);
        let first = lengths.next().ok_or(HttpError::NoLength)?;
        if lengths.any(|v| v != first) {
            return Err(HttpError::Malformed("two different Content-Lengths".into()));
        }
        let digits = !first.is_empty() && first.bytes().all(|b| b.is_ascii_digit());
        let length = first.parse().ok().filter(|_| digits);
        length.ok_or_else(|| HttpError::Malformed(format!("Content-Length: {first}")))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    Sized(u64),
    Chunked,
    UntilClosed,
}

pub(super) fn parse_head(text: &str) -> Result<Head, HttpError> {
    let malformed = |what: &str| HttpError::Malformed(what.to_owned());
    let mut lines = text.split("\r\n");
    let status_line = lines.next().unwrap_or_default();
    let minor = match status_line.get(..9) {
        Some("HTTP/1.1 ") => 1,
        Some("HTTP/1.0 ") => 0,
        _ => return Err(malformed(&format!("its first line is {status_line:?}"))),
    };
    let status = status_line
        .get(9..12)
        .filter(|_| matches!(status_line.as_bytes().get(12), None | Some(b' ')))
        .and_then(|digits| digits.parse::<u16>().ok())
        .filter(|status| (100..600).contains(status))
        .ok_or_else(|| malformed(&format!("its first line is {status_line:?}")))?;
    let mut headers = Vec::new();
    for line in lines {
        let (name, value) = line
            .split_once(':')
            .ok_or_else(|| malformed(&format!("{line:?} is no header")))?;
        let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
        if name.is_empty() || !name.bytes().all(token) || value.contains(['\n', '\r', '\0']) {
            return Err(malformed(&format!("{line:?} is no header")));
        }
        headers.push((name.to_ascii_lowercase(), value.trim_matches([' ', '\t']).to_owned()));
    }
    Ok(Head { minor, status, headers })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_strictly() {
        let head = parse_head("HTTP/1.1 200 OK\r\nContent-Length: 13\r\nConnection: close").unwrap();
        assert_eq!(
            (head.status, head.content_length(), head.keeps_alive()),
            (200, Ok(13), false)
        );
        assert!(parse_head("HTTP/1.1 404").unwrap().keeps_alive());
        assert!(!parse_head("HTTP/1.0 200 OK").unwrap().keeps_alive());
        for (line, kept) in [
            ("HTTP/1.1 200\r\nConnection: TE, Close", false),
            ("HTTP/1.1 200\r\nConnection: TE\r\nConnection: close", false),
            ("HTTP/1.0 200\r\nConnection: te, KEEP-ALIVE", true),
            ("HTTP/1.0 200\r\nConnection: keep-alive, close", false),
        ] {
            assert_eq!(parse_head(line).unwrap().keeps_alive(), kept, "{line}");
        }
        for wrong in [
            "HTTP/2 200",
            "HTTP/1.1 20",
            "HTTP/1.1 2000 OK",
            "HTTP/1.1 200 OK\r\nno header",
            "HTTP/1.1 200\r\n x: y",
        ] {
            assert!(parse_head(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn lengths_are_read_strictly() {
        let length = |headers: &str| {
            parse_head(&format!("HTTP/1.1 200 OK\r\n{headers}"))
                .unwrap()
                .content_length()
        };
        assert_eq!(length("X: y"), Err(HttpError::NoLength));
        assert!(length("Content-Length: +5").is_err());
        assert!(length("Content-Length: 5\r\nContent-Length: 6").is_err());
        assert_eq!(length("Transfer-Encoding: chunked"), Err(HttpError::NoLength));
        assert_eq!(length("Content-Length: 5\r\ncontent-length: 5"), Ok(5));
    }

    #[test]
    fn a_status_without_a_body_needs_no_length() {
        for status in ["100", "204 No Content", "304 Not Modified"] {
            for headers in ["", "\r\nContent-Length: 5", "\r\nTransfer-Encoding: chunked"] {
                let head = parse_head(&format!("HTTP/1.1 {status}{headers}")).unwrap();
                assert_eq!(head.framing(), Ok(Framing::Sized(0)), "{status}{headers}");
            }
        }
        let framing = |text: &str| parse_head(text).unwrap().framing();
        assert_eq!(framing("HTTP/1.1 200 OK"), Ok(Framing::UntilClosed));
        assert_eq!(framing("HTTP/1.1 205 X\r\nContent-Length: 5"), Ok(Framing::Sized(5)));
    }
}
