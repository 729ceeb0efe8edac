//! A server started and asked, without load: what `rigmark verify` does, and what a run records of each build.

mod error;
mod jobs;
mod running_server;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::protocol::journal::{VerifyCheck, VerifyStatus};
use crate::protocol::spec::{Scenario, Workload};
use crate::server::Server;
use crate::server::build::{Built, build};
use crate::state::State;
use crate::verify::right::needs_reference;
use crate::verify::spawn;
use crate::verify::{self, Depth, Reference, Seen};
pub use error::StandaloneError;
pub use jobs::{right_job, sample_job};
use running_server::RunningServer;
pub use running_server::ready;

/// What one load was answered.
pub struct LoadReport {
    pub scenario: Scenario,
    pub checks: Vec<VerifyCheck>,
    pub seen: Seen,
}

/// Whose responses the others' are compared with, by scenario: the first server's.
pub type References = BTreeMap<String, Reference>;

pub struct StandaloneReport {
    /// It could not be started, or crashed.
    pub failure: Option<String>,
    /// *Right*, load by load.
    pub loads: Vec<LoadReport>,
    pub conformance: Vec<VerifyCheck>,
    pub unsandboxed_reason: Option<String>,
    /// Of the checks alone.
    pub elapsed: Duration,
}

impl StandaloneReport {
    pub fn failed(failure: String) -> Self {
        Self {
            failure: Some(failure),
            loads: Vec::new(),
            conformance: Vec::new(),
            unsandboxed_reason: None,
            elapsed: Duration::ZERO,
        }
    }

    /// Is every load answered right?
    pub fn right(&self) -> bool {
        let each = |load: &LoadReport| verify::status(&load.checks) == VerifyStatus::Passed;
        self.failure.is_none() && !self.loads.is_empty() && self.loads.iter().all(each)
    }

    /// Of somebody's own requests nothing was promised.
    pub fn conforms(&self) -> bool {
        let own = |load: &LoadReport| load.scenario.workload == Workload::Http;
        if self.conformance.is_empty() && self.loads.iter().all(own) {
            return self.failure.is_none();
        }
        self.failure.is_none() && verify::status(&self.conformance) == VerifyStatus::Passed
    }
}

/// `label` is the name that the others' differences are told with, where its responses are the first.
pub async fn verify_server(
    server: &Server,
    label: &str,
    options: &BTreeMap<String, i64>,
    workload: Workload,
    scenarios: &[Scenario],
    references: &mut References,
    state: &State,
) -> Result<StandaloneReport, StandaloneError> {
    let built = build(server, options, state, false, Arc::new(|_, _| {})).await?;
    let mut asked = match RunningServer::start(server, &built, options, state).await? {
        Ok(asked) => asked,
        Err(failure) => return Ok(StandaloneReport::failed(failure.to_string())),
    };
    let mut report = StandaloneReport {
        failure: None,
        loads: Vec::new(),
        conformance: Vec::new(),
        unsandboxed_reason: asked.sandbox.unsandboxed_reason().map(str::to_owned),
        elapsed: Duration::ZERO,
    };
    let begin = Instant::now();
    for scenario in scenarios {
        if needs_reference(scenario) && !references.contains_key(&scenario.id) {
            match asked.responses(scenario, label).await? {
                Ok(responses) => drop(references.insert(scenario.id.clone(), responses)),
                Err(why) => {
                    report.failure = Some(why);
                    return Ok(report);
                }
            }
        }
        let reference = references.get(&scenario.id);
        let job = right_job(scenario, Depth::Full, asked.port, &asked.files, reference);
        let right = spawn::run(&job, asked.sandbox.as_ref()).await?;
        report.loads.push(LoadReport {
            scenario: scenario.clone(),
            checks: right.checks,
            seen: right.seen.beside(label),
        });
        if let Some(crash) = asked.process.crashed().await {
            report.failure = Some(crash.to_string());
            return Ok(report);
        }
    }
    if workload != Workload::Http {
        report.conformance = asked.conformance(workload).await?;
    }
    report.elapsed = begin.elapsed();
    Ok(report)
}

/// What became of a server that was only started and stopped.
pub struct StartReport {
    /// It could not be started, or was not ready in time.
    pub failure: Option<String>,
    /// How it ended; a fault there leaves nobody out.
    pub checks: Vec<VerifyCheck>,
    pub unsandboxed_reason: Option<String>,
    /// From its start until it was ready.
    pub elapsed: Duration,
}

impl StartReport {
    pub fn failed(failure: String) -> Self {
        Self {
            failure: Some(failure),
            checks: Vec::new(),
            unsandboxed_reason: None,
            elapsed: Duration::ZERO,
        }
    }
}

pub async fn verify_start(
    server: &Server,
    options: &BTreeMap<String, i64>,
    state: &State,
) -> Result<StartReport, StandaloneError> {
    let built = build(server, options, state, false, Arc::new(|_, _| {})).await?;
    let begin = Instant::now();
    let started = RunningServer::start(server, &built, options, state).await?;
    let elapsed = begin.elapsed();
    let of = |failure, checks, unsandboxed_reason| StartReport {
        failure,
        checks,
        unsandboxed_reason,
        elapsed,
    };
    Ok(match started {
        Ok(running) => {
            let unsandboxed = running.sandbox.unsandboxed_reason().map(str::to_owned);
            of(None, vec![running.stop().await], unsandboxed)
        }
        Err(failure) => of(Some(failure.to_string()), Vec::new(), None),
    })
}

/// *Conformance* of a build, by a process of its own: a question that no load asks costs no trial its server. Kept beside the
/// build. `None` where the server does not start: its trials will say so.
pub async fn conformance(
    server: &Server,
    built: &Built,
    options: &BTreeMap<String, i64>,
    workload: Workload,
    state: &State,
) -> Result<Option<Vec<VerifyCheck>>, StandaloneError> {
    let kept = kept_at(built, options, workload);
    let read = || serde_json::from_slice(&std::fs::read(&kept).ok()?).ok();
    if let Some(checks) = read() {
        return Ok(Some(checks));
    }
    let Some(mut checks) = asked_of_a_new_process(server, built, options, workload, state).await? else {
        return Ok(None);
    };
    if any_failed(&checks) {
        // A hiccup of this host would stand beside the build for ever.
        match asked_of_a_new_process(server, built, options, workload, state).await {
            Ok(Some(again)) => checks = failed_twice(checks, &again),
            Ok(None) | Err(_) => return Ok(Some(checks)),
        }
    }
    // What cannot be kept is asked again.
    if let Ok(bytes) = serde_json::to_vec(&checks) {
        let _ = std::fs::write(&kept, bytes);
    }
    Ok(Some(checks))
}

async fn asked_of_a_new_process(
    server: &Server,
    built: &Built,
    options: &BTreeMap<String, i64>,
    workload: Workload,
    state: &State,
) -> Result<Option<Vec<VerifyCheck>>, StandaloneError> {
    match RunningServer::start(server, built, options, state).await? {
        Ok(asked) => asked.conformance(workload).await.map(Some),
        Err(_) => Ok(None),
    }
}

fn any_failed(checks: &[VerifyCheck]) -> bool {
    checks.iter().any(|check| check.status == VerifyStatus::Failed)
}

/// What failed the first time is as it was the second time.
fn failed_twice(first: Vec<VerifyCheck>, again: &[VerifyCheck]) -> Vec<VerifyCheck> {
    let second = |check: VerifyCheck| match again.iter().find(|a| a.id == check.id) {
        Some(again) if check.status == VerifyStatus::Failed => again.clone(),
        _ => check,
    };
    first.into_iter().map(second).collect()
}

/// Another version of the agent asks anew.
fn kept_at(built: &Built, options: &BTreeMap<String, i64>, workload: Workload) -> PathBuf {
    let options: String = options
        .iter()
        .map(|(name, value)| format!("{name}={value}\n"))
        .collect();
    let key = hex::encode(&Sha256::digest(options)[..8]);
    let version = env!("CARGO_PKG_VERSION");
    built
        .log
        .with_file_name(format!("conformance-{}-{version}-{key}.json", workload.name()))
}

/// What a build answers to somebody's own requests, by a process of its own. `Err` where it does not start or does not answer.
pub async fn responses(
    server: &Server,
    built: &Built,
    options: &BTreeMap<String, i64>,
    scenario: &Scenario,
    label: &str,
    state: &State,
) -> Result<Result<Reference, String>, StandaloneError> {
    let mut asked = match RunningServer::start(server, built, options, state).await? {
        Ok(asked) => asked,
        Err(failure) => return Ok(Err(failure.to_string())),
    };
    let responses = asked.responses(scenario, label).await?;
    asked.process.stop().await;
    Ok(responses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_that_failed_once_of_two_times_did_not_fail() {
        use VerifyStatus::{Failed, Passed};
        let checks = |each: [VerifyStatus; 3]| -> Vec<VerifyCheck> {
            let check = |(id, status): (&str, VerifyStatus)| VerifyCheck {
                id: id.to_owned(),
                title: id.to_owned(),
                status,
                message: None,
                expected_bytes: None,
                actual_bytes: None,
            };
            ["head", "idle", "stop"].into_iter().zip(each).map(check).collect()
        };
        let settled = failed_twice(checks([Failed, Failed, Passed]), &checks([Failed, Passed, Failed]));
        assert_eq!(settled, checks([Failed, Passed, Passed]));
        assert!(any_failed(&settled) && !any_failed(&checks([Passed; 3])));
    }
}
