//! Orders a run's steps and says what became of them.

pub mod algebra;
pub mod cores;
pub mod entry;
pub mod execute;
pub mod limit;
pub mod plan;
pub mod proof;
pub mod splitmix;
pub mod validate;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::watch;
use uuid::Uuid;

use crate::assets::Assets;
use crate::journal::Sink;
use crate::protocol::journal::RunResult;
use crate::protocol::spec::RunSpec;
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
    /// Folders that the person at this host named by path, under the name that the spec uses. Empty for a lease:
    /// a control plane can only name what the host has.
    pub local_servers: BTreeMap<String, PathBuf>,
}

/// Does the run: every record from `begin` to `result` goes to `sink`; the returned result is the last one.
/// Ends early, within two seconds, when `cancel` turns true.
pub async fn execute(
    spec: RunSpec,
    ids: RunIds,
    ctx: RunContext,
    sink: Arc<dyn Sink>,
    cancel: watch::Receiver<bool>,
) -> RunResult {
    let _ = (spec, ids, ctx, sink, cancel);
    todo!("the runner is being written")
}
