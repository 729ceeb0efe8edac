//! What the real executor of a run knows.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Mutex;

use crate::host::cores::Cores;
use crate::journal::Sink;
use crate::protocol::journal::{PlanBlocks, PlanEntry};
use crate::protocol::spec::{Scenario, ToolName};
use crate::runner::measure::time::Stopwatch;
use crate::runner::plan::prepared_entry::PreparedEntry;
use crate::state::State;
use crate::tool::Tool;
use crate::verify::Reference;

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
    /// The kernel may stop server and tool while their cores are free.
    pub cpu_quota: bool,
    pub sink: Arc<dyn Sink>,
    pub time: Arc<Stopwatch>,
    /// The plan's, the baseline first.
    pub entries: Vec<PlanEntry>,
    /// The plan's.
    pub blocks: Option<PlanBlocks>,
    /// By scenario: what the baseline answers to requests of which the file does not say what is right.
    pub references: Mutex<BTreeMap<String, Arc<Reference>>>,
}

impl Drop for RealExecutor {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
