//! Answers out of received bytes: the head once, then bytes are counted, and compared where that is due.

use super::super::chunks::{Chunks, Part};
use super::super::head::{self, Parsed};
use super::super::plan::Request;
use super::super::tally::Fault;

#[derive(Default)]
pub struct HttpReader {
    /// A head that has come in part.
    carry: Vec<u8>,
    body: Option<Body>,
}

struct Body {
    framing: Framing,
    at: u64,
    compared: bool,
    fault: Option<Fault>,
    success: bool,
    status: u16,
    closes: bool,
}

enum Framing {
    Left(u64),
    Chunked(Chunks),
    /// It ends with the connection.
    Open,
}

pub enum Step {
    /// All was taken, and more is to come.
    Wait,
    Answer {
        status: u16,
        fault: Option<Fault>,
        closes: bool,
    },
    Broken(Fault),
}

impl HttpReader {
    pub fn reset(&mut self) {
        self.carry.clear();
        self.body = None;
    }

    /// The answer to `request`, the `nth` of its connection; how many bytes of `input` were its.
    pub fn feed(&mut self, input: &[u8], request: &Request, nth: u64) -> (usize, Step) {
        let mut taken = 0;
        if self.body.is_none() {
            loop {
                let (parsed, before) = self.parse(&input[taken..]);
                match parsed {
                    Parsed::Incomplete => return (input.len(), Step::Wait),
                    Parsed::Broken => return (input.len(), Step::Broken(Fault::Other)),
                    Parsed::Head(head) => {
                        taken += head.bytes - before;
                        self.carry.clear();
                        // 100 Continue and the like are no answer.
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
            Err(fault) => return (input.len(), Step::Broken(fault)),
        };
        if !ended {
            return (taken, Step::Wait);
        }
        (taken, self.finish(request).unwrap_or(Step::Wait))
    }

    /// The connection has ended: is that the end of an answer?
    pub fn ended(&mut self, request: &Request) -> Option<Step> {
        matches!(
            self.body,
            Some(Body {
                framing: Framing::Open,
                ..
            })
        )
        .then(|| self.finish(request))
        .flatten()
    }

    fn finish(&mut self, request: &Request) -> Option<Step> {
        let body = self.body.take()?;
        let short = (body.success && body.at != request.length).then_some(Fault::Length);
        Some(Step::Answer {
            status: body.status,
            fault: short.or(body.fault),
            closes: body.closes,
        })
    }

    /// And how many bytes of the head had come before.
    fn parse(&mut self, input: &[u8]) -> (Parsed, usize) {
        if self.carry.is_empty() {
            let parsed = head::parse(input);
            if parsed == Parsed::Incomplete {
                self.carry.extend_from_slice(input);
            }
            return (parsed, 0);
        }
        let before = self.carry.len();
        self.carry.extend_from_slice(input);
        (head::parse(&self.carry), before)
    }
}

impl Body {
    /// How many bytes were the body's, its framing with them, and is it over?
    fn take(&mut self, input: &[u8], request: &Request) -> Result<(usize, bool), Fault> {
        match &mut self.framing {
            Framing::Left(left) => {
                let n = usize::try_from(*left).unwrap_or(usize::MAX).min(input.len());
                *left -= n as u64;
                let over = *left == 0;
                self.compare(&input[..n], request);
                Ok((n, over))
            }
            Framing::Open => {
                self.compare(input, request);
                Ok((input.len(), false))
            }
            Framing::Chunked(_) => {
                let mut taken = 0;
                while taken < input.len() {
                    let Framing::Chunked(chunks) = &mut self.framing else {
                        break;
                    };
                    let (n, part) = chunks.feed(&input[taken..]).ok_or(Fault::Other)?;
                    match part {
                        Part::Framing => {}
                        Part::Data => self.compare(&input[taken..taken + n], request),
                        Part::End => return Ok((taken + n, true)),
                    }
                    taken += n;
                }
                Ok((taken, false))
            }
        }
    }

    fn compare(&mut self, bytes: &[u8], request: &Request) {
        if self.compared && self.fault.is_none() {
            let answer = request.answer.as_deref().unwrap_or_default();
            let at = self.at as usize;
            if answer.get(at..at + bytes.len()) != Some(bytes) {
                self.fault = Some(Fault::Content);
            }
        }
        self.at += bytes.len() as u64;
    }
}

fn begin(head: head::Head, request: &Request, nth: u64) -> Body {
    let success = (200..300).contains(&head.status);
    let wrong = success && head.length.is_some_and(|length| length != request.length);
    Body {
        framing: match head.length {
            Some(length) => Framing::Left(length),
            None if head.chunked => Framing::Chunked(Chunks::default()),
            None => Framing::Open,
        },
        at: 0,
        compared: success && !wrong && request.compared(nth).is_some(),
        fault: wrong.then_some(Fault::Length),
        success,
        status: head.status,
        closes: head.closes || (head.length.is_none() && !head.chunked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(answer: &[u8]) -> Request {
        Request {
            length: answer.len() as u64,
            answer: Some(answer.to_vec()),
            ..Request::default()
        }
    }

    fn all(input: &[u8], piece: usize, request: &Request) -> Vec<(u16, Option<Fault>)> {
        let (mut reader, mut answers) = (HttpReader::default(), Vec::new());
        for mut part in input.chunks(piece) {
            while !part.is_empty() {
                let (taken, step) = reader.feed(part, request, answers.len() as u64);
                part = &part[taken..];
                match step {
                    Step::Wait => assert!(part.is_empty()),
                    Step::Answer { status, fault, .. } => answers.push((status, fault)),
                    Step::Broken(fault) => panic!("{fault:?}"),
                }
            }
        }
        answers
    }

    #[test]
    fn answers_are_told_apart_however_they_are_cut() {
        let text = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright\
            HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrongHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nrig\
            HTTP/1.1 503 Busy\r\nContent-Length: 5\r\n\r\nright";
        let expected = [
            (200, None),
            (200, Some(Fault::Content)),
            (200, Some(Fault::Length)),
            (503, None),
        ];
        for piece in [1, 2, 7, 64, text.len()] {
            assert_eq!(all(text, piece, &request(b"right")), expected, "{piece}");
        }
    }

    #[test]
    fn a_chunked_answer_is_compared_like_any_other() {
        let text = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nri\r\n3\r\nght\r\n0\r\n\r\n\
            HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwrong\r\n0\r\n\r\n\
            HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nrig\r\n0\r\n\r\n";
        let expected = [(200, None), (200, Some(Fault::Content)), (200, Some(Fault::Length))];
        for piece in [1, 2, 7, 64, text.len()] {
            assert_eq!(all(text, piece, &request(b"right")), expected, "{piece}");
        }
    }

    #[test]
    fn an_answer_of_no_known_length_ends_with_its_connection() {
        for (body, expected) in [("right", None), ("rig", Some(Fault::Length))] {
            let (mut reader, request) = (HttpReader::default(), request(b"right"));
            let text = format!("HTTP/1.1 200 OK\r\n\r\n{body}");
            let (_, step) = reader.feed(text.as_bytes(), &request, 0);
            assert!(matches!(step, Step::Wait));
            let Some(Step::Answer {
                fault, closes: true, ..
            }) = reader.ended(&request)
            else {
                panic!("it is no answer");
            };
            assert_eq!(fault, expected);
        }
        assert!(HttpReader::default().ended(&request(b"right")).is_none());
    }
}
