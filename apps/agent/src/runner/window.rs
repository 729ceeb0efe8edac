//! One window of load: one run of the tool, or as many shots as a load given as a count takes.

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use super::cores::Cores;
use super::count::Count;
use super::observe::Watch;
use super::pace::Pace;
use super::said::Said;
use super::shot::fire;
use super::shots::{Enough, MOST_WALL};
use super::spent::Spent;
use super::tap::Tap;
use crate::host::monotonic_us;
use crate::journal::Sink;
use crate::protocol::journal::{Event, Histogram, Level, Log, LogSource, Slice, Window};
use crate::protocol::result::{Reason, Resources, ToolResult};
use crate::protocol::spec::Load as Asked;
use crate::sample::Sampler;
use crate::sample::own::own_cpu_us;
use crate::sandbox::Sandbox;
use crate::server::process::{ServerFailure, ServerProcess};
use crate::tool::{HistogramBlob, ParseError, Tool, ToolError, ToolJob};

/// A tool may wait for slow answers after its time; then it hangs.
pub const TOOL_GRACE: Duration = Duration::from_secs(30);

/// What a shot may take at least before its connections are given up.
const SHOT_S: f64 = 20.0;

pub struct Load<'a> {
    pub tool: Arc<dyn Tool>,
    pub job: ToolJob<'a>,
    pub window: Window,
    pub trial_id: Uuid,
    pub sandbox: &'a dyn Sandbox,
    pub cores: &'a Cores,
    pub server: &'a mut ServerProcess,
    pub sink: Arc<dyn Sink>,
    pub tap: Arc<Tap>,
}

impl Load<'_> {
    pub fn tool_name(&self) -> String {
        crate::tool::name(self.tool.name()).to_owned()
    }

    fn in_shots(&self) -> bool {
        matches!(self.job.scenario.load, Asked::Count { .. })
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
    pub slices: Vec<Slice>,
    pub pace: Pace,
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

pub async fn run(mut load: Load<'_>, sampler: &mut dyn Sampler) -> Result<Loaded, LoadFailure> {
    let (in_shots, asked_s) = (load.in_shots(), load.job.duration_s);
    let sink = load.sink.clone();
    let began_us = monotonic_us();
    // Between shots nothing is requested: a rate over time that has the gaps in it would be of another load.
    let counting = load.tool.has_progress() && !in_shots;
    let count = Arc::new(Count::beginning(began_us, counting));
    let mut watch = Watch::new(sampler, load.sandbox, sink.as_ref(), load.trial_id, load.window, count);
    let longest = Duration::from_secs_f64(if in_shots { MOST_WALL * asked_s } else { asked_s });
    // Tools wait for an answer as long as their seconds allow; a shot ends by its count, however short the trial is.
    let patience_s = if in_shots {
        longest.as_secs_f64().max(SHOT_S)
    } else {
        asked_s
    };
    let own_before = own_cpu_us();
    let (mut spent, mut said) = (Spent::default(), Said::default());
    let mut pace = Pace::default();
    let why = loop {
        let spec = load.tool.command(&ToolJob {
            duration_s: patience_s,
            ..load.job.clone()
        })?;
        let server = load.server.pid();
        let (begin, before) = watch.begin(server);
        let fired = fire(&mut load, spec, &mut watch, longest).await?;
        let (end, after) = watch.end(server, fired.cpu_us, !in_shots);
        spent.add(&before, &after, fired.cpu_us);
        if said.slices.is_empty() {
            pace.begin = begin;
        }
        pace.end = end;
        let (output, complete) = fired.output().await;
        said.hear(&load, &before, &after, &output, complete);
        let why = match (said.error.is_some(), in_shots, load.window) {
            (true, ..) | (_, false, _) => Some(Enough::Measured),
            (_, _, Window::WarmUp) => ((after.at_us - began_us) as f64 >= asked_s * 1e6).then_some(Enough::Measured),
            (_, _, Window::Measure) => said.enough(asked_s, after.at_us - began_us),
        };
        if let Some(why) = why {
            watch.finish(&after);
            break why;
        }
    };
    pace.frequency = watch.frequency;
    if load.window == Window::Measure {
        let own = own_before.zip(own_cpu_us()).map(|(before, after)| after - before);
        say_own_cost(&load, own, monotonic_us() - began_us);
    }
    if let (Window::Measure, Some(histogram)) = (load.window, said.histogram()) {
        keep_histogram(&load, histogram);
    }
    Ok(Loaded {
        labels: if in_shots { said.labels(why) } else { Vec::new() },
        single_shot: said.results.first().filter(|_| in_shots).cloned(),
        result: said.result(),
        resources: spent.resources(&watch, load.cores),
        host_busy: spent.host_busy(),
        others_busy: spent.others_busy(),
        slices: said.slices,
        pace,
    })
}

fn keep_histogram(load: &Load<'_>, of: HistogramBlob) {
    load.sink.append(Event::Histogram(Histogram {
        trial_id: load.trial_id,
        encoding: of.encoding,
        unit: of.unit,
        digits: of.digits,
        resolution_us: of.resolution_us,
        corrected: of.corrected,
        count: of.count,
        blob: of.blob,
    }));
}

/// The agent shares the host with what it measures, so it says what it took.
fn say_own_cost(load: &Load<'_>, cpu_us: Option<u64>, window_us: u64) {
    let Some(cpu_us) = cpu_us else { return };
    load.sink.append(Event::Log(Log {
        source: LogSource::Agent,
        level: Level::Info,
        entry_key: None,
        trial_id: Some(load.trial_id),
        line: format!(
            "The agent itself used {cpu_us} µs of CPU in the {window_us} µs of this window ({:.2} % of one core).",
            cpu_us as f64 * 100.0 / window_us.max(1) as f64
        ),
    }));
}
