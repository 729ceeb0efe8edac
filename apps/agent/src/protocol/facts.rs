//! What the host is. Everything that could not be read is `None`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::spec::JudgedBy;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckStatus {
    Ok,
    Warn,
    Fail,
    Unknown,
}

/// One line of `rigmark doctor`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DoctorCheck {
    pub id: String,
    pub title: String,
    pub status: CheckStatus,
    pub found: String,
    pub why: Option<String>,
    pub fix: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostFacts {
    pub hostname: String,
    pub agent_version: String,
    pub agent_target: String,
    pub os: String,
    pub os_name: Option<String>,
    pub kernel: Option<String>,
    pub arch: String,
    pub board: Option<String>,
    pub cpu_model: Option<String>,
    pub cpus_online: Option<u64>,
    pub cores_physical: Option<u64>,
    pub cpu_max_khz: Option<u64>,
    pub memory_bytes: Option<u64>,
    pub governor: Option<String>,
    pub turbo: Option<bool>,
    pub mitigations: Option<BTreeMap<String, String>>,
    pub virtualization: Option<String>,
    pub temperature_millic: Option<i64>,
    pub throttle_flags: Option<u64>,
    pub nofile_soft: Option<u64>,
    pub nofile_hard: Option<u64>,
    pub compiler: Option<String>,
    pub unsandboxed_reason: Option<String>,
    pub boot_id: String,
    pub checks: Vec<DoctorCheck>,
    /// Two threads a core are in use.
    #[serde(default)]
    pub smt: Option<bool>,
    /// Transparent huge pages: the setting in brackets, such as `madvise`.
    #[serde(default)]
    pub thp: Option<String>,
    /// Address space randomization, as in /proc/sys/kernel/randomize_va_space.
    #[serde(default)]
    pub aslr: Option<u64>,
    #[serde(default)]
    pub noise: Option<HostNoise>,
    #[serde(default)]
    pub calibration: Option<HostCalibration>,
    /// Left out where the host's owner does not let runs ask to be tuned, and in a run's environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tune: Option<HostTune>,
    /// What the host's owner forbids to runs from the app, a phrase each, in words of the agent. Left out where the owner wrote no
    /// file, and in a run's environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_rules: Option<Vec<String>>,
}

/// What a run that asks for it may have set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostTune {
    /// Settings by name, such as `CPU governor`.
    pub sets: Vec<String>,
    /// What the agent lacks the rights for, a phrase each.
    pub missing: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoisePartId {
    Compute,
    Memory,
    Disk,
    Scheduler,
    Steal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoiseUnit {
    Ratio,
    Us,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoisePart {
    pub id: NoisePartId,
    /// Spread (CV) of equal pieces of work, p99 of a small fsync or of a timer's lateness in µs, or the stolen share.
    pub value: Option<f64>,
    pub unit: NoiseUnit,
    pub status: CheckStatus,
}

/// How much noise there is on the host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostNoise {
    pub measured_wall_us: u64,
    /// 0 (nothing can be measured here) to 100 (quiet).
    pub score: Option<f64>,
    pub parts: Vec<NoisePart>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Smallest {
    pub blocks: u64,
    /// 0.05 is 5 %.
    pub difference: f64,
}

/// A server run against itself: what differences this host can show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostCalibration {
    pub measured_wall_us: u64,
    pub server: String,
    pub scenario: String,
    pub metric: JudgedBy,
    pub blocks: u64,
    /// Seconds of load in each block for each entry.
    pub duration_s: f64,
    /// Standard deviation of a block's log-ratio of the server to itself.
    pub sd_log_ratio: f64,
    /// With so many blocks, the least true difference that gets a verdict with a probability of 0.8.
    pub smallest: Vec<Smallest>,
    pub fingerprint: String,
}
