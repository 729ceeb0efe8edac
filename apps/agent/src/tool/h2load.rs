//! h2load of nghttp2, over HTTP/1.1: closed loop on connections that are kept, several threads. It prints nothing while it runs, and
//! percentiles only since 1.69.
use std::path::PathBuf;

use super::job::url;
use super::output::{ParseError, ToolOutput};
use super::profile::{Profile, RequestHead};
use super::support::{NO_SEARCH, most_threads, plain_http, supported, unsupported};
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

/// Older ones read the `500ms` of `-D` as 500 seconds.
const OLDEST: (u32, u32) = (1, 44);

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

/// `1.43.0` is.
fn is_too_old(version: &str) -> bool {
    let mut numbers = version.split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) < OLDEST,
        _ => false,
    }
}

fn too_old(version: &str) -> CatalogueTool {
    let (major, minor) = OLDEST;
    let newer = format!("{major}.{minor} or newer");
    let reason = format!("h2load {version} takes whole seconds only; Rigmark needs {newer}.");
    let fix = if cfg!(target_os = "macos") {
        how_to_install()
    } else {
        format!(
            "This system's package is too old: set RIGMARK_H2LOAD to an h2load of nghttp2 {newer}, or take scenarios with another tool."
        )
    };
    unsupported(ToolName::H2load, &reason, fix)
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
            Some(version) if is_too_old(&version) => too_old(&version),
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
        // By itself it names its version, which may be another one than the verifier names.
        argv.extend(["-H".into(), PROFILE.head.own.trim_end().into()]);
        for (flag, value) in [
            ("-t", most_threads(job.cpus, connections).to_string()),
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

    fn threads(&self, scenario: &Scenario, cpus: usize) -> Option<u32> {
        Some(most_threads(cpus, scenario.load.connections()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_whole_seconds_only_is_too_old() {
        for (version, old) in [
            ("1.43.0", true),
            ("1.9.2", true),
            ("1.44.0", false),
            ("1.69.0", false),
            ("2.0.0", false),
            ("1.44.0-DEV", false),
            ("unknown", false),
        ] {
            assert_eq!(is_too_old(version), old, "{version}");
        }
        let said = too_old("1.43.0");
        assert!(!said.supported && said.fix.is_some());
        assert_eq!(
            said.reason.as_deref(),
            Some("h2load 1.43.0 takes whole seconds only; Rigmark needs 1.44 or newer.")
        );
    }
}
