//! The order of the entries' medians under one scenario. It is no rank: ranks follow from verdicts ([`crate::rank`]), and who
//! is shown to be the best is for [`crate::winner`].
//!
//! Closed loop compares the median of requests per second, a fixed rate the median of the trials' p99, and a scenario
//! that is judged by it the median of the server's CPU time per request.
//!
//! * Entries with equal medians share a position.
//! * An entry whose rate the load tool bounded stands where its bound stands: it is at least this good. Two of them that
//!   stand next to each other share a position, for nothing tells two bounds apart.
//! * An entry that did not sustain the rate comes after all that did; all such entries share a position, those that
//!   missed it in fewer trials being listed first. Where the load tool fell short the entry has no position: the server
//!   did not.
//! * After a shared position the count goes on with the number of entries (1, 1, 3).

use crate::figures::{Figures, Sustained};
use crate::input::ScenarioInput;
use crate::summary::Metric;
use crate::unranked::{Unranked, unranked};
use std::cmp::Ordering;

/// Indices are those of the figures given to [`median_order`].
#[derive(Debug, Clone, PartialEq)]
pub struct MedianOrder<'a> {
    /// All entries: those that can be compared first, in order; the others as they came.
    pub order: Vec<usize>,
    /// Of each entry: its position, 1 being the best median; or why it is not compared.
    pub positions: Vec<Result<u32, Unranked<'a>>>,
}

/// Puts the entries of one scenario in order.
#[must_use]
pub fn median_order<'a>(scenario: &ScenarioInput, figures: &[Figures<'a>]) -> MedianOrder<'a> {
    let reasons: Vec<Option<Unranked<'a>>> = figures.iter().map(|f| unranked(scenario, f)).collect();
    let mut order: Vec<usize> = (0..figures.len()).collect();
    order.sort_by(|a, b| {
        let ranked = reasons[*a].is_some().cmp(&reasons[*b].is_some());
        ranked.then_with(|| {
            if reasons[*a].is_none() {
                compare(scenario.metric(), &figures[*a], &figures[*b])
            } else {
                Ordering::Equal
            }
        })
    });
    let ranked: Vec<usize> = order.iter().copied().filter(|i| reasons[*i].is_none()).collect();
    let mut positions: Vec<Result<u32, Unranked<'a>>> = reasons.into_iter().map(|why| why.map_or(Ok(0), Err)).collect();
    let mut first = 0;
    for (position, index) in ranked.iter().enumerate() {
        let shared = position > 0 && shares(&figures[ranked[position - 1]], &figures[*index]);
        if !shared {
            first = u32::try_from(position + 1).unwrap_or(u32::MAX);
        }
        positions[*index] = Ok(first);
    }
    MedianOrder { order, positions }
}

/// Better entries first; of equal ones the bounds, which are at least as good, then as they came.
fn compare(metric: Metric, a: &Figures<'_>, b: &Figures<'_>) -> Ordering {
    let trials_lost = |f: &Figures<'_>| {
        if let Sustained::No { trials } = f.sustained {
            trials
        } else {
            0
        }
    };
    if a.rate_not_sustained() || b.rate_not_sustained() {
        return trials_lost(a).cmp(&trials_lost(b));
    }
    let median = |f: &Figures<'_>| f.metric.map_or(f64::NAN, |m| m.median);
    let less_first = median(a).total_cmp(&median(b));
    let better = if metric.more_is_better() {
        less_first.reverse()
    } else {
        less_first
    };
    better.then(b.bound.cmp(&a.bound))
}

fn shares(before: &Figures<'_>, this: &Figures<'_>) -> bool {
    if before.rate_not_sustained() || this.rate_not_sustained() {
        return before.rate_not_sustained() && this.rate_not_sustained();
    }
    (before.bound && this.bound) || before.metric.map(|m| m.median) == this.metric.map(|m| m.median)
}

#[cfg(test)]
mod tests;
