//! Responses out of received bytes. The head is parsed once; then body bytes are counted, and compared where that is due.

use super::super::chunks::{ChunkPart, Chunks};
use super::super::head::{self, ParsedHead};
use super::super::plan::PlannedRequest;
use super::super::tally::LoadFault;

#[derive(Default)]
pub struct HttpReader {
    /// A head that has come in part.
    carry: Vec<u8>,
    body: Option<ResponseBody>,
}

struct ResponseBody {
    framing: BodyFraming,
    at: u64,
    compared: bool,
    fault: Option<LoadFault>,
    success: bool,
    status: u16,
    closes: bool,
}

enum BodyFraming {
    Left(u64),
    Chunked(Chunks),
    /// It ends with the connection.
    Open,
}

pub enum HttpStep {
    /// Everything was taken, and more must come.
    Wait,
    Response {
        status: u16,
        fault: Option<LoadFault>,
        closes: bool,
    },
    Broken(LoadFault),
}

impl HttpReader {
    pub fn reset(&mut self) {
        self.carry.clear();
        self.body = None;
    }

    /// Feeds the response to `request`, the `nth` of its connection. Returns how many bytes of `input` belong to it.
    pub fn feed(&mut self, input: &[u8], request: &PlannedRequest, nth: u64) -> (usize, HttpStep) {
        let mut taken = 0;
        if self.body.is_none() {
            loop {
                let (parsed, before) = self.parse(&input[taken..]);
                match parsed {
                    ParsedHead::Incomplete => return (input.len(), HttpStep::Wait),
                    ParsedHead::Broken => return (input.len(), HttpStep::Broken(LoadFault::Other)),
                    ParsedHead::Head(head) => {
                        taken += head.bytes - before;
                        self.carry.clear();
                        // 100 Continue and other 1xx heads come before the response.
                        if head.status >= 200 {
                            self.body = Some(begin(head, request, nth));
                            break;
                        }
                    }
                }
            }
        }
        let body = self.body.as_mut().expect("it was just begun");
        let ended = match body.take(&input[taken..], request) {
            Ok((n, ended)) => {
                taken += n;
                ended
            }
            Err(fault) => return (input.len(), HttpStep::Broken(fault)),
        };
        if !ended {
            return (taken, HttpStep::Wait);
        }
        (taken, self.finish(request).unwrap_or(HttpStep::Wait))
    }

    /// The connection has ended: was that the end of a response?
    pub fn ended(&mut self, request: &PlannedRequest) -> Option<HttpStep> {
        matches!(
            self.body,
            Some(ResponseBody {
                framing: BodyFraming::Open,
                ..
            })
        )
        .then(|| self.finish(request))
        .flatten()
    }

    fn finish(&mut self, request: &PlannedRequest) -> Option<HttpStep> {
        let body = self.body.take()?;
        let short =
            (body.success && request.length.is_some_and(|length| body.at != length)).then_some(LoadFault::Length);
        Some(HttpStep::Response {
            status: body.status,
            fault: short.or(body.fault),
            closes: body.closes,
        })
    }

    /// Also returns how many bytes of the head had come before.
    fn parse(&mut self, input: &[u8]) -> (ParsedHead, usize) {
        if self.carry.is_empty() {
            let parsed = head::parse(input);
            if parsed == ParsedHead::Incomplete {
                self.carry.extend_from_slice(input);
            }
            return (parsed, 0);
        }
        let before = self.carry.len();
        self.carry.extend_from_slice(input);
        (head::parse(&self.carry), before)
    }
}

impl ResponseBody {
    /// How many bytes belong to the body with its framing, and is the body complete?
    fn take(&mut self, input: &[u8], request: &PlannedRequest) -> Result<(usize, bool), LoadFault> {
        match &mut self.framing {
            BodyFraming::Left(left) => {
                let n = usize::try_from(*left).unwrap_or(usize::MAX).min(input.len());
                *left -= n as u64;
                let over = *left == 0;
                self.compare(&input[..n], request);
                Ok((n, over))
            }
            BodyFraming::Open => {
                self.compare(input, request);
                Ok((input.len(), false))
            }
            BodyFraming::Chunked(_) => {
                let mut taken = 0;
                while taken < input.len() {
                    let BodyFraming::Chunked(chunks) = &mut self.framing else {
                        break;
                    };
                    let (n, part) = chunks.feed(&input[taken..]).ok_or(LoadFault::Other)?;
                    match part {
                        ChunkPart::Framing => {}
                        ChunkPart::Data => self.compare(&input[taken..taken + n], request),
                        ChunkPart::End => return Ok((taken + n, true)),
                    }
                    taken += n;
                }
                Ok((taken, false))
            }
        }
    }

    fn compare(&mut self, bytes: &[u8], request: &PlannedRequest) {
        if self.compared && self.fault.is_none() {
            let expected = request.expected.as_deref().unwrap_or_default();
            let at = self.at as usize;
            if expected.get(at..at + bytes.len()) != Some(bytes) {
                self.fault = Some(LoadFault::Content);
            }
        }
        self.at += bytes.len() as u64;
    }
}

fn begin(head: head::ResponseHead, request: &PlannedRequest, nth: u64) -> ResponseBody {
    let success = (200..300).contains(&head.status);
    let differ = |(came, right)| came != right;
    let wrong = success && head.length.zip(request.length).is_some_and(differ);
    ResponseBody {
        framing: match head.length {
            Some(length) => BodyFraming::Left(length),
            None if head.chunked => BodyFraming::Chunked(Chunks::default()),
            None => BodyFraming::Open,
        },
        at: 0,
        compared: success && !wrong && request.compared(nth).is_some(),
        fault: wrong.then_some(LoadFault::Length),
        success,
        status: head.status,
        closes: head.closes || (head.length.is_none() && !head.chunked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(expected: &[u8]) -> PlannedRequest {
        PlannedRequest {
            length: Some(expected.len() as u64),
            expected: Some(expected.to_vec()),
            ..PlannedRequest::default()
        }
    }

    fn all(input: &[u8], piece: usize, request: &PlannedRequest) -> Vec<(u16, Option<LoadFault>)> {
        let (mut reader, mut responses) = (HttpReader::default(), Vec::new());
        for mut part in input.chunks(piece) {
            while !part.is_empty() {
                let (taken, step) = reader.feed(part, request, responses.len() as u64);
                part = &part[taken..];
                match step {
                    HttpStep::Wait => assert!(part.is_empty()),
                    HttpStep::Response { status, fault, .. } => responses.push((status, fault)),
                    HttpStep::Broken(fault) => panic!("{fault:?}"),
                }
            }
        }
        responses
    }

    #[test]
    fn each_response_is_read_however_the_bytes_are_cut() {
        let text = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright\
            HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrongHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nrig\
            HTTP/1.1 503 Busy\r\nContent-Length: 5\r\n\r\nright";
        let expected = [
            (200, None),
            (200, Some(LoadFault::Content)),
            (200, Some(LoadFault::Length)),
            (503, None),
        ];
        for piece in [1, 2, 7, 64, text.len()] {
            assert_eq!(all(text, piece, &request(b"right")), expected, "{piece}");
        }
    }

    #[test]
    fn a_chunked_response_is_compared_like_any_other() {
        let text = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nri\r\n3\r\nght\r\n0\r\n\r\n\
            HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwrong\r\n0\r\n\r\n\
            HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nrig\r\n0\r\n\r\n";
        let expected = [
            (200, None),
            (200, Some(LoadFault::Content)),
            (200, Some(LoadFault::Length)),
        ];
        for piece in [1, 2, 7, 64, text.len()] {
            assert_eq!(all(text, piece, &request(b"right")), expected, "{piece}");
        }
    }

    #[test]
    fn a_response_of_unknown_length_ends_with_its_connection() {
        for (body, expected) in [("right", None), ("rig", Some(LoadFault::Length))] {
            let (mut reader, request) = (HttpReader::default(), request(b"right"));
            let text = format!("HTTP/1.1 200 OK\r\n\r\n{body}");
            let (_, step) = reader.feed(text.as_bytes(), &request, 0);
            assert!(matches!(step, HttpStep::Wait));
            let Some(HttpStep::Response {
                fault, closes: true, ..
            }) = reader.ended(&request)
            else {
                panic!("it is no response");
            };
            assert_eq!(fault, expected);
        }
        assert!(HttpReader::default().ended(&request(b"right")).is_none());
    }
}
