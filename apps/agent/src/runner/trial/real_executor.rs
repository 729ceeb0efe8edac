//! What the real executor of a run knows.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::host::cores::Cores;
use crate::journal::Sink;
use crate::protocol::journal::PlanBlocks;
use crate::protocol::spec::{Scenario, ToolName};
use crate::runner::measure::time::Stopwatch;
use crate::runner::plan::prepared_entry::PreparedEntry;
use crate::state::State;
use crate::tool::Tool;

pub struct RealExecutor {
    pub state: State,
    /// Of this run; gone when the run is over.
    pub folder: PathBuf,
    pub prepared_entries: BTreeMap<String, PreparedEntry>,
    pub scenarios: BTreeMap<String, Scenario>,
    pub tools: BTreeMap<ToolName, Arc<dyn Tool>>,
    /// Why a tool cannot be used here.
    pub missing_tools: BTreeMap<ToolName, String>,
    pub cores: Cores,
    /// What the run's environment says.
    pub sandboxed: bool,
    pub governor: Option<String>,
    pub sink: Arc<dyn Sink>,
    pub time: Arc<Stopwatch>,
    /// The plan's.
    pub blocks: Option<PlanBlocks>,
}

impl Drop for RealExecutor {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
