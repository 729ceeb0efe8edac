//! The order of a run and what happens when something in it fails. It sees the [`Executor`] only, so all of this is
//! tested in milliseconds.

use std::collections::HashMap;

use async_trait::async_trait;
use tokio::sync::watch;

use super::stopping::SoFar;
use crate::journal::Sink;
use crate::protocol::journal::{Event, Plan, PlanEntry, PlanTrial, RunLabel, RunResult, RunStatus, Trial};
use crate::protocol::result::{Reason, TrialStatus};

/// What a failed trial says about those that follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breaks {
    Nothing,
    /// The entry does not work under this scenario.
    Scenario,
    /// The entry does not work at all.
    Entry,
}

pub struct Done {
    pub trial: Trial,
    pub breaks: Breaks,
}

/// Does the steps. A step that is dropped half way (the run was cancelled) leaves no process behind.
#[async_trait]
pub trait Executor: Send {
    /// Builds what the entry needs. `Err` is why it cannot be measured.
    async fn build(&mut self, entry: &PlanEntry) -> Result<(), Reason>;
    /// Start, verify, warm up, measure, verify again, stop. Its other records are its own business; the trial's record
    /// is written here.
    async fn trial(&mut self, trial: &PlanTrial) -> Done;
    /// Trials of one block and scenario, whose load alternates in slices where there are several; one answer for each, in
    /// this order.
    async fn group(&mut self, trials: &[PlanTrial]) -> Vec<Done> {
        let mut done = Vec::with_capacity(trials.len());
        for trial in trials {
            done.push(self.trial(trial).await);
        }
        done
    }
}

/// Asked after the blocks that the plan names and after the last one: a label ends the run and is part of it.
pub type Look<'a> = &'a (dyn Fn(&Plan, &SoFar) -> Option<RunLabel> + Sync);

/// Everything between the plan and the result. The result is returned and not yet written.
pub async fn drive(
    plan: &Plan,
    executor: &mut dyn Executor,
    sink: &dyn Sink,
    look: Look<'_>,
    mut cancel: watch::Receiver<bool>,
) -> RunResult {
    let mut tally = Tally {
        // Trials are kept for those who look at them again.
        kept: plan.blocks.as_ref().and_then(|b| b.precision).map(|_| Vec::new()),
        ..Tally::default()
    };
    // Keyed by entry, and by scenario where it is about one.
    let mut broken: HashMap<(String, Option<String>), Reason> = HashMap::new();
    // One that is in no trial (it claims none of the workloads) need not be built.
    let competes = |entry: &&PlanEntry| plan.trials.iter().any(|t| t.entry_key == entry.key);
    for entry in plan.entries.iter().filter(competes) {
        let built = tokio::select! {
            biased;
            () = cancelled(&mut cancel) => return tally.cancelled(),
            built = executor.build(entry) => built,
        };
        if let Err(reason) = built {
            broken.insert((entry.key.clone(), None), reason);
        }
        if let Err(sentence) = sink.health() {
            return tally.failed(Reason::new("journal", sentence));
        }
    }
    // Trials in slices alternate within their block; all others are groups of one.
    let alternate =
        |a: &PlanTrial, b: &PlanTrial| (a.block, &a.scenario) == (b.block, &b.scenario) && a.slices > 1 && b.slices > 1;
    for block in plan.trials.chunk_by(|a, b| a.block == b.block) {
        for group in block.chunk_by(alternate) {
            let known = |planned: &PlanTrial| {
                let of_scenario = (planned.entry_key.clone(), Some(planned.scenario.clone()));
                let of_entry = (planned.entry_key.clone(), None);
                broken.get(&of_entry).or_else(|| broken.get(&of_scenario)).cloned()
            };
            let (dead, live): (Vec<PlanTrial>, Vec<PlanTrial>) =
                group.iter().cloned().partition(|t| known(t).is_some());
            for planned in &dead {
                tally.keep(sink, unmeasured(planned, TrialStatus::Failed, known(planned)));
            }
            let done = tokio::select! {
                biased;
                () = cancelled(&mut cancel) => {
                    let reason = Reason::new("cancelled", "The run was cancelled.");
                    for planned in &live {
                        tally.keep(sink, unmeasured(planned, TrialStatus::Cancelled, Some(reason.clone())));
                    }
                    return tally.cancelled();
                }
                done = executor.group(&live) => done,
            };
            for (planned, done) in live.iter().zip(done) {
                if let Some(reason) = done.trial.reasons.first().cloned() {
                    let scenario = match done.breaks {
                        Breaks::Nothing => None,
                        Breaks::Scenario => Some(Some(planned.scenario.clone())),
                        Breaks::Entry => Some(None),
                    };
                    scenario.map(|s| broken.insert((planned.entry_key.clone(), s), reason));
                }
                tally.keep(sink, done.trial);
            }
            if let Err(sentence) = sink.health() {
                return tally.failed(Reason::new("journal", sentence));
            }
        }
        let not_tried = |entry: &str, scenario: &str| {
            let of = |scenario: Option<&str>| broken.contains_key(&(entry.to_owned(), scenario.map(str::to_owned)));
            of(None) || of(Some(scenario))
        };
        if let Some(label) = tally.look(plan, block[0].block + 1, &not_tried, look) {
            sink.append(Event::Label(label));
            break;
        }
    }
    tally.result()
}

/// A trial without numbers.
pub fn unmeasured(planned: &PlanTrial, status: TrialStatus, reason: Option<Reason>) -> Trial {
    Trial {
        trial_id: planned.trial_id,
        entry_key: planned.entry_key.clone(),
        scenario: planned.scenario.clone(),
        block: planned.block,
        position: planned.position,
        status,
        reasons: reason.into_iter().collect(),
        labels: Vec::new(),
        slices: Vec::new(),
        result: None,
        resources: None,
        limit: None,
        single_shot: None,
        warmup_us: None,
        warmup_steady: None,
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
    fn look(&self, plan: &Plan, blocks: u32, broken: &dyn Fn(&str, &str) -> bool, look: Look<'_>) -> Option<RunLabel> {
        let (stated, trials) = (plan.blocks.as_ref()?, self.kept.as_deref()?);
        // The last of the looks is the last block.
        let due = stated.looks.contains(&blocks) && blocks >= stated.least;
        let so_far = SoFar { blocks, trials, broken };
        due.then(|| look(plan, &so_far)).flatten()
    }

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
        let first = self.first_reason.as_ref().map_or("", |r| r.message.as_str());
        let message = format!("Not one trial counts. {first}");
        self.failed(Reason::new("no-valid-trial", message.trim()))
    }
}

#[cfg(test)]
#[path = "execute_tests.rs"]
mod tests;
