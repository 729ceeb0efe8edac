//! Collects what the checks found.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::client_profiles;
use super::http::{Connection, HttpError, SILENCE};
use crate::protocol::journal::{VerifyCheck, VerifyStatus};
use crate::protocol::spec::ToolName;

/// As long as a tool waits at most, and a little: a connection that finds a full queue is tried again by the kernel after 1, 3
/// and 7 s.
const AS_A_TOOL: Duration = Duration::from_secs(11);

/// Why a check failed: one sentence, and both byte counts where it is about bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckFault {
    pub message: String,
    pub expected_bytes: Option<u64>,
    pub actual_bytes: Option<u64>,
    /// The check could not be made, for want of something that is ours (disk, descriptors, ports): nobody knows what the
    /// server would have done.
    pub ours: bool,
}

impl CheckFault {
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            expected_bytes: None,
            actual_bytes: None,
            ours: false,
        }
    }

    pub fn ours(message: impl Into<String>) -> Self {
        Self {
            ours: true,
            ..Self::new(message)
        }
    }

    pub fn bytes(message: impl Into<String>, expected: u64, actual: u64) -> Self {
        Self {
            expected_bytes: Some(expected),
            actual_bytes: Some(actual),
            ..Self::new(message)
        }
    }

    /// `what` begins the sentence, such as "GET /1k.bin failed".
    pub fn http(what: &str, error: HttpError) -> Self {
        Self::of(&error, format!("{what}: {error}."))
    }

    /// Of several threads the first fault counts, and one of the server more than any of ours.
    pub fn keep_in(self, first: &Mutex<Option<CheckFault>>) {
        let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
        if first.as_ref().is_none_or(|kept| kept.ours && !self.ours) {
            *first = Some(self);
        }
    }

    fn of(error: &HttpError, message: String) -> Self {
        Self {
            ours: matches!(error, HttpError::Ours(_)),
            ..Self::new(message)
        }
    }
}

pub type CheckResult = Result<(), CheckFault>;

pub struct Checks {
    server: SocketAddr,
    deadline: Instant,
    /// The tool whose requests are sent; `None` draws one for each connection.
    tool: Option<ToolName>,
    patience: Duration,
    /// Responses that were right so far, over all checks that count them.
    right: AtomicU64,
    done: Vec<VerifyCheck>,
    /// Why a check could not be made, where that was not the server's doing.
    trouble: Option<String>,
}

impl Checks {
    pub fn new(server: SocketAddr, deadline: Instant) -> Self {
        Self {
            server,
            deadline,
            tool: None,
            patience: SILENCE,
            right: AtomicU64::new(0),
            done: Vec::new(),
            trouble: None,
        }
    }

    /// All connections send the requests of this tool.
    pub fn with_tool(self, tool: ToolName) -> Self {
        Self {
            tool: Some(tool),
            patience: AS_A_TOOL,
            ..self
        }
    }

    pub fn server(&self) -> SocketAddr {
        self.server
    }

    pub fn connect(&self) -> Result<Connection, CheckFault> {
        client_profiles::ask_as(self.tool, self.server);
        Connection::open(self.server, self.deadline, self.patience)
            .map_err(|e| CheckFault::of(&e, capital(&format!("{e}."))))
    }

    pub fn right_count(&self) -> u64 {
        self.right.load(Ordering::Relaxed)
    }

    pub fn count_right(&self) {
        self.right.fetch_add(1, Ordering::Relaxed);
    }

    /// Adds to the fault of a wrong response how many were right before it; `what` is what was right, such as "The sum".
    pub fn until_now(&self, what: &str, fault: CheckFault) -> CheckFault {
        self.until(what, "request", fault)
    }

    /// The same of an echo.
    pub fn until_this_message(&self, fault: CheckFault) -> CheckFault {
        self.until("The echo", "message", fault)
    }

    fn until(&self, what: &str, unit: &str, fault: CheckFault) -> CheckFault {
        let first = match self.right.load(Ordering::Relaxed) {
            0 => return fault,
            1 => unit.to_owned(),
            n => format!("{n} {unit}s"),
        };
        let message = format!(
            "{what} was right for the first {first} and then wrong: {}",
            fault.message
        );
        CheckFault { message, ..fault }
    }

    /// Runs one check and keeps what it found. One that could not be made is no check of the server: it is kept apart.
    pub fn check(&mut self, id: &str, title: &str, run: impl FnOnce(&Self) -> CheckResult) {
        let fault = run(self).err();
        if let Some(fault) = fault.as_ref().filter(|f| f.ours) {
            self.trouble.get_or_insert_with(|| fault.message.clone());
            return;
        }
        self.done.push(VerifyCheck {
            id: id.to_owned(),
            title: title.to_owned(),
            status: if fault.is_some() {
                VerifyStatus::Failed
            } else {
                VerifyStatus::Passed
            },
            message: fault.as_ref().map(|f| f.message.chars().take(1000).collect()),
            expected_bytes: fault.as_ref().and_then(|f| f.expected_bytes),
            actual_bytes: fault.as_ref().and_then(|f| f.actual_bytes),
        });
    }

    pub fn trouble(&self) -> Option<String> {
        self.trouble.clone()
    }

    pub fn done(self) -> Vec<VerifyCheck> {
        self.done
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|c| c.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_threads_a_fault_of_the_server_counts_more_than_ours() {
        let first = Mutex::new(None);
        for (fault, kept) in [
            (CheckFault::ours("no port"), "no port"),
            (CheckFault::new("wrong"), "wrong"),
            (CheckFault::ours("no port again"), "wrong"),
            (CheckFault::new("wrong again"), "wrong"),
        ] {
            fault.keep_in(&first);
            assert_eq!(first.lock().unwrap().as_ref().unwrap().message, kept);
        }
    }

    #[test]
    fn a_check_that_could_not_be_made_for_want_of_something_of_ours_is_no_fault_of_the_server() {
        let mut checks = Checks::new("127.0.0.1:1".parse().unwrap(), Instant::now());
        checks.check("fresh-file", "a new file", |_| {
            Err(CheckFault::ours("The disk is full."))
        });
        checks.check("body", "a body", |_| {
            let fault = CheckFault::http("GET /", HttpError::Ours("too many open files".to_owned()));
            Err(checks_until(fault))
        });
        checks.check("head", "a head", |_| Err(CheckFault::http("HEAD /", HttpError::Closed)));
        assert_eq!(checks.trouble().as_deref(), Some("The disk is full."));
        let done: Vec<_> = checks.done().into_iter().map(|c| (c.id, c.status)).collect();
        assert_eq!(done, [("head".to_owned(), VerifyStatus::Failed)]);
    }

    /// As a check does that says more.
    fn checks_until(fault: CheckFault) -> CheckFault {
        CheckFault {
            message: format!("At the end: {}", fault.message),
            ..fault
        }
    }
}
