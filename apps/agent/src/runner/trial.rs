//! The real thing: builds servers, starts them in the sandbox, verifies, loads, verifies again, stops.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;

use super::cores::Cores;
use super::execute::{Breaks, Done, Executor, unmeasured};
use super::judge::{Judgement, Measured, judge};
use super::proof;
use super::tap::Tap;
use super::text::{message, reason};
use super::window::{self, Load, LoadFailure, Loaded};
use crate::journal::Sink;
use crate::protocol::journal::{
    Event, Level, LogSource, Phase, PhaseName, PhaseStatus, PlanEntry, PlanTrial, Trial, Verify, VerifyStatus, When,
    Window,
};
use crate::protocol::result::{Reason, TrialStatus};
use crate::protocol::spec::{Scenario, ToolName};
use crate::sample;
use crate::sandbox::{self, Sandbox};
use crate::server::Server;
use crate::server::build::{Built, build};
use crate::server::manifest::DEFAULT_WORKERS;
use crate::server::process::{Launch, ServerFailure, ServerProcess};
use crate::state::State;
use crate::tool::{Tool, ToolJob};
use crate::verify::files::TrialFiles;
use crate::verify::{self, spawn};

/// On the host's own network a drawn port may be taken in the moment before the server binds it.
const PORT_TRIES: usize = 3;

/// An entry on this host.
pub struct Competitor {
    pub server: Server,
    pub options: BTreeMap<String, i64>,
    pub built: Option<Built>,
}

pub struct RealExecutor {
    pub state: State,
    /// Of this run; gone when the run is over.
    pub folder: PathBuf,
    pub competitors: BTreeMap<String, Competitor>,
    pub scenarios: BTreeMap<String, Scenario>,
    pub tools: BTreeMap<ToolName, Arc<dyn Tool>>,
    /// Why a tool cannot be used here.
    pub missing_tools: BTreeMap<ToolName, String>,
    pub cores: Cores,
    pub sink: Arc<dyn Sink>,
}

/// Why a trial ended before it had numbers.
struct Stop {
    reason: Reason,
    breaks: Breaks,
}

impl Stop {
    fn new(breaks: Breaks, code: &str, text: impl ToString) -> Self {
        Self {
            reason: reason(code, &text.to_string()),
            breaks,
        }
    }
}

/// What one trial has while it runs. Dropping it stops the server, closes the namespace and removes the files.
struct Stage<'a> {
    planned: &'a PlanTrial,
    scenario: &'a Scenario,
    competitor: &'a Competitor,
    port: u16,
    // In this order: the process goes before its namespace and its files.
    process: ServerProcess,
    sandbox: Box<dyn Sandbox>,
    files: TrialFiles,
}

#[async_trait]
impl Executor for RealExecutor {
    async fn build(&mut self, entry: &PlanEntry) -> Result<(), Reason> {
        self.phase(PhaseName::Build, PhaseStatus::Begin, &entry.key, None, None);
        let tap = Tap::new(self.sink.clone(), LogSource::Build, &entry.key, None);
        let on_line = Arc::new(move |_, line: &str| tap.line(Level::Info, line));
        let competitor = self
            .competitors
            .get_mut(&entry.key)
            .expect("the plan was made from the competitors");
        match build(&competitor.server, &competitor.options, &self.state, false, on_line).await {
            Ok(built) => {
                competitor.built = Some(built);
                self.phase(PhaseName::Build, PhaseStatus::End, &entry.key, None, None);
                Ok(())
            }
            Err(error) => {
                let reason = reason("build", &error.to_string());
                self.phase(
                    PhaseName::Build,
                    PhaseStatus::Failed,
                    &entry.key,
                    None,
                    Some(&reason.message),
                );
                Err(reason)
            }
        }
    }

    async fn trial(&mut self, planned: &PlanTrial) -> Done {
        match self.attempt(planned).await {
            Ok(done) => done,
            Err(stop) => Done {
                trial: unmeasured(planned, TrialStatus::Failed, Some(stop.reason)),
                breaks: stop.breaks,
            },
        }
    }
}

impl RealExecutor {
    async fn attempt(&self, planned: &PlanTrial) -> Result<Done, Stop> {
        let scenario = &self.scenarios[&planned.scenario];
        let competitor = &self.competitors[&planned.entry_key];
        self.possible(competitor, scenario)?;
        let mut stage = self
            .in_phase(PhaseName::Start, planned, self.start(planned, scenario, competitor))
            .await?;
        let before = self.verify(&mut stage, When::Before);
        self.in_phase(PhaseName::Verify, planned, before).await?;
        let mut sampler = sample::sampler();
        if planned.warmup_s > 0.0 {
            let load = self.load(&mut stage, Window::WarmUp, planned.warmup_s, sampler.as_mut());
            self.in_phase(PhaseName::WarmUp, planned, load).await?;
        }
        let load = self.load(&mut stage, Window::Measure, planned.duration_s, sampler.as_mut());
        let loaded = self.in_phase(PhaseName::Measure, planned, load).await?;
        let after = self.verify(&mut stage, When::After);
        let after = self.in_phase(PhaseName::VerifyAfter, planned, after).await;
        let clean = self.in_phase(PhaseName::CleanUp, planned, self.stop(stage)).await;
        Ok(self.conclude(planned, scenario, competitor, loaded, after, clean))
    }

    /// What can be said without starting anything.
    fn possible(&self, competitor: &Competitor, scenario: &Scenario) -> Result<(), Stop> {
        let name = &competitor.server.manifest.name;
        if let Some(why) = self.missing_tools.get(&scenario.tool) {
            return Err(Stop::new(Breaks::Scenario, "tool-missing", why));
        }
        if !competitor.server.manifest.workloads.contains(&scenario.workload) {
            let text = format!("{name} does not claim the workload of {}.", scenario.id);
            return Err(Stop::new(Breaks::Scenario, "workload", text));
        }
        if !verify::knows(scenario.workload) {
            let text = format!("This agent cannot verify the workload of {}; update it.", scenario.id);
            return Err(Stop::new(Breaks::Scenario, "workload", text));
        }
        Ok(())
    }

    async fn start<'a>(
        &self,
        planned: &'a PlanTrial,
        scenario: &'a Scenario,
        competitor: &'a Competitor,
    ) -> Result<Stage<'a>, Stop> {
        let trouble = |error: &dyn std::fmt::Display| {
            let text = format!("The trial's files could not be written ({error}); free some space.");
            Stop::new(Breaks::Nothing, "files", text)
        };
        let folder = self.folder.join(planned.trial_id.simple().to_string());
        let files = TrialFiles::create(&folder).map_err(|e| trouble(&e))?;
        let work_dir = files.subfolder("server").map_err(|e| trouble(&e))?;
        let built = competitor.built.as_ref().expect("a trial comes after its build");
        let mut tries = 0;
        loop {
            tries += 1;
            let sandbox = sandbox::create();
            let port = sandbox.free_port().map_err(|e| {
                let text = format!("No free port was found ({e}); end some of the programs that listen on this host.");
                Stop::new(Breaks::Nothing, "port-in-use", text)
            })?;
            let launch = Launch {
                manifest: &competitor.server.manifest,
                built,
                options: &competitor.options,
                address: "127.0.0.1",
                port,
                root: &files.root,
                work_dir: &work_dir,
            };
            let tap = Tap::new(
                self.sink.clone(),
                LogSource::Server,
                &planned.entry_key,
                Some(planned.trial_id),
            );
            let on_line = Arc::new(move |_, line: &str| tap.line(Level::Info, line));
            let pin = |command: &mut _| self.cores.pin_server(command);
            let started = match ServerProcess::start(&launch, sandbox.as_ref(), pin, on_line) {
                Ok(process) => proof::ready(&competitor.server, process, port, sandbox.as_ref()).await,
                Err(failure) => Ok(Err(failure)),
            };
            match started {
                Ok(Ok(process)) => {
                    return Ok(Stage {
                        planned,
                        scenario,
                        competitor,
                        port,
                        process,
                        sandbox,
                        files,
                    });
                }
                Ok(Err(ServerFailure::PortInUse { .. })) if tries < PORT_TRIES => {}
                Ok(Err(failure @ ServerFailure::PortInUse { .. })) => {
                    return Err(Stop::new(Breaks::Nothing, "port-in-use", failure));
                }
                Ok(Err(failure)) => return Err(Stop::new(Breaks::Entry, "server-start", failure)),
                Err(error) => return Err(Stop::new(Breaks::Nothing, "verifier", error)),
            }
        }
    }

    async fn verify(&self, stage: &mut Stage<'_>, when: When) -> Result<(), Stop> {
        let workload = stage.scenario.workload;
        let job = proof::verify_job(workload, stage.port, &stage.files);
        let report = spawn::run(&job, stage.sandbox.as_ref())
            .await
            .map_err(|e| Stop::new(Breaks::Nothing, "verifier", e))?;
        if let Some(crash) = stage.process.crashed().await {
            return Err(Stop::new(Breaks::Nothing, "server-crash", crash));
        }
        let status = report.status();
        self.sink.append(Event::Verify(Verify {
            entry_key: stage.planned.entry_key.clone(),
            trial_id: Some(stage.planned.trial_id),
            when,
            workload,
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
        Err(Stop::new(Breaks::Scenario, "verification", text.trim()))
    }

    async fn load(
        &self,
        stage: &mut Stage<'_>,
        window: Window,
        duration_s: f64,
        sampler: &mut dyn sample::Sampler,
    ) -> Result<Loaded, Stop> {
        let name = if window == Window::WarmUp { "warm-up" } else { "measure" };
        let work_dir = stage.files.subfolder(name).map_err(|e| {
            let text = format!("The tool's folder could not be made ({e}); free some space.");
            Stop::new(Breaks::Nothing, "files", text)
        })?;
        let planned = stage.planned;
        let load = Load {
            tool: self.tools[&stage.scenario.tool].clone(),
            job: ToolJob {
                scenario: stage.scenario,
                address: "127.0.0.1",
                port: stage.port,
                duration_s,
                work_dir: &work_dir,
            },
            window,
            trial_id: planned.trial_id,
            sandbox: stage.sandbox.as_ref(),
            cores: &self.cores,
            server: &mut stage.process,
            sampler,
            sink: self.sink.clone(),
            tap: Arc::new(Tap::new(
                self.sink.clone(),
                LogSource::Tool,
                &planned.entry_key,
                Some(planned.trial_id),
            )),
        };
        window::run(load).await.map_err(|failure| match failure {
            LoadFailure::Server(crash) => Stop::new(Breaks::Nothing, "server-crash", crash),
            LoadFailure::Hung { .. } => Stop::new(Breaks::Nothing, "tool-timeout", failure),
            LoadFailure::Tool(_) | LoadFailure::Spawn { .. } => Stop::new(Breaks::Scenario, "tool-failed", failure),
        })
    }

    async fn stop(&self, stage: Stage<'_>) -> Result<(), Stop> {
        let name = stage.competitor.server.manifest.name.clone();
        let (ended, polite) = stage.process.stop().await;
        if polite {
            return Ok(());
        }
        let how = crate::server::process::spoken_exit(ended.exit);
        let text = format!("{name} was asked to end by SIGTERM and ended with {how} instead of exit code 0.");
        Err(Stop::new(Breaks::Nothing, "unclean-stop", text))
    }

    fn conclude(
        &self,
        planned: &PlanTrial,
        scenario: &Scenario,
        competitor: &Competitor,
        loaded: Loaded,
        after: Result<(), Stop>,
        clean: Result<(), Stop>,
    ) -> Done {
        let tool = &self.tools[&scenario.tool];
        let parsed = tool.parse(scenario, &loaded.output);
        let judgement = match &parsed {
            Ok(result) => judge(&Measured {
                scenario,
                duration_s: planned.duration_s,
                result,
                resources: &loaded.resources,
                cores: &self.cores,
                workers: competitor.options.get("workers").copied().unwrap_or(DEFAULT_WORKERS),
                tool_threads: tool.threads(),
                host_busy: loaded.host_busy,
                others_busy: loaded.others_busy,
            }),
            Err(error) => Judgement {
                status: TrialStatus::Failed,
                reasons: vec![reason("tool-failed", &error.to_string())],
                labels: Vec::new(),
                limit: None,
            },
        };
        let mut trial = Trial {
            status: judgement.status,
            reasons: judgement.reasons,
            labels: judgement.labels,
            slices: vec![loaded.slice],
            result: parsed.ok(),
            resources: Some(loaded.resources),
            limit: judgement.limit,
            ..unmeasured(planned, TrialStatus::Valid, None)
        };
        let mut breaks = Breaks::Nothing;
        if let Err(stop) = after {
            // The most telling reason first: it is the one that tables show.
            trial.reasons.insert(0, stop.reason);
            breaks = stop.breaks;
            if trial.status == TrialStatus::Valid {
                trial.status = TrialStatus::Invalid;
            }
        } else if let Err(stop) = clean {
            trial.labels.push(stop.reason);
        }
        Done { trial, breaks }
    }

    /// Begin, then end or failed with the reason.
    async fn in_phase<T>(
        &self,
        phase: PhaseName,
        planned: &PlanTrial,
        work: impl Future<Output = Result<T, Stop>>,
    ) -> Result<T, Stop> {
        let (key, trial) = (&planned.entry_key, Some(planned));
        self.phase(phase, PhaseStatus::Begin, key, trial, None);
        let done = work.await;
        match &done {
            Ok(_) => self.phase(phase, PhaseStatus::End, key, trial, None),
            Err(stop) => self.phase(phase, PhaseStatus::Failed, key, trial, Some(&stop.reason.message)),
        }
        done
    }

    fn phase(
        &self,
        phase: PhaseName,
        status: PhaseStatus,
        entry_key: &str,
        trial: Option<&PlanTrial>,
        text: Option<&str>,
    ) {
        self.sink.append(Event::Phase(Phase {
            phase,
            status,
            entry_key: Some(entry_key.to_owned()),
            trial_id: trial.map(|t| t.trial_id),
            message: text.map(message),
        }));
    }
}

impl Drop for RealExecutor {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
