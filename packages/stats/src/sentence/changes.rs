//! Change points of a history of runs.

use super::number::{figure, percent, ratio as times, things, time};
use crate::changes::{Change, Changes};
use crate::sentence::{head, tidy};
use crate::summary::{Metric, Verdict};

/// `Slower: requests per second fell by 5.1 %, …`. Entry, scenario and the first run after the change stand beside it.
#[must_use]
pub fn change(metric: Metric, relative_to: Option<&str>, change: &Change) -> String {
    let verdict = head(metric, change.verdict == Verdict::Faster);
    let of = relative_to.map_or(String::new(), |label| format!(" relative to {}", tidy(label)));
    let (what, value): (&str, fn(f64) -> String) = match metric {
        Metric::RequestsPerS => ("requests per second", figure),
        Metric::P99Us => ("p99 latency", time),
        Metric::FirstByteP50Us => ("time to the first byte", time),
        Metric::CpuUsPerRequest => ("CPU time per request", time),
    };
    let value = |v: f64| {
        if relative_to.is_some() {
            format!("{} ×", times(v))
        } else {
            value(v)
        }
    };
    let environment = if change.environment_changed {
        " The host's environment changed at the same run."
    } else {
        ""
    };
    let [before, after] = [value(change.before), value(change.after)];
    let [runs_before, runs_after] = [change.values_before, change.values_after].map(|n| things(n, "run"));
    // Two figures that are written alike would contradict the sentence.
    let medians = if before == after {
        format!("from the median of {runs_before} to the median of {runs_after}")
    } else {
        format!("from a median of {before} ({runs_before}) to {after} ({runs_after})")
    };
    format!(
        "{verdict}: {what}{of} {} by {}, {medians}.{environment}",
        if change.ratio > 1.0 { "rose" } else { "fell" },
        percent((change.ratio - 1.0).abs()),
    )
}

/// Of `known` values: how many changes, or why none can be found yet.
#[must_use]
pub fn sentence(changes: &Changes, known: u32) -> String {
    match u32::try_from(changes.changes.len()).unwrap_or(u32::MAX) {
        0 if known < changes.least_values => format!(
            "Finding a change takes at least {}; there {} {}.",
            things(changes.least_values, "run"),
            if known == 1 { "is" } else { "are" },
            if known == 0 {
                "none".to_owned()
            } else {
                known.to_string()
            }
        ),
        0 => format!("No change was found in {}.", things(known, "run")),
        n => format!("{} found in {}.", things(n, "change"), things(known, "run")),
    }
}
