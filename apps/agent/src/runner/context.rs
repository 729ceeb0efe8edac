//! What a run is given beside its spec.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::assets::Assets;
use crate::host::tune::HugePages;
use crate::protocol::journal::RunLabel;
use crate::protocol::spec::Scenario;
use crate::server::Server;
use crate::state::State;

#[derive(Debug, Clone, Copy)]
pub struct RunIds {
    pub run_id: Uuid,
    pub attempt_id: Uuid,
    pub attempt_no: u32,
}

/// What a run finds on the host. A spec has names only; this is what they mean here.
#[derive(Debug, Clone)]
pub struct RunContext {
    pub assets: Assets,
    pub state: State,
    /// `None` when there is no control plane.
    pub control_plane_same_host: Option<bool>,
    /// Servers that the person at this host named by path, under the name that the spec uses. Empty for a lease:
    /// a control plane can only name what the host has.
    pub local_servers: BTreeMap<String, Server>,
    /// Scenario files that the person named by path; empty for a lease too.
    pub local_scenarios: Vec<Scenario>,
    /// What of a suite was left out before the spec was made, and why.
    pub left_out: Vec<RunLabel>,
    /// Hold the host's settings still for the length of the run; see [`crate::host::tune`].
    pub tune: Option<HugePages>,
    /// Why the host's owner forbids the run.
    pub forbidden: Option<String>,
}
