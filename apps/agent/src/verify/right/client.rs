//! One client of a load: it keeps its connection or makes a new one for each request, and takes what its tool takes.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::super::http::{Connection, Framing, Head, HttpError};
use super::super::report::{Checks, Fault, Verdict};
use super::load::{Ask, Load, Right};
use super::{Closes, Seen};
use crate::tool;

/// How long a server may take to end a connection that it was asked to end, where the tool waits for that.
const CLOSE_LIMIT: Duration = Duration::from_secs(3);
/// More than any answer here has.
const MOST_BYTES: usize = 64 << 20;

pub struct Client<'a> {
    checks: &'a Checks,
    load: &'a Load<'a>,
    /// Where the end of a connection is told; without it one that ends between two requests is made anew.
    seen: Option<&'a Seen>,
    open: Option<Connection>,
    /// On the open connection.
    answered: u64,
    /// Of POSTs, on all connections.
    earlier: HashSet<Vec<u8>>,
}

/// What came, and does the connection stay?
struct Came {
    status: u16,
    body: Vec<u8>,
    stays: bool,
}

impl<'a> Client<'a> {
    pub fn new(checks: &'a Checks, load: &'a Load<'a>, seen: Option<&'a Seen>) -> Self {
        Self {
            checks,
            load,
            seen,
            open: None,
            answered: 0,
            earlier: HashSet::new(),
        }
    }

    /// One request while there is load. `Ok(false)` where no answer came, or a refusal: the tool counts those itself. An answer that is
    /// wrong is a fault.
    pub fn sampled(&mut self, ask: &Ask) -> Result<bool, Fault> {
        if self.connect().is_err() {
            return Ok(false);
        }
        let what = self.what(ask);
        let Some(connection) = &mut self.open else {
            return Ok(false);
        };
        let came = match connection.send(&ask.bytes).and_then(|()| self.load.answer(connection)) {
            Ok(came) => came,
            Err(error) => {
                self.open = None;
                return match error {
                    HttpError::CutOff { .. } => Err(cut_off(ask, &what, error)),
                    _ => Ok(false),
                };
            }
        };
        if !came.stays {
            self.open = None;
        }
        if !(200..300).contains(&came.status) {
            return Ok(false);
        }
        judge(ask, &came, &what).map(|()| true)
    }

    pub fn connect(&mut self) -> Verdict {
        if self.open.is_none() {
            self.open = Some(self.checks.connect()?);
            self.answered = 0;
        }
        Ok(())
    }

    /// Sends them together and judges the answers in their order.
    pub fn ask(&mut self, asks: &[Ask]) -> Verdict {
        let mut left = asks;
        while !left.is_empty() {
            self.connect()?;
            // Each connection brings an answer at least, or a fault.
            left = self.some(left)?;
        }
        Ok(())
    }

    /// Those that are still to be asked, on a new connection.
    fn some<'s>(&mut self, asks: &'s [Ask]) -> Result<&'s [Ask], Fault> {
        let packet: Vec<u8> = asks.iter().flat_map(|ask| ask.bytes.iter().copied()).collect();
        let sent = self.open.as_mut().map(|c| c.send(&packet)).unwrap_or(Ok(()));
        for (number, ask) in asks.iter().enumerate() {
            let what = self.what(ask);
            let came = match (&sent, &mut self.open) {
                (Ok(()), Some(connection)) => self.load.answer(connection),
                // A server may answer before it has read all of a body, and close.
                (Err(_), Some(connection)) if self.load.is_post() => self.load.answer(connection),
                (Err(error), _) => Err(error.clone()),
                _ => Err(HttpError::Closed),
            };
            let came = match came {
                Err(HttpError::Closed) if self.answered > 0 => {
                    self.ended(&what)?;
                    return Ok(&asks[number..]);
                }
                other => other.map_err(|error| cut_off(ask, &what, error))?,
            };
            let judged = judge(ask, &came, &what);
            judged.map_err(|fault| self.checks.until_now("The answer", self.stale(&came, fault)))?;
            if self.load.is_post() {
                self.earlier.insert(came.body);
            }
            self.checks.count_right();
            self.answered += 1;
            if !came.stays {
                self.open = None;
                if let Some(seen) = self.seen.filter(|_| self.load.keep_alive) {
                    seen.note(Closes {
                        after: self.answered,
                        announced: true,
                    });
                }
                return Ok(&asks[number + 1..]);
            }
        }
        let more = self.open.as_ref().map_or(0, Connection::surplus);
        match more {
            0 => Ok(&[]),
            more => Err(Fault::new(format!(
                "{}: {more} bytes more than the answer has arrived.",
                self.what(&asks[0])
            ))),
        }
    }

    /// Says where a wrong answer was that of an earlier body.
    fn stale(&self, came: &Came, fault: Fault) -> Fault {
        if !self.earlier.contains(&came.body) {
            return fault;
        }
        let message = format!("{} It is the answer to an earlier body: a stale answer.", fault.message);
        Fault { message, ..fault }
    }

    /// A connection of which each answer until now said that it stays has ended.
    fn ended(&mut self, what: &str) -> Verdict {
        self.open = None;
        let after = self.answered;
        let Some(seen) = self.seen else { return Ok(()) };
        if self.load.retries() {
            seen.note(Closes {
                after,
                announced: false,
            });
            return Ok(());
        }
        let answers = if after == 1 {
            "1 answer".to_owned()
        } else {
            format!("{after} answers")
        };
        Err(Fault::new(format!(
            "{what}: the server said that it keeps the connection, but closed it after {answers}, and the request was lost."
        )))
    }

    fn what(&self, ask: &Ask) -> String {
        let method = if self.load.is_post() { "POST" } else { "GET" };
        format!("{method} {} as {} sends it", ask.path, self.load.tool.as_str())
    }
}

impl Load<'_> {
    /// The next answer, as this load's tool reads it.
    fn answer(&self, connection: &mut Connection) -> Result<Came, HttpError> {
        let head = loop {
            let head = connection.head()?;
            // 100 Continue and the like are no answer.
            if head.status >= 200 {
                break head;
            }
        };
        let came = |body, stays| Came {
            status: head.status,
            body,
            stays,
        };
        let framing = head.framing()?;
        let profile = tool::profile(self.tool);
        if profile.http_1_0 {
            let stays = self.keep_alive && head.says_keep_alive();
            return match (stays, framing) {
                (true, Framing::Sized(_)) => Ok(came(connection.body(&head)?, true)),
                (true, _) => Err(HttpError::NoLength),
                (false, _) => Ok(came(closed(connection, &head)?, false)),
            };
        }
        let body = connection.any_body(&head, MOST_BYTES)?;
        let stays = head.keeps_alive() && framing != Framing::UntilClosed;
        if stays && !self.keep_alive {
            return match profile.closes_itself {
                true => Ok(came(body, false)),
                false => Err(HttpError::StaysOpen),
            };
        }
        Ok(came(body, stays))
    }
}

/// ab reads what is not kept to the end of the connection.
fn closed(connection: &mut Connection, head: &Head) -> Result<Vec<u8>, HttpError> {
    let body = connection.any_body(head, MOST_BYTES)?;
    match connection.closed_within(CLOSE_LIMIT) {
        Ok(true) => Ok(body),
        Ok(false) => Err(HttpError::StaysOpen),
        Err(more) => Err(HttpError::Malformed(format!("{more} bytes follow its body"))),
    }
}

fn judge(ask: &Ask, came: &Came, what: &str) -> Verdict {
    if !(200..300).contains(&came.status) {
        return Err(Fault::new(format!(
            "{what} was answered with status {} and not with 200.",
            came.status
        )));
    }
    let (size, got) = (ask.right.len(), came.body.len() as u64);
    let name = ask.path.trim_start_matches('/');
    let Right::Body(right) = &ask.right else {
        return match got == size {
            true => Ok(()),
            false => Err(wrong_length(name, size, got)),
        };
    };
    if came.body == **right {
        return Ok(());
    }
    if size <= 100 && got <= 1000 {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(100).collect::<String>();
        let message = format!(
            "{what} was answered with {:?} and not with {:?}.",
            text(&came.body),
            text(right)
        );
        return Err(Fault::bytes(message, size, got));
    }
    if got < size && right.starts_with(&came.body) {
        return Err(cut(name, size, got));
    }
    if got != size {
        return Err(wrong_length(name, size, got));
    }
    let differ = |(a, b): &(&u8, &u8)| a != b;
    let pairs = || came.body.iter().zip(right.iter());
    let wrong = pairs().filter(differ).count();
    let first = pairs().position(|pair| differ(&pair)).unwrap_or_default();
    let message = format!("{name} has wrong bytes: {wrong} of {size} differ, the first is number {first}.");
    Err(Fault::bytes(message, size, got))
}

fn cut(name: &str, size: u64, got: u64) -> Fault {
    Fault::bytes(format!("{name} was cut off: {got} of {size} bytes arrived."), size, got)
}

fn wrong_length(name: &str, size: u64, got: u64) -> Fault {
    let message = format!("{name} has the wrong length: {got} bytes arrived where {size} were right.");
    Fault::bytes(message, size, got)
}

fn cut_off(ask: &Ask, what: &str, error: HttpError) -> Fault {
    match error {
        HttpError::CutOff { got, .. } if got < ask.right.len() => {
            cut(ask.path.trim_start_matches('/'), ask.right.len(), got)
        }
        error => Fault::http(what, error),
    }
}

impl From<Vec<u8>> for Right {
    fn from(body: Vec<u8>) -> Self {
        Self::Body(Arc::new(body))
    }
}
