//! The percentile curve of an entry: points for a plot over the number of nines.

use crate::histogram::MergedHistogram;
use crate::over_time::{MOST_COLUMNS, OverTime, TrialColumns, over_time};
use crate::percentile::counts;
use crate::sentence;
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
    /// Why there is no point, or none for the highest percentiles; `None` when all are there.
    pub note: Option<String>,
    #[serde(default)]
    pub note_zh: Option<String>,
    /// The same over time, coarse; `None` where no trial tells.
    #[serde(default)]
    pub over_time: Option<OverTime>,
}

/// One point of the curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// In percent.
    pub p: f64,
    pub us: f64,
}

/// Nine steps for each nine, and the quartiles and the 97.5 that tables have: hundredths of a percent.
fn places() -> Vec<u32> {
    let mut places: Vec<u32> = [1_000, 100, 10, 1]
        .into_iter()
        .flat_map(|step| (1..10).map(move |i| 10_000 - 10 * step + i * step))
        .chain([2_500, 7_500, 9_750])
        .collect();
    places.sort_unstable();
    places
}

/// What a curve is made from.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct CurveInput {
    /// Histograms of an entry's trials.
    pub blobs: Vec<String>,
    /// The same trials, for what has no latency in the histograms.
    #[serde(default)]
    pub trials: Vec<CurveTrial>,
    /// The same trials over time, in the order of the run, as far as they tell.
    #[serde(default)]
    pub over_time: Vec<TrialColumns>,
    /// Columns of `over_time` in what comes out; `None`: as many as a page has room for.
    #[serde(default)]
    pub most_columns: Option<usize>,
}

/// The requests of one trial.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CurveTrial {
    /// That had a response, right or wrong.
    pub requests: f64,
    pub failures_total: f64,
    #[serde(default)]
    pub offered: Option<CurveOffered>,
}

/// What was meant to be sent at a fixed rate (`requests`), and what of it never was (`dropped`).
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CurveOffered {
    pub requests: f64,
    pub dropped: f64,
}

/// The share of the requests of all trials that have no latency, or none that counts: dropped, late or failed, each once.
/// Late are the offered ones that were neither dropped nor finished. A closed loop offers what it sends.
fn lost_share(trials: &[CurveTrial]) -> f64 {
    let (mut offered, mut lost) = (0.0, 0.0);
    for trial in trials {
        let dropped = trial.offered.as_ref().map_or(0.0, |o| o.dropped);
        let asked = trial.offered.as_ref().map_or(trial.requests, |o| o.requests);
        offered += asked;
        lost += dropped + (asked - dropped - trial.requests).max(trial.failures_total).max(0.0);
    }
    if offered > 0.0 { lost / offered } else { 1.0 }
}

/// Adds the histograms of an entry's trials and reads the curve. One blob that cannot be read leaves no points: a
/// curve of the others would pass for all. A percentile counts when so few requests were lost that they could not move it.
#[must_use]
pub fn curve(input: &CurveInput) -> Curve {
    let mut sum = MergedHistogram::default();
    for (at, blob) in input.blobs.iter().enumerate() {
        if let Err(error) = sum.add(blob) {
            let why = NoCurve::Unreadable {
                at: at + 1,
                of: input.blobs.len(),
                error: error.to_string(),
            };
            return Curve::of(0, None, Vec::new(), Some(why));
        }
    }
    let count = sum.count();
    let enough = |place: &u32| u128::from(count) * u128::from(10_000 - place) >= 10 * 10_000;
    let point = |place: u32| {
        let p = f64::from(place) / 100.0;
        Some(Point {
            p,
            us: sum.percentile_us(p)?,
        })
    };
    let mut points: Vec<Point> = places().into_iter().filter(enough).filter_map(point).collect();
    let mut why = points.is_empty().then_some(match (input.blobs.len(), count) {
        (0, _) => NoCurve::NoHistogram,
        (_, 0) => NoCurve::NoLatency,
        (_, n) => NoCurve::TooFew(n),
    });
    if !input.trials.is_empty() {
        let (lost, all) = (lost_share(&input.trials), points.len());
        points.retain(|point| counts(point.p, lost));
        if points.len() < all {
            why = Some(NoCurve::Lost(lost));
        }
    }
    Curve {
        over_time: over_time(&input.over_time, input.most_columns.unwrap_or(MOST_COLUMNS)),
        ..Curve::of(count, sum.max_us(), points, why)
    }
}

/// Why a curve has no points, or ends early.
#[derive(Debug, Clone, PartialEq)]
pub enum NoCurve {
    NoHistogram,
    NoLatency,
    TooFew(u64),
    Unreadable {
        at: usize,
        of: usize,
        error: String,
    },
    /// This share of the requests was dropped, late or failed.
    Lost(f64),
}

impl Curve {
    fn of(count: u64, max_us: Option<f64>, points: Vec<Point>, why: Option<NoCurve>) -> Self {
        Self {
            count,
            max_us,
            points,
            note: why.as_ref().map(sentence::curve::words),
            note_zh: why.as_ref().map(sentence::zh::curve::words),
            over_time: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::histogram::tests::blob;

    fn curve(blobs: &[String]) -> Curve {
        super::curve(&CurveInput {
            blobs: blobs.to_vec(),
            ..CurveInput::default()
        })
    }

    fn trial(requests: f64, dropped: f64, failures_total: f64, offered: Option<f64>) -> CurveTrial {
        CurveTrial {
            requests,
            failures_total,
            offered: offered.map(|requests| CurveOffered { requests, dropped }),
        }
    }

    #[test]
    fn dropped_late_and_failed_requests_are_lost_once() {
        assert_eq!(lost_share(&[trial(1_000.0, 0.0, 0.0, None)]), 0.0);
        assert_eq!(lost_share(&[trial(1_000.0, 0.0, 10.0, None)]), 0.01);
        assert_eq!(lost_share(&[trial(980.0, 10.0, 5.0, Some(1_000.0))]), 0.02);
        let two = [
            trial(1_000.0, 0.0, 0.0, Some(1_000.0)),
            trial(980.0, 10.0, 10.0, Some(1_000.0)),
        ];
        assert_eq!(lost_share(&two), 0.01);
    }

    #[test]
    fn a_percentile_that_lost_requests_could_move_is_no_point() {
        let with = |lost: f64| {
            super::curve(&CurveInput {
                blobs: vec![blob(1..=100_000)],
                trials: vec![trial(1_000_000.0 - lost, 0.0, 0.0, Some(1_000_000.0))],
                ..CurveInput::default()
            })
        };
        let last = |found: &Curve| found.points.last().map(|point| point.p);
        assert_eq!((last(&with(0.0)), with(0.0).note), (Some(99.99), None));
        let cut = with(1_000.0);
        assert_eq!(last(&cut), Some(99.0));
        assert_eq!(
            cut.note.as_deref(),
            Some("0.100 % of the requests were dropped, late or failed")
        );
    }

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
