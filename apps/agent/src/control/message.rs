//! What the app answers, as far as the commands read it. Unknown fields are passed by: the app may be newer.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::protocol::spec::EntrySpec;

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Named {
    pub slug: String,
    pub name: String,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Person {
    pub name: String,
    #[serde(default)]
    pub email: Option<String>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct TokenFacts {
    pub name: String,
    pub scopes: Vec<String>,
    #[serde(default)]
    pub expires_at: Option<String>,
}

/// `GET me`
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Me {
    pub token: TokenFacts,
    pub person: Option<Person>,
    pub workspaces: Vec<Named>,
}

impl Me {
    /// The person, or the token of a workspace.
    pub fn name(&self) -> &str {
        self.person.as_ref().map_or(&self.token.name, |p| &p.name)
    }
}

/// `POST device`
#[derive(Debug, Clone, Deserialize)]
pub struct Device {
    pub device_code: String,
    pub user_code: String,
    pub verification_url: String,
    pub interval_s: f64,
    pub expires_in_s: f64,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct HostName {
    pub id: Uuid,
    pub name: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Host {
    pub id: Uuid,
    pub name: String,
    #[serde(default)]
    pub kind: String,
    #[serde(default)]
    pub online: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub struct List<T> {
    pub items: Vec<T>,
    pub next_cursor: Option<String>,
}

/// `GET hosts/{id}/catalogue`, as far as a run is made from it.
#[derive(Debug, Clone, Deserialize)]
pub struct HostCatalogue {
    pub servers: Vec<HostServer>,
    #[serde(default)]
    pub suites: Vec<HostSuite>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct HostServer {
    pub name: String,
    #[serde(default)]
    pub jit: Option<bool>,
    /// It can be named at a commit.
    #[serde(default)]
    pub revisions: Option<bool>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct HostSuite {
    pub id: String,
    pub entries: Vec<EntrySpec>,
    pub baseline: String,
    pub scenarios: Vec<String>,
    pub repeats: u32,
    #[serde(default)]
    pub duration_s: Option<f64>,
}

/// A run as `/api/v1` has it.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Run {
    pub id: Uuid,
    #[serde(default)]
    pub workspace: String,
    pub title: String,
    pub state: String,
    pub host: HostName,
    pub url: String,
    #[serde(default)]
    pub published_by: Option<String>,
    #[serde(default)]
    pub failure: Option<String>,
    #[serde(default)]
    pub verdict: Option<Verdicts>,
}

impl Run {
    /// Nothing changes any more, but for late data of an incomplete run.
    pub fn is_over(&self) -> bool {
        ["succeeded", "failed", "cancelled", "timed_out", "incomplete"].contains(&self.state.as_str())
    }
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Verdicts {
    pub sentence: Option<String>,
    #[serde(default)]
    pub scenarios: Vec<ScenarioVerdicts>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct ScenarioVerdicts {
    pub scenario: String,
    #[serde(default)]
    pub title: String,
    pub entries: Vec<EntryVerdict>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct EntryVerdict {
    pub label: String,
    #[serde(default)]
    pub verdict: Option<String>,
    #[serde(default)]
    pub ratio: Option<f64>,
    #[serde(default)]
    pub low: Option<f64>,
    #[serde(default)]
    pub high: Option<f64>,
}

/// `GET runs/{id}/results`
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Results {
    pub sentence: Option<String>,
    pub scenarios: Vec<ScenarioResults>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct ScenarioResults {
    pub scenario: String,
    pub title: String,
    /// What the entries are compared by.
    pub metric: String,
    pub sentence: String,
    pub entries: Vec<EntryResults>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct EntryResults {
    pub label: String,
    pub baseline: bool,
    pub verdict: Option<String>,
    pub ratio: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    #[serde(default)]
    pub lower_bound: bool,
    #[serde(default)]
    pub unranked: Option<Unranked>,
    pub trials_valid: u64,
    pub trials_invalid: u64,
    pub requests_per_s: Option<Figure>,
    pub cpu_us_per_request: Option<Figure>,
    #[serde(default)]
    pub percentiles: Vec<Percentile>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Unranked {
    #[serde(default)]
    pub code: Option<String>,
    pub reason: String,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Percentile {
    pub p: f64,
    pub us: Option<Figure>,
}

/// Over the valid trials of an entry.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Figure {
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Report {
    pub slug: String,
    pub url: String,
    #[serde(default)]
    pub title: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct KeptStream {
    pub next_seq: u64,
    /// Rolling, over the chunks that are there.
    pub digest: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct KeptStreams {
    pub journal: KeptStream,
    pub raw: KeptStream,
}

/// `POST workspaces/{slug}/publications`
#[derive(Debug, Clone, Deserialize)]
pub struct Publication {
    pub id: Uuid,
    pub state: String,
    pub url: String,
    #[serde(default)]
    pub title: String,
    pub finished: bool,
    pub streams: KeptStreams,
}
