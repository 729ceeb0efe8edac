//! Proves that a server responds correctly, in two parts. *Right* ([`right`]): a scenario's own requests get right responses
//! before, during and after its load; it decides whether an entry counts. *Conformance* ([`conformance`]): what else HTTP and the
//! contract ask for, once for each build; it is shown and leaves nobody out.
//!
//! The checks run in a child (`rigmark internal verify`) inside the trial's sandbox, because the agent itself never
//! enters it: the job comes on stdin, the report goes to stdout, both as JSON.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::protocol::journal::{VerifyCheck, VerifyStatus};
use crate::protocol::spec::{Scenario, Workload};
use ready::Readiness;
use report::Checks;

mod bodies;
mod client_profiles;
pub mod conformance;
mod draw;
mod http;
mod http_semantics;
mod idle_connections;
mod json_sum;
mod old_clients;
mod plaintext;
mod post;
pub mod ready;
mod report;
mod reuse;
pub mod right;
pub mod spawn;
mod statics;
#[cfg(test)]
mod test_server;
mod unknown;
mod upload;
mod websocket;
mod ws_burst;
mod ws_echo;

pub use right::responses::Reference;
pub use right::{Closes, Depth};

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
    /// The earliest end of a connection that was to stay, where one was seen.
    pub closes: Option<Closes>,
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

/// Can this agent verify the workload?
pub fn knows(workload: Workload) -> bool {
    // Named one by one, so that the compiler asks for each new workload.
    match workload {
        Workload::Plaintext
        | Workload::Static
        | Workload::JsonSum
        | Workload::Upload
        | Workload::WsEcho
        | Workload::Http => true,
    }
}

/// Does the job in this process and its network.
pub fn perform(job: &VerifyJob) -> VerifyReport {
    let server = SocketAddr::new(job.address, job.port);
    match &job.task {
        Task::Ready { path, within_s } => VerifyReport {
            ready: Some(ready::wait(server, path.as_deref(), Duration::from_secs_f64(*within_s))),
            ..VerifyReport::default()
        },
        Task::Right {
            scenario,
            root,
            depth,
            reference,
        } => {
            let mut checks = Checks::new(server, Instant::now() + LIMIT).with_tool(scenario.tool);
            let reference = reference.clone().map(Arc::from);
            let closes = right::check(&mut checks, scenario, root, *depth, reference.as_ref());
            VerifyReport {
                checks: checks.done(),
                closes,
                ..VerifyReport::default()
            }
        }
        Task::Responses { scenario, label } => {
            let checks = Checks::new(server, Instant::now() + LIMIT).with_tool(scenario.tool);
            VerifyReport {
                responses: Some(right::record(&checks, scenario, label)),
                ..VerifyReport::default()
            }
        }
        Task::Sample { scenario, reference } => {
            // Each request has its own time; the load may last for hours.
            let far = Instant::now() + Duration::from_secs(7 * 24 * 3600);
            let mut checks = Checks::new(server, far).with_tool(scenario.tool);
            let reference = reference.clone().map(Arc::from);
            let over = right::sample::sleeps(spawn::stdin_ended());
            right::sample::check(&mut checks, scenario, reference.as_ref(), over);
            VerifyReport {
                checks: checks.done(),
                ..VerifyReport::default()
            }
        }
        Task::Conformance { workload, root, secret } => {
            let mut checks = Checks::new(server, Instant::now() + LIMIT);
            conformance::check(&mut checks, *workload, root, secret);
            VerifyReport {
                checks: checks.done(),
                ..VerifyReport::default()
            }
        }
    }
}
