//! The agent's side: starts the child in the sandbox, hands it the job, reads its report.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::process::Command;

use super::job::{LIMIT, Task, VerifyJob, VerifyReport};
use crate::sandbox::child::Child;
use crate::sandbox::{Sandbox, self_command};
use crate::tool::output::ProcessExit;

#[derive(Debug, Error)]
pub enum SpawnError {
    #[error("The verifier could not be started ({0}); check that the agent's program file is still there.")]
    Io(#[from] std::io::Error),
    #[error("The verifier ended without a report: {0}")]
    NoReport(String),
    #[error("The verifier could not check everything: {0}")]
    Trouble(String),
    #[error("The verifier took longer than {0} s and was stopped.")]
    TimedOut(u64),
}

pub async fn run(job: &VerifyJob, sandbox: &dyn Sandbox) -> Result<VerifyReport, SpawnError> {
    let mut started = RunningVerifier::spawn(job, None, sandbox)?;
    drop(started.stdin.take());
    let limit = match &job.task {
        Task::Ready { within_s, .. } => Duration::from_secs_f64(*within_s + 3.0),
        Task::Right { .. } | Task::Responses { .. } | Task::Conformance { .. } | Task::Sample { .. } => {
            LIMIT + Duration::from_secs(10)
        }
    };
    started.report(limit).await
}

/// A child at work. It ends when it is dropped.
pub struct RunningVerifier {
    child: Child,
    stdin: Option<std::process::ChildStdin>,
}

impl RunningVerifier {
    /// `home` tells it from the server's own processes, where it lives beside them for long.
    pub fn spawn(job: &VerifyJob, home: Option<&Path>, sandbox: &dyn Sandbox) -> Result<Self, SpawnError> {
        let mut command = Command::from(self_command()?);
        command.args(["internal", "verify"]).stdin(Stdio::piped());
        if let Some(home) = home {
            command.env("HOME", home);
        }
        sandbox.prepare(&mut command);
        let mut child = Child::spawn(&mut command, 1 << 20, Arc::new(|_, _| {}))?;
        let mut stdin = child.take_stdin().expect("stdin is piped");
        // The child reads at once; only somebody's own requests are more than a pipe holds.
        stdin.write_all(&serde_json::to_vec(job).expect("a job serializes"))?;
        Ok(Self {
            child,
            stdin: Some(stdin),
        })
    }

    /// Ends what lasts until stdin does.
    pub async fn finish(mut self) -> Result<VerifyReport, SpawnError> {
        drop(self.stdin.take());
        self.report(LIMIT).await
    }

    async fn report(&mut self, limit: Duration) -> Result<VerifyReport, SpawnError> {
        let ended = tokio::time::timeout(limit, self.child.wait())
            .await
            .map_err(|_| SpawnError::TimedOut(limit.as_secs()))?;
        let output = self.child.output().await;
        let stderr = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
        if ended.exit != ProcessExit::Code(0) {
            return Err(SpawnError::NoReport(format!(
                "{}. {}",
                crate::server::exit::spoken_exit(ended.exit),
                stderr()
            )));
        }
        let report: VerifyReport =
            serde_json::from_slice(&output.stdout).map_err(|e| SpawnError::NoReport(e.to_string()))?;
        complete(report)
    }
}

/// A report whose checks were all made, or whose failed check tells enough.
fn complete(report: VerifyReport) -> Result<VerifyReport, SpawnError> {
    match &report.trouble {
        Some(trouble) if report.first_failure().is_none() => Err(SpawnError::Trouble(trouble.clone())),
        _ => Ok(report),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::journal::{VerifyCheck, VerifyStatus};

    #[test]
    fn trouble_of_ours_is_no_verdict_unless_another_check_found_the_server_wrong() {
        let check = |status| VerifyCheck {
            id: "body".to_owned(),
            title: "a body".to_owned(),
            status,
            message: None,
            expected_bytes: None,
            actual_bytes: None,
        };
        let report = |trouble: Option<&str>, status| VerifyReport {
            trouble: trouble.map(str::to_owned),
            checks: vec![check(status)],
            ..VerifyReport::default()
        };
        let full = Some("The disk is full.");
        let error = complete(report(full, VerifyStatus::Passed)).unwrap_err();
        assert!(error.to_string().ends_with("The disk is full."), "{error}");
        assert!(complete(report(full, VerifyStatus::Failed)).is_ok());
        assert!(complete(report(None, VerifyStatus::Passed)).is_ok());
    }
}
