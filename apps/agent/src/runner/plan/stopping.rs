//! When a run with a precision has blocks enough. Pure: it sees the plan and the trials so far.
//!
//! Looking several times at growing data and ending when one likes it breaks the error rate of a single look (Armitage,
//! McPherson and Rowe, J. R. Stat. Soc. A 132 (1969) 235–244). Here each look has an equal share of the error, α ÷ looks,
//! so by Bonferroni's inequality the chance of even one wrong verdict over all looks is at most α, whatever rule ends the
//! run and however the looks depend on each other. `docs/method.md` says why no error-spending function is used.

use rigmark_stats::summary::{EntrySummary, Metric, Verdict};

use crate::protocol::journal::{Plan, RunLabel, Trial};
use crate::runner::summary::Collected;

/// A run as it is after `blocks` whole blocks that count.
pub struct SoFar<'a> {
    pub blocks: u32,
    /// There are no more: all that were asked for count, or the host disturbed the others.
    pub last: bool,
    pub trials: &'a [Trial],
    /// Whether an entry (first) is not tried any more under a scenario (second).
    pub broken: &'a dyn Fn(&str, &str) -> bool,
}

/// What the comparisons of a run have come to.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The interval is within the precision, and there is a verdict.
    pub precise: u32,
    /// Wider, and the verdict is *faster* or *slower*.
    pub clear: u32,
    /// More blocks may tell.
    pub open: u32,
}

impl State {
    /// Comparisons that more blocks cannot change do not keep a run going: wrong responses, two bounds, a rate that was
    /// sustained in no trial, a bound that is known within the precision and shows nothing.
    pub fn enough(self) -> bool {
        self.open == 0
    }
}

/// Every entry against the baseline under every scenario. `precision` is of the ratio: 0.02 is within a factor of 1.02.
pub fn state(plan: &Plan, so_far: &SoFar, precision: f64) -> State {
    let collected = Collected {
        plan: Some(plan.clone()),
        trials: so_far.trials.to_vec(),
        ..Collected::default()
    };
    // What cannot be summed up is not known to be enough.
    let Some(Ok(summary)) = collected.summary() else {
        return State {
            open: 1,
            ..State::default()
        };
    };
    let baseline = plan.entries.iter().find(|e| e.baseline).or(plan.entries.first());
    let baseline = baseline.map_or("", |e| e.key.as_str());
    let mut state = State::default();
    for scenario in &summary.scenarios {
        let measured = |key: &str| {
            let planned =
                |t: &crate::protocol::journal::PlanTrial| t.scenario == scenario.scenario && t.entry_key == key;
            plan.trials.iter().any(planned) && !(so_far.broken)(key, &scenario.scenario)
        };
        if !scenario.metric.ranks() || !measured(baseline) {
            continue;
        }
        let wavers = |entry: &EntrySummary| sustains_sometimes(scenario.metric, entry);
        let baseline_wavers = scenario.entries.iter().any(|e| e.entry_key == baseline && wavers(e));
        for entry in &scenario.entries {
            if entry.entry_key == baseline || !measured(&entry.entry_key) {
                continue;
            }
            if entry.verdict == Some(Verdict::NotComparable) && (baseline_wavers || wavers(entry)) {
                state.open += 1;
            } else {
                count(&mut state, entry, precision);
            }
        }
    }
    state
}

/// Processor time is compared if all trials together sustained the rate. Where some did, the others may be the host's.
fn sustains_sometimes(metric: Metric, entry: &EntrySummary) -> bool {
    metric == Metric::CpuUsPerRequest && entry.not_sustained.as_ref().is_some_and(|n| n.trials < n.of)
}

fn count(state: &mut State, entry: &EntrySummary, precision: f64) {
    let within = entry
        .ratio
        .as_ref()
        .map(|ratio| (ratio.high / ratio.low).ln() / 2.0 <= precision.ln_1p());
    match (entry.verdict, within) {
        (Some(Verdict::NotComparable), None | Some(true)) => {}
        (Some(_), Some(true)) => state.precise += 1,
        (Some(Verdict::Faster | Verdict::Slower), _) => state.clear += 1,
        // Few blocks may agree by chance: a narrow interval without a verdict is not enough.
        _ => state.open += 1,
    }
}

/// What a look says of a run: `Some` ends it, or is said at its end. `None` before the last block: it goes on.
pub fn look(plan: &Plan, so_far: &SoFar) -> Option<RunLabel> {
    let blocks = plan.blocks.as_ref()?;
    let precision = blocks.precision?;
    let state = state(plan, so_far, precision);
    let (code, message) = match (state.enough(), so_far.last) {
        (true, false) => (
            "ended-early",
            format!(
                "Ended after {} of at most {} blocks: {}.",
                so_far.blocks,
                blocks.most,
                why(state, precision)
            ),
        ),
        (false, true) => (
            "precision-not-reached",
            format!(
                "After {}, {} of {} ratios are neither known within {} nor clearly faster or \
                 slower; allow more blocks with --max-repeats, or measure longer with --duration.",
                all_there_were(so_far.blocks, blocks.most),
                state.open,
                state.precise + state.clear + state.open,
                percent(precision)
            ),
        ),
        _ => return None,
    };
    Some(RunLabel {
        code: code.to_owned(),
        message,
        entry_key: None,
    })
}

fn all_there_were(blocks: u32, most: u32) -> String {
    match blocks < most {
        true => format!("{blocks} of {most} blocks, because the host disturbed the others"),
        false => format!("{blocks} blocks, the limit of this run"),
    }
}

fn why(state: State, precision: f64) -> String {
    let within = percent(precision);
    match (state.precise, state.clear) {
        (0, 0) => "more blocks would settle no further ratio".to_owned(),
        (_, 0) => format!("every ratio is known within {within}"),
        (0, _) => "every verdict is settled".to_owned(),
        _ => format!("every ratio is known within {within} or its verdict is settled"),
    }
}

/// `2 %`, `0.5 %`.
pub fn percent(part: f64) -> String {
    let text = format!("{:.3}", part * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
#[path = "stopping_tests.rs"]
mod tests;
