//! What a run is asked to be.

use std::collections::BTreeMap;

use crate::protocol::journal::RunLabel;
use crate::protocol::spec::{RunSpec, Scenario};
use crate::server::Server;

/// What is to be done, and where the servers are that were named by path.
pub struct RunRequest {
    pub spec: RunSpec,
    pub local_servers: BTreeMap<String, Server>,
    /// Scenarios that were named by their files.
    pub local_scenarios: Vec<Scenario>,
    /// What of a suite this host cannot do, and what follows from it.
    pub left_out: Vec<RunLabel>,
}

/// A server as it shall compete, and how it was named.
pub struct Wanted {
    pub label: Option<String>,
    pub named: String,
    pub server: Server,
    pub options: BTreeMap<String, i64>,
}
