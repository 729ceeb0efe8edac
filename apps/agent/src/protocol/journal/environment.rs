//! Where a run was made.

use serde::{Deserialize, Serialize};

use crate::protocol::facts::HostFacts;
use crate::protocol::spec::ToolName;

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

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolVersion {
    pub name: ToolName,
    pub version: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuned {
    pub name: String,
    pub before: String,
    pub during: String,
}
