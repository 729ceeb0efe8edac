//! A POST with a random body, and the one response that is right.

use super::client_profiles;
use super::draw::{between, one_of};
use super::http::{Connection, Head, REFUSAL_BYTES};
use super::report::CheckFault;
use crate::splitmix::SplitMix64;

#[derive(Debug, Clone)]
pub struct Post {
    pub path: &'static str,
    /// Content-Type of the body.
    pub kind: &'static str,
    pub body: Vec<u8>,
    pub right: String,
}

/// Makes a small random one.
pub type Draw = fn(&mut SplitMix64) -> Post;

impl Post {
    pub fn bytes(&self) -> Vec<u8> {
        self.with("HTTP/1.1", "")
    }

    pub fn with(&self, version: &str, headers: &str) -> Vec<u8> {
        let length = format!("Content-Length: {}", self.body.len());
        let mut bytes = self.head(version, &length, headers);
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// In chunks of 1 to `most` bytes, with an extension or a trailer now and then.
    pub fn chunked(&self, rng: &mut SplitMix64, most: usize) -> Vec<u8> {
        let mut bytes = self.head("HTTP/1.1", "Transfer-Encoding: chunked", "");
        let mut rest = self.body.as_slice();
        while !rest.is_empty() {
            let (part, more) = rest.split_at(between(rng, 1, most).min(rest.len()));
            let extension = one_of(rng, &["", "", ";a=b"]);
            bytes.extend_from_slice(format!("{:x}{extension}\r\n", part.len()).as_bytes());
            bytes.extend_from_slice(part);
            bytes.extend_from_slice(b"\r\n");
            rest = more;
        }
        bytes.extend_from_slice(one_of(rng, &["0\r\n\r\n", "0\r\nX-Trailer: 1\r\n\r\n"]).as_bytes());
        bytes
    }

    fn head(&self, version: &str, framing: &str, headers: &str) -> Vec<u8> {
        client_profiles::post(self.path, version, self.kind, framing, headers).into_bytes()
    }

    /// Sends it and judges the response.
    pub fn ask(&self, connection: &mut Connection, what: &str) -> Result<Head, CheckFault> {
        connection.send(&self.bytes()).map_err(|e| CheckFault::http(what, e))?;
        self.expect(connection, what)
    }

    pub fn expect(&self, connection: &mut Connection, what: &str) -> Result<Head, CheckFault> {
        let (head, body) = response(connection, what)?;
        self.judge(&head, &body, what)?;
        Ok(head)
    }

    pub fn judge(&self, head: &Head, body: &str, what: &str) -> Result<(), CheckFault> {
        if head.status != 200 {
            return Err(CheckFault::new(format!(
                "{what}: the status is {} and not 200.",
                head.status
            )));
        }
        if body != self.right {
            return Err(CheckFault::new(format!(
                "{what}: the response is {body:?} and not {:?}.",
                self.right
            )));
        }
        let kind = head.header("content-type").unwrap_or_default();
        match kind.split(';').next().unwrap_or_default().trim() {
            "text/plain" => Ok(()),
            _ => Err(CheckFault::new(format!(
                "{what}: Content-Type is {kind:?} and not text/plain."
            ))),
        }
    }
}

/// The next response, with as much of its body as fits into a sentence.
pub fn response(connection: &mut Connection, what: &str) -> Result<(Head, String), CheckFault> {
    let fault = |e| CheckFault::http(what, e);
    let head = connection.head().map_err(fault)?;
    let body = connection.any_body(&head, REFUSAL_BYTES).map_err(fault)?;
    let text = String::from_utf8_lossy(&body);
    Ok((head, text.chars().take(100).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn chunks_add_up_to_the_body(body in prop::collection::vec(any::<u8>(), 0..2000), seed in any::<u64>(), most in 1usize..300) {
            let post = Post { path: "/x", kind: "text/plain", body: body.clone(), right: String::new() };
            let bytes = post.chunked(&mut SplitMix64::new(seed), most);
            let at = bytes.windows(4).position(|w| w == b"\r\n\r\n").unwrap() + 4;
            let (mut rest, mut got) = (&bytes[at..], Vec::new());
            loop {
                let end = rest.windows(2).position(|w| w == b"\r\n").unwrap();
                let line = std::str::from_utf8(&rest[..end]).unwrap();
                let size = usize::from_str_radix(line.split(';').next().unwrap(), 16).unwrap();
                rest = &rest[end + 2..];
                if size == 0 {
                    break;
                }
                prop_assert!(size <= most);
                got.extend_from_slice(&rest[..size]);
                prop_assert_eq!(&rest[size..size + 2], b"\r\n");
                rest = &rest[size + 2..];
            }
            prop_assert_eq!(got, body);
            prop_assert!(rest.ends_with(b"\r\n"));
        }
    }
}
