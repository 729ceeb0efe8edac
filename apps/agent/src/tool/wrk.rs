//! wrk: closed loop, several threads, with a script of our own (`packages/scenarios/tools/wrk.lua`) that prints JSON.
//! It prints nothing while it runs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::job::url;
use super::output::{HistogramBlob, ParseError, ToolOutput};
use super::profile::Profile;
use super::support::{NO_SEARCH, most_threads, plain_http, supported, unsupported};
use super::{Tool, ToolCommand, ToolError, ToolJob};
use crate::assets::Assets;
use crate::parser;
use crate::program::{find, install, missing};
use crate::protocol::catalogue::CatalogueTool;
use crate::protocol::http::HttpLoad;
use crate::protocol::result::ToolResult;
use crate::protocol::spec::{Load, Scenario, ToolName};
use crate::workload::{self, payload, timeout_s};

pub const PROFILE: Profile = Profile {
    // It asks `gettimeofday`.
    wall_clock: |_| true,
    ..Profile::COMMON
};

const ORDER_PLACES: usize = 4096;

pub struct Wrk {
    program: Option<PathBuf>,
    script: PathBuf,
}

impl Wrk {
    pub fn new(assets: &Assets) -> Self {
        Self {
            program: find("RIGMARK_WRK", &[], "wrk"),
            script: assets.scenarios().join("tools/wrk.lua"),
        }
    }
}

/// It prints its version and ends with 1.
fn version(program: &Path) -> Option<String> {
    let output = Command::new(program).arg("-v").stdin(Stdio::null()).output().ok()?;
    parser::wrk::version(&String::from_utf8_lossy(&output.stdout))
}

/// wrk gives each thread the same number of connections and forgets the rest.
fn threads(cpus: usize, connections: u32) -> u32 {
    let most = most_threads(cpus, connections);
    (1..=most).rev().find(|t| connections.is_multiple_of(*t)).unwrap_or(1)
}

impl Tool for Wrk {
    fn name(&self) -> ToolName {
        ToolName::Wrk
    }

    fn probe(&self) -> CatalogueTool {
        let no = |reason: &str, fix: String| unsupported(self.name(), reason, fix);
        let Some(program) = &self.program else {
            let (reason, fix) = missing("RIGMARK_WRK", "wrk", install("wrk", "wrk"));
            return no(&reason, fix);
        };
        if !self.script.is_file() {
            return no(
                "The bundled wrk script is missing from this installation.",
                "Install the agent again.".to_owned(),
            );
        }
        match version(program) {
            Some(version) => supported(self.name(), version),
            None => no(
                "wrk is installed but does not start.",
                format!("{} -v", program.display()),
            ),
        }
    }

    fn supports(&self, scenario: &Scenario) -> Result<(), String> {
        plain_http("wrk", &PROFILE, scenario)?;
        match scenario.load {
            Load::Closed { .. } => Ok(()),
            Load::Count { .. } => Err("wrk runs for a time, not for a count; ab and loadgen take counts.".to_owned()),
            Load::Knee { .. } => Err(NO_SEARCH.to_owned()),
            Load::Rate { .. } => Err("wrk has no fixed rate: each connection waits for its response.".to_owned()),
        }
    }

    fn counts_whole_seconds(&self) -> bool {
        true
    }

    fn shortest_slice_s(&self) -> Option<f64> {
        Some(1.0)
    }

    fn command(&self, job: &ToolJob<'_>) -> Result<ToolCommand, ToolError> {
        let program = self
            .program
            .as_ref()
            .ok_or_else(|| ToolError::NotInstalled("wrk", install("wrk", "wrk")))?;
        self.supports(job.scenario)
            .map_err(|why| ToolError::Unsupported("wrk", why))?;
        let connections = job.scenario.load.connections();
        let mut argv = vec![program.into()];
        for (flag, value) in [
            ("-t", threads(job.cpus, connections).to_string()),
            ("-c", connections.to_string()),
            ("-d", format!("{}s", self.duration_s(job.duration_s))),
            ("--timeout", format!("{}s", timeout_s(job.patience_s))),
        ] {
            argv.extend([flag.into(), value.into()]);
        }
        argv.extend(["-s".into(), self.script.clone().into(), url(job).into()]);
        let mut env = Vec::new();
        if !job.scenario.load.keep_alive() {
            env.push(("RIG_CLOSE".to_owned(), "true".to_owned()));
        }
        if let Some(content_type) = payload::content_type(job.scenario) {
            let files = payload::write(job.scenario, job.work_dir, usize::MAX)?;
            let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
            env.push(("RIG_BODIES".to_owned(), names.join("\n")));
            env.push(("RIG_CONTENT_TYPE".to_owned(), content_type.to_owned()));
        }
        if let Some(http) = &job.scenario.http {
            env.extend(requests(http, job)?);
        }
        Ok(ToolCommand {
            argv,
            env,
            files: Vec::new(),
        })
    }

    fn parse(&self, scenario: &Scenario, output: &ToolOutput) -> Result<ToolResult, ParseError> {
        parser::wrk::parse(scenario, output)
    }

    fn histogram(&self, output: &ToolOutput) -> Option<HistogramBlob> {
        parser::wrk::histogram(output)
    }

    fn threads(&self, scenario: &Scenario, cpus: usize) -> Option<u32> {
        Some(threads(cpus, scenario.load.connections()))
    }
}

/// Each as the bytes that it sends, and the order in which it sends them.
fn requests(http: &HttpLoad, job: &ToolJob<'_>) -> std::io::Result<Vec<(String, String)>> {
    let host = format!("{}:{}", job.address, job.port);
    let mut names = Vec::new();
    for (index, request) in http.requests.iter().enumerate() {
        let file = job.work_dir.join(format!("request-{index}"));
        let (bytes, _) = workload::http::bytes(request, &host, job.scenario.load.keep_alive());
        std::fs::write(&file, bytes)?;
        names.push(file.display().to_string());
    }
    let order = workload::http::order(&http.requests, payload::seed()?, ORDER_PLACES);
    let order: Vec<String> = order.iter().map(|n| (n + 1).to_string()).collect();
    Ok(vec![
        ("RIG_REQUESTS".to_owned(), names.join("\n")),
        ("RIG_ORDER".to_owned(), order.join(" ")),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::recording;

    #[test]
    fn no_connection_is_lost_between_the_threads() {
        for (cpus, connections, expected) in [(1, 64, 1), (4, 100, 4), (12, 400, 10), (4, 1, 1), (2, 7, 1), (0, 3, 1)] {
            assert_eq!(threads(cpus, connections), expected, "{cpus} {connections}");
        }
    }

    #[test]
    fn it_keeps_no_more_cores_busy_than_it_has_threads() {
        let wrk = Wrk {
            program: None,
            script: PathBuf::new(),
        };
        let scenario = Scenario {
            load: Load::Closed {
                connections: 10,
                keep_alive: true,
            },
            ..recording::scenario(ToolName::Wrk, None)
        };
        assert_eq!(wrk.threads(&scenario, 4), Some(2));
    }
}
