//! How a run begins and ends.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::protocol::result::Reason;
use crate::protocol::spec::RunSpec;

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
pub struct RunLabel {
    pub code: String,
    pub message: String,
    pub entry_key: Option<String>,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    Succeeded,
    Failed,
    Cancelled,
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
