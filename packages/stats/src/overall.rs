//! How an entry does under several loads together: the geometric mean of its ratios to one baseline. Of all means it is the
//! one for ratios: whatever the baseline, the order is the same (Fleming and Wallace, Comm. ACM 29 (1986) 218–221). It has no
//! interval, because the ratios may come from different runs.

use crate::math::{exp, ln, positive};
use serde::{Deserialize, Serialize};

/// Ratios to the baseline of several entries under the same loads.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct OverallInput {
    /// For each load whether a larger ratio is the better one. One that is not is taken the other way round.
    pub more_is_better: Vec<bool>,
    /// An entry each, with a ratio for each load; null where nobody measured it.
    pub rows: Vec<Vec<Option<f64>>>,
}

/// What comes out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overall {
    /// Of each row how many times as good as the baseline it is, in the middle: above 1 is better. Null without a ratio for
    /// each of at least two loads: a mean over other loads than the other rows' would be no comparison.
    pub means: Vec<Option<f64>>,
}

/// The mean of each row.
#[must_use]
pub fn overall(input: &OverallInput) -> Overall {
    Overall {
        means: input
            .rows
            .iter()
            .map(|row| mean_of(row, &input.more_is_better))
            .collect(),
    }
}

fn mean_of(row: &[Option<f64>], more_is_better: &[bool]) -> Option<f64> {
    let loads = u32::try_from(more_is_better.len()).ok()?;
    if loads < 2 || row.len() != more_is_better.len() {
        return None;
    }
    let mut sum = 0.0;
    for (ratio, more) in row.iter().zip(more_is_better) {
        let log = ln(positive((*ratio)?)?);
        sum += if *more { log } else { -log };
    }
    positive(exp(sum / f64::from(loads)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn means(more_is_better: &[bool], rows: &[&[Option<f64>]]) -> Vec<Option<f64>> {
        let input = OverallInput {
            more_is_better: more_is_better.to_vec(),
            rows: rows.iter().map(|row| row.to_vec()).collect(),
        };
        overall(&input).means
    }

    #[test]
    fn a_ratio_of_which_less_is_better_counts_the_other_way_round() {
        let [Some(mean)] = means(&[true, false], &[&[Some(2.0), Some(0.125)]])[..] else {
            panic!("no mean");
        };
        assert!((mean - 4.0).abs() < 1e-12, "{mean}");
    }

    #[test]
    fn the_baseline_itself_is_one() {
        assert_eq!(means(&[true, false], &[&[Some(1.0), Some(1.0)]]), [Some(1.0)]);
    }

    #[test]
    fn what_lacks_a_load_has_no_mean() {
        let rows: &[&[Option<f64>]] = &[
            &[Some(2.0), None],
            &[Some(2.0), Some(0.0)],
            &[Some(2.0), Some(f64::NAN)],
            &[Some(2.0)],
            &[],
        ];
        assert_eq!(means(&[true, true], rows), [None; 5]);
    }

    #[test]
    fn one_load_has_no_mean() {
        assert_eq!(means(&[true], &[&[Some(2.0)]]), [None]);
    }
}
