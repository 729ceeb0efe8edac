//! The order of the entries under one scenario.
//!
//! Closed loop ranks the median of requests a second, a fixed rate ranks the median of the trials' p99, and a scenario
//! that is judged by it the median of the server's CPU time a request. A rank is the place of a median among medians and
//! no verdict: whether the first is also shown to be the best is for [`crate::winner`].
//!
//! * Entries with equal medians share a rank.
//! * A generator-bound entry stands where its bound stands: it is at least this good, so its rank is the worst that
//!   it can have. Two of them that stand next to each other share a rank, for nothing tells two bounds apart.
//! * An entry that did not sustain the rate ranks behind all that did; all such entries share that rank, those that
//!   lost it in fewer trials being listed first. Where the generator was the limit the entry is not ranked instead:
//!   the tool fell short, not the server.
//! * After a shared rank the count goes on with the position (1, 1, 3).

use crate::figures::{Figures, Sustained};
use crate::input::ScenarioInput;
use crate::summary::Metric;
use crate::unranked::{Unranked, unranked};
use std::cmp::Ordering;

/// Where the entries stand; indices are those of the figures given to [`rank`].
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking<'a> {
    /// All entries, ranked ones first, in order; the others as they came.
    pub order: Vec<usize>,
    /// Of each entry: its rank, or why it has none.
    pub ranks: Vec<Result<u32, Unranked<'a>>>,
}

/// Ranks the entries of one scenario.
#[must_use]
pub fn rank<'a>(scenario: &ScenarioInput, figures: &[Figures<'a>]) -> Ranking<'a> {
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
    let mut ranks: Vec<Result<u32, Unranked<'a>>> = reasons.into_iter().map(|why| why.map_or(Ok(0), Err)).collect();
    let mut rank = 0;
    for (position, index) in ranked.iter().enumerate() {
        let shared = position > 0 && shares(&figures[ranked[position - 1]], &figures[*index]);
        if !shared {
            rank = u32::try_from(position + 1).unwrap_or(u32::MAX);
        }
        ranks[*index] = Ok(rank);
    }
    Ranking { order, ranks }
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
    if a.lost() || b.lost() {
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
    if before.lost() || this.lost() {
        return before.lost() && this.lost();
    }
    (before.bound && this.bound) || before.metric.map(|m| m.median) == this.metric.map(|m| m.median)
}

#[cfg(test)]
mod tests;
