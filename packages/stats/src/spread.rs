//! Median, smallest, largest and coefficient of variation. Never the best of anything.

use crate::math::positive;
use crate::summary::{Spread, ToolFigure};

/// The spread of the values that are finite and above 0, in their own unit; `None` when there is none. The median of
/// an even number of values is the middle of the two in the middle. The coefficient of variation is the standard
/// deviation (with n − 1) ÷ the mean.
#[must_use]
pub fn spread(values: impl IntoIterator<Item = f64>) -> Option<Spread> {
    of(values, |low, high| low + (high - low) / 2.0)
}

/// The same for percentiles, of which a mean is the percentile of nothing: the median of an even number of them is the
/// lower of the two in the middle, so it always was observed.
#[must_use]
pub fn spread_of_observed(values: impl IntoIterator<Item = f64>) -> Option<Spread> {
    of(values, |low, _| low)
}

/// The lower median of what a tool printed. It may be 0: less than its clock can tell.
#[must_use]
pub fn printed(values: impl IntoIterator<Item = f64>) -> Option<ToolFigure> {
    let known = |value: &f64| value.is_finite() && *value >= 0.0;
    let mut values: Vec<f64> = values.into_iter().filter(known).collect();
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some(ToolFigure {
        n: u32::try_from(values.len()).ok()?,
        median: values[last / 2],
    })
}

fn of(values: impl IntoIterator<Item = f64>, middle: fn(f64, f64) -> f64) -> Option<Spread> {
    let mut values: Vec<f64> = values.into_iter().filter_map(positive).collect();
    values.sort_by(f64::total_cmp);
    let (&min, &max) = (values.first()?, values.last()?);
    let n = u32::try_from(values.len()).ok()?;
    Some(Spread {
        n,
        median: middle(values[(values.len() - 1) / 2], values[values.len() / 2]),
        min,
        max,
        cv: variation(&values, max),
    })
}

/// Scaled by the power of two at or below the largest value: no square is infinite, and no digit is lost.
fn variation(values: &[f64], max: f64) -> Option<f64> {
    let power = f64::from_bits(max.to_bits() & f64::INFINITY.to_bits()).max(f64::MIN_POSITIVE);
    let scaled: Vec<f64> = values.iter().map(|value| value / power).collect();
    let (mean, sd) = mean_and_sd(&scaled)?;
    Some(sd / mean).filter(|cv| cv.is_finite())
}

/// Arithmetic mean and standard deviation with n − 1; `None` for fewer than two values. Two passes: the deviations are
/// taken from the mean (Chan, Golub & LeVeque, The American Statistician 37 (1983) 242–247).
#[must_use]
pub fn mean_and_sd(values: &[f64]) -> Option<(f64, f64)> {
    if values.len() < 2 {
        return None;
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    Some((mean, (squares / (n - 1.0)).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_tools_print_the_lower_one_in_the_middle_and_0_too() {
        let of = |values: &[f64]| printed(values.iter().copied()).map(|p| (p.n, p.median));
        assert_eq!(of(&[400.0, 100.0, 300.0, 200.0]), Some((4, 200.0)));
        assert_eq!(of(&[0.0, f64::NAN, -1.0, f64::INFINITY]), Some((1, 0.0)));
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn odd_even_one_and_none() {
        let s = spread([3.0, 1.0, 2.0]).unwrap();
        assert_eq!((s.n, s.median, s.min, s.max, s.cv), (3, 2.0, 1.0, 3.0, Some(0.5)));
        assert_eq!(spread([4.0, 1.0]).unwrap().median, 2.5);
        assert_eq!(spread([4.0]).unwrap().cv, None);
        assert_eq!(spread([5.0, 5.0]).unwrap().cv, Some(0.0));
        assert_eq!(spread([]), None);
    }

    #[test]
    fn the_median_of_percentiles_was_observed() {
        let median = |values: &[f64]| spread_of_observed(values.iter().copied()).unwrap().median;
        assert_eq!(median(&[4.0, 1.0]), 1.0);
        assert_eq!(median(&[9.0, 4.0, 1.0, 7.0]), 4.0);
        assert_eq!(median(&[9.0, 4.0, 1.0]), 4.0);
    }

    #[test]
    fn what_is_no_measure_is_left_out() {
        assert_eq!(spread([f64::NAN, 0.0, -1.0, f64::INFINITY, f64::NEG_INFINITY]), None);
        assert_eq!(spread([f64::NAN, 7.0]).unwrap().n, 1);
        let s = spread([f64::MAX, f64::MAX]).unwrap();
        assert_eq!((s.median, s.cv), (f64::MAX, Some(0.0)));
    }
}
