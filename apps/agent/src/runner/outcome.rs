//! What became of one trial: its record, what its failure says about those that follow, and what the host did meanwhile.

use crate::protocol::journal::{PlanTrial, Trial};
use crate::protocol::result::{Reason, TrialStatus};

/// What a failed trial says about those that follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureScope {
    Nothing,
    /// The entry does not work under this scenario.
    Scenario,
    /// The entry does not work at all, unless it did before in this run.
    Entry,
}

pub struct TrialOutcome {
    pub trial: Trial,
    pub failure_scope: FailureScope,
    pub host: HostDisturbance,
}

/// What the host's counters tell of a trial.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HostDisturbance {
    /// The share of all cores' time that went to others while there was load.
    pub taken: Option<f64>,
    /// Too few rounds are left of its block.
    pub disturbed: Option<String>,
}

/// The record of a trial with its place in the plan and no figures: all there is of a trial that was not measured, and what
/// the figures of a measured one are put into.
pub fn empty_record(planned: &PlanTrial, status: TrialStatus, reason: Option<Reason>) -> Trial {
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
        rounds: None,
    }
}
