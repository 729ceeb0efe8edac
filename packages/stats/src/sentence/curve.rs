//! Why a latency curve has no points, or ends early.

use super::number::figure;
use crate::curve::NoCurve;

/// A few words.
#[must_use]
pub fn words(why: &NoCurve) -> String {
    match why {
        NoCurve::NoHistogram => "no histogram".to_owned(),
        NoCurve::NoLatency => "no latency in the histograms".to_owned(),
        NoCurve::TooFew(n) => format!("{n} latencies are too few for a percentile"),
        NoCurve::Unreadable { at, of, error } => format!("histogram {at} of {of} cannot be read: {error}"),
        NoCurve::Lost(share) => format!(
            "{} % of the requests were dropped, late or failed",
            figure(share * 100.0)
        ),
    }
}
