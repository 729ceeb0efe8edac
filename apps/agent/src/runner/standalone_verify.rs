//! A server started and asked, without load: what `rigmark verify` does, and what a run records of each build.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::protocol::journal::{VerifyCheck, VerifyStatus};
use crate::protocol::spec::{Scenario, Workload};
use crate::sandbox::{self, Sandbox};
use crate::server::Server;
use crate::server::build::{BuildError, Built, build};
use crate::server::process::{Launch, ServerFailure, ServerProcess};
use crate::state::{State, StateError};
use crate::verify::ready::Readiness;
use crate::verify::right::needs_reference;
use crate::verify::spawn::{self, SpawnError};
use crate::verify::{self, Closes, Depth, Reference, Task, VerifyJob};
use crate::workload::files::TrialFiles;

pub const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

#[derive(Debug, Error)]
pub enum StandaloneError {
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error(
        "The files to serve could not be written ({0}); free some space or choose another folder with --state-dir."
    )]
    Files(std::io::Error),
    #[error("No free port was found ({0}); end some of the programs that listen on this host.")]
    Port(std::io::Error),
    #[error(transparent)]
    Verifier(#[from] SpawnError),
}

/// What one load was answered.
pub struct LoadReport {
    pub scenario: Scenario,
    pub checks: Vec<VerifyCheck>,
    pub closes: Option<Closes>,
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

/// A server that was started for nothing but questions.
struct RunningServer {
    // In this order: the process goes before its namespace and its files.
    process: ServerProcess,
    sandbox: Box<dyn Sandbox>,
    files: TrialFiles,
    port: u16,
}

pub async fn verify_server(
    server: &Server,
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
            match asked.answers(scenario, &server.manifest.name).await? {
                Ok(answers) => drop(references.insert(scenario.id.clone(), answers)),
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
            closes: right.closes,
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
    let Ok(asked) = RunningServer::start(server, built, options, state).await? else {
        return Ok(None);
    };
    let checks = asked.conformance(workload).await?;
    // What cannot be kept is asked again.
    if let Ok(bytes) = serde_json::to_vec(&checks) {
        let _ = std::fs::write(&kept, bytes);
    }
    Ok(Some(checks))
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

fn answers_job(scenario: &Scenario, port: u16, label: &str) -> VerifyJob {
    VerifyJob {
        address: ADDRESS,
        port,
        task: Task::Answers {
            scenario: Box::new(scenario.clone()),
            label: label.to_owned(),
        },
    }
}

/// What a build answers to somebody's own requests, by a process of its own. `Err` where it does not start or does not answer.
pub async fn answers(
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
    let answers = asked.answers(scenario, label).await?;
    asked.process.stop().await;
    Ok(answers)
}

impl RunningServer {
    async fn answers(
        &mut self,
        scenario: &Scenario,
        label: &str,
    ) -> Result<Result<Reference, String>, StandaloneError> {
        let job = answers_job(scenario, self.port, label);
        let report = spawn::run(&job, self.sandbox.as_ref()).await?;
        if let Some(crash) = self.process.crashed().await {
            return Ok(Err(crash.to_string()));
        }
        Ok(report
            .answers
            .unwrap_or_else(|| Err("The verifier did not mention the responses; please report this.".to_owned())))
    }

    async fn start(
        server: &Server,
        built: &Built,
        options: &BTreeMap<String, i64>,
        state: &State,
    ) -> Result<Result<Self, ServerFailure>, StandaloneError> {
        let folder = state.work(&format!("verify-{}", uuid::Uuid::now_v7().simple()))?;
        let files = TrialFiles::create(&folder).map_err(StandaloneError::Files)?;
        let sandbox = sandbox::create();
        let port = sandbox.free_port().map_err(StandaloneError::Port)?;
        let started = start(server, built, options, port, &files, sandbox.as_ref()).await?;
        Ok(started.map(|process| Self {
            process,
            sandbox,
            files,
            port,
        }))
    }

    async fn conformance(mut self, workload: Workload) -> Result<Vec<VerifyCheck>, StandaloneError> {
        let job = VerifyJob {
            address: ADDRESS,
            port: self.port,
            task: Task::Conformance {
                workload,
                root: self.files.root.clone(),
                secret: self.files.secret.clone(),
            },
        };
        let mut checks = spawn::run(&job, self.sandbox.as_ref()).await?.checks;
        let crash = self.process.crashed().await.map(|crash| crash.to_string());
        checks.push(own_check("alive", "it lives through all of this", crash));
        checks.push(self.stop().await);
        Ok(checks)
    }

    async fn stop(self) -> VerifyCheck {
        let unclean = self.process.stop().await.map(|how| format!("It {how}."));
        own_check("stop", "SIGTERM ends it cleanly", unclean)
    }
}

/// What the agent sees and no client.
fn own_check(id: &str, title: &str, fault: Option<String>) -> VerifyCheck {
    VerifyCheck {
        id: id.to_owned(),
        title: title.to_owned(),
        status: match fault {
            None => VerifyStatus::Passed,
            Some(_) => VerifyStatus::Failed,
        },
        message: fault.map(|text| text.chars().take(1000).collect()),
        expected_bytes: None,
        actual_bytes: None,
    }
}

async fn start(
    server: &Server,
    built: &Built,
    options: &BTreeMap<String, i64>,
    port: u16,
    files: &TrialFiles,
    sandbox: &dyn Sandbox,
) -> Result<Result<ServerProcess, ServerFailure>, StandaloneError> {
    let work_dir = files.subfolder("server").map_err(StandaloneError::Files)?;
    let launch = Launch {
        manifest: &server.manifest,
        built,
        options,
        address: "127.0.0.1",
        port,
        root: &files.root,
        work_dir: &work_dir,
    };
    let process = match ServerProcess::start(&launch, sandbox, |_| {}, Arc::new(|_, _| {})) {
        Ok(process) => process,
        Err(failure) => return Ok(Err(failure)),
    };
    ready(server, process, port, sandbox).await
}

/// Waits until it answers, or until it is clear that it never will.
pub async fn ready(
    server: &Server,
    mut process: ServerProcess,
    port: u16,
    sandbox: &dyn Sandbox,
) -> Result<Result<ServerProcess, ServerFailure>, StandaloneError> {
    let job = VerifyJob {
        address: ADDRESS,
        port,
        task: Task::Ready {
            path: server.manifest.run.ready.path.clone(),
            within_s: server.manifest.run.ready.within_s,
        },
    };
    let readiness = tokio::select! {
        biased;
        ended = process.ended() => return Ok(Err(process.ended_early(ended).await)),
        report = spawn::run(&job, sandbox) => report?.ready,
    };
    // On the host's own network it may have been somebody else who answered.
    if let Some(_crash) = process.crashed().await {
        let ended = process.ended().await;
        return Ok(Err(process.ended_early(ended).await));
    }
    Ok(match readiness {
        Some(Readiness::Ready) => Ok(process),
        Some(Readiness::Status(status)) => Err(process.never_ready(&server.manifest, Some(status), sandbox)),
        Some(Readiness::Silent) | None => Err(process.never_ready(&server.manifest, None, sandbox)),
    })
}
