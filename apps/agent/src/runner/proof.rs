//! A server started once and verified, without load: what `rigmark verify` does.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::protocol::journal::{VerifyCheck, VerifyStatus};
use crate::protocol::spec::Workload;
use crate::sandbox::{self, Sandbox};
use crate::server::Server;
use crate::server::build::{BuildError, Built, build};
use crate::server::process::{Launch, ServerFailure, ServerProcess};
use crate::state::{State, StateError};
use crate::verify::files::TrialFiles;
use crate::verify::spawn::{self, SpawnError};
use crate::verify::{Job, Report, Task};

pub const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

#[derive(Debug, Error)]
pub enum ProofError {
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

pub struct Proof {
    /// It could not be started, or crashed; then there may be no checks.
    pub failure: Option<String>,
    pub checks: Vec<VerifyCheck>,
    pub unsandboxed_reason: Option<String>,
    /// Of the checks alone.
    pub elapsed: Duration,
}

impl Proof {
    pub fn passed(&self) -> bool {
        let report = Report {
            ready: None,
            checks: self.checks.clone(),
        };
        self.failure.is_none() && report.status() == VerifyStatus::Passed
    }
}

pub async fn prove(
    server: &Server,
    options: &BTreeMap<String, i64>,
    workload: Workload,
    state: &State,
) -> Result<Proof, ProofError> {
    let built = build(server, options, state, false, Arc::new(|_, _| {})).await?;
    let folder = state.work(&format!("verify-{}", uuid::Uuid::now_v7().simple()))?;
    let files = TrialFiles::create(&folder).map_err(ProofError::Files)?;
    let sandbox = sandbox::create();
    let mut proof = Proof {
        failure: None,
        checks: Vec::new(),
        unsandboxed_reason: sandbox.unsandboxed_reason().map(str::to_owned),
        elapsed: Duration::ZERO,
    };
    let port = sandbox.free_port().map_err(ProofError::Port)?;
    let mut process = match start(server, &built, options, port, &files, sandbox.as_ref()).await? {
        Ok(process) => process,
        Err(failure) => {
            proof.failure = Some(failure.to_string());
            return Ok(proof);
        }
    };
    let begin = Instant::now();
    let report = spawn::run(&verify_job(workload, port, &files), sandbox.as_ref()).await?;
    proof.elapsed = begin.elapsed();
    proof.checks = report.checks;
    proof.failure = process.crashed().await.map(|f| f.to_string());
    process.stop().await;
    Ok(proof)
}

pub fn verify_job(workload: Workload, port: u16, files: &TrialFiles) -> Job {
    Job {
        address: ADDRESS,
        port,
        task: Task::Verify {
            workload,
            root: files.root.clone(),
            secret: files.secret.clone(),
        },
    }
}

async fn start(
    server: &Server,
    built: &Built,
    options: &BTreeMap<String, i64>,
    port: u16,
    files: &TrialFiles,
    sandbox: &dyn Sandbox,
) -> Result<Result<ServerProcess, ServerFailure>, ProofError> {
    let work_dir = files.subfolder("server").map_err(ProofError::Files)?;
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
) -> Result<Result<ServerProcess, ServerFailure>, ProofError> {
    let job = Job {
        address: ADDRESS,
        port,
        task: Task::Ready {
            path: server.manifest.run.ready.path.clone(),
            within_s: server.manifest.run.ready.within_s,
        },
    };
    let answered = tokio::select! {
        biased;
        ended = process.ended() => return Ok(Err(process.ended_early(ended).await)),
        report = spawn::run(&job, sandbox) => report?.ready == Some(true),
    };
    // On the host's own network it may have been somebody else who answered.
    if let Some(_crash) = process.crashed().await {
        let ended = process.ended().await;
        return Ok(Err(process.ended_early(ended).await));
    }
    Ok(if answered {
        Ok(process)
    } else {
        Err(process.never_ready(&server.manifest))
    })
}
