//! The load tools. A tool is one file that knows its flags and what it is like, one parser that knows its output, and one arm in
//! [`tool`] and in [`profile`].
//!
//! docs/architecture.md says what the next one needs ("Where does the next one go?").

pub mod ab;
pub mod autocannon;
pub mod h2load;
pub mod k6;
mod k6_script;
pub mod loadgen;
pub mod output;
pub mod profile;
pub mod wrk;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use thiserror::Error;

use crate::assets::Assets;
use crate::protocol::catalogue::CatalogueTool;
use crate::protocol::http::HttpLoad;
use crate::protocol::result::ToolResult;
use crate::protocol::spec::{LatencyUntil, Load, Scenario, ToolName, Workload};
use crate::workload::{self, payload};
use output::{HistogramBlob, OutputStream, ParseError, ToolOutput};
use profile::Profile;

/// One window of load.
#[derive(Debug, Clone)]
pub struct ToolJob<'a> {
    pub scenario: &'a Scenario,
    /// Always loopback: `127.0.0.1`.
    pub address: &'a str,
    pub port: u16,
    pub duration_s: f64,
    /// Of the whole trial, of which this may be a slice: how long a response is waited for depends on it.
    pub patience_s: f64,
    /// CPUs that the tool may use.
    pub cpus: usize,
    /// Private and writable; the tool's output files go here.
    pub work_dir: &'a Path,
}

/// What to spawn. `files` are read after the tool ended, and kept as raw output under these names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCommand {
    pub argv: Vec<OsString>,
    pub env: Vec<(String, String)>,
    pub files: Vec<(String, PathBuf)>,
}

#[derive(Debug, Error)]
pub enum ToolError {
    #[error("{0} cannot do this scenario: {1}")]
    Unsupported(&'static str, String),
    #[error("{}", crate::fix::with_reason(&format!("{} is not installed.", .0), Some(.1)))]
    NotInstalled(&'static str, String),
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

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
    /// How many cores it can keep busy: 1 for the single-threaded ones, `None` for all there are.
    fn threads(&self) -> Option<u32> {
        None
    }
}

/// Finds the tool's program; whether it works is [`Tool::probe`]'s result.
pub fn tool(name: ToolName, assets: &Assets) -> Box<dyn Tool> {
    match name {
        ToolName::Ab => Box::new(ab::Ab::new()),
        ToolName::Autocannon => Box::new(autocannon::Autocannon::new(assets)),
        ToolName::H2load => Box::new(h2load::H2load::new()),
        ToolName::K6 => Box::new(k6::K6::new(assets)),
        ToolName::Wrk => Box::new(wrk::Wrk::new(assets)),
        ToolName::Loadgen => Box::new(loadgen::Loadgen::new()),
    }
}

/// What the tool is like, installed or not.
pub fn profile(name: ToolName) -> &'static Profile {
    match name {
        ToolName::Ab => &ab::PROFILE,
        ToolName::Autocannon => &autocannon::PROFILE,
        ToolName::H2load => &h2load::PROFILE,
        ToolName::K6 => &k6::PROFILE,
        ToolName::Wrk => &wrk::PROFILE,
        ToolName::Loadgen => &loadgen::PROFILE,
    }
}

/// The tool of a scenario file that names none: the one that is always there, or that which runs scripts.
pub fn for_own_requests(script: bool) -> ToolName {
    if script { ToolName::K6 } else { ToolName::Loadgen }
}

/// What of the tools works here. Starts each once, with its version flag.
pub fn catalogue(assets: &Assets) -> Vec<CatalogueTool> {
    ToolName::ALL.iter().map(|name| tool(*name, assets).probe()).collect()
}

/// Of all but loadgen, for a knee load.
const NO_SEARCH: &str = "Only loadgen searches for the highest rate that keeps a latency.";

/// The tools that speak HTTP one request at a time: what else a scenario may ask for is refused in one sentence.
fn plain_http(tool: &str, scenario: &Scenario) -> Result<(), String> {
    payload::fits(scenario)?;
    if scenario.workload == Workload::WsEcho {
        return Err(format!("{tool} does not speak WebSocket; k6 and loadgen do."));
    }
    if scenario.in_flight.is_some_and(|n| n > 1) {
        return Err(format!(
            "{tool} has one request under way on a connection; loadgen can have more."
        ));
    }
    if scenario.latency_until == Some(LatencyUntil::FirstByte) {
        return Err(format!(
            "{tool} does not distinguish the first byte of a response from the last; loadgen does."
        ));
    }
    if scenario.http.as_ref().is_some_and(|http| http.script.is_some()) && !profile(scenario.tool).runs_scripts {
        return Err(format!("{tool} cannot run a k6 script; k6 can."));
    }
    Ok(())
}

/// What our scripts for JavaScript read: the requests, and in which order they are sent.
fn requests_json(http: &HttpLoad, most_places: usize) -> std::io::Result<String> {
    let requests: Vec<Value> = http
        .requests
        .iter()
        .map(|request| {
            let body = workload::http::has_body(request).then(|| STANDARD.encode(workload::http::body(request)));
            json!({ "method": request.method, "path": request.path, "headers": request.headers, "body_base64": body })
        })
        .collect();
    let order = workload::http::order(&http.requests, payload::seed()?, most_places);
    Ok(json!({ "requests": requests, "order": order }).to_string())
}

fn url(job: &ToolJob<'_>) -> String {
    format!("http://{}:{}{}", job.address, job.port, job.scenario.path)
}

fn supported(name: ToolName, version: String) -> CatalogueTool {
    CatalogueTool {
        name,
        version: Some(version),
        supported: true,
        reason: None,
        fix: None,
    }
}

fn unsupported(name: ToolName, reason: &str, fix: String) -> CatalogueTool {
    CatalogueTool {
        name,
        version: None,
        supported: false,
        reason: Some(reason.to_owned()),
        fix: Some(fix),
    }
}
