//! What verification and conformance found.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::protocol::spec::Workload;

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

/// What a build does beyond what any load asks for. It leaves nobody out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conformance {
    pub entry_key: String,
    pub workload: Workload,
    pub checks: Vec<VerifyCheck>,
}
