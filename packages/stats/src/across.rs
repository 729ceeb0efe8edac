//! An entry in one run beside an entry in another. What differs between two runs is more than the entries: the time of day,
//! where a process lands in memory, who else is busy. No interval of a single run has that in it, so there is a ratio of medians
//! here and never a verdict.

use crate::math::positive;
use crate::summary::{EntrySummary, Metric, Spread};

/// Why two runs have no verdict, and what to do.
pub const NO_VERDICT: &str = "There is no verdict: the intervals of a run do not contain the variation between runs, so a difference \
                              between two runs may be the host's. Measure both in one run instead.";

/// What the scenario compares, of an entry; `None` where nothing was measured that counts.
#[must_use]
pub fn figure(metric: Metric, entry: &EntrySummary) -> Option<Spread> {
    let percentile = |p: f64| entry.percentiles.iter().find(|x| x.p == p).and_then(|x| x.us);
    match metric {
        Metric::RequestsPerS => entry.requests_per_s,
        Metric::P99Us => percentile(99.0),
        Metric::FirstByteP50Us => percentile(50.0),
        Metric::CpuUsPerRequest => entry.cpu_us_per_request,
    }
}

/// Median of `b` ÷ median of `a`. `None` where one is unknown or only a bound.
#[must_use]
pub fn ratio_of_medians(metric: Metric, a: &EntrySummary, b: &EntrySummary) -> Option<f64> {
    let bound = |entry: &EntrySummary| entry.lower_bound && metric != Metric::CpuUsPerRequest;
    if bound(a) || bound(b) {
        return None;
    }
    let median = |entry| positive(figure(metric, entry)?.median);
    Some(median(b)? / median(a)?).filter(|ratio| ratio.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{about, bind, closed, noisy};

    #[test]
    fn medians_of_two_runs_and_none_of_a_bound() {
        let of = |rate: f64| closed(&[("a", &noisy(rate, 5))]);
        let (first, second) = (about(&of(100.0), "a"), about(&of(150.0), "a"));
        let ratio = ratio_of_medians(Metric::RequestsPerS, &first, &second).unwrap();
        assert!((ratio - 1.5).abs() < 1e-9);
        let mut bound = of(150.0);
        bind(&mut bound, "a");
        assert_eq!(
            ratio_of_medians(Metric::RequestsPerS, &first, &about(&bound, "a")),
            None
        );
        assert_eq!(ratio_of_medians(Metric::P99Us, &first, &second), None);
    }
}
