//! Change points in a history of runs: since which run is a figure another one?
//!
//! Method: the change-point model with the statistic of Mann and Whitney (G. J. Ross, D. K. Tasoulis and N. M. Adams,
//! Nonparametric Monitoring of Data Streams for Changes in Location and Scale, Technometrics 53, 2011, section 3.1). After
//! each run, the history since the last change is split at every place, and the two sides are compared by their ranks. The
//! largest standardized difference is compared with a limit. Ranks make the limits independent of the distribution: they are
//! drawn once ([`limits`]) so that each run raises a false alarm with a probability of 0.001, and so about one stable
//! history of fifty runs in twenty-five has any. The runs have to be exchangeable while nothing changes. A host that drifts
//! breaks that for rates, hardly for ratios to a baseline of the same run.

mod limits;

use crate::math::{ln, positive};
use crate::sentence;
use crate::summary::{Metric, Verdict};
use limits::{WINDOW, limit};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Deserialize)]
pub struct ChangesInput {
    pub schema: u32,
    pub metric: Metric,
    /// Label of the entry that the figures are divided by; `None` for the figures themselves.
    pub relative_to: Option<String>,
    /// A run each, oldest first.
    pub points: Vec<PointInput>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct PointInput {
    /// Median of the metric, in its unit; `None` where the run has none that counts.
    pub figure: Option<f64>,
    /// The same of the entry `relative_to`, in the same run.
    pub relative: Option<f64>,
    /// Fingerprint of the environment.
    pub environment: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Changes {
    pub schema: u32,
    /// What was looked at, by point: the figure, or the ratio; `None` where unknown.
    pub values: Vec<Option<f64>>,
    /// Oldest first.
    pub changes: Vec<Change>,
    /// How many values there must be before a change can be found.
    pub least_values: u32,
    pub sentence: String,
    pub sentence_zh: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// Place of the first point after the change.
    pub at: usize,
    /// Place of the point that showed it.
    pub found_at: usize,
    /// Values between the change before and this one, and from here to the next.
    pub values_before: u32,
    pub values_after: u32,
    /// Their medians.
    pub before: f64,
    pub after: f64,
    /// `after` ÷ `before`.
    pub ratio: f64,
    pub verdict: Verdict,
    /// The environment changed at this very point.
    pub environment_changed: bool,
    pub sentence: String,
    pub sentence_zh: String,
}

/// Finds the change points of a history. Odd numbers are no errors: they are treated as unknown.
#[must_use]
pub fn changes(input: &ChangesInput) -> Changes {
    let values: Vec<Option<f64>> = input.points.iter().map(|p| value(input, p)).collect();
    let known: Vec<(usize, f64)> = values
        .iter()
        .enumerate()
        .filter_map(|(place, value)| Some((place, (*value)?)))
        .collect();
    let found = find(&known.iter().map(|(_, value)| *value).collect::<Vec<_>>());
    let changes: Vec<Change> = (0..found.len()).map(|i| change(input, &known, &found, i)).collect();
    let mut result = Changes {
        schema: 1,
        values,
        changes,
        least_values: limits::LEAST,
        sentence: String::new(),
        sentence_zh: String::new(),
    };
    let known = u32::try_from(known.len()).unwrap_or(u32::MAX);
    result.sentence = sentence::changes::sentence(&result, known);
    result.sentence_zh = sentence::zh::changes::sentence(&result, known);
    result
}

fn value(input: &ChangesInput, point: &PointInput) -> Option<f64> {
    let figure = positive(point.figure?)?;
    match &input.relative_to {
        None => Some(figure),
        Some(_) => positive(figure / positive(point.relative?)?),
    }
}

/// Places in the known values: the first after a change, and the one that showed it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Found {
    at: usize,
    found_at: usize,
}

fn find(values: &[f64]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut start = 0;
    for now in 0..values.len() {
        let from = start.max((now + 1).saturating_sub(WINDOW));
        let window = &values[from..=now];
        let Some((split, difference)) = largest_difference(window) else {
            continue;
        };
        if limit(window.len()).is_some_and(|limit| difference > limit) {
            start = from + split;
            found.push(Found {
                at: start,
                found_at: now,
            });
        }
    }
    refine(values, &mut found);
    found
}

/// Values on each side that tell where a change was.
const AROUND: usize = 20;

/// Ranks tell that there is a change; where it is, they tell only roughly, because the last value before it may happen to be
/// the largest. So it is put where the values around it are nearest to the medians of the two sides, by absolute distance of
/// the logs, which an outlier moves little.
fn refine(values: &[f64], found: &mut [Found]) {
    let logs: Vec<f64> = values.iter().map(|v| ln(*v)).collect();
    for i in 0..found.len() {
        let Found { at, found_at } = found[i];
        let from = at.saturating_sub(AROUND).max(if i == 0 { 0 } else { found[i - 1].at });
        let to = found.get(i + 1).map_or(values.len(), |next| next.at).min(at + AROUND);
        let distance = |split: usize| distance(&logs[from..split]) + distance(&logs[split..to]);
        let places = from + 1..to.min(found_at + 1);
        if let Some(best) = places.min_by(|a, b| distance(*a).total_cmp(&distance(*b))) {
            found[i].at = best;
        }
    }
}

fn distance(logs: &[f64]) -> f64 {
    let middle = median(logs);
    logs.iter().map(|log| (log - middle).abs()).sum()
}

/// Where the two sides of a history differ most by their ranks, and by how many standard deviations of the rank sum. Equal
/// values share their mean rank, and the variance is corrected for them (E. L. Lehmann, Nonparametrics, 1975, section 1.4).
fn largest_difference(values: &[f64]) -> Option<(usize, f64)> {
    let n = values.len() as f64;
    let (ranks, ties) = ranks(values);
    // Of the rank sum of `left` values out of n, but for the factor left × (n − left).
    let variance = (n + 1.0 - ties / (n * (n - 1.0))) / 12.0;
    if variance.is_nan() || variance <= 0.0 {
        return None;
    }
    let (mut sum, mut left) = (0.0, 0.0);
    let mut largest: Option<(usize, f64)> = None;
    for (place, rank) in ranks.iter().enumerate().take(ranks.len() - 1) {
        sum += rank;
        left += 1.0;
        let expected = left * (n + 1.0) / 2.0;
        let difference = (sum - expected).abs() / (variance * left * (n - left)).sqrt();
        if largest.is_none_or(|(_, most)| difference > most) {
            largest = Some((place + 1, difference));
        }
    }
    largest
}

/// Ranks from 1, and the sum of t³ − t over groups of t equal values.
fn ranks(values: &[f64]) -> (Vec<f64>, f64) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let (mut ranks, mut ties) = (vec![0.0; values.len()], 0.0);
    let mut first = 0;
    while first < order.len() {
        let equal = order[first..]
            .iter()
            .take_while(|place| values[**place] == values[order[first]])
            .count();
        let shared = first as f64 + (equal as f64 + 1.0) / 2.0;
        for place in &order[first..first + equal] {
            ranks[*place] = shared;
        }
        ties += (equal as f64).powi(3) - equal as f64;
        first += equal;
    }
    (ranks, ties)
}

fn change(input: &ChangesInput, known: &[(usize, f64)], found: &[Found], i: usize) -> Change {
    let Found { at, found_at } = found[i];
    let from = if i == 0 { 0 } else { found[i - 1].at };
    let to = found.get(i + 1).map_or(known.len(), |next| next.at);
    let side = |range: std::ops::Range<usize>| median(&known[range].iter().map(|(_, v)| *v).collect::<Vec<_>>());
    let (before, after) = (side(from..at), side(at..to));
    let environment = |place: usize| input.points[known[place].0].environment.as_deref();
    let mut change = Change {
        at: known[at].0,
        found_at: known[found_at].0,
        values_before: u32::try_from(at - from).unwrap_or(u32::MAX),
        values_after: u32::try_from(to - at).unwrap_or(u32::MAX),
        before,
        after,
        ratio: after / before,
        verdict: if (after > before) == input.metric.more_is_better() {
            Verdict::Faster
        } else {
            Verdict::Slower
        },
        environment_changed: environment(at - 1) != environment(at),
        sentence: String::new(),
        sentence_zh: String::new(),
    };
    change.sentence = sentence::changes::change(input.metric, input.relative_to.as_deref(), &change);
    change.sentence_zh = sentence::zh::changes::change(input.metric, input.relative_to.as_deref(), &change);
    change
}

/// Of an even number the mean of the two in the middle.
fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

#[cfg(test)]
mod tests;
