//! One client of a load: it keeps its connection or makes a new one for each request, and takes what its tool takes.

use std::collections::HashSet;
use std::time::Duration;

use super::super::http::{Connection, Framing, Head, HttpError};
use super::super::report::{CheckFault, CheckResult, Checks};
use super::closes::{Closes, EarliestClose};
use super::difference::Difference;
use super::load::{Expected, LoadRequest, LoadRequests};
use super::own_request::{OwnRequest, PATH_CHARS};
use super::responses::Came;
use crate::tool;

/// How long a server may take to end a connection that it was asked to end, where the tool waits for that.
const CLOSE_LIMIT: Duration = Duration::from_secs(3);
/// More than any right response has.
const MOST_BYTES: usize = 64 << 20;
/// How often a request is repeated whose response was another one.
const REPEATS: usize = 8;

pub struct LoadClient<'a> {
    checks: &'a Checks,
    load: &'a LoadRequests<'a>,
    /// Where a connection's end is noted; without it, a connection that ends between two requests is replaced.
    seen: Option<&'a EarliestClose>,
    open: Option<Connection>,
    /// On the open connection.
    completed: u64,
    /// Of POSTs, on all connections.
    earlier: HashSet<Vec<u8>>,
}

/// What came, and whether the connection stays.
struct ToolResponse {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    stays: bool,
}

impl<'a> LoadClient<'a> {
    pub fn new(checks: &'a Checks, load: &'a LoadRequests<'a>, seen: Option<&'a EarliestClose>) -> Self {
        Self {
            checks,
            load,
            seen,
            open: None,
            completed: 0,
            earlier: HashSet::new(),
        }
    }

    /// One request while there is load. `Ok(false)` where no response came, or a refusal: the tool counts those itself. A wrong
    /// response is a fault.
    pub fn sampled(&mut self, ask: &LoadRequest) -> Result<bool, CheckFault> {
        if self.connect().is_err() {
            return Ok(false);
        }
        let what = self.what(ask);
        let Some(connection) = &mut self.open else {
            return Ok(false);
        };
        let came = match connection
            .send(&ask.bytes)
            .and_then(|()| self.load.response(connection))
        {
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

    /// One of somebody's own requests by itself; `None` where its response is right.
    pub fn once(&mut self, index: usize) -> Result<Option<Difference>, CheckFault> {
        self.connect()?;
        let ask = self.load.own_request(index);
        let what = self.what(&ask);
        let Some(connection) = &mut self.open else {
            return Ok(None);
        };
        let came = connection
            .send(&ask.bytes)
            .and_then(|()| self.load.response(connection));
        let came = came.map_err(|error| {
            self.open = None;
            cut_off(&ask, &what, error)
        })?;
        if !came.stays {
            self.open = None;
        }
        self.completed += 1;
        Ok(self.load.own[index].wrong(&came.seen()))
    }

    pub fn connect(&mut self) -> CheckResult {
        if self.open.is_none() {
            self.open = Some(self.checks.connect()?);
            self.completed = 0;
        }
        Ok(())
    }

    /// Sends them together and judges the responses in their order.
    pub fn ask(&mut self, asks: &[LoadRequest]) -> CheckResult {
        let mut left = asks;
        while !left.is_empty() {
            self.connect()?;
            // Each connection brings at least one response, or a fault.
            left = self.some(left)?;
        }
        Ok(())
    }

    /// Returns the requests that are left for a new connection.
    fn some<'s>(&mut self, asks: &'s [LoadRequest]) -> Result<&'s [LoadRequest], CheckFault> {
        let packet = asks.iter().map(|ask| &ask.bytes[..]).collect::<Vec<_>>().concat();
        let sent = self.open.as_mut().map(|c| c.send(&packet)).unwrap_or(Ok(()));
        for (number, ask) in asks.iter().enumerate() {
            let what = self.what(ask);
            let came = match (&sent, &mut self.open) {
                (Ok(()), Some(connection)) => self.load.response(connection),
                // A server may respond before it has read all of a body, and close.
                (Err(_), Some(connection)) if self.load.is_post() => self.load.response(connection),
                (Err(error), _) => Err(error.clone()),
                _ => Err(HttpError::Closed),
            };
            let came = match came {
                Err(HttpError::Closed) if self.completed > 0 => {
                    self.ended(&what)?;
                    return Ok(&asks[number..]);
                }
                other => other.map_err(|error| cut_off(ask, &what, error))?,
            };
            if let Err(mut fault) = judge(ask, &came, &what) {
                if let Expected::Own(own) = &ask.right {
                    // What else is under way would be taken for the next response.
                    self.open = None;
                    let often = how_often(&mut LoadClient::new(self.checks, self.load, None), own);
                    fault.message.extend(often.map(|often| format!(" {often}")));
                }
                return Err(self.checks.until_now("The response", self.stale(&came, fault)));
            }
            if self.load.draws_bodies() {
                self.earlier.insert(came.body);
            }
            self.checks.count_right();
            self.completed += 1;
            if !came.stays {
                self.open = None;
                if let Some(seen) = self.seen.filter(|_| self.load.keep_alive) {
                    seen.note(Closes {
                        after: self.completed,
                        announced: true,
                    });
                }
                return Ok(&asks[number + 1..]);
            }
        }
        let more = self.open.as_ref().map_or(0, Connection::surplus);
        match more {
            0 => Ok(&[]),
            more => Err(CheckFault::new(format!(
                "{}: {more} bytes arrived after the response.",
                self.what(&asks[0])
            ))),
        }
    }

    /// Says so where a wrong response was that to an earlier body.
    fn stale(&self, came: &ToolResponse, fault: CheckFault) -> CheckFault {
        if !self.earlier.contains(&came.body) {
            return fault;
        }
        let message = format!(
            "{} It is the response to an earlier body: a stale response.",
            fault.message
        );
        CheckFault { message, ..fault }
    }

    /// A connection has ended although each response so far said that it stays.
    fn ended(&mut self, what: &str) -> CheckResult {
        self.open = None;
        let after = self.completed;
        let Some(seen) = self.seen else { return Ok(()) };
        if self.load.retries() {
            seen.note(Closes {
                after,
                announced: false,
            });
            return Ok(());
        }
        let responses = if after == 1 {
            "1 response".to_owned()
        } else {
            format!("{after} responses")
        };
        Err(CheckFault::new(format!(
            "{what}: the server said that it keeps the connection, but closed it after {responses}, and the request was lost."
        )))
    }

    fn what(&self, ask: &LoadRequest) -> String {
        let path: String = ask.path.chars().take(PATH_CHARS).collect();
        format!("{} {path} as {} sends it", ask.method, self.load.tool.as_str())
    }
}

/// Is it always another one, or only now and then? Asks the same again.
fn how_often(client: &mut LoadClient<'_>, own: &OwnRequest) -> Option<String> {
    if !own.is_compared() {
        return None;
    }
    let mut seen: Vec<Option<Difference>> = Vec::new();
    for _ in 0..REPEATS {
        seen.push(client.once(own.index).ok()?);
    }
    let right = seen.iter().filter(|wrong| wrong.is_none()).count();
    if right > 0 {
        return Some(format!(
            "The same request again was answered right {right} times of {REPEATS}."
        ));
    }
    let mut kinds: Vec<&str> = seen.iter().flatten().map(|d| d.what.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    (kinds.len() > 1).then(|| "It changes from response to response.".to_owned())
}

impl LoadRequests<'_> {
    /// The next response, as this load's tool reads it.
    fn response(&self, connection: &mut Connection) -> Result<ToolResponse, HttpError> {
        let head = loop {
            let head = connection.head()?;
            // 100 Continue and other 1xx heads come before the response.
            if head.status >= 200 {
                break head;
            }
        };
        let came = |body, stays| ToolResponse {
            status: head.status,
            headers: head.headers.clone(),
            body,
            stays,
        };
        let framing = head.framing()?;
        let profile = tool::profile(self.tool);
        if profile.http_1_0 {
            let stays = self.keep_alive && head.says_keep_alive();
            return match (stays, framing) {
                (true, Framing::Sized(_)) => Ok(came(connection.any_body(&head, MOST_BYTES)?, true)),
                (true, _) => Err(HttpError::NoLength),
                (false, _) => match closed(connection, &head) {
                    Err(HttpError::StaysOpen) if self.keep_alive => Err(HttpError::NotSaidKept),
                    body => Ok(came(body?, false)),
                },
            };
        }
        let body = connection.any_body(&head, MOST_BYTES)?;
        let stays = head.keeps_alive() && framing != Framing::UntilClosed;
        if stays && !self.keep_alive {
            return match profile.closes_itself {
                true => Ok(came(body, false)),
                false if connection.closed_within(CLOSE_LIMIT) == Ok(true) => Err(HttpError::ClosesUnsaid),
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

impl ToolResponse {
    fn seen(&self) -> Came<'_> {
        Came {
            status: self.status,
            headers: &self.headers,
            body: &self.body,
        }
    }
}

fn judge(ask: &LoadRequest, came: &ToolResponse, what: &str) -> CheckResult {
    if let Expected::Own(own) = &ask.right {
        return match own.wrong(&came.seen()) {
            Some(found) => Err(CheckFault::new(format!("{what}: {}.", found.told()))),
            None => Ok(()),
        };
    }
    if !(200..300).contains(&came.status) {
        return Err(CheckFault::new(format!(
            "{what} got status {} and not 200.",
            came.status
        )));
    }
    let (size, got) = (ask.right.len(), came.body.len() as u64);
    let name = ask.path.trim_start_matches('/');
    let Expected::Body(right) = &ask.right else {
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
        let message = format!("{what} got {:?} and not {:?}.", text(&came.body), text(right));
        return Err(CheckFault::bytes(message, size, got));
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
    Err(CheckFault::bytes(message, size, got))
}

fn cut(name: &str, size: u64, got: u64) -> CheckFault {
    CheckFault::bytes(format!("{name} was cut off: {got} of {size} bytes arrived."), size, got)
}

fn wrong_length(name: &str, size: u64, got: u64) -> CheckFault {
    let message = format!("{name} has the wrong length: {got} bytes arrived where {size} were right.");
    CheckFault::bytes(message, size, got)
}

fn cut_off(ask: &LoadRequest, what: &str, error: HttpError) -> CheckFault {
    match error {
        HttpError::CutOff { got, .. } if got < ask.right.len() => {
            cut(ask.path.trim_start_matches('/'), ask.right.len(), got)
        }
        error => CheckFault::http(what, error),
    }
}
