//! Answers out of received bytes: the head once, then bytes are counted, and compared where that is due.

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
    left: u64,
    at: usize,
    compared: bool,
    fault: Option<Fault>,
    status: u16,
    closes: bool,
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
                            match begin(head, request, nth) {
                                Ok(body) => self.body = Some(body),
                                Err(fault) => return (taken, Step::Broken(fault)),
                            }
                            break;
                        }
                    }
                }
            }
        }
        let body = self.body.as_mut().expect("it was just begun");
        let n = usize::try_from(body.left)
            .unwrap_or(usize::MAX)
            .min(input.len() - taken);
        let bytes = &input[taken..taken + n];
        if body.compared && body.fault.is_none() {
            let answer = request.answer.as_deref().unwrap_or_default();
            if answer.get(body.at..body.at + n) != Some(bytes) {
                body.fault = Some(Fault::Content);
            }
        }
        body.at += n;
        body.left -= n as u64;
        taken += n;
        if body.left > 0 {
            return (taken, Step::Wait);
        }
        let step = Step::Answer {
            status: body.status,
            fault: body.fault,
            closes: body.closes,
        };
        self.body = None;
        (taken, step)
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

fn begin(head: head::Head, request: &Request, nth: u64) -> Result<Body, Fault> {
    let Some(length) = head.length else {
        return Err(Fault::Length);
    };
    let success = (200..300).contains(&head.status);
    let wrong = success && length != request.length;
    Ok(Body {
        left: length,
        at: 0,
        compared: success && !wrong && request.compared(nth).is_some(),
        fault: wrong.then_some(Fault::Length),
        status: head.status,
        closes: head.closes,
    })
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
    fn an_answer_of_no_known_length_is_a_fault() {
        let mut reader = HttpReader::default();
        let (_, step) = reader.feed(b"HTTP/1.1 200 OK\r\n\r\n", &request(b""), 0);
        assert!(matches!(step, Step::Broken(Fault::Length)));
    }
}
