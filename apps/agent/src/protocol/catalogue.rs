//! What works on this host, and why the rest does not.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::spec::{Scenario, Suite, ToolName, Workload};

/// Longest name or title, in UTF-16 units.
pub const NAME_CHARS: usize = 200;
/// An integer goes this far from zero: a double, which is what the other side has, holds no further ones exactly.
pub const INTEGER_MOST: i64 = (1 << 53) - 1;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ServerOption {
    pub default: i64,
    pub min: i64,
    pub max: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogueServer {
    pub name: String,
    pub title: String,
    pub language: String,
    pub summary: String,
    pub license: String,
    pub workloads: Vec<Workload>,
    pub options: BTreeMap<String, ServerOption>,
    pub content_hash: String,
    /// It compiles while it runs; `None` from an agent that did not say so yet, and of a server that cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jit: Option<bool>,
    /// A run may name it at a commit: it is the owner's and in a git clone. `None` of all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revisions: Option<bool>,
    pub supported: bool,
    pub reason: Option<String>,
    pub fix: Option<String>,
}

/// A number of a scenario that a run may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NumberName {
    Connections,
    Duration,
    InFlight,
    Rate,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogueScenario {
    pub scenario: Scenario,
    /// Which numbers a run may set, as in `NAME:connections=200`. Empty from an agent that takes none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settable: Vec<NumberName>,
    pub supported: bool,
    pub reason: Option<String>,
    pub fix: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogueTool {
    pub name: ToolName,
    pub version: Option<String>,
    pub supported: bool,
    pub reason: Option<String>,
    pub fix: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    pub servers: Vec<CatalogueServer>,
    pub scenarios: Vec<CatalogueScenario>,
    pub tools: Vec<CatalogueTool>,
    #[serde(default)]
    pub suites: Vec<Suite>,
}
