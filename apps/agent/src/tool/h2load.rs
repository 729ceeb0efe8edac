//! h2load of nghttp2, over HTTP/1.1: closed loop on connections that are kept, several threads. It prints nothing while it runs, and
//! no percentiles.
use std::path::PathBuf;

use super::job::url;
use super::output::{ParseError, ToolOutput};
use super::profile::{Profile, RequestHead};
use super::support::{NO_SEARCH, plain_http, supported, unsupported};
use super::{Tool, ToolCommand, ToolError, ToolJob};
use crate::parser;
use crate::program::{ask_version, find, install, missing};
use crate::protocol::catalogue::CatalogueTool;
use crate::protocol::result::ToolResult;
use crate::protocol::spec::{Load, Scenario, ToolName};
use crate::workload::payload;

pub const PROFILE: Profile = Profile {
    // Of headers it takes few, of weights none.
    takes_own_requests: false,
    head: RequestHead {
        own: "user-agent: h2load nghttp2/1.52.0\r\n",
        body: ["content-type", "Content-Length"],
        ..RequestHead::BARE
    },
    ..Profile::COMMON
};

pub struct H2load {
    program: Option<PathBuf>,
}

impl H2load {
    pub fn new() -> Self {
        Self {
            program: find("RIGMARK_H2LOAD", &[], "h2load"),
        }
    }
}

impl Default for H2load {
    fn default() -> Self {
        Self::new()
    }
}

fn how_to_install() -> String {
    install("nghttp2-client", "nghttp2")
}

impl Tool for H2load {
    fn name(&self) -> ToolName {
        ToolName::H2load
    }

    fn probe(&self) -> CatalogueTool {
        let no = |reason: &str, fix: String| unsupported(self.name(), reason, fix);
        let Some(program) = &self.program else {
            let (reason, fix) = missing("RIGMARK_H2LOAD", "h2load", how_to_install());
            return no(&reason, fix);
        };
        match ask_version(program, &["--version"]).and_then(|text| parser::h2load::version(&text)) {
            Some(version) => supported(self.name(), version),
            None => no(
                "h2load is installed but does not start.",
                format!("{} --version", program.display()),
            ),
        }
    }

    fn supports(&self, scenario: &Scenario) -> Result<(), String> {
        plain_http("h2load", &PROFILE, scenario)?;
        if scenario.http.is_some() {
            return Err("h2load is given no requests of a scenario file; use loadgen, which is built in.".to_owned());
        }
        match scenario.load {
            Load::Closed { keep_alive: true, .. } => Ok(()),
            Load::Closed { keep_alive: false, .. } => {
                Err("h2load keeps its connections; ab, wrk, k6 and loadgen make new ones.".to_owned())
            }
            Load::Count { .. } => Err("h2load is not given counts here; ab and loadgen are.".to_owned()),
            Load::Knee { .. } => Err(NO_SEARCH.to_owned()),
            Load::Rate { .. } => Err("h2load is not given rates here; k6 and loadgen are.".to_owned()),
        }
    }

    fn shortest_slice_s(&self) -> Option<f64> {
        Some(0.5)
    }

    fn command(&self, job: &ToolJob<'_>) -> Result<ToolCommand, ToolError> {
        let program = self
            .program
            .as_ref()
            .ok_or_else(|| ToolError::NotInstalled("h2load", how_to_install()))?;
        self.supports(job.scenario)
            .map_err(|why| ToolError::Unsupported("h2load", why))?;
        let connections = job.scenario.load.connections();
        let mut argv = vec![program.into(), "--h1".into()];
        for (flag, value) in [
            ("-t", job.cpus.clamp(1, connections.max(1) as usize).to_string()),
            ("-c", connections.to_string()),
            ("-D", format!("{}ms", (job.duration_s * 1000.0).round())),
        ] {
            argv.extend([flag.into(), value.into()]);
        }
        if let Some(content_type) = payload::content_type(job.scenario) {
            // It sends one body only.
            for file in payload::write(job.scenario, job.work_dir, 1)? {
                argv.extend(["-d".into(), file.into()]);
            }
            argv.extend(["-H".into(), format!("Content-Type: {content_type}").into()]);
        }
        argv.push(url(job).into());
        Ok(ToolCommand {
            argv,
            env: Vec::new(),
            files: Vec::new(),
        })
    }

    fn parse(&self, scenario: &Scenario, output: &ToolOutput) -> Result<ToolResult, ParseError> {
        parser::h2load::parse(scenario, output)
    }
}
