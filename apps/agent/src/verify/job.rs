//! What the agent has its child verify, and what that reports.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ready::Readiness;
use super::right::responses::Reference;
use super::right::{Depth, Seen};
use crate::protocol::journal::{VerifyCheck, VerifyStatus};
use crate::protocol::spec::{Scenario, Workload};

/// The limit of all checks of one load, or of one workload's conformance. A good server needs a thirtieth of it, more on a busy
/// host: it stops servers that are slow on purpose or stuck.
pub const LIMIT: Duration = Duration::from_secs(90);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerifyJob {
    pub address: IpAddr,
    pub port: u16,
    pub task: Task,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Task {
    /// Ask until it responds with 200, or at all where no path is given.
    Ready { path: Option<String>, within_s: f64 },
    Right {
        scenario: Box<Scenario>,
        root: PathBuf,
        depth: Depth,
        reference: Option<Box<Reference>>,
    },
    /// Until stdin ends.
    Sample {
        scenario: Box<Scenario>,
        reference: Option<Box<Reference>>,
    },
    /// What this server answers, for others to be compared with.
    Responses { scenario: Box<Scenario>, label: String },
    Conformance {
        workload: Workload,
        root: PathBuf,
        /// A file beside the root that must never be served.
        secret: PathBuf,
    },
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerifyReport {
    pub ready: Option<Readiness>,
    pub checks: Vec<VerifyCheck>,
    /// Why a check could not be made, where that was not the server's doing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// Of [`Task::Right`] and [`Task::Sample`].
    #[serde(default)]
    pub seen: Seen,
    /// Of [`Task::Responses`]; `Err` is why there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responses: Option<Result<Reference, String>>,
}

impl VerifyReport {
    pub fn status(&self) -> VerifyStatus {
        status(&self.checks)
    }

    pub fn first_failure(&self) -> Option<&VerifyCheck> {
        self.checks.iter().find(|c| c.status == VerifyStatus::Failed)
    }
}

/// `Failed` when one check failed, or when nothing was checked at all.
pub fn status(checks: &[VerifyCheck]) -> VerifyStatus {
    let any = |status| checks.iter().any(|c| c.status == status);
    match any(VerifyStatus::Failed) || !any(VerifyStatus::Passed) {
        true => VerifyStatus::Failed,
        false => VerifyStatus::Passed,
    }
}
