//! What goes in: the trials of one run, field by field as in `src-ts/types/summary-input.ts`.

use crate::summary::{BoundSide, Metric};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::HashSet;

/// The trials of one run. Numbers are as measured; what is unknown is `None`, and a number that cannot be right
/// (NaN, infinite, zero or negative where only a positive one has a meaning) is treated as unknown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SummaryInput {
    /// Always 1.
    pub schema: u32,
    /// The entry that others are compared with; `None` means the first entry.
    pub baseline_key: Option<String>,
    pub entries: Vec<EntryInput>,
    pub scenarios: Vec<ScenarioInput>,
    pub trials: Vec<TrialInput>,
    /// Entries that gave wrong responses: shown with the reason and never ranked.
    pub failed_verification: Vec<FailedVerification>,
    /// How often the run may be looked at before it ends; 0 counts as 1. The error level is divided by it, so that a run
    /// that ends early keeps it (Bonferroni).
    #[serde(default = "one")]
    pub looks: u32,
    /// How many blocks the run asked for; `None` where nobody said.
    #[serde(default)]
    pub blocks_asked: Option<u32>,
}

fn one() -> u32 {
    1
}

/// A server with its options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntryInput {
    pub key: String,
    pub label: String,
}

/// One workload under one load by one tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScenarioInput {
    pub id: String,
    pub title: String,
    pub tool: String,
    pub load: LoadKind,
    /// Requests a second that the tool offers; only for [`LoadKind::Rate`].
    pub rate_per_s: Option<f64>,
    /// What entries are compared by, where the load allows it: see [`ScenarioInput::metric`].
    #[serde(default)]
    pub judged_by: Option<Metric>,
    /// Where latency ends; `None` is the last byte.
    #[serde(default)]
    pub latency_until: Option<LatencyUntil>,
    /// Of a closed loop: see [`TrialInput::under_way`].
    #[serde(default)]
    pub connections: Option<u32>,
    /// Requests that each connection has under way at a time; `None` is 1.
    #[serde(default)]
    pub in_flight: Option<u32>,
}

/// What ends the latency of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LatencyUntil {
    FirstByte,
    LastByte,
}

/// How the tool decides when to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoadKind {
    /// Each connection sends its next request after the last response.
    Closed,
    /// The same until a number of requests was sent, as often as it takes.
    Count,
    /// Requests are sent at a fixed rate, answered or not.
    Rate,
    /// A search for the highest fixed rate that keeps a bound of latency; what is found is the trial's throughput.
    Knee,
}

/// One entry under one scenario in one block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialInput {
    pub trial_id: String,
    pub entry_key: String,
    /// The id of the scenario.
    pub scenario: String,
    pub block: u64,
    pub status: TrialStatus,
    /// The first reason's message when the trial is not valid.
    pub reason: Option<String>,
    pub limit: Option<Limit>,
    /// Requests that were answered, right or wrong.
    pub requests: Option<f64>,
    pub requests_per_s: Option<f64>,
    pub failures_total: Option<f64>,
    pub offered: Option<Offered>,
    /// CPU time of the server over the measured window, in µs.
    pub server_cpu_us: Option<f64>,
    pub server_rss_peak_bytes: Option<f64>,
    pub bytes_received: Option<f64>,
    pub percentiles: Vec<Percentile>,
    pub mean_us: Option<f64>,
    /// The rest that tools print of latency, in µs.
    #[serde(default)]
    pub stdev_us: Option<f64>,
    #[serde(default)]
    pub min_us: Option<f64>,
    #[serde(default)]
    pub max_us: Option<f64>,
    /// How long it was measured, in µs.
    #[serde(default)]
    pub window_us: Option<f64>,
    /// Energy of the whole package or board over the measured window, in µJ.
    #[serde(default)]
    pub energy_uj: Option<f64>,
    /// Bytes on the trial's own loopback over the measured window.
    #[serde(default)]
    pub loopback_bytes: Option<f64>,
    /// Windows of load; `None` counts as one.
    #[serde(default)]
    pub windows: Option<u32>,
    /// The first reason's code when the trial is not valid: see [`TrialInput::disturbed`].
    #[serde(default)]
    pub reason_code: Option<String>,
    /// Share of the time that the hypervisor took while the trial was measured.
    #[serde(default)]
    pub steal_ratio: Option<f64>,
    /// Share of all cores' time that the host took while it was measured: steal and other programs.
    #[serde(default)]
    pub taken_ratio: Option<f64>,
    /// Of a trial in slices; `None` where nobody counted them.
    #[serde(default)]
    pub rounds: Option<Rounds>,
}

/// A round is one slice of each entry of a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rounds {
    /// All that were measured, those that were left out among them.
    pub measured: u32,
    /// Left out, for all entries alike, because the host disturbed one of their slices.
    pub left_out: u32,
}

/// Reasons that the host gave: its block was disturbed, or the trial itself. `steal` is of journals from older agents.
const BY_THE_HOST: [&str; 5] = [
    "host-disturbed",
    "steal",
    "throttled",
    "governor-changed",
    "clock-jumped",
];

impl TrialInput {
    /// Requests that may have been under way when the trial's windows ended: what they cost is measured, and they are not
    /// among `requests`. One for each connection and window, or as many as a connection has in flight. `None` where each
    /// run of the tool ends with its last response, and at a fixed rate, where unfinished requests are counted apart.
    #[must_use]
    pub fn under_way(&self, scenario: &ScenarioInput) -> Option<f64> {
        if scenario.load != LoadKind::Closed {
            return None;
        }
        let of_each_window = f64::from(scenario.connections?) * f64::from(scenario.in_flight.unwrap_or(1));
        Some(of_each_window * f64::from(self.windows.unwrap_or(1).max(1)))
    }

    /// Whether the trial does not count because of what the host did.
    #[must_use]
    pub fn disturbed(&self) -> bool {
        let code = self.reason_code.as_deref();
        self.status != TrialStatus::Valid && code.is_some_and(|code| BY_THE_HOST.contains(&code))
    }
}

/// Whether a trial counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrialStatus {
    Valid,
    Invalid,
    Failed,
    Cancelled,
}

/// Who was the bottleneck: the server, the tool that loads it, or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    ServerBound,
    GeneratorBound,
    NothingSaturated,
}

impl Limit {
    /// What it makes of a trial's figure of `metric`: a tool at its limit cuts a rate off, and its own delay is in each
    /// latency at a fixed rate. In what a request costs the server it has no part.
    #[must_use]
    pub fn bound(self, metric: Metric) -> Option<BoundSide> {
        match (self, metric) {
            (Self::GeneratorBound, Metric::RequestsPerS) => Some(BoundSide::AtLeast),
            (Self::GeneratorBound, Metric::P99Us) => Some(BoundSide::AtMost),
            _ => None,
        }
    }
}

/// What a fixed-rate tool meant to send (`requests`) and what of it was never sent (`dropped`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Offered {
    #[serde(deserialize_with = "null_is_nan")]
    pub rate_per_s: f64,
    #[serde(deserialize_with = "null_is_nan")]
    pub requests: f64,
    #[serde(deserialize_with = "null_is_nan")]
    pub dropped: f64,
}

/// A latency in µs; `p` is in percent, such as 99.9.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Percentile {
    #[serde(deserialize_with = "null_is_nan")]
    pub p: f64,
    #[serde(deserialize_with = "null_is_nan")]
    pub us: f64,
}

/// JSON has no NaN: writers make it null, and null is read as what it was.
fn null_is_nan<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

/// An entry that answered wrongly, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailedVerification {
    pub entry_key: String,
    /// Only under this scenario; `None` is under each.
    #[serde(default)]
    pub scenario: Option<String>,
    pub reason: String,
}

/// Why an input cannot be summarized: it contradicts itself. Odd numbers are not errors, they are unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputError {
    /// The schema is not 1.
    Schema(u32),
    DuplicateEntry(String),
    DuplicateScenario(String),
    DuplicateTrial(String),
    /// The baseline is not among the entries.
    UnknownBaseline(String),
    /// A failed verification of an entry that is not there.
    UnknownFailedEntry(String),
    /// A trial of an entry that is not there.
    UnknownEntry {
        trial_id: String,
        entry_key: String,
    },
    /// A trial of a scenario that is not there.
    UnknownScenario {
        trial_id: String,
        scenario: String,
    },
}

impl std::fmt::Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Schema(found) => write!(f, "the schema is {found}; this version knows schema 1"),
            Self::DuplicateEntry(key) => write!(f, "the entry {key} is there twice"),
            Self::DuplicateScenario(id) => write!(f, "the scenario {id} is there twice"),
            Self::DuplicateTrial(id) => write!(f, "the trial {id} is there twice"),
            Self::UnknownBaseline(key) => write!(f, "the baseline {key} is not among the entries"),
            Self::UnknownFailedEntry(key) => {
                write!(
                    f,
                    "a failed verification names the entry {key}, which is not among the entries"
                )
            }
            Self::UnknownEntry { trial_id, entry_key } => {
                write!(
                    f,
                    "the trial {trial_id} names the entry {entry_key}, which is not among the entries"
                )
            }
            Self::UnknownScenario { trial_id, scenario } => {
                write!(
                    f,
                    "the trial {trial_id} names the scenario {scenario}, which is not among the scenarios"
                )
            }
        }
    }
}

impl std::error::Error for InputError {}

impl SummaryInput {
    /// Checks that the parts belong together.
    ///
    /// # Errors
    /// The first [`InputError`] that is found.
    pub fn check(&self) -> Result<(), InputError> {
        if self.schema != 1 {
            return Err(InputError::Schema(self.schema));
        }
        let mut entries = HashSet::new();
        for entry in &self.entries {
            if !entries.insert(entry.key.as_str()) {
                return Err(InputError::DuplicateEntry(entry.key.clone()));
            }
        }
        let mut scenarios = HashSet::new();
        for scenario in &self.scenarios {
            if !scenarios.insert(scenario.id.as_str()) {
                return Err(InputError::DuplicateScenario(scenario.id.clone()));
            }
        }
        if let Some(key) = self.baseline_key.as_deref().filter(|key| !entries.contains(key)) {
            return Err(InputError::UnknownBaseline(key.to_owned()));
        }
        if let Some(failed) = self
            .failed_verification
            .iter()
            .find(|f| !entries.contains(f.entry_key.as_str()))
        {
            return Err(InputError::UnknownFailedEntry(failed.entry_key.clone()));
        }
        let mut trials = HashSet::new();
        for trial in &self.trials {
            let trial_id = trial.trial_id.clone();
            if !trials.insert(trial.trial_id.as_str()) {
                return Err(InputError::DuplicateTrial(trial_id));
            }
            if !entries.contains(trial.entry_key.as_str()) {
                return Err(InputError::UnknownEntry {
                    trial_id,
                    entry_key: trial.entry_key.clone(),
                });
            }
            if !scenarios.contains(trial.scenario.as_str()) {
                return Err(InputError::UnknownScenario {
                    trial_id,
                    scenario: trial.scenario.clone(),
                });
            }
        }
        Ok(())
    }

    /// The key of the baseline: the declared one, else the first entry's.
    #[must_use]
    pub fn baseline(&self) -> Option<&str> {
        self.baseline_key
            .as_deref()
            .or_else(|| self.entries.first().map(|entry| entry.key.as_str()))
    }
}
