//! autocannon, as a library inside a driver of our own (`packages/scenarios/tools/autocannon.mjs`) that the system's
//! Node runs. Closed loop, one thread.

use std::path::PathBuf;

use super::job::url;
use super::output::{OutputStream, ParseError, ToolOutput};
use super::profile::{Profile, RequestHead};
use super::requests::requests_json;
use super::support::{NO_SEARCH, plain_http, supported, unsupported};
use super::{Tool, ToolCommand, ToolError, ToolJob};
use crate::assets::Assets;
use crate::parser;
use crate::program::{ask_version, find, install, missing};
use crate::protocol::catalogue::CatalogueTool;
use crate::protocol::result::ToolResult;
use crate::protocol::spec::{Load, Scenario, ToolName};
use crate::workload::{payload, timeout_s};

/// The oldest Node that the driver's bundle is made for.
pub const NODE_MIN: u32 = 18;

pub const PROFILE: Profile = Profile {
    // It asks JavaScript's `Date`.
    wall_clock: |_| true,
    head: RequestHead {
        says_keep_alive: true,
        body: ["content-type", "Content-Length"],
        ..RequestHead::BARE
    },
    ..Profile::COMMON
};

/// Each connection keeps all of them.
const ORDER_PLACES: usize = 128;

pub struct Autocannon {
    node: Option<PathBuf>,
    driver: PathBuf,
}

pub fn find_node() -> Option<PathBuf> {
    find("RIGMARK_NODE", &[], "node")
}

/// `v20.20.2` is 20.
pub fn node_major(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

pub fn install_node() -> String {
    install("nodejs", "node")
}

/// Where there is one that is too old.
pub fn newer_node() -> String {
    if cfg!(target_os = "macos") {
        return install_node();
    }
    format!(
        "This system's package is too old: get Node {NODE_MIN} or newer from https://nodejs.org, or set RIGMARK_NODE to one that you have."
    )
}

impl Autocannon {
    pub fn new(assets: &Assets) -> Self {
        Self {
            node: find_node(),
            driver: assets.scenarios().join("dist/autocannon.mjs"),
        }
    }
}

impl Tool for Autocannon {
    fn name(&self) -> ToolName {
        ToolName::Autocannon
    }

    fn probe(&self) -> CatalogueTool {
        let no = |reason: &str, fix: String| unsupported(self.name(), reason, fix);
        let Some(node) = &self.node else {
            let (reason, fix) = missing("RIGMARK_NODE", "Node, which autocannon needs,", install_node());
            return no(&reason, fix);
        };
        if !self.driver.is_file() {
            return no(
                "The bundled autocannon driver is missing from this installation.",
                "pnpm --filter @rigmark/scenarios generate".to_owned(),
            );
        }
        match ask_version(node, &["--version"]).as_deref().and_then(node_major) {
            None => {
                return no(
                    "Node is installed but does not start.",
                    format!("{} --version", node.display()),
                );
            }
            Some(major) if major < NODE_MIN => {
                let reason = format!("autocannon needs Node {NODE_MIN} or newer; this host has {major}.");
                return no(&reason, newer_node());
            }
            Some(_) => {}
        }
        match ask_version(node, &[self.driver.as_os_str(), "--version".as_ref()])
            .as_deref()
            .and_then(parser::autocannon::version)
        {
            Some(version) => supported(self.name(), version),
            None => no(
                "The bundled autocannon driver does not start.",
                format!("{} {} --version", node.display(), self.driver.display()),
            ),
        }
    }

    fn supports(&self, scenario: &Scenario) -> Result<(), String> {
        plain_http("autocannon", &PROFILE, scenario)?;
        match scenario.load {
            Load::Closed { keep_alive: true, .. } => Ok(()),
            Load::Closed { keep_alive: false, .. } => {
                Err("autocannon counts no responses when it makes a new connection for each request.".to_owned())
            }
            Load::Count { .. } => Err("autocannon is not given counts here; ab and loadgen are.".to_owned()),
            Load::Knee { .. } => Err(NO_SEARCH.to_owned()),
            Load::Rate { .. } => Err("autocannon sends a rate in bursts of one second; k6 spreads it.".to_owned()),
        }
    }

    fn command(&self, job: &ToolJob<'_>) -> Result<ToolCommand, ToolError> {
        let node = self
            .node
            .as_ref()
            .ok_or_else(|| ToolError::NotInstalled("autocannon", install_node()))?;
        self.supports(job.scenario)
            .map_err(|why| ToolError::Unsupported("autocannon", why))?;
        let mut argv = vec![node.into(), self.driver.clone().into()];
        for (flag, value) in [
            ("--url", url(job)),
            ("--connections", job.scenario.load.connections().to_string()),
            ("--duration", job.duration_s.to_string()),
            ("--timeout", timeout_s(job.patience_s).to_string()),
        ] {
            argv.extend([flag.into(), value.into()]);
        }
        if let Some(content_type) = payload::content_type(job.scenario) {
            argv.extend(["--content-type".into(), content_type.into()]);
            for file in payload::write(job.scenario, job.work_dir, usize::MAX)? {
                argv.extend(["--body".into(), file.into()]);
            }
        }
        if let Some(http) = &job.scenario.http {
            let file = job.work_dir.join("requests.json");
            std::fs::write(&file, requests_json(http, ORDER_PLACES)?)?;
            argv.extend(["--requests".into(), file.into()]);
        }
        Ok(ToolCommand {
            argv,
            env: Vec::new(),
            files: Vec::new(),
        })
    }

    fn has_progress(&self) -> bool {
        true
    }

    fn progress(&self, from: OutputStream, line: &str) -> Option<u64> {
        (from == OutputStream::Stdout)
            .then(|| parser::autocannon::tick(line))
            .flatten()
    }

    fn parse(&self, _scenario: &Scenario, output: &ToolOutput) -> Result<ToolResult, ParseError> {
        parser::autocannon::parse(output)
    }

    fn threads(&self, _scenario: &Scenario, _cpus: usize) -> Option<u32> {
        Some(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_versions() {
        assert_eq!(node_major("v20.20.2\n"), Some(20));
        assert_eq!(node_major("v18.19.0"), Some(18));
        for odd in ["", "20.1.0", "vX", "v"] {
            assert_eq!(node_major(odd), None, "{odd}");
        }
    }

    #[test]
    fn the_package_that_was_too_old_is_not_advised_again() {
        assert!(cfg!(target_os = "macos") || newer_node().contains("https://nodejs.org"));
    }
}
