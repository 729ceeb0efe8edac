//! The steps of one trial, each a future that leaves nothing behind when it is dropped.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::real_executor::RealExecutor;
use crate::loadgen::knee;
use crate::protocol::journal::{Event, Level, LogSource, PlanTrial, Verify, VerifyStatus, When, Window};
use crate::protocol::result::{Reason, TrialStatus};
use crate::protocol::spec::Scenario;
use crate::runner::measure::escape;
use crate::runner::measure::load::{LoadFailure, ToolLoad};
use crate::runner::measure::loaded::Loaded;
use crate::runner::measure::log_forwarder::LogForwarder;
use crate::runner::measure::metered::Metered;
use crate::runner::outcome::{FailureScope, HostDisturbance, TrialOutcome, empty_record};
use crate::runner::plan::prepared_entry::PreparedEntry;
use crate::runner::standalone_verify;
use crate::runner::trial::window;
use crate::sample::{self, Sampler};
use crate::sandbox::{self, Sandbox};
use crate::server::failure::ServerFailure;
use crate::server::launch::{self, Launch};
use crate::server::process::ServerProcess;
use crate::text::reason;
use crate::tool::{ToolError, ToolJob};
use crate::verify::spawn::{self, RunningVerifier, SpawnError};
use crate::verify::{Depth, Reference, Seen, VerifyReport};
use crate::workload::files::TrialFiles;

/// On the host's own network a drawn port may be taken in the moment before the server binds it.
const PORT_TRIES: usize = 3;
/// A port of its own is free again when the last connections are forgotten: after a minute on Linux, half of one on macOS.
const OWN_PORT_TRIES: usize = 65;
const BETWEEN_TRIES: Duration = Duration::from_secs(1);

/// Why a step of a trial failed: before the load this ends the trial, after it the trial is invalid or labeled.
#[derive(Debug)]
pub(super) struct Stop {
    pub reason: Reason,
    pub failure_scope: FailureScope,
}

impl Stop {
    pub fn new(failure_scope: FailureScope, code: &str, text: impl ToString) -> Self {
        Self {
            reason: reason(code, &text.to_string()),
            failure_scope,
        }
    }

    pub fn done(self, planned: &PlanTrial) -> TrialOutcome {
        TrialOutcome {
            trial: empty_record(planned, TrialStatus::Failed, Some(self.reason)),
            failure_scope: self.failure_scope,
            host: HostDisturbance::default(),
        }
    }
}

impl From<LoadFailure> for Stop {
    fn from(failure: LoadFailure) -> Self {
        match failure {
            LoadFailure::Server(crash) => Self::new(FailureScope::Nothing, "server-crash", crash),
            LoadFailure::Hung { .. } => Self::new(FailureScope::Nothing, "tool-timeout", failure),
            // The next trial may have the space, and another entry would have met the same.
            LoadFailure::Tool(ToolError::Io(error)) => {
                let text = format!("The tool's files could not be written ({error}); free some space.");
                Self::new(FailureScope::Nothing, "files", text)
            }
            LoadFailure::Tool(_) | LoadFailure::Spawn { .. } => {
                Self::new(FailureScope::Scenario, "tool-failed", failure)
            }
        }
    }
}

/// What one trial has while it runs. Dropping it stops the server, closes the namespace and removes the files.
pub(super) struct RunningTrial<'a> {
    planned: &'a PlanTrial,
    pub scenario: &'a Scenario,
    pub prepared_entry: &'a PreparedEntry,
    port: u16,
    /// The server's.
    home: PathBuf,
    // In this order: the process goes before its namespace and its files.
    process: ServerProcess,
    sandbox: Box<dyn Sandbox>,
    files: TrialFiles,
    sampler: Box<dyn Sampler>,
    /// Asks a little while there is load.
    sampling: Option<RunningVerifier>,
    /// What verification found beside what is right or wrong.
    pub seen: Seen,
    /// What its responses are compared with.
    pub reference: Option<Arc<Reference>>,
}

impl RunningTrial<'_> {
    /// Takes what forked away from the server's tree into it, and says how many such processes there were. Between windows of
    /// load only: it looks at every process of the host.
    pub fn gather(&mut self) -> usize {
        let root = self.process.pid();
        let found = self.sandbox.inhabitants(root, &self.home);
        self.sampler.adopt(root, &found)
    }

    /// Where the tool works.
    pub fn tool_folder(&self, window: Window) -> Result<PathBuf, Stop> {
        let name = if window == Window::WarmUp { "warm-up" } else { "measure" };
        self.files.subfolder(name).map_err(|e| {
            let text = format!("The tool's folder could not be made ({e}); free some space.");
            Stop::new(FailureScope::Nothing, "files", text)
        })
    }
}

/// What the run says of itself holds for each of its trials.
fn as_promised(sandboxed: bool, sandbox: &dyn Sandbox) -> Result<(), Stop> {
    match sandbox.unsandboxed_reason().filter(|_| sandboxed) {
        Some(why) => Err(Stop::new(FailureScope::Nothing, "unsandboxed", why)),
        None => Ok(()),
    }
}

impl RealExecutor {
    pub(super) async fn start<'a>(
        &self,
        planned: &'a PlanTrial,
        scenario: &'a Scenario,
        prepared_entry: &'a PreparedEntry,
    ) -> Result<RunningTrial<'a>, Stop> {
        let trouble = |error: &dyn std::fmt::Display| {
            let text = format!("The trial's files could not be written ({error}); free some space.");
            Stop::new(FailureScope::Nothing, "files", text)
        };
        let folder = self.folder.join(planned.trial_id.simple().to_string().split_off(20));
        let kept = self.folder.join(format!("files-{}", planned.entry_key));
        let files = TrialFiles::create_with(&folder, &kept).map_err(|e| trouble(&e))?;
        let work_dir = files.subfolder("server").map_err(|e| trouble(&e))?;
        let built = prepared_entry.built.as_ref().expect("a trial comes after its build");
        let mut tries = 0;
        loop {
            tries += 1;
            let sandbox = sandbox::create();
            as_promised(self.sandboxed, sandbox.as_ref())?;
            let waits = prepared_entry.server.manifest.run.port.is_some() && sandbox.unsandboxed_reason().is_some();
            let port = launch::port(&prepared_entry.server.manifest, sandbox.as_ref())
                .map_err(|failure| Stop::new(FailureScope::Nothing, "port-in-use", failure))?;
            let launch = Launch {
                manifest: &prepared_entry.server.manifest,
                built,
                options: &prepared_entry.options,
                address: "127.0.0.1",
                port,
                root: &files.root,
                work_dir: &work_dir,
            };
            let forwarder = LogForwarder::new(
                self.sink.clone(),
                LogSource::Server,
                &planned.entry_key,
                Some(planned.trial_id),
            );
            let on_line = Arc::new(move |_, line: &str| forwarder.line(Level::Info, line));
            let pin = |command: &mut _| self.cores.pin_server(command);
            let started = match ServerProcess::start(&launch, sandbox.as_ref(), pin, on_line) {
                Ok(process) => standalone_verify::ready(&prepared_entry.server, process, port, sandbox.as_ref()).await,
                Err(failure) => Ok(Err(failure)),
            };
            match started {
                Ok(Ok(process)) => {
                    return Ok(RunningTrial {
                        planned,
                        scenario,
                        prepared_entry,
                        port,
                        home: work_dir,
                        process,
                        sandbox,
                        files,
                        sampler: sample::sampler(),
                        sampling: None,
                        seen: Seen::default(),
                        reference: None,
                    });
                }
                Ok(Err(ServerFailure::PortInUse { .. })) if tries < PORT_TRIES => {}
                // Nobody listens there: the connections of the trial before are not over yet.
                Ok(Err(ServerFailure::PortInUse { .. })) if waits && tries < OWN_PORT_TRIES => {
                    tokio::time::sleep(BETWEEN_TRIES).await;
                }
                Ok(Err(failure @ ServerFailure::PortInUse { .. })) => {
                    return Err(Stop::new(FailureScope::Nothing, "port-in-use", failure));
                }
                Ok(Err(failure)) => return Err(Stop::new(FailureScope::Entry, "server-start", failure)),
                Err(error) => return Err(Stop::new(FailureScope::Nothing, "verifier", error)),
            }
        }
    }

    /// *Right* for this scenario's load.
    pub(super) async fn verify(&self, stage: &mut RunningTrial<'_>, when: When, depth: Depth) -> Result<(), Stop> {
        let job = standalone_verify::right_job(
            stage.scenario,
            depth,
            stage.port,
            &stage.files,
            stage.reference.as_deref(),
        );
        let report = spawn::run(&job, stage.sandbox.as_ref()).await;
        self.judged(stage, when, report).await
    }

    /// From now on, until [`Self::sampled`].
    pub(super) fn sample(&self, stage: &mut RunningTrial<'_>) -> Result<(), Stop> {
        // Beside one connection another one would change the load, and some servers serve one at a time.
        if stage.scenario.load.connections() == 1 {
            return Ok(());
        }
        let job = standalone_verify::sample_job(stage.scenario, stage.port, stage.reference.as_deref());
        let home = stage.files.subfolder("sample");
        let started = home.map_err(SpawnError::Io);
        let started = started.and_then(|home| RunningVerifier::spawn(&job, Some(&home), stage.sandbox.as_ref()));
        stage.sampling = Some(started.map_err(|e| Stop::new(FailureScope::Nothing, "verifier", e))?);
        Ok(())
    }

    /// What was answered meanwhile.
    pub(super) async fn sampled(&self, stage: &mut RunningTrial<'_>) -> Result<(), Stop> {
        match stage.sampling.take() {
            Some(sampling) => {
                let report = sampling.finish().await;
                self.judged(stage, When::During, report).await
            }
            None => Ok(()),
        }
    }

    async fn judged(
        &self,
        stage: &mut RunningTrial<'_>,
        when: When,
        report: Result<VerifyReport, SpawnError>,
    ) -> Result<(), Stop> {
        let report = report.map_err(|e| Stop::new(FailureScope::Nothing, "verifier", e))?;
        if let Some(crash) = stage.process.crashed().await {
            return Err(Stop::new(FailureScope::Nothing, "server-crash", crash));
        }
        stage.seen.add(report.seen.clone());
        let status = report.status();
        self.sink.append(Event::Verify(Verify {
            entry_key: stage.planned.entry_key.clone(),
            trial_id: Some(stage.planned.trial_id),
            when,
            workload: stage.scenario.workload,
            status,
            checks: report.checks.clone(),
        }));
        if status == VerifyStatus::Passed {
            return Ok(());
        }
        let first = report.first_failure();
        let check = first.map_or("nothing was checked", |c| c.title.as_str());
        let detail = first.and_then(|c| c.message.as_deref()).unwrap_or_default();
        let text = format!("Verification failed at \"{check}\": {detail}");
        // It is in no ranking of this scenario any more; what another load is answered is another question.
        Err(Stop::new(FailureScope::Scenario, "verification", text.trim()))
    }

    /// One window of load, of so many seconds; the tool is stopped after [`ToolLoad::stops_after`].
    pub(super) async fn load(
        &self,
        stage: &mut RunningTrial<'_>,
        window: Window,
        duration_s: f64,
        stops_after: Option<Duration>,
    ) -> Result<Loaded, Stop> {
        let work_dir = stage.tool_folder(window)?;
        let of = self.metered(stage, window);
        let scenario = match window {
            Window::WarmUp => knee::warm_up(stage.scenario),
            Window::Measure => Cow::Borrowed(stage.scenario),
        };
        if window == Window::Measure {
            stage.gather();
        }
        let mut load = self.tool_load(stage, &scenario, duration_s, &work_dir);
        load.stops_after = stops_after;
        let mut loaded = window::run(load, of).await.map_err(Stop::from)?;
        if window == Window::Measure {
            escape::check(stage.gather(), &mut loaded);
        }
        Ok(loaded)
    }

    pub(super) fn metered(&self, stage: &RunningTrial<'_>, window: Window) -> Metered {
        let RunningTrial { planned, scenario, .. } = stage;
        let (sink, trial_id) = (self.sink.clone(), planned.trial_id);
        let forwarder = LogForwarder::new(sink.clone(), LogSource::Tool, &planned.entry_key, Some(trial_id));
        Metered {
            trial_id,
            window,
            tool: self.tools[&scenario.tool].clone(),
            sink,
            forwarder: Arc::new(forwarder),
        }
    }

    /// One run of the tool that is to last so long.
    pub(super) fn tool_load<'s>(
        &'s self,
        stage: &'s mut RunningTrial<'_>,
        scenario: &'s Scenario,
        duration_s: f64,
        work_dir: &'s Path,
    ) -> ToolLoad<'s> {
        ToolLoad {
            tool: self.tools[&scenario.tool].clone(),
            job: ToolJob {
                scenario,
                address: "127.0.0.1",
                port: stage.port,
                duration_s,
                patience_s: duration_s,
                cpus: self.cores.tool(),
                work_dir,
            },
            sandbox: stage.sandbox.as_ref(),
            cores: &self.cores,
            server: &mut stage.process,
            sampler: stage.sampler.as_mut(),
            stops_after: None,
        }
    }

    pub(super) async fn stop(&self, stage: RunningTrial<'_>) -> Result<(), Stop> {
        let name = stage.prepared_entry.server.manifest.name.clone();
        match stage.process.stop().await {
            None => Ok(()),
            Some(how) => Err(Stop::new(
                FailureScope::Nothing,
                "unclean-stop",
                format!("{name} {how}."),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::HostNetwork;

    #[test]
    fn files_that_the_agent_could_not_write_for_a_tool_cost_one_trial() {
        let full = LoadFailure::Tool(ToolError::Io(std::io::Error::from_raw_os_error(libc::ENOSPC)));
        let stop = Stop::from(full);
        assert_eq!(
            (stop.reason.code.as_str(), stop.failure_scope),
            ("files", FailureScope::Nothing)
        );
        let unsupported = LoadFailure::Tool(ToolError::Unsupported("ab", "no".to_owned()));
        assert_eq!(Stop::from(unsupported).failure_scope, FailureScope::Scenario);
    }

    #[test]
    fn a_trial_of_a_sandboxed_run_never_falls_back_to_the_hosts_network() {
        let fallen_back = HostNetwork::new("The kernel refused a network namespace.".to_owned());
        let stop = as_promised(true, &fallen_back).unwrap_err();
        assert_eq!(
            (stop.reason.code.as_str(), stop.failure_scope),
            ("unsandboxed", FailureScope::Nothing)
        );
        assert_eq!(stop.reason.message, "The kernel refused a network namespace.");
        assert!(as_promised(false, &fallen_back).is_ok());
    }
}
