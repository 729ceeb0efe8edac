//! What is asked for: scenarios and run specifications.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::http::{HttpLoad, Script};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    Plaintext,
    Static,
    JsonSum,
    WsEcho,
    Upload,
    /// Requests of somebody's own scenario. No server has to claim it.
    Http,
}

impl Workload {
    /// As it is written in manifests and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plaintext => "plaintext",
            Self::Static => "static",
            Self::JsonSum => "json-sum",
            Self::WsEcho => "ws-echo",
            Self::Upload => "upload",
            Self::Http => "http",
        }
    }

    /// Is it among what a server claims? Every server takes somebody's own requests.
    pub fn is_claimed(self, claimed: &[Self]) -> bool {
        self == Self::Http || claimed.contains(&self)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolName {
    Ab,
    Autocannon,
    H2load,
    K6,
    Wrk,
    Loadgen,
}

impl ToolName {
    pub const ALL: [Self; 6] = [
        Self::Ab,
        Self::Autocannon,
        Self::H2load,
        Self::K6,
        Self::Wrk,
        Self::Loadgen,
    ];

    /// As it is written in scenarios and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ab => "ab",
            Self::Autocannon => "autocannon",
            Self::H2load => "h2load",
            Self::K6 => "k6",
            Self::Wrk => "wrk",
            Self::Loadgen => "loadgen",
        }
    }
}

/// How the tool loads the server: `closed` waits for each response, `rate` starts requests at a fixed rate.
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
    /// So many requests over all connections together: a tool run, repeated until the trial's seconds were measured.
    Count {
        requests: u64,
        connections: u32,
        keep_alive: bool,
    },
    /// A search for the highest fixed rate that keeps p99 within a bound.
    Knee {
        p99_us: u32,
        start_per_s: u32,
        most_per_s: u32,
        connections: u32,
        keep_alive: bool,
    },
}

impl Load {
    pub fn connections(&self) -> u32 {
        let (Self::Closed { connections, .. }
        | Self::Rate { connections, .. }
        | Self::Count { connections, .. }
        | Self::Knee { connections, .. }) = *self;
        connections
    }

    pub fn keep_alive(&self) -> bool {
        let (Self::Closed { keep_alive, .. }
        | Self::Rate { keep_alive, .. }
        | Self::Count { keep_alive, .. }
        | Self::Knee { keep_alive, .. }) = *self;
        keep_alive
    }
}

/// What a request carries, drawn anew for each trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Payload {
    /// A JSON array of so many integers.
    Numbers { count: u32 },
    /// So many bytes; a binary message on a WebSocket.
    Bytes { bytes: u64 },
    /// So many bytes of text.
    Text { bytes: u64 },
    /// `{"text": "Hello from connection X - message Y"}`.
    Greeting {},
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LatencyUntil {
    FirstByte,
    LastByte,
}

/// What entries are compared by; `None` is throughput for a closed loop or a count, p99 for a fixed rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgedBy {
    RequestsPerS,
    P99Us,
    CpuUsPerRequest,
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Payload>,
    /// Requests that a connection has under way at once; `None` is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_flight: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_until: Option<LatencyUntil>,
    pub duration_s: f64,
    pub warmup_s: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thresholds: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged_by: Option<JudgedBy>,
    /// Of the workload `http`, and of no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<Box<HttpLoad>>,
}

impl Scenario {
    /// Its name before the numbers that were set: `files-1k-ab` of `files-1k-ab:connections=200`.
    pub fn base_id(&self) -> &str {
        base_id(&self.id)
    }

    /// The k6 script of somebody's own that makes its load.
    pub fn script(&self) -> Option<&Script> {
        self.http.as_ref()?.script.as_ref()
    }
}

/// The name in a reference to a scenario.
pub fn base_id(reference: &str) -> &str {
    reference.split_once(':').map_or(reference, |(base, _)| base)
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntrySpec {
    pub label: String,
    pub server: String,
    pub options: BTreeMap<String, i64>,
    /// The commit, branch or tag of the host's clone; left out for the folder as it is. Agents from before know no such field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
}

impl EntrySpec {
    /// The server as it is asked for: `hello`, `hello@origin/main`.
    pub fn named(&self) -> String {
        let at = self.revision.iter().map(|reference| format!("@{reference}"));
        std::iter::once(self.server.clone()).chain(at).collect()
    }
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
    /// The suite that it was made from; what counts are the entries and scenarios.
    #[serde(default)]
    pub suite: Option<String>,
    /// Seconds of a slice; `None` is the agent's own where the tool can do short ones, 0 asks for whole trials.
    #[serde(default)]
    pub slice_s: Option<f64>,
    /// Blocks are added until each ratio is known within a factor of 1 ± so much.
    #[serde(default)]
    pub precision: Option<f64>,
    /// The limit of blocks with a precision.
    #[serde(default)]
    pub max_repeats: Option<u32>,
    /// After so many seconds no block is begun. Left out where there is no limit: agents from before know no such field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit_s: Option<f64>,
    /// Tune the host for the run. Only where its facts say that the owner allows it; agents from before know no such field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tune: Option<bool>,
}

impl RunSpec {
    /// Seconds of load of this scenario: a duration that was set for it alone counts before that of the run.
    pub fn duration_s(&self, scenario: &Scenario) -> f64 {
        let own = scenario.id.contains(":duration=") || scenario.id.contains(",duration=");
        self.duration_s.filter(|_| !own).unwrap_or(scenario.duration_s)
    }
}

/// A figure of the published report that a suite repeats.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    pub scenario: String,
    pub server: String,
    pub entry: Option<String>,
    pub requests_per_s: Option<f64>,
    pub latency_us: Option<f64>,
    pub note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteSource {
    pub title: String,
    pub machine: String,
}

/// A named set of entries and scenarios.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    pub schema: u32,
    pub id: String,
    pub title: String,
    pub summary: String,
    pub source: Option<SuiteSource>,
    pub entries: Vec<EntrySpec>,
    pub baseline: String,
    pub scenarios: Vec<String>,
    pub repeats: u32,
    pub duration_s: Option<f64>,
    pub published: Vec<Published>,
    pub mended: Vec<String>,
}
