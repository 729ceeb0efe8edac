//! The agent's own generator: this program once more, as a child (`rigmark internal loadgen`).

use super::{Output, ParseError, Tool, ToolCommand, ToolError, ToolJob, ToolOutput};
use crate::protocol::catalogue::CatalogueTool;
use crate::protocol::result::ToolResult;
use crate::protocol::spec::{Scenario, ToolName};

const NOT_YET: &str = "This agent has no loadgen yet; update it.";

#[derive(Default)]
pub struct Loadgen {}

impl Loadgen {
    pub fn new() -> Self {
        Self {}
    }
}

impl Tool for Loadgen {
    fn name(&self) -> ToolName {
        ToolName::Loadgen
    }

    fn probe(&self) -> CatalogueTool {
        super::unsupported(self.name(), NOT_YET, "Install the agent again.".to_owned())
    }

    fn supports(&self, _scenario: &Scenario) -> Result<(), String> {
        Err(NOT_YET.to_owned())
    }

    fn command(&self, _job: &ToolJob<'_>) -> Result<ToolCommand, ToolError> {
        Err(ToolError::Unsupported("loadgen", NOT_YET.to_owned()))
    }

    fn has_progress(&self) -> bool {
        true
    }

    fn progress(&self, _from: Output, _line: &str) -> Option<u64> {
        None
    }

    fn parse(&self, _scenario: &Scenario, _output: &ToolOutput) -> Result<ToolResult, ParseError> {
        Err(ParseError::Missing {
            tool: "loadgen",
            what: "result",
        })
    }

    fn threads(&self) -> Option<u32> {
        None
    }
}
