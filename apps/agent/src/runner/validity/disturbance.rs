//! Did the host disturb a block as a whole? Then it is kept and shown, does not count, and is measured again. Decided from
//! what the host's counters said; what the server or the tool did is never measured again. Pure.

use rigmark_stats::rounds::{self, BlockRounds};

use crate::protocol::journal::Trial;
use crate::protocol::result::TrialStatus;
use crate::runner::outcome::TrialOutcome;
use crate::text::reason;

/// First reason of a trial that would count in another block.
pub const CODE: &str = "host-disturbed";
/// What to do where no block counts.
pub const ADVICE: &str = "Measure at a quieter hour, on another host, or for longer with --duration.";
/// What the host did to a single trial spoils its block.
const HOST: [&str; 3] = ["throttled", "governor-changed", "clock-jumped"];

/// Why the block does not count. `None`: it does.
pub fn of(block: &[TrialOutcome]) -> Option<String> {
    let by_rounds = block.iter().find_map(|done| done.host.disturbed.clone());
    let spoiled = || {
        let reasons = block.iter().flat_map(|done| &done.trial.reasons);
        let host = reasons
            .filter(|r| HOST.contains(&r.code.as_str()))
            .map(|r| r.message.clone());
        host.min()
    };
    let whole = || {
        let taken: Vec<Option<f64>> = block
            .iter()
            .filter(|done| done.trial.rounds.is_none())
            .map(|done| done.host.taken)
            .collect();
        uneven(&rounds::whole(&taken))
    };
    by_rounds.or_else(spoiled).or_else(whole)
}

/// The sentence about a block whose entries lost too different shares of the host.
pub fn uneven(rounds: &BlockRounds) -> Option<String> {
    let by = rounds.uneven.filter(|_| rounds.disturbed)?;
    Some(format!(
        "The hypervisor or other programs took up to {:.0} % more of the CPU time from one entry than from another.",
        by * 100.0
    ))
}

pub fn mark(trial: &mut Trial, why: &str) {
    if !matches!(trial.status, TrialStatus::Valid | TrialStatus::Invalid) {
        return;
    }
    trial.status = TrialStatus::Invalid;
    let text = format!("The host disturbed this block, so it does not count: {why}");
    trial.reasons.insert(0, reason(CODE, &text));
}
