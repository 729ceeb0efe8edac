//! How an entry compares with the baseline: the geometric mean of the within-block ratios, with an interval.
//!
//! The observation is the block: ln(entry ÷ baseline) of what was measured side by side, so that what drifts from
//! block to block cancels out. The interval is Student's t on these logs (Biometrika 6 (1908) 1–25), taken back by exp:
//! it covers exactly for log-normal noise at any n ≥ 2 and errs on the wide side for symmetric heavy tails (Efron,
//! JASA 64 (1969) 1278–1302). `examples/coverage` measures that and what other methods do; docs/method.md has the tables,
//! `tests/coverage.rs` holds it to 93 %. The method is in [`interval`] and [`LogRatios::p`] alone: another one takes their place
//! without a change elsewhere.

use crate::math::exp;
use crate::spread::mean_and_sd;
use crate::student::{two_sided_p, two_sided_quantile};
use crate::summary::Ratio;
use std::collections::BTreeMap;

/// Two intervals of a hundred miss, on both sides together one in twenty.
pub const CONFIDENCE: f64 = 0.95;

/// Below this the logs differ by rounding alone, and their spread says nothing.
const NO_SPREAD: f64 = 1e-12;

/// The within-block logs of one pair, reduced to what the interval needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogRatios {
    /// Blocks.
    pub n: u32,
    /// Mean of the logs: the log of the geometric mean of the ratios.
    pub mean: f64,
    /// Standard error of that mean.
    pub error: f64,
}

/// Why there is no ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NoRatio {
    /// Fewer than two blocks in common.
    TooFew,
    /// All blocks gave the same ratio (it is inside): its interval cannot be known.
    NoSpread(f64),
    /// The interval has an end that is no number.
    OutOfRange,
}

/// ln(entry ÷ baseline) of each block that both have, in the order of the blocks. Both sides are logs by block.
#[must_use]
pub fn log_ratios(entry: &BTreeMap<u64, f64>, baseline: &BTreeMap<u64, f64>) -> Vec<f64> {
    entry
        .iter()
        .filter_map(|(block, log)| Some(log - baseline.get(block)?))
        .collect()
}

impl LogRatios {
    /// Reduces the logs of the ratios.
    ///
    /// # Errors
    /// [`NoRatio::TooFew`] for fewer than two, [`NoRatio::NoSpread`] when they are all the same.
    pub fn of(logs: &[f64]) -> Result<Self, NoRatio> {
        let (mean, sd) = mean_and_sd(logs).ok_or(NoRatio::TooFew)?;
        let n = u32::try_from(logs.len()).map_err(|_| NoRatio::OutOfRange)?;
        if !(mean.is_finite() && sd.is_finite()) {
            return Err(NoRatio::OutOfRange);
        }
        if sd <= NO_SPREAD {
            return Err(NoRatio::NoSpread(exp(mean)));
        }
        Ok(Self {
            n,
            mean,
            error: sd / f64::from(n).sqrt(),
        })
    }

    fn degrees(&self) -> f64 {
        f64::from(self.n) - 1.0
    }

    /// The two-sided p-value of "the ratio is 1".
    #[must_use]
    pub fn p(&self) -> f64 {
        two_sided_p(self.mean / self.error, self.degrees()).unwrap_or(1.0)
    }
}

/// The ratio with its interval when an error of (1 − confidence) ÷ `factor` is allowed; the factor (≥ 1) is what
/// Holm's adjustment multiplies the p-value by, times the looks at the run.
///
/// # Errors
/// [`NoRatio::OutOfRange`] when the interval is too wide for numbers.
pub fn interval(sample: &LogRatios, factor: f64) -> Result<Ratio, NoRatio> {
    let alpha = (1.0 - CONFIDENCE) / factor.max(1.0);
    let t = two_sided_quantile(alpha, sample.degrees()).ok_or(NoRatio::OutOfRange)?;
    let half = t * sample.error;
    let ratio = Ratio {
        estimate: exp(sample.mean),
        low: exp(sample.mean - half),
        high: exp(sample.mean + half),
        confidence: CONFIDENCE,
    };
    let whole = [ratio.estimate, ratio.low, ratio.high]
        .iter()
        .all(|v| v.is_finite() && *v > 0.0);
    if whole { Ok(ratio) } else { Err(NoRatio::OutOfRange) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocks_in_common_count() {
        let a = BTreeMap::from([(1, 1.0), (2, 2.0), (4, 4.0)]);
        let b = BTreeMap::from([(2, 0.5), (3, 0.0), (4, 1.0)]);
        assert_eq!(log_ratios(&a, &b), [1.5, 3.0]);
    }

    #[test]
    fn gaps() {
        assert_eq!(LogRatios::of(&[]), Err(NoRatio::TooFew));
        assert_eq!(LogRatios::of(&[0.1]), Err(NoRatio::TooFew));
        assert_eq!(LogRatios::of(&[0.0, 0.0]), Err(NoRatio::NoSpread(1.0)));
        assert_eq!(LogRatios::of(&[f64::NAN, 0.0]), Err(NoRatio::OutOfRange));
        let wild = LogRatios::of(&[-700.0, 700.0]).unwrap();
        assert_eq!(interval(&wild, 1.0), Err(NoRatio::OutOfRange));
    }
}
