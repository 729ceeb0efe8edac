//! Faster, slower, no difference shown, or not comparable.

use crate::effect::effect;
use crate::figures::Figures;
use crate::holm;
use crate::ratio::{self, LogRatios, NoRatio, log_ratios};
use crate::summary::{BoundSide, Metric, Ratio, Verdict};

/// Blocks in common that a verdict needs.
pub const BLOCKS_FOR_VERDICT: u32 = 5;

/// Why a comparison has no verdict, or is not comparable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NoVerdictReason {
    EntryFailed,
    BaselineFailed,
    /// Fewer than five blocks in common.
    TooFewBlocks,
    /// The generator was the bottleneck for both, if only in one block each: two bounds say nothing about each other.
    BothBounds,
    /// The generator was the bottleneck for the entry, and its bound does not beat the baseline.
    EntryBound,
    /// The generator was the bottleneck for the baseline, and its bound does not beat the entry.
    BaselineBound,
    EntryNotSustained,
    BaselineNotSustained,
    /// Every block gave this very ratio, so its interval is unknown.
    NoSpread(f64),
    OutOfRange,
}

/// One entry against another under one scenario; the other is the baseline wherever a sentence gives a verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Blocks in common in which the metric of both counts.
    pub blocks: u32,
    /// In how many of them the figure is a bound.
    pub bounds: Bounds,
    pub ratio: Option<Ratio>,
    /// How many comparisons the interval is adjusted for.
    pub family: u32,
    /// How many looks at the run it is adjusted for.
    pub looks: u32,
    /// How large the difference is against the noise; `None` below five blocks and without a ratio.
    pub effect: Option<f64>,
    /// Standard deviation of a block's log-ratio; `None` without a ratio.
    pub sd: Option<f64>,
    pub verdict: Option<Verdict>,
    pub why: Option<NoVerdictReason>,
}

/// In how many of the blocks in common the generator was the bottleneck. The mean of the logs takes in every block, so one
/// of them makes a bound of the ratio.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bounds {
    pub entry: u32,
    pub baseline: u32,
}

/// A comparison before the adjustment: it has a sample, or it says why not.
#[derive(Debug, Clone)]
pub struct Pair {
    blocks: u32,
    metric: Metric,
    bounds: Bounds,
    sample: Result<LogRatios, NoVerdictReason>,
}

impl Pair {
    /// Sets an entry against the baseline.
    #[must_use]
    pub fn new(metric: Metric, entry: &Figures<'_>, baseline: &Figures<'_>) -> Self {
        let logs = log_ratios(&entry.logs, &baseline.logs);
        let bounds = Bounds::of(entry, baseline);
        let sample = match obstacle(entry, baseline, bounds) {
            Some(why) => Err(why),
            None => LogRatios::of(&logs).map_err(|gap| match gap {
                NoRatio::TooFew => NoVerdictReason::TooFewBlocks,
                NoRatio::NoSpread(same) => NoVerdictReason::NoSpread(same),
                NoRatio::OutOfRange => NoVerdictReason::OutOfRange,
            }),
        };
        Self {
            blocks: u32::try_from(logs.len()).unwrap_or(u32::MAX),
            metric,
            bounds,
            sample,
        }
    }

    fn decide(&self, factor: f64, family: u32, looks: u32) -> Comparison {
        let ratio = self.sample.and_then(|sample| {
            ratio::interval(&sample, factor * f64::from(looks)).map_err(|_| NoVerdictReason::OutOfRange)
        });
        let judged = ratio.is_ok() && self.blocks >= BLOCKS_FOR_VERDICT;
        let (verdict, why) = match ratio {
            Err(why @ (NoVerdictReason::EntryFailed | NoVerdictReason::BaselineFailed)) => {
                (Some(Verdict::NotComparable), Some(why))
            }
            _ if self.blocks < BLOCKS_FOR_VERDICT && !matches!(ratio, Err(why) if why.not_sustained()) => {
                (None, Some(NoVerdictReason::TooFewBlocks))
            }
            Err(why) => (Some(Verdict::NotComparable), Some(why)),
            Ok(ratio) => self.judge(&ratio),
        };
        Comparison {
            blocks: self.blocks,
            bounds: self.bounds,
            ratio: ratio.ok(),
            family,
            looks,
            effect: self.sample.ok().filter(|_| judged).and_then(|sample| effect(&sample)),
            sd: self.sample.ok().map(|sample| sample.error * f64::from(sample.n).sqrt()),
            verdict,
            why,
        }
    }

    /// The interval decides. A bound says only that the server is at least this good, so a bounded entry may be shown
    /// faster and never slower or equal; against a bounded baseline the entry may be shown slower and nothing else.
    fn judge(&self, ratio: &Ratio) -> (Option<Verdict>, Option<NoVerdictReason>) {
        let (more, less) = (ratio.low > 1.0, ratio.high < 1.0);
        let (faster, slower) = if self.metric.more_is_better() {
            (more, less)
        } else {
            (less, more)
        };
        match self.bounds.any() {
            (true, true) => (Some(Verdict::NotComparable), Some(NoVerdictReason::BothBounds)),
            (_, false) if faster => (Some(Verdict::Faster), None),
            (false, _) if slower => (Some(Verdict::Slower), None),
            (true, false) => (Some(Verdict::NotComparable), Some(NoVerdictReason::EntryBound)),
            (false, true) => (Some(Verdict::NotComparable), Some(NoVerdictReason::BaselineBound)),
            (false, false) => (Some(Verdict::NoDifference), None),
        }
    }
}

impl Comparison {
    /// What the bounds make of the ratio; `None` where both are bounds, or neither is.
    #[must_use]
    pub fn ratio_bound(&self, metric: Metric) -> Option<BoundSide> {
        match (self.bounds.any(), metric.more_is_better()) {
            ((true, false), true) | ((false, true), false) => Some(BoundSide::AtLeast),
            ((true, false), false) | ((false, true), true) => Some(BoundSide::AtMost),
            ((true, true) | (false, false), _) => None,
        }
    }
}

impl Bounds {
    fn of(entry: &Figures<'_>, baseline: &Figures<'_>) -> Self {
        let common = |block: &&u64| entry.logs.contains_key(block) && baseline.logs.contains_key(block);
        let of = |f: &Figures<'_>| u32::try_from(f.bound_blocks.iter().filter(common).count()).unwrap_or(u32::MAX);
        Self {
            entry: of(entry),
            baseline: of(baseline),
        }
    }

    /// Whether the figures of the entry and of the baseline are bounds.
    #[must_use]
    pub fn any(self) -> (bool, bool) {
        (self.entry > 0, self.baseline > 0)
    }
}

impl NoVerdictReason {
    fn not_sustained(self) -> bool {
        matches!(self, Self::EntryNotSustained | Self::BaselineNotSustained)
    }
}

/// What forbids a ratio, whatever was measured.
fn obstacle(entry: &Figures<'_>, baseline: &Figures<'_>, bounds: Bounds) -> Option<NoVerdictReason> {
    if entry.failed.is_some() {
        Some(NoVerdictReason::EntryFailed)
    } else if baseline.failed.is_some() {
        Some(NoVerdictReason::BaselineFailed)
    } else if entry.rate_not_sustained() {
        Some(NoVerdictReason::EntryNotSustained)
    } else if baseline.rate_not_sustained() {
        Some(NoVerdictReason::BaselineNotSustained)
    } else if bounds.any() == (true, true) {
        Some(NoVerdictReason::BothBounds)
    } else {
        None
    }
}

/// Decides a family of comparisons together: every pair that has an interval is one of Holm's family, over all
/// scenarios, and its interval is widened by the same factor that its p-value is multiplied by. All of them are made
/// with an error level that is divided by the `looks` at the run.
#[must_use]
pub fn decide(pairs: &[Pair], looks: u32) -> Vec<Comparison> {
    let p_values: Vec<f64> = pairs.iter().filter_map(|pair| Some(pair.sample.ok()?.p())).collect();
    let family = u32::try_from(p_values.len()).unwrap_or(u32::MAX);
    let mut adjusted = holm::adjust(&p_values).into_iter();
    pairs
        .iter()
        .map(|pair| {
            let factor = if pair.sample.is_ok() {
                adjusted.next().map_or(1.0, |a| a.factor)
            } else {
                1.0
            };
            pair.decide(factor, family, looks.max(1))
        })
        .collect()
}

#[cfg(test)]
mod tests;
