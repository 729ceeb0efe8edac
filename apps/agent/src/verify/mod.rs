//! Proves that a server answers correctly, before and after it was measured.
//!
//! The checks run in a child (`rigmark internal verify`) inside the trial's sandbox, because the agent itself never
//! enters it: the job comes on stdin, the report goes to stdout, both as JSON.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::protocol::journal::{VerifyCheck, VerifyStatus};
use crate::protocol::spec::Workload;

mod bodies;
mod callers;
mod draw;
pub mod files;
mod http;
mod json_sum;
mod lasting;
mod manners;
mod plaintext;
mod post;
mod ready;
mod report;
mod reuse;
pub mod spawn;
mod statics;
#[cfg(test)]
mod tiny;
mod unknown;
mod upload;
mod waiting;
mod websocket;
mod whole;
mod ws_burst;
mod ws_echo;

/// All checks of one workload together. A good server needs a tenth of it.
pub const LIMIT: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    pub address: IpAddr,
    pub port: u16,
    pub task: Task,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Task {
    /// Ask until it answers 200.
    Ready { path: String, within_s: f64 },
    Verify {
        workload: Workload,
        root: PathBuf,
        /// A file beside the root that must never be served.
        secret: PathBuf,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    pub ready: Option<bool>,
    pub checks: Vec<VerifyCheck>,
}

impl Report {
    /// `Failed` when one check failed, or when nothing was checked at all.
    pub fn status(&self) -> VerifyStatus {
        let failed = self.checks.iter().any(|c| c.status == VerifyStatus::Failed);
        let passed = self.checks.iter().any(|c| c.status == VerifyStatus::Passed);
        if failed || !passed {
            VerifyStatus::Failed
        } else {
            VerifyStatus::Passed
        }
    }

    pub fn first_failure(&self) -> Option<&VerifyCheck> {
        self.checks.iter().find(|c| c.status == VerifyStatus::Failed)
    }
}

/// Can this agent prove the workload at all?
pub fn knows(workload: Workload) -> bool {
    // Named one by one, so that a new workload has to be thought of here.
    match workload {
        Workload::Plaintext | Workload::Static | Workload::JsonSum | Workload::Upload | Workload::WsEcho => true,
    }
}

/// Does the job, in this very process and network.
pub fn perform(job: &Job) -> Report {
    let server = SocketAddr::new(job.address, job.port);
    match &job.task {
        Task::Ready { path, within_s } => Report {
            ready: Some(ready::wait(server, path, Duration::from_secs_f64(*within_s))),
            checks: Vec::new(),
        },
        Task::Verify { workload, root, secret } => {
            let mut report = report::Checks::new(server, Instant::now() + LIMIT);
            let waiting = waiting::Waiting::open(&report, *workload);
            match workload {
                Workload::Plaintext => plaintext::check(&mut report),
                Workload::Static => statics::check(&mut report, root, secret),
                Workload::JsonSum => json_sum::check(&mut report),
                Workload::Upload => upload::check(&mut report),
                Workload::WsEcho => ws_echo::check(&mut report),
            }
            waiting.check(&mut report);
            Report {
                ready: None,
                checks: report.done(),
            }
        }
    }
}
