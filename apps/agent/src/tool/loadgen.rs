//! The agent's own generator: this program once more, as a child (`rigmark internal loadgen`). All workloads, closed
//! loop, counts and fixed rates, one thread for each core that it may use.

use std::ffi::OsString;

use rigmark_stats::bands::Column;

use super::output::{HistogramBlob, OutputStream, ParseError, ToolOutput};
use super::profile::{HandshakeLine, Profile, RequestHead};
use super::support::{most_threads, supported, unsupported};
use super::{Tool, ToolCommand, ToolError, ToolJob};
use crate::loadgen;
use crate::loadgen::plan::{BackendName, LoadJob};
use crate::parser;
use crate::protocol::catalogue::CatalogueTool;
use crate::protocol::result::ToolResult;
use crate::protocol::spec::{LatencyUntil, Load, Scenario, ToolName, Workload};
use crate::workload::{payload, timeout_s};

/// In the agent's own environment: `tokio` leaves io_uring alone.
const BACKEND: &str = "RIGMARK_LOADGEN_BACKEND";

pub const PROFILE: Profile = Profile {
    reports_planned_time: true,
    times_from_due: true,
    opens_all_connections: true,
    busy_waits: true,
    searches: true,
    closes_itself: true,
    head: RequestHead {
        handshake: Some([
            HandshakeLine::Upgrade,
            HandshakeLine::Connection,
            HandshakeLine::Version,
            HandshakeLine::Key,
        ]),
        ..RequestHead::BARE
    },
    // Which back end there is the kernel says, or the variable RIGMARK_LOADGEN_BACKEND.
    another_version: "take the version of Rigmark that measured, on a kernel that gives loadgen the same back end",
    ..Profile::COMMON
};

pub struct Loadgen {
    /// The program and what comes before its own arguments.
    command: Option<Vec<OsString>>,
    backend: BackendName,
}

impl Loadgen {
    pub fn new() -> Self {
        let own = crate::sandbox::self_command().ok().map(|command| {
            let words = std::iter::once(command.get_program()).chain(command.get_args());
            words.map(Into::into).collect()
        });
        let tokio = std::env::var(BACKEND).is_ok_and(|b| b == "tokio");
        Self {
            command: own,
            backend: loadgen::backend(tokio.then_some(BackendName::Tokio)).name(),
        }
    }

    /// Another build of this program on a given back end, as the tests have it.
    pub fn at(program: OsString, backend: BackendName) -> Self {
        Self {
            command: Some(vec![program]),
            backend,
        }
    }
}

impl Default for Loadgen {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for Loadgen {
    fn name(&self) -> ToolName {
        ToolName::Loadgen
    }

    fn probe(&self) -> CatalogueTool {
        match &self.command {
            Some(_) => {
                let version = format!("{} {}", env!("CARGO_PKG_VERSION"), self.backend.word());
                supported(self.name(), version)
            }
            None => unsupported(
                self.name(),
                "The agent's own program file cannot be found.",
                "Install the agent again.".to_owned(),
            ),
        }
    }

    fn supports(&self, scenario: &Scenario) -> Result<(), String> {
        payload::fits(scenario)?;
        if scenario.script().is_some() {
            return Err("loadgen cannot run a k6 script; k6 can.".to_owned());
        }
        let socket = scenario.workload == Workload::WsEcho;
        let many = scenario.in_flight.is_some_and(|n| n > 1);
        let refused = if socket && !scenario.load.keep_alive() {
            "A WebSocket is one connection for many messages: it needs keep_alive."
        } else if many && !scenario.load.keep_alive() {
            "Requests that are under way together need a connection that stays."
        } else if many && !socket && self.backend == BackendName::Tokio {
            "loadgen on tokio has one request under way on a connection; on io_uring it can have more."
        } else if scenario.latency_until == Some(LatencyUntil::FirstByte) && (socket || many) {
            "The latency until the first byte needs HTTP with one request at a time on each connection."
        } else {
            return Ok(());
        };
        Err(refused.to_owned())
    }

    fn shortest_slice_s(&self) -> Option<f64> {
        Some(0.2)
    }

    fn command(&self, job: &ToolJob<'_>) -> Result<ToolCommand, ToolError> {
        let unsupported = |why: String| ToolError::Unsupported("loadgen", why);
        self.supports(job.scenario).map_err(unsupported)?;
        let command = self
            .command
            .as_ref()
            .ok_or_else(|| ToolError::NotInstalled("loadgen", "Install the agent again.".to_owned()))?;
        let address = job.address.parse();
        let address = address.map_err(|_| unsupported(format!("{} is no address", job.address)))?;
        let samples = matches!(job.scenario.load, Load::Count { connections: 1, .. })
            .then(|| ("samples.txt".to_owned(), job.work_dir.join("samples.txt")));
        let load_job = LoadJob {
            address: std::net::SocketAddr::new(address, job.port),
            scenario: job.scenario.clone(),
            duration_s: job.duration_s,
            timeout_s: timeout_s(job.patience_s),
            threads: job.cpus,
            // Of all cores, the server's would be among those that are kept busy.
            spin: job.cpus < std::thread::available_parallelism().map_or(1, |n| n.get()),
            seed: payload::seed()?,
            backend: Some(self.backend),
            samples: samples.as_ref().map(|(_, path)| path.clone()),
        };
        let file = job.work_dir.join("job.json");
        std::fs::write(&file, serde_json::to_vec(&load_job).map_err(std::io::Error::other)?)?;
        let mut argv = command.clone();
        argv.extend(["internal", "loadgen", "--job"].map(Into::into));
        argv.push(file.into());
        Ok(ToolCommand {
            argv,
            env: Vec::new(),
            files: samples.into_iter().collect(),
        })
    }

    fn has_progress(&self) -> bool {
        true
    }

    fn progress(&self, from: OutputStream, line: &str) -> Option<u64> {
        (from == OutputStream::Stdout)
            .then(|| parser::loadgen::tick(line))
            .flatten()
    }

    fn ends_step(&self, from: OutputStream, line: &str) -> bool {
        from == OutputStream::Stdout && line.trim_end() == loadgen::knee::STEP_ENDED
    }

    fn parse(&self, _scenario: &Scenario, output: &ToolOutput) -> Result<ToolResult, ParseError> {
        parser::loadgen::parse(output)
    }

    fn histogram(&self, output: &ToolOutput) -> Option<HistogramBlob> {
        parser::loadgen::histogram(output)
    }

    fn over_time(&self, output: &ToolOutput) -> Vec<Column> {
        parser::loadgen::over_time(output)
    }

    fn threads(&self, scenario: &Scenario, cpus: usize) -> Option<u32> {
        Some(most_threads(cpus, scenario.load.connections()))
    }
}
