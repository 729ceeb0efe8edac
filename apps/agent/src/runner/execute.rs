//! The order of a run and what happens when something in it fails. It acts through [`TrialExecutor`] and [`Sink`] only,
//! so all of this is tested in milliseconds.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::journal::Sink;
use crate::protocol::journal::{Event, Plan, PlanEntry, PlanTrial, RunLabel, RunResult, RunStatus, Trial};
use crate::protocol::result::{Reason, TrialStatus};
use crate::runner::outcome::{FailureScope, HostDisturbance, TrialOutcome, empty_record};
use crate::runner::plan::blocks::BlockProgress;
use crate::runner::plan::length_s;
use crate::runner::plan::stopping::SoFar;
use crate::runner::validity::disturbance;
use crate::text::reason;

/// Does the steps. A step that is dropped half way (the run was cancelled) leaves no process behind.
#[async_trait]
pub trait TrialExecutor: Send {
    /// Builds what the entry needs. `Err` is why it cannot be measured.
    async fn build(&mut self, entry: &PlanEntry) -> Result<(), Reason>;
    /// Start, verify, warm up, measure, verify again, stop. Its other records are its own business; the trial's record
    /// is written here.
    async fn trial(&mut self, trial: &PlanTrial) -> TrialOutcome;
    /// Trials of one block and scenario, whose load alternates in slices where there are several; one result for each, in
    /// this order.
    async fn group(&mut self, trials: &[PlanTrial]) -> Vec<TrialOutcome> {
        let mut done = Vec::with_capacity(trials.len());
        for trial in trials {
            done.push(self.trial(trial).await);
        }
        done
    }
    /// Probes how busy the host is and waits for a quieter moment, for at most so long. Returns how long that took.
    async fn wait_for_quiet(&mut self, _most: Duration) -> Duration {
        Duration::ZERO
    }
}

/// Asked after the blocks that the plan names and after the last one: a label ends the run and is part of it.
pub type Look<'a> = &'a (dyn Fn(&Plan, &SoFar) -> Option<RunLabel> + Sync);

/// Keyed by entry, and by scenario where it is about one.
type Broken = HashMap<(String, Option<String>), Reason>;

/// What a run may wait for a quieter moment: this part of the planned seconds of the blocks that were begun.
const WAIT_SHARE: f64 = 0.03;

/// Everything between the plan and the result. The result is returned and not yet written.
pub async fn drive(
    plan: &Plan,
    executor: &mut dyn TrialExecutor,
    sink: &dyn Sink,
    look: Look<'_>,
    mut cancel: watch::Receiver<bool>,
) -> RunResult {
    let mut run = RunLoop {
        plan,
        sink,
        broken: Broken::new(),
        started: HashSet::new(),
        blocks: BlockProgress::new(plan),
        wait_budget: WaitBudget::default(),
        tally: Tally {
            // Trials are kept for those who look at them again.
            kept: plan.blocks.as_ref().and_then(|b| b.precision).map(|_| Vec::new()),
            ..Tally::default()
        },
    };
    // One that is in no trial (it claims none of the workloads) need not be built.
    let competes = |entry: &&PlanEntry| plan.trials.iter().any(|t| t.entry_key == entry.key);
    for entry in plan.entries.iter().filter(competes) {
        let built = tokio::select! {
            biased;
            () = cancelled(&mut cancel) => return run.tally.cancelled(),
            built = executor.build(entry) => built,
        };
        if let Err(reason) = built {
            run.broken.insert((entry.key.clone(), None), reason);
        }
        if let Err(sentence) = sink.health() {
            return run.tally.failed(Reason::new("journal", sentence));
        }
    }
    let began = Instant::now();
    let planned = plan.trials.chunk_by(|a, b| a.block == b.block);
    let reserve = plan.reserve.chunk_by(|a, b| a.block == b.block);
    for block in planned.chain(reserve) {
        let block: Vec<PlanTrial> = block
            .iter()
            .filter(|t| run.blocks.wanted(&t.scenario))
            .cloned()
            .collect();
        if block.is_empty() {
            continue;
        }
        if run.blocks.begun
            && plan
                .time_limit_s
                .is_some_and(|limit| began.elapsed().as_secs_f64() >= limit)
        {
            sink.append(Event::Label(
                run.blocks.time_limit_label(plan.time_limit_s.unwrap_or_default()),
            ));
            // More blocks were possible, so nothing is said of where they would have led.
            return run.tally.result();
        }
        run.blocks.begun = true;
        if let Err(ended) = run.wait(&block, executor, &mut cancel).await {
            return ended;
        }
        for scenario in block.chunk_by(|a, b| a.scenario == b.scenario) {
            if let Err(ended) = run.block(scenario, executor, &mut cancel).await {
                return ended;
            }
        }
        if let Some(label) = run.look(look) {
            sink.append(Event::Label(label));
            return run.tally.result();
        }
    }
    if let Some(label) = run.last_look(look) {
        sink.append(Event::Label(label));
    }
    run.tally.result()
}

struct RunLoop<'a> {
    plan: &'a Plan,
    sink: &'a dyn Sink,
    broken: Broken,
    /// Entries that were measured, so they can start: a start that fails later costs them that trial alone.
    started: HashSet<String>,
    blocks: BlockProgress,
    wait_budget: WaitBudget,
    tally: Tally,
}

/// Seconds that were planned so far, and waited.
#[derive(Default)]
struct WaitBudget {
    planned_s: f64,
    waited: Duration,
}

impl RunLoop<'_> {
    async fn wait(
        &mut self,
        block: &[PlanTrial],
        executor: &mut dyn TrialExecutor,
        cancel: &mut watch::Receiver<bool>,
    ) -> Result<(), RunResult> {
        self.wait_budget.planned_s += block.iter().map(length_s).sum::<f64>();
        let most = Duration::from_secs_f64(WAIT_SHARE * self.wait_budget.planned_s);
        let most = most.saturating_sub(self.wait_budget.waited);
        self.wait_budget.waited += tokio::select! {
            biased;
            () = cancelled(cancel) => return Err(self.cancel(block)),
            waited = executor.wait_for_quiet(most) => waited,
        };
        Ok(())
    }

    /// One block of one scenario. Its trials are written together, for whether the host disturbed it is known at its end.
    async fn block(
        &mut self,
        trials: &[PlanTrial],
        executor: &mut dyn TrialExecutor,
        cancel: &mut watch::Receiver<bool>,
    ) -> Result<(), RunResult> {
        // Trials in slices alternate within their block; all others are groups of one.
        let alternate = |a: &PlanTrial, b: &PlanTrial| a.slices > 1 && b.slices > 1;
        let mut all: Vec<TrialOutcome> = Vec::with_capacity(trials.len());
        for group in trials.chunk_by(alternate) {
            let (dead, live): (Vec<PlanTrial>, Vec<PlanTrial>) =
                group.iter().cloned().partition(|t| self.known(t).is_some());
            for planned in &dead {
                all.push(failed(planned, self.known(planned)));
            }
            let done = tokio::select! {
                biased;
                () = cancelled(cancel) => {
                    all.into_iter().for_each(|done| self.tally.keep(self.sink, done.trial));
                    return Err(self.cancel(&live));
                }
                done = executor.group(&live) => done,
            };
            for (planned, done) in live.iter().zip(&done) {
                self.learn(planned, done);
            }
            all.extend(done);
        }
        let disturbed = disturbance::of(&all);
        self.blocks.ended(&trials[0].scenario, disturbed.is_some());
        if let Some(why) = disturbed {
            all.iter_mut().for_each(|done| disturbance::mark(&mut done.trial, &why));
        }
        all.into_iter().for_each(|done| self.tally.keep(self.sink, done.trial));
        let health = self.sink.health();
        health.map_err(|sentence| self.tally.failed(Reason::new("journal", sentence)))
    }

    fn known(&self, planned: &PlanTrial) -> Option<Reason> {
        let of_scenario = (planned.entry_key.clone(), Some(planned.scenario.clone()));
        let of_entry = (planned.entry_key.clone(), None);
        self.broken
            .get(&of_entry)
            .or_else(|| self.broken.get(&of_scenario))
            .cloned()
    }

    fn learn(&mut self, planned: &PlanTrial, done: &TrialOutcome) {
        if matches!(done.trial.status, TrialStatus::Valid | TrialStatus::Invalid) {
            self.started.insert(planned.entry_key.clone());
        }
        let Some(reason) = done.trial.reasons.first().cloned() else {
            return;
        };
        let scenario = match done.failure_scope {
            FailureScope::Nothing => return,
            FailureScope::Scenario => Some(planned.scenario.clone()),
            FailureScope::Entry if self.started.contains(&planned.entry_key) => return,
            FailureScope::Entry => None,
        };
        self.broken.insert((planned.entry_key.clone(), scenario), reason);
    }

    fn cancel(&mut self, live: &[PlanTrial]) -> RunResult {
        let reason = Reason::new("cancelled", "The run was cancelled.");
        for planned in live {
            let trial = empty_record(planned, TrialStatus::Cancelled, Some(reason.clone()));
            self.tally.keep(self.sink, trial);
        }
        self.tally.cancelled()
    }

    fn look(&mut self, look: Look<'_>) -> Option<RunLabel> {
        let blocks = self.blocks.due(self.plan)?;
        let most = self.plan.blocks.as_ref()?.most;
        self.look_after(blocks, blocks >= most, look)
    }

    /// A run that never came to its last block, because the host disturbed too many, is looked at with what it has.
    fn last_look(&mut self, look: Look<'_>) -> Option<RunLabel> {
        let most = self.plan.blocks.as_ref()?.most;
        (self.blocks.looked < most)
            .then(|| self.look_after(self.blocks.counted(), true, look))
            .flatten()
    }

    fn look_after(&self, blocks: u32, last: bool, look: Look<'_>) -> Option<RunLabel> {
        let trials = self.tally.kept.as_deref()?;
        let broken = &self.broken;
        let not_tried = |entry: &str, scenario: &str| {
            let of = |scenario: Option<&str>| broken.contains_key(&(entry.to_owned(), scenario.map(str::to_owned)));
            of(None) || of(Some(scenario))
        };
        let so_far = SoFar {
            blocks,
            last,
            trials,
            broken: &not_tried,
        };
        look(self.plan, &so_far)
    }
}

fn failed(planned: &PlanTrial, reason: Option<Reason>) -> TrialOutcome {
    TrialOutcome {
        trial: empty_record(planned, TrialStatus::Failed, reason),
        failure_scope: FailureScope::Nothing,
        host: HostDisturbance::default(),
    }
}

/// Pending until it turns true; for ever when nobody can turn it any more.
pub async fn cancelled(cancel: &mut watch::Receiver<bool>) {
    if cancel.wait_for(|wanted| *wanted).await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[derive(Default)]
struct Tally {
    valid: u64,
    invalid: u64,
    first_reason: Option<Reason>,
    kept: Option<Vec<Trial>>,
}

impl Tally {
    fn keep(&mut self, sink: &dyn Sink, trial: Trial) {
        if trial.status == TrialStatus::Valid {
            self.valid += 1;
        } else {
            self.invalid += 1;
            self.first_reason = self.first_reason.take().or_else(|| trial.reasons.first().cloned());
        }
        if let Some(kept) = &mut self.kept {
            kept.push(trial.clone());
        }
        sink.append(Event::Trial(trial));
    }

    fn end(&self, status: RunStatus, error: Option<Reason>) -> RunResult {
        RunResult {
            status,
            error,
            trials_valid: self.valid,
            trials_invalid: self.invalid,
            time: None,
        }
    }

    fn cancelled(&self) -> RunResult {
        self.end(
            RunStatus::Cancelled,
            Some(Reason::new(
                "cancelled",
                "The run was cancelled; what was measured until then is kept.",
            )),
        )
    }

    fn failed(&self, reason: Reason) -> RunResult {
        self.end(RunStatus::Failed, Some(reason))
    }

    fn result(self) -> RunResult {
        if self.valid > 0 {
            return self.end(RunStatus::Succeeded, None);
        }
        let mut message = match &self.first_reason {
            Some(first) => format!(
                "No trial counts, so there is no result; the first reason: {}",
                first.message
            ),
            None => "No trial counts, so there is no result.".to_owned(),
        };
        if self.first_reason.iter().any(|first| first.code == disturbance::CODE) {
            message = format!("{message} {}", disturbance::ADVICE);
        }
        self.failed(reason("no-valid-trial", &message))
    }
}

#[cfg(test)]
#[path = "execute_tests.rs"]
mod tests;
