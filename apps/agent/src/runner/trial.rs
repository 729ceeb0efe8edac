//! The real thing: builds servers, starts them in the sandbox, verifies, loads, verifies again, stops.

mod group;
pub mod real_executor;
mod reference;
mod steps;
mod warm_up;

pub mod window;

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;

use crate::protocol::journal::{
    Conformance, Event, Level, LogSource, Phase, PhaseName, PhaseStatus, PlanBlocks, PlanEntry, PlanTrial, Trial, When,
    Window,
};
use crate::protocol::result::{Reason, TrialStatus};
use crate::protocol::spec::{Scenario, Workload};
use crate::runner::execute::TrialExecutor;
use crate::runner::measure::loaded::Loaded;
use crate::runner::measure::log_forwarder::LogForwarder;
use crate::runner::measure::quiet;
use crate::runner::outcome::{FailureScope, HostDisturbance, TrialOutcome, empty_record};
use crate::runner::plan::prepared_entry::PreparedEntry;
use crate::runner::standalone_verify;
use crate::runner::validity::closes;
use crate::runner::validity::judge::{MeasuredTrial, judge};
use crate::runner::validity::judgment::Judgment;
use crate::runner::validity::knee;
use crate::server::build::build;
use crate::server::manifest::DEFAULT_WORKERS;
use crate::text::{message, reason};
use crate::verify::{self, Depth};
use real_executor::RealExecutor;
use steps::{RunningTrial, Stop};
use warm_up::WarmUp;

#[async_trait]
impl TrialExecutor for RealExecutor {
    async fn build(&mut self, entry: &PlanEntry) -> Result<(), Reason> {
        self.phase(PhaseName::Build, PhaseStatus::Begin, &entry.key, None, None);
        let forwarder = LogForwarder::new(self.sink.clone(), LogSource::Build, &entry.key, None);
        let on_line = Arc::new(move |_, line: &str| forwarder.line(Level::Info, line));
        let prepared_entry = self
            .prepared_entries
            .get_mut(&entry.key)
            .expect("the plan was made from the prepared_entries");
        let began = Instant::now();
        let built = build(
            &prepared_entry.server,
            &prepared_entry.options,
            &self.state,
            false,
            on_line,
        )
        .await;
        self.time.phase(PhaseName::Build, began.elapsed());
        match built {
            Ok(built) => {
                prepared_entry.built = Some(built);
                self.phase(PhaseName::Build, PhaseStatus::End, &entry.key, None, None);
                self.conform(&entry.key).await;
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

    async fn trial(&mut self, planned: &PlanTrial) -> TrialOutcome {
        self.whole(planned).await.unwrap_or_else(|stop| stop.done(planned))
    }

    async fn group(&mut self, trials: &[PlanTrial]) -> Vec<TrialOutcome> {
        match trials {
            [planned] if planned.slices <= 1 => vec![self.trial(planned).await],
            _ => self.alternate(trials).await,
        }
    }

    async fn wait_for_quiet(&mut self, most: Duration) -> Duration {
        let waited = quiet::wait(most).await;
        self.time.waited(waited);
        waited
    }
}

impl RealExecutor {
    /// One window of load after another server's.
    async fn whole(&self, planned: &PlanTrial) -> Result<TrialOutcome, Stop> {
        let (mut stage, warmed) = self.ready(planned).await?;
        let load = self.load(&mut stage, Window::Measure, planned.duration_s, None);
        let loaded = self.in_phase(PhaseName::Measure, planned, load).await?;
        Ok(self.end(stage, planned, warmed, loaded).await)
    }

    /// Says how a build conforms, for each workload of the run. It costs nobody anything: what cannot be asked is unknown.
    async fn conform(&self, key: &str) {
        let PreparedEntry { server, options, built } = &self.prepared_entries[key];
        let Some(built) = built else { return };
        let asked = |w: &Workload| self.scenarios.values().any(|s| s.workload == *w);
        for workload in server.manifest.workloads.iter().copied().filter(asked) {
            if let Ok(Some(checks)) =
                standalone_verify::conformance(server, built, options, workload, &self.state).await
            {
                self.sink.append(Event::Conformance(Conformance {
                    entry_key: key.to_owned(),
                    workload,
                    checks,
                }));
            }
        }
    }

    /// Started, verified and warmed up.
    async fn ready<'a>(&'a self, planned: &'a PlanTrial) -> Result<(RunningTrial<'a>, WarmUp), Stop> {
        let scenario = &self.scenarios[&planned.scenario];
        let prepared_entry = &self.prepared_entries[&planned.entry_key];
        self.possible(scenario)?;
        // Before its own server is there.
        let reference = self.reference(scenario).await?;
        let start = self.start(planned, scenario, prepared_entry);
        let mut stage = self.in_phase(PhaseName::Start, planned, start).await?;
        stage.reference = reference;
        let before = self.verify(&mut stage, When::Before, self.depth(planned, When::Before));
        self.in_phase(PhaseName::Verify, planned, before).await?;
        let mut warmed = WarmUp::default();
        if planned.warmup_s > 0.0 {
            let warm_up = self.warm_up(&mut stage, planned.warmup_s);
            warmed = self.in_phase(PhaseName::WarmUp, planned, warm_up).await?;
        }
        self.sample(&mut stage)?;
        Ok((stage, warmed))
    }

    /// Verified once more and stopped.
    async fn end(
        &self,
        mut stage: RunningTrial<'_>,
        planned: &PlanTrial,
        warmed: WarmUp,
        loaded: Loaded,
    ) -> TrialOutcome {
        let (scenario, prepared_entry) = (stage.scenario, stage.prepared_entry);
        self.time.measured(loaded.measured_us);
        let depth = self.depth(planned, When::After);
        let after = async {
            self.sampled(&mut stage).await?;
            self.verify(&mut stage, When::After, depth).await
        };
        let after = self.in_phase(PhaseName::VerifyAfter, planned, after).await;
        let entry = self.entries.iter().find(|entry| entry.key == planned.entry_key);
        let seen = std::mem::take(&mut stage.seen).beside(entry.map_or("", |entry| &entry.label));
        let headers = seen.other_headers.map(|other| reason("other-headers", &other.told()));
        let closes = seen
            .closes
            .map(|closes| closes::label(closes, loaded.counted.traffic.map(|t| t.accepted)));
        let clean = self.in_phase(PhaseName::CleanUp, planned, self.stop(stage)).await;
        let mut done = self.conclude(planned, scenario, prepared_entry, loaded, after, clean);
        (done.trial.warmup_us, done.trial.warmup_steady) = (warmed.us, warmed.steady);
        done.trial.labels.extend(warmed.label);
        done.trial.labels.extend(headers);
        closes::add(&mut done.trial.labels, closes);
        done
    }

    /// In full before an entry's first block and after each that may be its last; a look at the others.
    fn depth(&self, planned: &PlanTrial, when: When) -> Depth {
        let full = match when {
            When::Before => planned.block == 0,
            When::During => false,
            When::After => self.blocks.as_ref().is_none_or(|b| may_be_last(b, planned.block)),
        };
        if full { Depth::Full } else { Depth::Quick }
    }

    /// What can be said without starting anything. That the server claims the workload is the plan's business.
    fn possible(&self, scenario: &Scenario) -> Result<(), Stop> {
        if let Some(why) = self.missing_tools.get(&scenario.tool) {
            return Err(Stop::new(FailureScope::Scenario, "tool-missing", why));
        }
        if !verify::knows(scenario.workload) {
            let text = format!("This agent cannot verify the workload of {}; update it.", scenario.id);
            return Err(Stop::new(FailureScope::Scenario, "workload", text));
        }
        Ok(())
    }

    fn conclude(
        &self,
        planned: &PlanTrial,
        scenario: &Scenario,
        prepared_entry: &PreparedEntry,
        loaded: Loaded,
        after: Result<(), Stop>,
        clean: Result<(), Stop>,
    ) -> TrialOutcome {
        let tool = &self.tools[&scenario.tool];
        let scenario = &Scenario {
            duration_s: planned.duration_s,
            ..scenario.clone()
        };
        let host = HostDisturbance {
            taken: loaded.taken,
            disturbed: None,
        };
        let resources = knee::resources(loaded.result.as_ref().ok(), loaded.resources);
        let mut judgment = match &loaded.result {
            Ok(result) => judge(&MeasuredTrial {
                scenario,
                duration_s: planned.duration_s,
                result,
                resources: &resources,
                cores: &self.cores,
                workers: workers(prepared_entry, resources.server_threads_max),
                tool_threads: tool.threads(scenario, self.cores.tool()),
                host_busy: loaded.host_busy,
                others_busy: loaded.others_busy,
                cpu: &loaded.cpu,
                governor: self.governor.as_deref(),
                cpu_quota: self.cpu_quota,
                clock: loaded.clock,
                counted: &loaded.counted,
                histogram_count: loaded.histogram_count,
            }),
            Err(error) => Judgment::failed(reason("tool-failed", &error.to_string())),
        };
        judgment.labels.extend(loaded.labels);
        let mut failure_scope = FailureScope::Nothing;
        if let Err(stop) = after {
            judgment.invalidate(stop.reason);
            failure_scope = stop.failure_scope;
        } else if let Err(stop) = clean {
            judgment.labels.push(stop.reason);
        }
        let trial = Trial {
            status: judgment.status,
            reasons: judgment.reasons,
            labels: judgment.labels,
            slices: loaded.slices,
            result: loaded.result.ok().and_then(knee::kept),
            single_shot: loaded.single_shot,
            resources: Some(resources),
            limit: judgment.limit,
            ..empty_record(planned, TrialStatus::Valid, None)
        };
        TrialOutcome {
            trial,
            failure_scope,
            host,
        }
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
        let began = Instant::now();
        let done = work.await;
        self.time.phase(phase, began.elapsed());
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

/// So many of a server keep a core busy each. One that is not told how many takes what it gets, with the threads that it had.
fn workers(of: &PreparedEntry, threads_max: Option<u64>) -> i64 {
    let asked = of.options.get("workers").copied();
    let told = || of.server.manifest.uses_workers().then_some(DEFAULT_WORKERS);
    let seen = || threads_max.and_then(|n| i64::try_from(n).ok());
    asked.or_else(told).or_else(seen).unwrap_or(i64::MAX)
}

/// A run ends after a look or, where none ends it, after the last block; those of the reserve come after that.
fn may_be_last(blocks: &PlanBlocks, block: u32) -> bool {
    let done = block + 1;
    done >= blocks.most || (blocks.precision.is_some() && blocks.looks.contains(&done))
}
