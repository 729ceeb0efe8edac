//! The sentence about one entry: what it measured, or how it compares with the baseline.

use super::number::percent;
use super::unranked;
use super::{amount, less, median, range, rate, stop};
use crate::figures::{Figures, MAY_GO_UNANSWERED, Sustained};
use crate::input::{LoadKind, ScenarioInput};
use crate::rank::Rank;
use crate::sentence::number::{ratio, things};
use crate::summary::{Metric, Ratio, Verdict};
use crate::unranked::Unranked;
use crate::verdict::{BLOCKS_FOR_VERDICT, Comparison, NoVerdictReason};

/// What an entry's sentence is made of.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    pub scenario: &'a ScenarioInput,
    pub entry: &'a Figures<'a>,
    /// `None` when there is only one entry.
    pub baseline: Option<&'a Figures<'a>>,
    /// `None` for the baseline itself, and when there is nothing to compare.
    pub comparison: Option<&'a Comparison>,
    pub position: &'a Result<u32, Unranked<'a>>,
    pub rank: Option<Rank>,
    /// Its rate is a lower bound that another entry has too.
    pub shared_ceiling: bool,
}

/// One sentence about the entry; a second one where the first needs its reason.
#[must_use]
pub fn sentence(facts: &Facts<'_>) -> String {
    let (name, tool) = (&facts.entry.label, &facts.scenario.tool);
    if let Err(why) = facts.position {
        let words = unranked::words(why, facts.scenario, facts.entry);
        return format!("{name} is not ranked: {}", stop(&words));
    }
    if let Sustained::No { trials } = facts.entry.sustained {
        let of = things(facts.entry.trials_valid(), "trial");
        let last = if facts.rank.is_some() { " and ranks last" } else { "" };
        return format!(
            "{name} did not sustain {} in {trials} of {of}{last}.",
            rate(facts.scenario)
        );
    }
    let (Some(comparison), Some(baseline)) = (facts.comparison, facts.baseline) else {
        let subject = if facts.baseline.is_some() {
            format!("{name}, the baseline,")
        } else {
            name.clone()
        };
        return alone(facts, &subject);
    };
    let other = &baseline.label;
    match (comparison.verdict, &comparison.ratio, comparison.why) {
        (Some(Verdict::Faster | Verdict::Slower), Some(ratio), _) => compared(facts, baseline, comparison, ratio),
        (Some(Verdict::NoDifference), Some(found), _) => format!(
            "No difference was shown between {name} and {other}: the ratio of their {} is {} ({}).",
            match facts.scenario.metric() {
                Metric::RequestsPerS => "rates",
                Metric::P99Us | Metric::FirstByteP50Us => "p99 latencies",
                Metric::CpuUsPerRequest => "CPU times per request",
            },
            ratio(found.estimate),
            certainty(found, comparison)
        ),
        (None, _, _) => format!(
            "{} A verdict needs {BLOCKS_FOR_VERDICT} blocks in common with {other}, and there {}.",
            alone(facts, name),
            match comparison.blocks {
                0 => "are none".to_owned(),
                1 => "is 1".to_owned(),
                n => format!("are {n}"),
            }
        ),
        (_, _, why) => format!(
            "{} {}",
            alone(facts, name),
            because(why, name, other, tool, facts, comparison)
        ),
    }
}

/// For a cell.
#[must_use]
pub fn not_sustained(trials: u32, of: u32) -> String {
    format!("rate not sustained in {trials} of {}", things(of, "trial"))
}

/// Why there is no verdict though there are blocks enough.
fn because(
    why: Option<NoVerdictReason>,
    name: &str,
    other: &str,
    tool: &str,
    facts: &Facts<'_>,
    comparison: &Comparison,
) -> String {
    let metric = facts.scenario.metric();
    let level = facts
        .baseline
        .and_then(|b| b.metric)
        .map_or("no figure".to_owned(), |m| amount(metric, m.median));
    match why {
        Some(NoVerdictReason::BaselineFailed) => {
            format!("{other}, the baseline, failed verification, so there is no verdict.")
        }
        Some(NoVerdictReason::BaselineNotSustained) => {
            format!(
                "{other}, the baseline, did not sustain {}, so there is no verdict.",
                rate(facts.scenario)
            )
        }
        Some(NoVerdictReason::BothBounds) => match both_in(comparison, name, other) {
            Some(both) => format!("{tool} was the bottleneck {both}, so there is no verdict."),
            None => format!("{tool} was the bottleneck for {other} too: both are only bounds, so there is no verdict."),
        },
        Some(NoVerdictReason::EntryBound) => match some_of(comparison.bounds.entry, comparison) {
            Some(some) => format!(
                "{tool} was the bottleneck for {name}{some}, so there is no verdict against {other}, which had {level}."
            ),
            None => format!("There is no verdict against {other}, which had {level}."),
        },
        Some(NoVerdictReason::BaselineBound) => format!(
            "{tool} was the bottleneck for {other}{}, so there is no verdict.",
            some_of(comparison.bounds.baseline, comparison).unwrap_or_default()
        ),
        Some(NoVerdictReason::NoSpread(same)) => format!(
            "All {} gave the same ratio to {other}, {}: its interval is unknown, so there is no verdict.",
            things(comparison.blocks, "block"),
            ratio(same)
        ),
        _ => format!("The ratio to {other} is too uncertain to state, so there is no verdict on {name}."),
    }
}

/// ` in 4 of 10 blocks`; nothing where it is all of them, which needs no saying.
fn some_of(bound: u32, comparison: &Comparison) -> Option<String> {
    let blocks = things(comparison.blocks, "block");
    (bound < comparison.blocks).then(|| format!(" in {bound} of {blocks}"))
}

/// `for epoll in 4 of 10 blocks and for nginx in 10 of 10`; nothing where it is all of both.
pub(super) fn both_in(comparison: &Comparison, name: &str, other: &str) -> Option<String> {
    let (bounds, all) = (comparison.bounds, comparison.blocks);
    (bounds.entry < all || bounds.baseline < all).then(|| {
        let blocks = things(all, "block");
        format!(
            "for {name} in {} of {blocks} and for {other} in {} of {all}",
            bounds.entry, bounds.baseline
        )
    })
}

/// The entry without a comparison. `subject` is its name, as the sentence begins.
fn alone(facts: &Facts<'_>, subject: &str) -> String {
    let (metric, scenario) = (facts.scenario.metric(), facts.scenario);
    let Some(spread) = facts.entry.metric else {
        return format!("{subject} has no figure that can be used.");
    };
    let (value, range) = (amount(metric, spread.median), range(metric, &spread));
    match (metric, facts.entry.bound) {
        (Metric::CpuUsPerRequest, _) => {
            format!(
                "{}{subject} spent {value} ({range}).",
                at(scenario, facts.entry.unanswered)
            )
        }
        (Metric::RequestsPerS, bound) if scenario.load == LoadKind::Knee => format!(
            "{subject} kept its latency bound up to {}{value} ({range}).",
            if bound { "at least " } else { "" }
        ),
        (Metric::RequestsPerS, false) => format!("{subject} answered {value} ({range})."),
        (Metric::RequestsPerS, true) => {
            format!(
                "{subject} answered at least {value}, limited by {} ({range}).",
                scenario.tool
            )
        }
        (Metric::P99Us | Metric::FirstByteP50Us, bound) => format!(
            "At {}, {subject} had a p99 latency of {}{value} ({range}).",
            rate(scenario),
            if bound {
                format!("at most (limited by {}) ", scenario.tool)
            } else {
                String::new()
            }
        ),
    }
}

/// A difference that was shown.
fn compared(facts: &Facts<'_>, baseline: &Figures<'_>, comparison: &Comparison, found: &Ratio) -> String {
    let (entry, tool) = (facts.entry, &facts.scenario.tool);
    let metric = facts.scenario.metric();
    // A bound is at least this good: more requests, less latency.
    let bounds = comparison.bounds;
    let bound = match bounds.any() {
        (false, false) => "",
        (bounded, _) if bounded == metric.more_is_better() => "at least ",
        _ => "at most ",
    };
    let (name, other, times) = (&entry.label, &baseline.label, ratio(found.estimate));
    let limit = match bounds.any() {
        (false, false) => String::new(),
        (entry, _) => {
            let (whose, n) = if entry {
                (name, bounds.entry)
            } else {
                (other, bounds.baseline)
            };
            let some = some_of(n, comparison).unwrap_or_default();
            format!("; {tool} was the bottleneck for {whose}{some}")
        }
    };
    let sure = certainty(found, comparison);
    match metric {
        Metric::CpuUsPerRequest => {
            let (amount, ratio) = match less(found.estimate) {
                Some(less) => (
                    format!("{less} CPU time per request than {other}"),
                    format!("{times} ×; "),
                ),
                None => (
                    format!("{times} × as much CPU time per request as {other}"),
                    String::new(),
                ),
            };
            let medians = format!("{}, {}", median(metric, entry), median(metric, baseline));
            format!(
                "{}{name} spent {amount} ({ratio}{sure}; medians: {medians}).",
                at(facts.scenario, entry.unanswered.max(baseline.unanswered))
            )
        }
        Metric::RequestsPerS if facts.scenario.load == LoadKind::Knee => {
            format!(
                "{name} kept its p99 latency within the bound up to {bound}{times} × as many requests a second as {other} ({sure}){limit}."
            )
        }
        Metric::RequestsPerS => {
            format!("{name} answered {bound}{times} × as many requests a second as {other} ({sure}){limit}.")
        }
        Metric::P99Us | Metric::FirstByteP50Us => {
            let medians = format!("{}, {}", median(metric, entry), median(metric, baseline));
            let at = rate(facts.scenario);
            format!(
                "At {at}, the p99 latency of {name} was {bound}{times} × that of {other} ({sure}; medians: {medians}){limit}."
            )
        }
    }
}

/// `At 5,000 requests a second, ` where the rate was fixed.
fn at(scenario: &ScenarioInput, unanswered: f64) -> String {
    match scenario.load {
        LoadKind::Rate if unanswered > MAY_GO_UNANSWERED => format!(
            "At {}, of which up to {} went unanswered because the host was busy, ",
            rate(scenario),
            percent(unanswered)
        ),
        LoadKind::Rate => format!("At {}, ", rate(scenario)),
        LoadKind::Closed | LoadKind::Count | LoadKind::Knee => String::new(),
    }
}

/// `95 % interval 1.18 to 1.29 adjusted for 2 comparisons and 4 looks, 7 blocks`.
fn certainty(found: &Ratio, comparison: &Comparison) -> String {
    let adjusted = match (comparison.family, comparison.looks) {
        (0 | 1, 1) => String::new(),
        (0 | 1, looks) => format!(" adjusted for {looks} looks"),
        (n, 1) => format!(" adjusted for {n} comparisons"),
        (n, looks) => format!(" adjusted for {n} comparisons and {looks} looks"),
    };
    let (low, high) = (ratio(found.low), ratio(found.high));
    format!(
        "95 % interval {low} to {high}{adjusted}, {}",
        things(comparison.blocks, "block")
    )
}
