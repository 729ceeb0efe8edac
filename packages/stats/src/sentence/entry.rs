//! The sentence about one entry: what it measured, or how it compares with the baseline.

use super::{amount, median, range, rate, stop};
use crate::figures::{Figures, Sustained};
use crate::input::Scenario;
use crate::sentence::number::{ratio, things};
use crate::summary::{Metric, Ratio, Verdict};
use crate::verdict::{BLOCKS_FOR_VERDICT, Comparison, Why};

/// What an entry's sentence is made of.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    pub scenario: &'a Scenario,
    pub entry: &'a Figures<'a>,
    /// `None` when there is only one entry.
    pub baseline: Option<&'a Figures<'a>>,
    /// `None` for the baseline itself, and when there is nothing to compare.
    pub comparison: Option<&'a Comparison>,
    pub rank: &'a Result<u32, String>,
}

/// One sentence about the entry; a second one where the first needs its reason.
#[must_use]
pub fn sentence(facts: &Facts<'_>) -> String {
    let (name, tool) = (&facts.entry.label, &facts.scenario.tool);
    if let Err(reason) = facts.rank {
        return format!("{name} is not ranked: {}", stop(reason));
    }
    if let Sustained::No { trials } = facts.entry.sustained {
        let of = things(facts.entry.trials_valid(), "trial");
        return format!(
            "{name} did not sustain {} in {trials} of {of} and ranks last.",
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
            if facts.scenario.metric() == Metric::P99Us {
                "p99 latencies"
            } else {
                "rates"
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

/// Why there is no verdict though there are blocks enough.
fn because(
    why: Option<Why>,
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
        Some(Why::BaselineFailed) => format!("{other}, the baseline, failed verification, so there is no verdict."),
        Some(Why::BaselineNotSustained) => {
            format!(
                "{other}, the baseline, did not sustain {}, so there is no verdict.",
                rate(facts.scenario)
            )
        }
        Some(Why::BothBounds) => format!("{tool} was the limit for {other} too, and two bounds give no verdict."),
        Some(Why::EntryBound) => format!("That is no verdict against {other}, which had {level}."),
        Some(Why::BaselineBound) => format!("{tool} was the limit for {other}, so there is no verdict."),
        Some(Why::NoSpread(same)) => format!(
            "All {} gave the same ratio to {other}, {}: its interval is unknown, so there is no verdict.",
            things(comparison.blocks, "block"),
            ratio(same)
        ),
        _ => format!("The ratio to {other} is too uncertain to be given as numbers, so there is no verdict on {name}."),
    }
}

/// The entry without a comparison. `subject` is its name, as the sentence begins.
fn alone(facts: &Facts<'_>, subject: &str) -> String {
    let (metric, scenario) = (facts.scenario.metric(), facts.scenario);
    let Some(spread) = facts.entry.metric else {
        return format!("{subject} has no figure that can be used.");
    };
    let (value, range) = (amount(metric, spread.median), range(metric, &spread));
    match (metric, facts.entry.lower_bound) {
        (Metric::RequestsPerS, false) => format!("{subject} answered {value} ({range})."),
        (Metric::RequestsPerS, true) => {
            format!(
                "{subject} answered at least {value}, {} being the limit ({range}).",
                scenario.tool
            )
        }
        (Metric::P99Us, bound) => format!(
            "At {}, {subject} had a p99 latency of {}{value} ({range}).",
            rate(scenario),
            if bound {
                format!("at most ({} being the limit) ", scenario.tool)
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
    let good = if metric == Metric::P99Us {
        "at most "
    } else {
        "at least "
    };
    let bad = if metric == Metric::P99Us {
        "at least "
    } else {
        "at most "
    };
    let bound = match (entry.lower_bound, baseline.lower_bound) {
        (true, _) => good,
        (_, true) => bad,
        _ => "",
    };
    let (name, other, times) = (&entry.label, &baseline.label, ratio(found.estimate));
    let limit = match (entry.lower_bound, baseline.lower_bound) {
        (true, _) => format!("; {tool} was the limit for {name}"),
        (_, true) => format!("; {tool} was the limit for {other}"),
        _ => String::new(),
    };
    let sure = certainty(found, comparison);
    match metric {
        Metric::RequestsPerS => {
            format!("{name} answered {bound}{times} × as many requests a second as {other} ({sure}){limit}.")
        }
        Metric::P99Us => {
            let medians = format!("{}, {}", median(metric, entry), median(metric, baseline));
            let at = rate(facts.scenario);
            format!(
                "At {at}, the p99 latency of {name} was {bound}{times} × that of {other} ({sure}; medians: {medians}){limit}."
            )
        }
    }
}

/// `95 % interval 1.18 to 1.29, 7 blocks`.
fn certainty(found: &Ratio, comparison: &Comparison) -> String {
    let adjusted = match comparison.family {
        0 | 1 => String::new(),
        n => format!(" adjusted for {n} comparisons"),
    };
    let (low, high) = (ratio(found.low), ratio(found.high));
    format!(
        "95 % interval {low} to {high}{adjusted}, {}",
        things(comparison.blocks, "block")
    )
}
