//! What every load tool can be asked.

use rigmark_stats::bands::Column;

use super::error::ToolError;
use super::job::{ToolCommand, ToolJob};
use super::output::{HistogramBlob, OutputStream, ParseError, ToolOutput};
use crate::protocol::catalogue::CatalogueTool;
use crate::protocol::result::ToolResult;
use crate::protocol::spec::{Load, Scenario, ToolName};

pub trait Tool: Send + Sync {
    fn name(&self) -> ToolName;
    /// Is it here, which version, and if not how to get it. Runs the program with its version flag; never load.
    fn probe(&self) -> CatalogueTool;
    /// Can it do this scenario at all (fixed rate, keep-alive)? `Err` is the reason for the catalogue.
    fn supports(&self, scenario: &Scenario) -> Result<(), String>;
    /// Looks at what the scenario brings for this tool, such as a script, without load. `Err` is one sentence.
    fn check(&self, _scenario: &Scenario) -> Result<(), String> {
        Ok(())
    }
    /// Such a tool loads from its first moment on, and for longer than it is asked to where that is no whole number.
    fn counts_whole_seconds(&self) -> bool {
        false
    }
    /// How long it really loads when it is asked for so many seconds: what the plan says.
    fn duration_s(&self, asked: f64) -> f64 {
        if self.counts_whole_seconds() {
            asked.ceil().max(1.0)
        } else {
            asked
        }
    }
    /// The shortest window of which it tells the truth; `None` where its start and its whole seconds forbid short ones.
    fn shortest_slice_s(&self) -> Option<f64> {
        None
    }
    /// What it is told for a slice, when it is known how fast this server responded in the warm-up. `None` where it has to
    /// be known and is not.
    fn slice_load(&self, whole: &Load, _slice_s: f64, _requests_per_s: Option<f64>) -> Option<Load> {
        Some(whole.clone())
    }
    fn command(&self, job: &ToolJob<'_>) -> Result<ToolCommand, ToolError>;
    /// Does it print a count about once a second while it runs?
    fn has_progress(&self) -> bool {
        false
    }
    /// Requests completed so far, if this line of live output tells.
    fn progress(&self, _from: OutputStream, _line: &str) -> Option<u64> {
        None
    }
    /// Whether this line of live output ends a step of a search.
    fn ends_step(&self, _from: OutputStream, _line: &str) -> bool {
        false
    }
    /// Pure: the same output gives the same result. The scenario has the duration of the trial.
    fn parse(&self, job_scenario: &Scenario, output: &ToolOutput) -> Result<ToolResult, ParseError>;
    /// All latencies, where the tool gives them.
    fn histogram(&self, _output: &ToolOutput) -> Option<HistogramBlob> {
        None
    }
    /// The same by time, in microseconds since the load began, where the tool tells.
    fn over_time(&self, _output: &ToolOutput) -> Vec<Column> {
        Vec::new()
    }
    /// How many of so many CPUs it can keep busy: 1 for the single-threaded ones, `None` for all there are.
    fn threads(&self, _scenario: &Scenario, _cpus: usize) -> Option<u32> {
        None
    }
}
