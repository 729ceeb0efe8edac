//! What a tool said and what a trial came to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::spec::ToolName;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Percentile {
    /// In percent: 50, 97.5, 99.9.
    pub p: f64,
    pub us: f64,
}

/// Latency as the tool printed it; what it did not print is `None`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latency {
    pub mean_us: Option<f64>,
    pub min_us: Option<f64>,
    pub max_us: Option<f64>,
    pub stdev_us: Option<f64>,
    pub percentiles: Vec<Percentile>,
    pub resolution_us: f64,
    pub corrected: bool,
    /// Half the width of the 95 % interval of the mean over all samples.
    #[serde(default)]
    pub mean_ci95_us: Option<f64>,
    /// Samples beyond Tukey's inner fences, as criterion counts them.
    #[serde(default)]
    pub outliers: Option<u64>,
    pub source: String,
}

/// Failures by kind; `None` where the tool does not tell that kind apart.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failures {
    pub connect: Option<u64>,
    pub read: Option<u64>,
    pub write: Option<u64>,
    pub timeout: Option<u64>,
    pub status: Option<u64>,
    pub length: Option<u64>,
    /// Of the right length, and other bytes than they should be.
    #[serde(default)]
    pub content: Option<u64>,
    pub other: Option<u64>,
    pub total: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offered {
    pub rate_per_s: f64,
    pub requests: u64,
    pub dropped: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BytesScope {
    Body,
    Total,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KneeEnd {
    Found,
    /// The highest rate that was allowed still held.
    AboveMost,
    /// The first rate did not hold: there is no rate.
    BelowStart,
    /// Nothing held for longer: there is no rate.
    Unconfirmed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KneeStep {
    pub rate_per_s: u32,
    pub duration_s: f64,
    /// `None` where too few requests were answered for it.
    pub p99_us: Option<f64>,
    /// (Dropped + failed) ÷ offered.
    pub lost_ratio: Option<f64>,
    /// (Never sent + sent late) ÷ offered.
    #[serde(default)]
    pub unsent_ratio: Option<f64>,
    /// Cores that the server used meanwhile; the agent's word, not the tool's.
    #[serde(default)]
    pub server_cores: Option<f64>,
    pub held: bool,
}

/// How the search of a knee load went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KneeSearch {
    pub end: KneeEnd,
    pub p99_bound_us: u32,
    pub steps: Vec<KneeStep>,
}

impl KneeSearch {
    pub fn has_rate(&self) -> bool {
        matches!(self.end, KneeEnd::Found | KneeEnd::AboveMost)
    }
}

/// What one run of a tool said, made by a pure parser from its raw output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolResult {
    pub tool: ToolName,
    pub tool_version: Option<String>,
    pub duration_us: u64,
    pub requests: u64,
    pub failures: Failures,
    pub bytes_received: Option<u64>,
    pub bytes_scope: Option<BytesScope>,
    pub requests_per_s: f64,
    pub latency: Option<Latency>,
    pub offered: Option<Offered>,
    pub statuses: Option<BTreeMap<String, u64>>,
    pub thresholds_crossed: Vec<String>,
    /// Connections that were really established.
    #[serde(default)]
    pub connections: Option<u64>,
    /// Of a knee load: the other figures are those of the step that confirmed the rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knee: Option<KneeSearch>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    pub code: String,
    pub message: String,
}

impl Reason {
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            message: message.into(),
        }
    }
}

/// What the trial cost, from the kernel's counters over the measured window.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resources {
    pub window_us: u64,
    pub server_cpu_us: Option<u64>,
    pub tool_cpu_us: Option<u64>,
    pub server_rss_peak_bytes: Option<u64>,
    pub server_threads_max: Option<u64>,
    pub server_context_switches: Option<u64>,
    pub loopback_bytes: Option<u64>,
    pub host_steal_ratio: Option<f64>,
    /// Steal and the CPU time of other programs, of all cores' time.
    #[serde(default)]
    pub host_taken_ratio: Option<f64>,
    pub temperature_max_millic: Option<i64>,
    pub server_cpus: Option<u64>,
    pub tool_cpus: Option<u64>,
    /// Of the whole package or board over the measured window.
    #[serde(default)]
    pub energy_uj: Option<u64>,
    /// More of the server, by the name that it has in `packages/metrics`; what is unknown is not there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    ServerBound,
    GeneratorBound,
    NothingSaturated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrialStatus {
    Valid,
    Invalid,
    Failed,
    Cancelled,
}
