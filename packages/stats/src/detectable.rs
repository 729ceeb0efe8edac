//! What differences a number of blocks can show: the power of the comparison that [`crate::ratio`] makes.
//!
//! With a true log-ratio θ and blocks whose log-ratios have the standard deviation σ, the t of n blocks has the
//! non-central t distribution with n − 1 degrees of freedom and non-centrality θ√n ÷ σ; a verdict of a difference is
//! given when |t| is above the two-sided quantile (Johnson, Kotz & Balakrishnan, *Continuous Univariate Distributions*
//! 2, 2nd ed. 1995, ch. 31). [`difference`] is for one comparison that is looked at once: Holm's adjustment and more looks
//! (`SummaryInput::looks`) ask for a larger difference, [`difference_among`].

use crate::math::{exp, ln, ln_gamma, positive};
use crate::normal;
use crate::ratio::CONFIDENCE;
use crate::student::two_sided_quantile;
use crate::verdict::BLOCKS_FOR_VERDICT;

/// How often [`difference`] is found.
pub const POWER: f64 = 0.8;

/// The chance that `blocks` blocks give a verdict of a difference (whichever) when the entry is `difference` above the
/// baseline: 0.05 is 5 % more, −0.05 is 5 % less, 0 gives the chance of a wrong verdict. `sd` is the standard deviation
/// of a block's log-ratio, which for small values is that of the ratio. `None` below five blocks, which have no verdict, and unless
/// `sd` is positive and `difference` above −1.
#[must_use]
pub fn power(sd: f64, blocks: u32, difference: f64) -> Option<f64> {
    let theta = Some(ln(1.0 + difference)).filter(|theta| theta.is_finite())?;
    power_of_log(positive(sd)?, blocks, theta, 1.0)
}

/// The least difference that gets a verdict with the chance [`POWER`]: 0.05 is 5 % more. `None` as in [`power`], and
/// where it is beyond all numbers.
#[must_use]
pub fn difference(sd: f64, blocks: u32) -> Option<f64> {
    difference_among(sd, blocks, 1.0)
}

/// The same where the comparison is one of `tests`, each looked at once, or one that is looked at so often: the error level
/// is divided by their number, as Holm's adjustment does with the smallest p-value.
#[must_use]
pub fn difference_among(sd: f64, blocks: u32, tests: f64) -> Option<f64> {
    let sd = positive(sd)?;
    let missing = |theta: f64| Some(power_of_log(sd, blocks, theta, tests)? - POWER);
    let (mut low, mut high) = ((0.0, missing(0.0)?), (sd, missing(sd)?));
    while high.1 < 0.0 {
        low = high;
        high = (2.0 * high.0, missing(2.0 * high.0)?);
        if high.0 > 700.0 {
            return None;
        }
    }
    // Regula falsi as the Illinois algorithm has it: an end that stays twice counts half.
    let (mut theta, mut side) = (high.0, 0);
    for _ in 0..60 {
        theta = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        let found = (theta, missing(theta)?);
        if found.1.abs() < 1e-10 || !(low.0 < theta && theta < high.0) {
            break;
        }
        if found.1 < 0.0 {
            high.1 /= if side == -1 { 2.0 } else { 1.0 };
            (low, side) = (found, -1);
        } else {
            low.1 /= if side == 1 { 2.0 } else { 1.0 };
            (high, side) = (found, 1);
        }
    }
    positive(exp(theta) - 1.0)
}

fn power_of_log(sd: f64, blocks: u32, theta: f64, tests: f64) -> Option<f64> {
    if blocks < BLOCKS_FOR_VERDICT {
        return None;
    }
    let n = f64::from(blocks);
    let quantile = two_sided_quantile((1.0 - CONFIDENCE) / tests.max(1.0), n - 1.0)?;
    let shift = theta.abs() * n.sqrt() / sd;
    Some((above(quantile, n - 1.0, shift)? + above(quantile, n - 1.0, -shift)?).min(1.0))
}

/// P(T > `t`) for `t` ≥ 0, T being non-central t with `df` degrees of freedom and non-centrality `shift`: the mean of
/// Φ(shift − t·s) over s = √(χ² ÷ df), by Simpson's rule over all s that have a weight. The absolute error is below 1e-9.
#[must_use]
pub fn above(t: f64, df: f64, shift: f64) -> Option<f64> {
    if !(t >= 0.0 && t.is_finite() && (1.0..=1e6).contains(&df)) || shift.is_nan() {
        return None;
    }
    let reach = 12.0 / (2.0 * df).sqrt();
    let (from, to) = ((1.0 - reach).max(0.0), 1.0 + reach);
    // Fine enough for both the weight and the step of Φ, which is 1 ÷ t wide.
    let half_steps = (512.0 + 16.0 * t * (to - from)).min(50_000.0) as u32;
    let step = (to - from) / f64::from(2 * half_steps);
    let scale = ln(2.0) + df / 2.0 * ln(df / 2.0) - ln_gamma(df / 2.0);
    let value = |i: u32| {
        let s = from + f64::from(i) * step;
        let weight = if s > 0.0 {
            exp(scale + (df - 1.0) * ln(s) - df * s * s / 2.0)
        } else if df == 1.0 {
            exp(scale)
        } else {
            0.0
        };
        weight * normal::below(shift - t * s)
    };
    let mut sum = value(0) + value(2 * half_steps);
    for i in 1..2 * half_steps {
        sum += if i % 2 == 1 { 4.0 } else { 2.0 } * value(i);
    }
    Some((sum * step / 3.0).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_difference_is_shown_in_one_of_twenty() {
        for blocks in [5, 7, 40] {
            assert!((power(0.03, blocks, 0.0).unwrap() - 0.05).abs() < 1e-8, "{blocks}");
        }
    }

    #[test]
    fn the_difference_has_the_power() {
        for (sd, blocks) in [(0.02, 5), (0.02, 20), (0.3, 7), (1e-6, 400)] {
            let found = difference(sd, blocks).unwrap();
            assert!(
                (power(sd, blocks, found).unwrap() - POWER).abs() < 1e-6,
                "{sd} {blocks}"
            );
        }
    }

    #[test]
    fn more_blocks_and_less_noise_show_less() {
        let found = [(0.04, 5), (0.02, 5), (0.02, 10), (0.02, 40)].map(|(sd, n)| difference(sd, n).unwrap());
        assert!(found.is_sorted_by(|a, b| a > b), "{found:?}");
    }

    #[test]
    fn more_comparisons_show_less() {
        let found = [1.0, 2.0, 6.0].map(|tests| difference_among(0.02, 10, tests).unwrap());
        assert_eq!(found[0], difference(0.02, 10).unwrap());
        assert!(found.is_sorted_by(|a, b| a < b), "{found:?}");
    }

    #[test]
    fn what_has_no_verdict_has_no_power() {
        for blocks in [0, 1, 4] {
            assert_eq!((power(0.02, blocks, 0.05), difference(0.02, blocks)), (None, None));
        }
        for sd in [0.0, -0.02, f64::NAN, f64::INFINITY] {
            assert_eq!((power(sd, 7, 0.05), difference(sd, 7)), (None, None));
        }
        for other in [-1.0, -2.0, f64::NAN, f64::INFINITY] {
            assert_eq!(power(0.02, 7, other), None);
        }
        assert_eq!(difference(1e3, 5), None);
        assert_eq!(above(1.0, 0.5, 0.0), None);
    }
}
