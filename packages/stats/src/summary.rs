//! What comes out: spreads, ratios, ranks, verdicts and the sentences that say them, as INTERFACE.md states them.

use crate::input::Limit;
use serde::{Deserialize, Serialize};

/// What the numbers of one run mean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Always 1.
    pub schema: u32,
    /// The verdict on the whole run.
    pub sentence: String,
    /// The same in Chinese.
    #[serde(default)]
    pub sentence_zh: String,
    pub scenarios: Vec<ScenarioSummary>,
}

/// What the numbers of one scenario mean. All of them were produced by one tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScenarioSummary {
    pub scenario: String,
    /// What ranks, and what [`Ratio`] is a ratio of.
    pub metric: Metric,
    /// The one entry of rank 1, when verdicts show it to be faster than every other that is ranked.
    pub winner_key: Option<String>,
    /// Why there is no winner, in a few words such as `no difference shown`; `None` when there is one.
    pub no_winner: Option<String>,
    /// Ranked entries first, in order.
    pub entries: Vec<EntrySummary>,
    /// The verdict sentence.
    pub sentence: String,
    #[serde(default)]
    pub sentence_zh: String,
}

/// The metric that ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Metric {
    /// Closed loop: requests a second, more is better.
    #[serde(rename = "requests_per_s")]
    RequestsPerS,
    /// Fixed rate: the 99th percentile of latency in µs, less is better.
    #[serde(rename = "p99_us")]
    P99Us,
    /// CPU time of the server in µs for each answered request, less is better. The load tool is in none of it, so a
    /// generator at its limit makes no bound of it.
    #[serde(rename = "cpu_us_per_request")]
    CpuUsPerRequest,
}

impl Metric {
    /// Whether more is better.
    #[must_use]
    pub fn more_is_better(self) -> bool {
        self == Self::RequestsPerS
    }
}

/// One entry under one scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntrySummary {
    pub entry_key: String,
    /// The place of the median among the medians, 1 being the best; no verdict. Equal ones share a rank.
    pub rank: Option<u32>,
    pub unranked_reason: Option<String>,
    pub trials_valid: u32,
    /// All others: invalid, failed and cancelled.
    pub trials_invalid: u32,
    pub requests_per_s: Option<Spread>,
    /// The generator was the limit in at least half of the valid trials: the server is at least this good.
    pub lower_bound: bool,
    /// A lower bound of the rate that another entry has too: see [`crate::ceiling`].
    #[serde(default)]
    pub shared_ceiling: bool,
    /// What limited most of the valid trials; `None` when unknown or mixed.
    pub limit: Option<Limit>,
    /// CPU time of the server in µs for each answered request.
    pub cpu_us_per_request: Option<Spread>,
    /// Bytes.
    pub rss_peak_bytes: Option<Spread>,
    /// Bytes received for each answered request.
    pub bytes_per_request: Option<Spread>,
    #[serde(default)]
    pub efficiency: Efficiency,
    /// 50, 90, 97.5, 99 and 99.9 per cent, in this order.
    pub percentiles: Vec<PercentileSummary>,
    pub ratio: Option<Ratio>,
    pub verdict: Option<Verdict>,
    /// How large the difference is against the noise from block to block: see [`crate::effect`].
    #[serde(default)]
    pub effect: Option<f64>,
    /// Among the trials' values of the scenario's metric.
    #[serde(default)]
    pub outliers: Option<Outliers>,
    /// About this entry alone, or against the baseline.
    pub sentence: String,
    #[serde(default)]
    pub sentence_zh: String,
}

/// What an entry answers for what it uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Efficiency {
    /// Answered requests for each second of the server's CPU time: the reciprocal of `cpu_us_per_request`.
    pub requests_per_s_per_core: Option<Spread>,
    /// Requests a second for each MiB of the server's largest resident memory; a lower bound where the rate is one.
    pub requests_per_s_per_mib: Option<Spread>,
    /// µJ of the whole package or board, tool and all, for each answered request.
    pub energy_uj_per_request: Option<Spread>,
    /// Bytes on the loopback, both ways with all headers, for each answered request.
    pub wire_bytes_per_request: Option<Spread>,
}

/// Values beyond Tukey's fences: see [`crate::outliers`]. They stay in everything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outliers {
    pub low_severe: u32,
    pub low_mild: u32,
    pub high_mild: u32,
    pub high_severe: u32,
}

/// The spread of one figure over the trials of an entry, in the figure's own unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    pub n: u32,
    /// Of an even number of percentiles the lower one in the middle, of anything else the middle of the two.
    pub median: f64,
    pub min: f64,
    pub max: f64,
    /// Standard deviation ÷ mean, as a ratio; `None` for one value.
    pub cv: Option<f64>,
}

/// One percentile of latency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PercentileSummary {
    /// In per cent.
    pub p: f64,
    /// In µs, over the trials in which it counts; `None` when it counts in none.
    pub us: Option<Spread>,
    pub rankable: bool,
    pub note: Option<String>,
}

/// The ratio of the scenario's metric to the baseline's, entry ÷ baseline, and its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    pub estimate: f64,
    pub low: f64,
    pub high: f64,
    /// 0.95.
    pub confidence: f64,
}

/// What a comparison with the baseline showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Faster,
    Slower,
    NoDifference,
    NotComparable,
}
