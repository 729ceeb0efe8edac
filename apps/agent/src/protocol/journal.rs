//! The records of the journal: the same lines on disk, on the wire and in `--out`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::facts::HostFacts;
use super::result::{Limit, Reason, Resources, ToolResult, TrialStatus};
use super::spec::{RunSpec, Scenario, ToolName, Workload};

pub const VERSION: u32 = 1;
/// Longest `log.line`, in characters.
pub const LOG_LINE_CHARS: usize = 4096;
/// Longest message, in characters.
pub const MESSAGE_CHARS: usize = 2000;
/// Longest `raw.text`, in bytes.
pub const RAW_TEXT_BYTES: usize = 64 * 1024;

/// One line. `seq` counts from 0 within its stream without gaps; `t_us` is monotonic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub v: u32,
    pub seq: u64,
    pub t_us: u64,
    #[serde(flatten)]
    pub event: Event,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "kebab-case")]
// Made one at a time and written at once: a box would save nothing.
#[expect(clippy::large_enum_variant)]
pub enum Event {
    Begin(Begin),
    Environment(Environment),
    Plan(Plan),
    Phase(Phase),
    Log(Log),
    Verify(Verify),
    Conformance(Conformance),
    Sample(Sample),
    Histogram(Histogram),
    Trial(Trial),
    Label(RunLabel),
    Result(RunResult),
    Raw(Raw),
}

impl Event {
    /// Raw tool output travels in a stream of its own.
    pub fn stream(&self) -> super::wire::StreamName {
        match self {
            Event::Raw(_) => super::wire::StreamName::Raw,
            _ => super::wire::StreamName::Journal,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Begin {
    pub run_id: Uuid,
    pub attempt_id: Uuid,
    pub attempt_no: u32,
    /// Microseconds since the Unix epoch at this record's `t_us`.
    pub wall_us: u64,
    pub boot_id: String,
    pub agent_version: String,
    pub spec: RunSpec,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolVersion {
    pub name: ToolName,
    pub version: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    pub facts: HostFacts,
    pub tools: Vec<ToolVersion>,
    pub load1_before: Option<f64>,
    pub sandboxed: bool,
    pub control_plane_same_host: Option<bool>,
    /// sha256 over all that has to be the same for two runs to be comparable.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// What `--tune` changed for the length of the run.
    #[serde(default)]
    pub tuned: Vec<Tuned>,
    /// Which cores the server and the tool were kept on, in words.
    #[serde(default)]
    pub core_split: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuned {
    pub name: String,
    pub before: String,
    pub during: String,
}

/// An entry as it really competes; `key` is made by `runner::plan::entry`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanEntry {
    pub key: String,
    pub label: String,
    pub server: String,
    pub title: String,
    pub content_hash: String,
    pub options: BTreeMap<String, i64>,
    pub baseline: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanTrial {
    pub trial_id: Uuid,
    pub entry_key: String,
    pub scenario: String,
    pub block: u32,
    pub position: u32,
    pub slices: u32,
    pub warmup_s: f64,
    pub duration_s: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub seed: u64,
    pub prng: String,
    pub shuffle: String,
    pub entries: Vec<PlanEntry>,
    pub scenarios: Vec<Scenario>,
    pub trials: Vec<PlanTrial>,
    pub planned_s: f64,
    /// `trials` has all blocks up to `most`; those that were not needed are not run.
    #[serde(default)]
    pub blocks: Option<PlanBlocks>,
    /// Blocks that take the place of those that the host disturbed, one scenario at a time; they are not in `planned_s`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reserve: Vec<PlanTrial>,
    /// After so many seconds of measuring no block is begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit_s: Option<f64>,
}

/// How many blocks a run has, and when it may end before the last of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanBlocks {
    pub least: u32,
    pub most: u32,
    /// After how many blocks the run is looked at; the last is `most`.
    pub looks: Vec<u32>,
    pub precision: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PhaseName {
    Preflight,
    Build,
    Start,
    Verify,
    WarmUp,
    Measure,
    VerifyAfter,
    CleanUp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PhaseStatus {
    Begin,
    End,
    Failed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    pub phase: PhaseName,
    pub status: PhaseStatus,
    pub entry_key: Option<String>,
    pub trial_id: Option<Uuid>,
    pub message: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogSource {
    Agent,
    Build,
    Server,
    Tool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    Info,
    Warn,
    Error,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    pub source: LogSource,
    pub level: Level,
    pub entry_key: Option<String>,
    pub trial_id: Option<Uuid>,
    pub line: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    Before,
    During,
    After,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerifyStatus {
    Passed,
    Failed,
    Skipped,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerifyCheck {
    pub id: String,
    pub title: String,
    pub status: VerifyStatus,
    pub message: Option<String>,
    pub expected_bytes: Option<u64>,
    pub actual_bytes: Option<u64>,
}

/// `status` is never `Skipped`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verify {
    pub entry_key: String,
    pub trial_id: Option<Uuid>,
    pub when: When,
    pub workload: Workload,
    pub status: VerifyStatus,
    pub checks: Vec<VerifyCheck>,
}

/// What a build does beyond what any load asks for. It leaves nobody out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conformance {
    pub entry_key: String,
    pub workload: Workload,
    pub checks: Vec<VerifyCheck>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Window {
    WarmUp,
    Measure,
}

/// Cumulative counters of a process tree.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessCounters {
    pub cpu_us: Option<u64>,
    pub rss_bytes: Option<u64>,
    pub processes: Option<u64>,
    pub threads: Option<u64>,
    pub context_switches: Option<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostCounters {
    pub cpu_busy_us: Option<u64>,
    pub cpu_total_us: Option<u64>,
    pub cpu_steal_us: Option<u64>,
    pub load1: Option<f64>,
    pub memory_available_bytes: Option<u64>,
    pub temperature_millic: Option<i64>,
    pub frequency_khz: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    pub trial_id: Uuid,
    pub window: Window,
    pub requests: Option<u64>,
    /// When the tool printed that count, on the agent's clock.
    #[serde(default)]
    pub requests_t_us: Option<u64>,
    pub loopback_bytes: Option<u64>,
    pub server: Option<ProcessCounters>,
    pub tool: Option<ProcessCounters>,
    pub host: HostCounters,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slice {
    pub index: u32,
    pub begin_us: u64,
    pub end_us: u64,
    /// The round was disturbed by the host: this slice is in no figure of the trial.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub left_out: bool,
    /// What the rule about rounds was applied to; `None` for shots, of which there may be thousands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<SliceCounters>,
}

/// What grew within one slice. Times of the host are of all its cores together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SliceCounters {
    pub requests: Option<u64>,
    /// As long as the tool says that it measured.
    pub tool_us: Option<u64>,
    pub server_cpu_us: Option<u64>,
    pub tool_cpu_us: Option<u64>,
    pub host_total_us: Option<u64>,
    pub host_steal_us: Option<u64>,
    /// CPU time of neither server, tool nor interrupts.
    pub others_cpu_us: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Histogram {
    pub trial_id: Uuid,
    pub encoding: String,
    pub unit: String,
    pub digits: u32,
    pub resolution_us: f64,
    pub corrected: bool,
    pub count: u64,
    pub blob: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    pub trial_id: Uuid,
    pub entry_key: String,
    pub scenario: String,
    pub block: u32,
    pub position: u32,
    pub status: TrialStatus,
    pub reasons: Vec<Reason>,
    pub labels: Vec<Reason>,
    pub slices: Vec<Slice>,
    pub result: Option<ToolResult>,
    pub resources: Option<Resources>,
    pub limit: Option<Limit>,
    /// For a load given as a count: what its first shot said.
    #[serde(default)]
    pub single_shot: Option<ToolResult>,
    /// How long it was really warmed up, and whether it was steady then.
    #[serde(default)]
    pub warmup_us: Option<u64>,
    #[serde(default)]
    pub warmup_steady: Option<bool>,
    /// Of a trial in slices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<Rounds>,
}

/// A round is one slice of each entry. Those that the host disturbed are left out for all entries alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rounds {
    pub measured: u32,
    pub left_out: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunLabel {
    pub code: String,
    pub message: String,
    pub entry_key: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    Succeeded,
    Failed,
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunResult {
    pub status: RunStatus,
    pub error: Option<Reason>,
    pub trials_valid: u64,
    pub trials_invalid: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Box<TimeSpent>>,
}

/// How a run's wall time was spent, in microseconds. The parts add up to `total_us`; what fits none of them is `other_us`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeSpent {
    pub total_us: u64,
    /// Load that counts, disturbed blocks and left-out rounds included.
    pub measuring_us: u64,
    pub warm_up_us: u64,
    pub verifying_us: u64,
    pub building_us: u64,
    /// Starting and stopping servers.
    pub starting_us: u64,
    /// For a quieter moment, with the probes that look for it.
    pub waiting_us: u64,
    pub other_us: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Raw {
    pub trial_id: Uuid,
    pub name: String,
    pub part: u32,
    pub text: String,
    pub truncated: bool,
}
