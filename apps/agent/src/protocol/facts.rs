//! What the host is. Everything that could not be read is `None`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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
}
