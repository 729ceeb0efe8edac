//! What is asked for: scenarios and run specifications.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    Plaintext,
    Static,
    JsonSum,
    WsEcho,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolName {
    Ab,
    Autocannon,
    K6,
}

/// How the tool loads the server: `closed` waits for each answer, `rate` starts requests at a fixed rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Load {
    Closed {
        connections: u32,
        keep_alive: bool,
    },
    Rate {
        rate_per_s: u32,
        connections: u32,
        keep_alive: bool,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    pub schema: u32,
    pub id: String,
    pub title: String,
    pub summary: String,
    pub workload: Workload,
    pub tool: ToolName,
    pub path: String,
    pub body_bytes: u64,
    pub load: Load,
    pub duration_s: f64,
    pub warmup_s: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thresholds: Option<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntrySpec {
    pub label: String,
    pub server: String,
    pub options: BTreeMap<String, i64>,
}

/// What a run is. Names and numbers only; `runner` checks the ranges before anything is spawned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSpec {
    pub schema: u32,
    pub title: String,
    pub entries: Vec<EntrySpec>,
    pub scenarios: Vec<String>,
    pub repeats: u32,
    pub duration_s: Option<f64>,
    pub warmup_s: Option<f64>,
    pub baseline: Option<String>,
    pub seed: u64,
}
