//! Collects what the checks found.

use std::net::SocketAddr;
use std::time::Instant;

use super::http::{Connection, HttpError};
use crate::protocol::journal::{VerifyCheck, VerifyStatus};

/// Why a check failed: one sentence, and both byte counts where it is about bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub message: String,
    pub expected_bytes: Option<u64>,
    pub actual_bytes: Option<u64>,
}

impl Fault {
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            expected_bytes: None,
            actual_bytes: None,
        }
    }

    pub fn bytes(message: impl Into<String>, expected: u64, actual: u64) -> Self {
        Self {
            message: message.into(),
            expected_bytes: Some(expected),
            actual_bytes: Some(actual),
        }
    }

    /// `what` begins the sentence, such as "GET /1k.bin failed".
    pub fn http(what: &str, error: HttpError) -> Self {
        Self::new(format!("{what}: {error}."))
    }
}

pub type Verdict = Result<(), Fault>;

pub struct Checks {
    server: SocketAddr,
    deadline: Instant,
    done: Vec<VerifyCheck>,
}

impl Checks {
    pub fn new(server: SocketAddr, deadline: Instant) -> Self {
        Self {
            server,
            deadline,
            done: Vec::new(),
        }
    }

    pub fn connect(&self) -> Result<Connection, Fault> {
        Connection::open(self.server, self.deadline).map_err(|e| Fault::new(capital(&format!("{e}."))))
    }

    /// Runs one check and keeps what it found.
    pub fn check(&mut self, id: &str, title: &str, run: impl FnOnce(&Self) -> Verdict) {
        let fault = run(self).err();
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
