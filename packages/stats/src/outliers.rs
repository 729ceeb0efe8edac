//! Outliers by Tukey's fences (J. W. Tukey, *Exploratory Data Analysis*, 1977, ch. 2), as criterion counts them: mild ones
//! lie more than 1.5 times the interquartile range outside the quartiles, severe ones more than 3 times. Quartiles are
//! interpolated between the two values next to them (Hyndman & Fan, The American Statistician 50 (1996) 361–365, type 7).
//!
//! They are counted and stay in every figure: what is slow now and then is a property of the server or of the host.

use crate::math::positive;
use crate::summary::Outliers;
use crate::verdict::BLOCKS_FOR_VERDICT;

const MILD: f64 = 1.5;
const SEVERE: f64 = 3.0;

/// Counts the outliers among the values that are finite and above 0; `None` for fewer than five of them, where quartiles
/// say nothing.
#[must_use]
pub fn outliers(values: impl IntoIterator<Item = f64>) -> Option<Outliers> {
    let mut values: Vec<f64> = values.into_iter().filter_map(positive).collect();
    if values.len() < BLOCKS_FOR_VERDICT as usize {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let (low, high) = (quantile(&values, 0.25), quantile(&values, 0.75));
    let range = high - low;
    let mut found = Outliers::default();
    for value in values {
        if value < low - SEVERE * range {
            found.low_severe += 1;
        } else if value < low - MILD * range {
            found.low_mild += 1;
        } else if value > high + SEVERE * range {
            found.high_severe += 1;
        } else if value > high + MILD * range {
            found.high_mild += 1;
        }
    }
    Some(found)
}

fn quantile(sorted: &[f64], q: f64) -> f64 {
    let place = q * (sorted.len() - 1) as f64;
    let below = place.floor();
    let next = sorted.len().min(below as usize + 2) - 1;
    let low = sorted[below as usize];
    low + (place - below) * (sorted[next] - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mild_and_severe_on_both_sides() {
        let most = |odd: f64| outliers([98.0, 99.0, 100.0, 101.0, 102.0, odd]).unwrap();
        assert_eq!((most(107.0).high_mild, most(107.0).high_severe), (1, 0));
        assert_eq!((most(120.0).high_mild, most(120.0).high_severe), (0, 1));
        assert_eq!((most(93.0).low_mild, most(93.0).low_severe), (1, 0));
        assert_eq!((most(50.0).low_mild, most(50.0).low_severe), (0, 1));
        assert_eq!(most(103.0), Outliers::default());
    }

    #[test]
    fn too_few_and_no_numbers() {
        assert_eq!(outliers([1.0, 2.0, 3.0, 900.0]), None);
        assert_eq!(outliers([1.0, 2.0, 3.0, 4.0, f64::NAN]), None);
        assert_eq!(outliers([5.0; 5]), Some(Outliers::default()));
    }
}
