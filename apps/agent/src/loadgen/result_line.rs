//! The result line: made here, read by `parser::loadgen`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};
use rigmark_stats::bands::Column;
use serde::{Deserialize, Serialize};

use super::plan::{BackendName, LoadPlan};
use super::tally::{LoadFault, LoadTally};
use crate::protocol::result::KneeSearch;
use crate::protocol::spec::Load;

const PERCENTILES: [f64; 9] = [50.0, 75.0, 90.0, 95.0, 97.5, 99.0, 99.9, 99.99, 99.999];
/// Of the normal distribution: there are many samples.
const Z95: f64 = 1.959_964;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "result")]
pub struct ResultLine {
    pub version: String,
    pub backend: BackendName,
    pub duration_us: f64,
    pub requests: f64,
    pub bytes: f64,
    pub failures: Kinds,
    pub connections: f64,
    /// By class, 1xx to 5xx; empty on a WebSocket.
    pub statuses: Vec<f64>,
    pub latency_ns: Option<Times>,
    pub until_first_byte: bool,
    pub offered: Option<Offer>,
    pub histogram: String,
    /// The same by time, in microseconds since the load began. What older ones printed has none.
    #[serde(default)]
    pub over_time: Vec<Column>,
    /// Of a search: all else is of the step that confirmed its rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knee: Option<KneeSearch>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kinds {
    pub connect: f64,
    pub read: f64,
    pub write: f64,
    pub timeout: f64,
    pub status: f64,
    pub length: f64,
    pub content: f64,
    pub other: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Times {
    pub min: f64,
    pub max: f64,
    pub mean: f64,
    pub stdev: f64,
    pub percentiles: Vec<(f64, f64)>,
    pub mean_ci95: Option<f64>,
    pub outliers: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    pub rate_per_s: f64,
    pub requests: f64,
    pub dropped: f64,
}

impl ResultLine {
    pub fn of(plan: &LoadPlan, backend: BackendName, tally: &LoadTally) -> Self {
        let fault = |f: LoadFault| tally.faults[f as usize] as f64;
        let lasted_ns = tally.end_ns.saturating_sub(tally.begin_ns);
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            backend,
            duration_us: (lasted_ns as f64 / 1e3).round(),
            requests: tally.requests as f64,
            bytes: tally.bytes as f64,
            failures: Kinds {
                connect: fault(LoadFault::Connect),
                read: fault(LoadFault::Read),
                write: fault(LoadFault::Write),
                timeout: fault(LoadFault::Timeout),
                status: fault(LoadFault::Status),
                length: fault(LoadFault::Length),
                content: fault(LoadFault::Content),
                other: fault(LoadFault::Other),
            },
            connections: tally.connections as f64,
            statuses: if plan.message.is_some() {
                Vec::new()
            } else {
                tally.statuses[1..].iter().map(|n| *n as f64).collect()
            },
            latency_ns: (tally.requests > 0).then(|| times(tally)),
            until_first_byte: plan.first_byte,
            offered: match plan.job.scenario.load {
                Load::Rate { rate_per_s, .. } => Some(Offer {
                    rate_per_s: f64::from(rate_per_s),
                    requests: tally.offered as f64,
                    dropped: tally.dropped as f64,
                }),
                _ => None,
            },
            histogram: blob(tally),
            over_time: tally.over_time.columns(lasted_ns),
            knee: None,
        }
    }
}

fn times(tally: &LoadTally) -> Times {
    let n = tally.requests as f64;
    let mean = tally.sum_ns / n;
    let stdev = (tally.squares / n - mean * mean).max(0.0).sqrt();
    let at = |p: f64| {
        let ns = tally.latency.value_at_quantile(p / 100.0);
        (p, ns.clamp(tally.min_ns, tally.max_ns) as f64)
    };
    Times {
        min: tally.min_ns as f64,
        max: tally.max_ns as f64,
        mean,
        stdev,
        percentiles: PERCENTILES.map(at).to_vec(),
        mean_ci95: tally.samples.as_ref().map(|_| Z95 * stdev / n.sqrt()),
        outliers: tally.samples.as_ref().map(|samples| outliers(samples) as f64),
    }
}

/// Beyond Tukey's inner fences: 1.5 × the distance of the quartiles, as criterion counts its mild and severe ones.
pub fn outliers(samples: &[u64]) -> usize {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    if sorted.len() < 2 {
        return 0;
    }
    let quartile = |q: f64| {
        let at = q * (sorted.len() - 1) as f64;
        let (below, above) = (sorted[at.floor() as usize] as f64, sorted[at.ceil() as usize] as f64);
        below + (above - below) * at.fract()
    };
    let (q1, q3) = (quartile(0.25), quartile(0.75));
    let reach = 1.5 * (q3 - q1);
    let out = |ns: &&u64| (**ns as f64) < q1 - reach || (**ns as f64) > q3 + reach;
    sorted.iter().filter(out).count()
}

fn blob(tally: &LoadTally) -> String {
    let mut bytes = Vec::new();
    match V2DeflateSerializer::new().serialize(&tally.latency, &mut bytes) {
        Ok(_) => STANDARD.encode(bytes),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::outliers;

    #[test]
    fn outliers_are_beyond_the_fences() {
        let mut samples: Vec<u64> = (1000..1100).collect();
        assert_eq!(outliers(&samples), 0);
        samples.extend([10, 5000, 1200]);
        assert_eq!(outliers(&samples), 3);
        assert_eq!(outliers(&[]), 0);
    }
}
