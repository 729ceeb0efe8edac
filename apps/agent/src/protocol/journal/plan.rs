//! What is measured in which order.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::protocol::spec::Scenario;

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
    /// Of a folder in a git repository that was named by its path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
}

/// The commit that a server's folder was measured at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revision {
    /// In hexadecimal: 40 digits, or 64 in a repository of SHA-256.
    pub commit: String,
    /// What was asked for, such as `origin/main`; `None` for the folder as it was.
    #[serde(rename = "ref", default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The folder had changes that are in no commit.
    pub dirty: bool,
    /// Where in its repository the folder is, such as `apps/server`; `.` for all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
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
