//! The percentile curve of an entry: points for a plot over the number of nines.

use crate::histogram::Sum;
use serde::{Deserialize, Serialize};

/// Latencies of several trials together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Latencies in all histograms.
    pub count: u64,
    /// In µs; `None` without a latency.
    pub max_us: Option<f64>,
    /// Rising in `p`; only percentiles with count × (1 − q) ≥ 10.
    pub points: Vec<Point>,
    /// Why there is no point, in a few words; `None` when there is one.
    pub note: Option<String>,
}

/// One point of the curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// In per cent.
    pub p: f64,
    pub us: f64,
}

/// Nine steps for each nine, and the quartiles and the 97.5 that tables have: hundredths of a per cent.
fn places() -> Vec<u32> {
    let mut places: Vec<u32> = [1_000, 100, 10, 1]
        .into_iter()
        .flat_map(|step| (1..10).map(move |i| 10_000 - 10 * step + i * step))
        .chain([2_500, 7_500, 9_750])
        .collect();
    places.sort_unstable();
    places
}

/// Adds the histograms of an entry's trials and reads the curve. One blob that cannot be read leaves no points: a
/// curve of the others would pass for all.
#[must_use]
pub fn curve<S: AsRef<str>>(blobs: &[S]) -> Curve {
    let mut sum = Sum::default();
    let added = blobs.iter().enumerate().try_for_each(|(i, blob)| {
        sum.add(blob.as_ref())
            .map_err(|error| format!("histogram {} of {} cannot be read: {error}", i + 1, blobs.len()))
    });
    if let Err(note) = added {
        return Curve {
            count: 0,
            max_us: None,
            points: Vec::new(),
            note: Some(note),
        };
    }
    let count = sum.count();
    let counts = |place: &u32| u128::from(count) * u128::from(10_000 - place) >= 10 * 10_000;
    let points: Vec<Point> = places()
        .into_iter()
        .filter(counts)
        .filter_map(|place| {
            let p = f64::from(place) / 100.0;
            Some(Point {
                p,
                us: sum.percentile_us(p)?,
            })
        })
        .collect();
    let note = points.is_empty().then(|| match (blobs.len(), count) {
        (0, _) => "no histogram".to_owned(),
        (_, 0) => "no latency in the histograms".to_owned(),
        (_, n) => format!("{n} latencies are too few for a percentile"),
    });
    Curve {
        count,
        max_us: sum.max_us(),
        points,
        note,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::histogram::tests::blob;

    #[test]
    fn nine_steps_for_each_nine() {
        let p: Vec<f64> = curve(&[blob(1..=100_000)]).points.iter().map(|point| point.p).collect();
        assert_eq!(p.len(), 39);
        assert_eq!(&p[..4], [10.0, 20.0, 25.0, 30.0]);
        for shown in [50.0, 75.0, 90.0, 97.5, 99.0, 99.9, 99.99] {
            assert!(p.contains(&shown), "{shown}");
        }
        assert!(p.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_point_has_ten_latencies_above_it() {
        let last = |n: u64| curve(&[blob(1..=n)]).points.last().map(|point| point.p);
        assert_eq!(last(99_999), Some(99.98));
        assert_eq!(last(10_000), Some(99.9));
        assert_eq!(last(9_999), Some(99.8));
        assert_eq!(last(1_000), Some(99.0));
        assert_eq!(last(999), Some(98.0));
        assert_eq!(last(11), None);
    }

    #[test]
    fn trials_are_added() {
        let both = curve(&[blob(1..=500), blob(501..=1_000)]);
        assert_eq!((both.count, both.note), (1_000, None));
        let median = both.points.iter().find(|point| point.p == 50.0).unwrap().us;
        assert!((median - 500.0).abs() < 0.5, "{median}");
        assert!((both.max_us.unwrap() - 1_000.0).abs() < 1.0);
        assert!(both.points.is_sorted_by(|a, b| a.us <= b.us));
    }

    #[test]
    fn no_curve_says_why() {
        let note = |blobs: &[String]| {
            let found = curve(blobs);
            assert_eq!(found.points, []);
            found.note.unwrap()
        };
        assert_eq!(note(&[]), "no histogram");
        assert_eq!(note(&[blob([])]), "no latency in the histograms");
        assert_eq!(note(&[blob(1..=3)]), "3 latencies are too few for a percentile");
        let torn = note(&[blob(1..=3_000), "AAAA".to_owned()]);
        assert!(torn.starts_with("histogram 2 of 2 cannot be read: "), "{torn}");
    }
}
