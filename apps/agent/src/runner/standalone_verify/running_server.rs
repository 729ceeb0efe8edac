//! A server that was started for nothing but questions.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::StandaloneError;
use super::jobs::{ADDRESS, responses_job};
use crate::protocol::journal::{VerifyCheck, VerifyStatus};
use crate::protocol::spec::{Scenario, Workload};
use crate::sandbox::{self, Sandbox};
use crate::server::Server;
use crate::server::build::Built;
use crate::server::failure::ServerFailure;
use crate::server::launch::{self, Launch};
use crate::server::process::ServerProcess;
use crate::state::State;
use crate::verify::ready::Readiness;
use crate::verify::{Reference, Task, VerifyJob, spawn};
use crate::workload::files::TrialFiles;

pub(super) struct RunningServer {
    // In this order: the process goes before its namespace and its files.
    pub process: ServerProcess,
    pub sandbox: Box<dyn Sandbox>,
    pub files: TrialFiles,
    pub port: u16,
}

impl RunningServer {
    pub async fn responses(
        &mut self,
        scenario: &Scenario,
        label: &str,
    ) -> Result<Result<Reference, String>, StandaloneError> {
        let job = responses_job(scenario, self.port, label);
        let report = spawn::run(&job, self.sandbox.as_ref()).await?;
        if let Some(crash) = self.process.crashed().await {
            return Ok(Err(crash.to_string()));
        }
        Ok(report
            .responses
            .unwrap_or_else(|| Err("The verifier said nothing of the responses.".to_owned())))
    }

    pub async fn start(
        server: &Server,
        built: &Built,
        options: &BTreeMap<String, i64>,
        state: &State,
    ) -> Result<Result<Self, ServerFailure>, StandaloneError> {
        let name = uuid::Uuid::now_v7().simple().to_string().split_off(20);
        let folder = state.work(&format!("verify-{name}"))?;
        let files = TrialFiles::create(&folder).map_err(StandaloneError::Files)?;
        let sandbox = sandbox::create();
        let port = match launch::port(&server.manifest, sandbox.as_ref()) {
            Ok(port) => port,
            Err(failure) => return Ok(Err(failure)),
        };
        let started = start(server, built, options, port, &files, sandbox.as_ref()).await?;
        Ok(started.map(|process| Self {
            process,
            sandbox,
            files,
            port,
        }))
    }

    pub async fn conformance(mut self, workload: Workload) -> Result<Vec<VerifyCheck>, StandaloneError> {
        let job = VerifyJob {
            address: ADDRESS,
            port: self.port,
            task: Task::Conformance {
                workload,
                root: self.files.root.clone(),
                secret: self.files.secret.clone(),
            },
        };
        let report = spawn::run(&job, self.sandbox.as_ref()).await?;
        // Kept beside the build, it has to be whole.
        if let Some(trouble) = report.trouble {
            return Err(spawn::SpawnError::Trouble(trouble).into());
        }
        let mut checks = report.checks;
        let crash = self.process.crashed().await.map(|crash| crash.to_string());
        checks.push(own_check("alive", "it lives through all of this", crash));
        checks.push(self.stop().await);
        Ok(checks)
    }

    pub async fn stop(self) -> VerifyCheck {
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
        ended = process.ended() => return Ok(Err(process.ended_early(ended, sandbox).await)),
        report = spawn::run(&job, sandbox) => report?.ready,
    };
    // On the host's own network it may have been somebody else who answered.
    if let Some(_crash) = process.crashed().await {
        let ended = process.ended().await;
        return Ok(Err(process.ended_early(ended, sandbox).await));
    }
    Ok(match readiness {
        Some(Readiness::Ready) => Ok(process),
        Some(Readiness::Status(status)) => Err(process.never_ready(&server.manifest, Some(status), true, sandbox)),
        Some(Readiness::NotHttp) => Err(process.not_http(&server.manifest)),
        Some(Readiness::Silent) | None => Err(process.never_ready(&server.manifest, None, true, sandbox)),
        Some(Readiness::Refused) => Err(process.never_ready(&server.manifest, None, false, sandbox)),
    })
}
