//! What one run of a tool needs, and why it may come to nothing.

use std::sync::Arc;
use std::time::Duration;

use crate::host::cores::Cores;
use crate::sample::Sampler;
use crate::sandbox::Sandbox;
use crate::server::failure::ServerFailure;
use crate::server::process::ServerProcess;
use crate::tool::{Tool, ToolError, ToolJob};

/// A tool may wait for slow responses after its time; then it hangs.
pub const TOOL_GRACE: Duration = Duration::from_secs(30);

/// One run of the tool against one server.
pub struct ToolLoad<'a> {
    pub tool: Arc<dyn Tool>,
    pub job: ToolJob<'a>,
    pub sandbox: &'a dyn Sandbox,
    pub cores: &'a Cores,
    pub server: &'a mut ServerProcess,
    pub sampler: &'a mut dyn Sampler,
    /// When the tool is stopped, whatever it still has to say; `None`: it ends by itself.
    pub stops_after: Option<Duration>,
}

impl ToolLoad<'_> {
    pub fn tool_name(&self) -> String {
        self.tool.name().as_str().to_owned()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum LoadFailure {
    #[error(transparent)]
    Tool(#[from] ToolError),
    #[error("{tool} could not be started ({source}); `rigmark doctor` says how to install it.")]
    Spawn { tool: String, source: std::io::Error },
    #[error(
        "{tool} did not end within {} s after its time and was stopped; run it by hand under the same load to see what it waits for.",
        TOOL_GRACE.as_secs()
    )]
    Hung { tool: String },
    #[error(transparent)]
    Server(ServerFailure),
}
