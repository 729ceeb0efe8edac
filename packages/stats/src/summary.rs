//! What comes out: spreads, ratios, ranks, verdicts and the sentences that say them, field by field as in `src-ts/types/summary.ts`.

pub use crate::codes::{NoCpuCode, NoVerdictCode, NoWinnerCode, PercentileNoteCode, UnrankedCode};
use crate::input::{Limit, Rounds};
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
    /// Why there is no winner; `None` when there is one.
    #[serde(default)]
    pub no_winner_code: Option<NoWinnerCode>,
    /// The same in a few words such as `no difference shown`.
    pub no_winner: Option<String>,
    #[serde(default)]
    pub no_winner_zh: Option<String>,
    /// Why no difference was shown between any two; `None` when one was.
    #[serde(default)]
    pub no_verdict: Option<NoVerdict>,
    /// How many blocks count; `None` without an entry.
    #[serde(default)]
    pub blocks: Option<Blocks>,
    /// By rank, then those without one: the baseline, then as they were declared.
    pub entries: Vec<EntrySummary>,
    /// The verdict sentence.
    pub sentence: String,
    #[serde(default)]
    pub sentence_zh: String,
}

/// Why no difference was shown under a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NoVerdict {
    pub code: NoVerdictCode,
    /// Which entry it is about, against the baseline; `None` where there is nothing to compare.
    pub entry_key: Option<String>,
    /// The two, or the one of them, that the tool was the bottleneck of: with `tool-limit`.
    pub limited: Vec<String>,
    /// The smallest difference that would have been shown with the chance `power`, as a ratio − 1: with `no-difference`.
    pub difference: Option<f64>,
    pub power: Option<f64>,
    /// Of the first trial that does not count, with `blocks-invalid`; why there is no figure, with `no-figure`.
    pub reason: Option<String>,
    /// The same in Chinese, where it is not text from elsewhere.
    #[serde(default)]
    pub reason_zh: Option<String>,
    /// What it is, and what to do.
    pub sentence: String,
    pub sentence_zh: String,
}

/// Blocks of a scenario. Those that count are the ones that the comparison of its sentence is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Blocks {
    /// For a verdict.
    pub needed: u32,
    pub asked: Option<u32>,
    pub measured: u32,
    pub counted: u32,
    /// Of those that do not count: disturbed by the host.
    pub disturbed: u32,
    /// The largest share of the time that the hypervisor took of a trial in them.
    pub steal_max: Option<f64>,
    /// The largest share of all cores' time that programs beside the run used during a trial in them.
    pub others_max: Option<f64>,
    /// In the blocks that count.
    pub rounds: Option<Rounds>,
    /// Which do not count and why; `None` where all count.
    pub sentence: Option<String>,
    pub sentence_zh: Option<String>,
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
    /// Single requests in a closed loop, timed to the first byte: the median of their time in µs. It ranks nobody.
    #[serde(rename = "first_byte_p50_us")]
    FirstByteP50Us,
}

impl Metric {
    /// Whether more is better.
    #[must_use]
    pub fn more_is_better(self) -> bool {
        self == Self::RequestsPerS
    }

    /// Whether entries are compared by it.
    #[must_use]
    pub fn ranks(self) -> bool {
        self != Self::FirstByteP50Us
    }
}

/// One entry under one scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntrySummary {
    pub entry_key: String,
    /// The best rank that the entry can have, 1 + the number of those that were shown to be better: see [`crate::rank`].
    /// `None` where no verdict shows a difference.
    pub rank: Option<u32>,
    /// The worst rank that it can have; `None` where `rank` is.
    #[serde(default)]
    pub rank_to: Option<u32>,
    /// Why its figures are compared with nobody's; `None` when they are.
    #[serde(default)]
    pub unranked_code: Option<UnrankedCode>,
    /// The same in words.
    pub unranked_reason: Option<String>,
    #[serde(default)]
    pub unranked_reason_zh: Option<String>,
    /// In how many of its valid trials it did not sustain the rate; `None` where it did, and where none was fixed.
    #[serde(default)]
    pub not_sustained: Option<NotSustained>,
    /// Its trials, valid or not, by block.
    #[serde(default)]
    pub trials: Vec<TrialFigures>,
    /// Blocks in which the figures of the entry and of the baseline count; `None` for the baseline itself.
    #[serde(default)]
    pub blocks_in_common: Option<u32>,
    /// What the load tool's being the limit makes of `ratio`.
    #[serde(default)]
    pub ratio_bound: Option<BoundSide>,
    pub trials_valid: u32,
    /// All others: invalid, failed and cancelled.
    pub trials_invalid: u32,
    pub requests_per_s: Option<Spread>,
    /// The generator was the bottleneck in at least half of the valid trials: the server is at least this good.
    pub lower_bound: bool,
    /// What that makes of its latencies: at a fixed rate the tool's own delay is in each.
    #[serde(default)]
    pub latency_bound: Option<BoundSide>,
    /// A lower bound of the rate that another entry has too: see [`crate::ceiling`].
    #[serde(default)]
    pub shared_ceiling: bool,
    /// What limited most of the valid trials; `None` when unknown or mixed.
    pub limit: Option<Limit>,
    /// Cores that the server kept busy.
    #[serde(default)]
    pub server_cpu_cores: Option<Spread>,
    /// Latency as the tool printed it.
    #[serde(default)]
    pub tool_latency: ToolLatency,
    /// Why it is not known what a request costs; `None` where it is.
    #[serde(default)]
    pub no_cpu_code: Option<NoCpuCode>,
    /// CPU time of the server in µs for each answered request.
    pub cpu_us_per_request: Option<Spread>,
    /// Bytes.
    pub rss_peak_bytes: Option<Spread>,
    /// Bytes received for each answered request.
    pub bytes_per_request: Option<Spread>,
    #[serde(default)]
    pub efficiency: Efficiency,
    /// 50, 90, 97.5, 99 and 99.9 percent, in this order.
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

/// What a tool prints of latency beside percentiles, in µs. Shown, and compared with nobody's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolLatency {
    pub mean_us: Option<ToolFigure>,
    pub stdev_us: Option<ToolFigure>,
    pub min_us: Option<ToolFigure>,
    pub max_us: Option<ToolFigure>,
}

/// A figure over the valid trials that have it; `None` stands for one that none has.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ToolFigure {
    pub n: u32,
    /// Of an even number the lower one in the middle, which a tool printed.
    pub median: f64,
}

/// A fixed rate that was not sustained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotSustained {
    pub trials: u32,
    pub of: u32,
    /// `rate not sustained in 3 of 5 trials`
    pub words: String,
    pub words_zh: String,
}

/// What a trial counts for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialFigures {
    pub trial_id: String,
    /// Whether its figure of the scenario's metric is in the median and in the ratio.
    pub counts: bool,
    /// What the tool's being the limit of the trial makes of that figure.
    #[serde(default)]
    pub bound: Option<BoundSide>,
    /// CPU time of the server in µs for each answered request; `None` where it is unknown.
    pub cpu_us_per_request: Option<f64>,
}

/// A figure or a ratio that is a bound: the true one is at least, or at most, so large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoundSide {
    AtLeast,
    AtMost,
}

/// Responses for what an entry uses.
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
    /// In percent.
    pub p: f64,
    /// In µs, over the trials in which it counts; `None` when it counts in none.
    pub us: Option<Spread>,
    pub rankable: bool,
    /// Why it does not count, counts in some trials only, or counts and does not rank; `None` where it ranks.
    #[serde(default)]
    pub note_code: Option<PercentileNoteCode>,
    /// The same in words.
    pub note: Option<String>,
    #[serde(default)]
    pub note_zh: Option<String>,
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
