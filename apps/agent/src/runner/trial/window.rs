//! One window of load: one run of the tool, or as many shots as a load given as a count takes. Slices are windows that
//! their trial's group gives to a [`Meter`] one by one.

use std::sync::Arc;
use std::time::Duration;

use crate::protocol::journal::Slice;
use crate::protocol::result::{Reason, Resources, ToolResult};
use crate::protocol::spec::Load as LoadSpec;
use crate::runner::measure::meter::{Meter, Metered};
use crate::runner::plan::cores::Cores;
use crate::runner::trial::tool_runs::{MOST_WALL, Manner};
use crate::runner::validity::clock::Clock;
use crate::runner::validity::cpu_frequency::Pace;
use crate::runner::validity::socket_counters::Counted;
use crate::sample::Sampler;
use crate::sandbox::Sandbox;
use crate::server::process::{ServerFailure, ServerProcess};
use crate::tool::{ParseError, Tool, ToolError, ToolJob};

/// A tool may wait for slow answers after its time; then it hangs.
pub const TOOL_GRACE: Duration = Duration::from_secs(30);

/// What a shot may take at least before its connections are given up.
const SHOT_S: f64 = 20.0;

/// One run of the tool against one server.
pub struct Load<'a> {
    pub tool: Arc<dyn Tool>,
    pub job: ToolJob<'a>,
    pub sandbox: &'a dyn Sandbox,
    pub cores: &'a Cores,
    pub server: &'a mut ServerProcess,
    pub sampler: &'a mut dyn Sampler,
    /// When the tool is stopped, whatever it still has to say; `None`: it ends by itself.
    pub stops_after: Option<Duration>,
}

impl Load<'_> {
    pub fn tool_name(&self) -> String {
        crate::tool::name(self.tool.name()).to_owned()
    }
}

pub struct Loaded {
    pub result: Result<ToolResult, ParseError>,
    /// What the first shot said, where there are shots.
    pub single_shot: Option<ToolResult>,
    pub labels: Vec<Reason>,
    pub resources: Resources,
    /// Of all cores together, as ratios: everything, and what was neither the server nor the tool.
    pub host_busy: Option<f64>,
    pub others_busy: Option<f64>,
    /// What the host took away from the trial, as a part of all cores' time.
    pub taken: Option<f64>,
    /// As long as the tool measured, left-out rounds included.
    pub measured_us: u64,
    pub slices: Vec<Slice>,
    pub pace: Pace,
    pub clock: Clock,
    pub counted: Counted,
    /// Latencies in the tool's histograms, as they were decoded.
    pub histogram_count: Option<u64>,
}

#[derive(Debug, thiserror::Error)]
pub enum LoadFailure {
    #[error(transparent)]
    Tool(#[from] ToolError),
    #[error("{tool} could not be started ({source}); `rigmark doctor` says how to install it.")]
    Spawn { tool: String, source: std::io::Error },
    #[error("{tool} did not end within {} s after its time and was stopped.", TOOL_GRACE.as_secs())]
    Hung { tool: String },
    #[error(transparent)]
    Server(ServerFailure),
}

/// The job's seconds, in one run of the tool or in shots.
pub async fn run(mut load: Load<'_>, of: Metered) -> Result<Loaded, LoadFailure> {
    let asked_s = load.job.duration_s;
    let in_shots = matches!(load.job.scenario.load, LoadSpec::Count { .. });
    let manner = if in_shots { Manner::Shots } else { Manner::Whole };
    if in_shots {
        // Tools wait for an answer as long as their seconds allow; a shot ends by its count, however short the trial is.
        let longest_s = (MOST_WALL * asked_s).max(SHOT_S);
        (load.job.duration_s, load.job.patience_s) = (longest_s, longest_s);
    }
    let mut meter = Meter::begin(of, manner);
    let why = loop {
        meter.slice(&mut load, !in_shots).await?;
        if let Some(why) = meter.enough(asked_s) {
            break why;
        }
    };
    Ok(meter.finish(load.cores, why, &[]))
}
