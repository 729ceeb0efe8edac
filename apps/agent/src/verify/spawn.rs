//! The agent's side: starts the child in the sandbox, hands it the job, reads its report.

use std::io::Write;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::process::Command;

use super::{Job, LIMIT, Report, Task};
use crate::sandbox::child::Child;
use crate::sandbox::{Sandbox, self_command};
use crate::tool::Exit;

#[derive(Debug, Error)]
pub enum SpawnError {
    #[error("The verifier could not be started ({0}); check that the agent's program file is still there.")]
    Io(#[from] std::io::Error),
    #[error("The verifier ended without a report: {0}")]
    NoReport(String),
    #[error("The verifier took longer than {0} s and was stopped.")]
    TimedOut(u64),
}

pub async fn run(job: &Job, sandbox: &dyn Sandbox) -> Result<Report, SpawnError> {
    let mut command = Command::from(self_command()?);
    command.args(["internal", "verify"]).stdin(Stdio::piped());
    sandbox.prepare(&mut command);
    let mut child = Child::spawn(&mut command, 1 << 20, Arc::new(|_, _| {}))?;
    let mut stdin = child.take_stdin().expect("stdin is piped");
    // Far below what a pipe holds, so it cannot block.
    stdin.write_all(&serde_json::to_vec(job).expect("a job serialises"))?;
    drop(stdin);
    let limit = match &job.task {
        Task::Ready { within_s, .. } => Duration::from_secs_f64(*within_s + 3.0),
        Task::Right { .. } | Task::Conformance { .. } => LIMIT + Duration::from_secs(10),
    };
    let ended = tokio::time::timeout(limit, child.wait())
        .await
        .map_err(|_| SpawnError::TimedOut(limit.as_secs()))?;
    let output = child.output().await;
    let said = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if ended.exit != Exit::Code(0) {
        return Err(SpawnError::NoReport(format!(
            "{}. {}",
            crate::server::process::spoken_exit(ended.exit),
            said()
        )));
    }
    serde_json::from_slice(&output.stdout).map_err(|e| SpawnError::NoReport(e.to_string()))
}

/// The child's side.
pub fn child() -> Result<(), String> {
    let job: Job = serde_json::from_reader(std::io::stdin()).map_err(|e| e.to_string())?;
    let report = super::perform(&job);
    crate::cli::output::raw_stdout(&serde_json::to_string(&report).map_err(|e| e.to_string())?);
    Ok(())
}
