// SPDX-License-Identifier: MIT
//! The head of a request, as far as this server needs it.

/// sockudo-ws reads heads up to this size, so nothing larger is read for anybody.
pub const MOST_BYTES: usize = 8192;
const MOST_FIELDS: usize = 128;

#[derive(Debug, PartialEq)]
pub struct Head {
    pub method: String,
    /// Without scheme, host and query, decoded once.
    pub path: String,
    pub keep_alive: bool,
    /// Of HTTP/1.0: keeping the connection must be said.
    pub old: bool,
    pub has_body: bool,
    pub upgrade: bool,
    /// Bytes up to and with the empty line.
    pub bytes: usize,
}

/// A status and what it is called.
pub type Refusal = (u16, &'static str);

const BAD: Refusal = (400, "Bad Request");
const TOO_LARGE: Refusal = (431, "Request Header Fields Too Large");

/// Nothing while the head is not whole.
pub fn read(bytes: &[u8]) -> Result<Option<Head>, Refusal> {
    let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
    let mut request = httparse::Request::new(&mut fields);
    let length = match request.parse(&bytes[..bytes.len().min(MOST_BYTES)]) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) if bytes.len() >= MOST_BYTES => return Err(TOO_LARGE),
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(TOO_LARGE),
        Err(httparse::Error::Version) => return Err((505, "HTTP Version Not Supported")),
        Err(_) => return Err(BAD),
    };
    let old = request.version == Some(0);
    let values = |name: &'static str| {
        let named = request
            .headers
            .iter()
            .filter(move |field| field.name.eq_ignore_ascii_case(name));
        named.map(|field| field.value.trim_ascii())
    };
    let says = |name, word: &str| {
        values(name)
            .flat_map(|v| v.split(|b| *b == b','))
            .any(|v| v.trim_ascii().eq_ignore_ascii_case(word.as_bytes()))
    };
    let hosts = values("host").count();
    if hosts > 1 || (hosts == 0 && !old) {
        return Err(BAD);
    }
    let lengths: Vec<u64> = values("content-length").map(number).collect::<Option<_>>().ok_or(BAD)?;
    let coded = values("transfer-encoding").next().is_some();
    if lengths.windows(2).any(|two| two[0] != two[1]) || (coded && (old || !lengths.is_empty())) {
        return Err(BAD);
    }
    Ok(Some(Head {
        method: request.method.unwrap_or_default().to_owned(),
        path: decoded(path(request.path.unwrap_or_default())),
        keep_alive: !says("connection", "close") && (!old || says("connection", "keep-alive")),
        old,
        has_body: coded || lengths.first().is_some_and(|length| *length > 0),
        upgrade: says("upgrade", "websocket"),
        bytes: length,
    }))
}

fn number(value: &[u8]) -> Option<u64> {
    if !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(value).ok()?.parse().ok()
}

fn path(target: &str) -> &str {
    let target = match target.split_once("://") {
        Some((scheme, rest)) if scheme.bytes().all(|b| b.is_ascii_alphabetic()) => {
            rest.find('/').map_or("/", |at| &rest[at..])
        }
        _ => target,
    };
    target.split('?').next().unwrap_or_default()
}

/// `%XX` as the letter that it stands for; what is no such code, or no text then, names nothing here and stays as it is.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        let code = match rest {
            [b'%', high, low, ..] => digit(*high).zip(digit(*low)),
            _ => None,
        };
        let (byte, used) = code.map_or((*first, 0), |(high, low)| (high << 4 | low, 2));
        bytes.push(byte);
        rest = &after[used..];
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}

fn digit(letter: u8) -> Option<u8> {
    u8::try_from(char::from(letter).to_digit(16)?).ok()
}

#[cfg(test)]
mod tests {
    use super::{MOST_BYTES, MOST_FIELDS, read};

    fn status(text: &str) -> u16 {
        read(text.as_bytes()).unwrap_err().0
    }

    #[test]
    fn a_head_in_any_form_is_read() {
        let text = "GET http://any.host:1/ws?x=1 HTTP/1.1\r\nHost: a\r\nUPGRADE: a, WebSocket\r\nConnection: foo, Close\r\n\r\nmore";
        let head = read(text.as_bytes()).unwrap().unwrap();
        assert_eq!(
            (head.path.as_str(), head.upgrade, head.keep_alive, head.bytes),
            ("/ws", true, false, text.len() - 4)
        );
        for end in 0..head.bytes {
            assert_eq!(read(&text.as_bytes()[..end]), Ok(None), "after {end} bytes");
        }
        let old = read(b"GET /ready HTTP/1.0\r\nConnection: Keep-Alive\r\nContent-Length: 3\r\n\r\n")
            .unwrap()
            .unwrap();
        assert!(old.old && old.keep_alive && old.has_body);
        assert!(!read(b"GET /ready HTTP/1.0\r\n\r\n").unwrap().unwrap().keep_alive);
    }

    #[test]
    fn a_path_is_decoded_once() {
        let path = |target: &str| {
            let head = read(format!("GET {target} HTTP/1.1\r\nHost: a\r\n\r\n").as_bytes());
            head.unwrap().unwrap().path
        };
        assert_eq!(path("/%77%73?%77"), "/ws");
        assert_eq!(path("http://a/%72%65ad%79"), "/ready");
        for left in ["/%2577s", "/ws%3Fx=1", "/%7", "/%zz", "/%+7s", "/%ff"] {
            assert_ne!(path(left), "/ws", "{left}");
        }
        assert_eq!(path("/%2577s"), "/%77s");
        assert_eq!(path("/%zz%"), "/%zz%");
    }

    #[test]
    fn what_is_wrong_has_its_status() {
        let with = |fields: &str| status(&format!("GET / HTTP/1.1\r\n{fields}\r\n"));
        for fields in [
            "",
            "Host: a\r\nHost: b\r\n",
            "Host: a\r\nContent-Length: -1\r\n",
            "Host: a\r\nContent-Length: 1x\r\n",
            "Host: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n",
            "Host: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n",
            "Host: a\r\nno colon\r\n",
        ] {
            assert_eq!(with(fields), 400, "{fields:?}");
        }
        assert_eq!(status("GET / HTTP/9.9\r\n\r\n"), 505);
        assert_eq!(with(&format!("Host: a\r\nX: {}\r\n", "x".repeat(MOST_BYTES))), 431);
        assert_eq!(with(&"X: y\r\n".repeat(MOST_FIELDS + 1)), 431);
    }
}
