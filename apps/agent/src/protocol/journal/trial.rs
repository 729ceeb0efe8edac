//! One trial: its slices, its result and its latencies.

use rigmark_stats::bands::Column;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::protocol::result::{Limit, Reason, Resources, ToolResult, TrialStatus};

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
    /// For a load given as a count: what its first tool run said.
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slice {
    pub index: u32,
    pub begin_us: u64,
    pub end_us: u64,
    /// The round was disturbed by the host: this slice is in no figure of the trial.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub left_out: bool,
    /// What the rule about rounds was applied to; `None` for the tool runs of a count, of which there may be thousands.
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
    /// CPU time of neither server, tool, agent nor interrupts.
    pub others_cpu_us: Option<u64>,
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
pub struct Histogram {
    pub trial_id: Uuid,
    pub encoding: String,
    pub unit: String,
    pub digits: u32,
    pub resolution_us: f64,
    pub corrected: bool,
    pub count: u64,
    pub blob: String,
    /// The same over the time of the trial, on the agent's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_time: Option<Vec<Column>>,
}
