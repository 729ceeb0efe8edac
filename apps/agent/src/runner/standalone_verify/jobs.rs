//! What the verifier is asked to do.

use std::net::{IpAddr, Ipv4Addr};

use crate::protocol::spec::Scenario;
use crate::verify::{Depth, Reference, Task, VerifyJob};
use crate::workload::files::TrialFiles;

pub(super) const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// For one load of this scenario.
pub fn right_job(
    scenario: &Scenario,
    depth: Depth,
    port: u16,
    files: &TrialFiles,
    reference: Option<&Reference>,
) -> VerifyJob {
    VerifyJob {
        address: ADDRESS,
        port,
        task: Task::Right {
            scenario: Box::new(scenario.clone()),
            root: files.root.clone(),
            depth,
            reference: reference.cloned().map(Box::new),
        },
    }
}

pub fn sample_job(scenario: &Scenario, port: u16, reference: Option<&Reference>) -> VerifyJob {
    VerifyJob {
        address: ADDRESS,
        port,
        task: Task::Sample {
            scenario: Box::new(scenario.clone()),
            reference: reference.cloned().map(Box::new),
        },
    }
}

pub(super) fn answers_job(scenario: &Scenario, port: u16, label: &str) -> VerifyJob {
    VerifyJob {
        address: ADDRESS,
        port,
        task: Task::Answers {
            scenario: Box::new(scenario.clone()),
            label: label.to_owned(),
        },
    }
}
