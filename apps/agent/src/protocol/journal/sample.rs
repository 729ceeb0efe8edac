//! Counters, about once a second.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

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
