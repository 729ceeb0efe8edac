//! k6: closed loop and fixed rate, all cores, with scripts of our own (`packages/scenarios/tools/k6-http.js` and `k6-ws.js`).

use std::path::{Path, PathBuf};

use super::job::url;
use super::output::{OutputStream, ParseError, ToolOutput};
use super::profile::{HandshakeLine, Profile, RequestHead, Resends};
use super::requests::requests_json;
use super::support::{NO_SEARCH, plain_http, supported, unsupported};
use super::{Tool, ToolCommand, ToolError, ToolJob, k6_script};
use crate::assets::Assets;
use crate::parser;
use crate::program::{ask_version, find, install, missing};
use crate::protocol::catalogue::CatalogueTool;
use crate::protocol::result::ToolResult;
use crate::protocol::spec::{LatencyUntil, Load, Payload, Scenario, ToolName, Workload};
use crate::workload::{payload, timeout_s};

const ORDER_PLACES: usize = 4096;
const BEING_BUILT: &str = "k6 is being built in the background, while nothing is measured.";

pub const PROFILE: Profile = Profile {
    // Our script for WebSocket asks JavaScript's `Date`.
    wall_clock: |scenario| scenario.workload == Workload::WsEcho,
    checks_thresholds: true,
    runs_scripts: true,
    closes_itself: true,
    // As Go does.
    resends: Resends::Gets,
    head: RequestHead {
        own: "User-Agent: Grafana k6/1.8.1\r\n",
        body: ["Content-Length", "Content-Type"],
        handshake: Some([
            HandshakeLine::Connection,
            HandshakeLine::Key,
            HandshakeLine::Version,
            HandshakeLine::Upgrade,
        ]),
        ..RequestHead::BARE
    },
    ..Profile::COMMON
};

pub struct K6 {
    program: Option<PathBuf>,
    /// Holds the number of the process that builds it.
    marker: PathBuf,
    script: PathBuf,
    socket_script: PathBuf,
    fix: String,
}

impl K6 {
    pub fn new(assets: &Assets) -> Self {
        let exe = crate::program::own_program().ok();
        Self {
            program: find("RIGMARK_K6", &places(exe, assets.root()), "k6"),
            marker: assets.root().join(".rig/tools/k6.building"),
            script: assets.scenarios().join("tools/k6-http.js"),
            socket_script: assets.scenarios().join("tools/k6-ws.js"),
            fix: fix(assets.root()),
        }
    }
}

/// `<prefix>/lib/rigmark/k6` beside an installed agent, then that of a checkout.
fn places(exe: Option<&Path>, root: &Path) -> Vec<PathBuf> {
    let installed = exe.and_then(|e| Some(e.parent()?.parent()?.join("lib/rigmark/k6")));
    // An installation's assets are in `<prefix>/share/rigmark`.
    let beside = root.parent().and_then(Path::parent).map(|p| p.join("lib/rigmark/k6"));
    installed
        .into_iter()
        .chain(beside)
        .chain([root.join(".rig/tools/k6")])
        .collect()
}

impl K6 {
    /// `./rig up` builds it after its first report, and leaves the number of the process that does.
    fn is_being_built(&self) -> bool {
        let pid = std::fs::read_to_string(&self.marker).ok();
        let pid = pid.and_then(|text| text.trim().parse::<libc::pid_t>().ok());
        // SAFETY: signal 0 asks only whether the process is there.
        pid.is_some_and(|pid| {
            pid > 1
                && (unsafe { libc::kill(pid, 0) } == 0
                    || std::io::Error::last_os_error().raw_os_error() == Some(libc::EPERM))
        })
    }
}

/// What the verifier's requests say too.
fn user_agent() -> &'static str {
    let own = PROFILE.head.own;
    own.trim_start_matches("User-Agent: ").trim_end()
}

fn fix(root: &Path) -> String {
    if cfg!(target_os = "macos") {
        return install("k6", "k6");
    }
    let module = root.join("deploy/k6");
    if module.join("go.mod").is_file() {
        let target = root.join(".rig/tools/k6");
        return format!(
            "(cd {} && CGO_ENABLED=0 go build -trimpath -o {} go.k6.io/k6)",
            module.display(),
            target.display()
        );
    }
    "Run this host's install command again: it installs k6 too; or set RIGMARK_K6 to one that you have.".to_owned()
}

impl Tool for K6 {
    fn name(&self) -> ToolName {
        ToolName::K6
    }

    fn probe(&self) -> CatalogueTool {
        let no = |reason: &str, fix: String| unsupported(self.name(), reason, fix);
        let Some(program) = &self.program else {
            if self.is_being_built() {
                return no(BEING_BUILT, "Nothing to do: it is ready in a few minutes.".to_owned());
            }
            let (reason, fix) = missing("RIGMARK_K6", "k6", self.fix.clone());
            return no(&reason, fix);
        };
        if !self.script.is_file() || !self.socket_script.is_file() {
            return no(
                "The bundled k6 script is missing from this installation.",
                "Install the agent again.".to_owned(),
            );
        }
        match ask_version(program, &["version"])
            .as_deref()
            .and_then(parser::k6::version)
        {
            Some(version) => supported(self.name(), version),
            None => no(
                "k6 is installed but does not start.",
                format!("{} version", program.display()),
            ),
        }
    }

    fn supports(&self, scenario: &Scenario) -> Result<(), String> {
        if scenario.workload == Workload::WsEcho {
            return sockets(scenario);
        }
        plain_http("k6", &PROFILE, scenario)?;
        let own = scenario.script().is_some();
        match scenario.load {
            Load::Rate { .. } if own => Err(
                "A k6 script of your own makes requests as fast as its connections do; leave the rate out.".to_owned(),
            ),
            Load::Count { .. } => Err("k6 is not given counts here; ab and loadgen are.".to_owned()),
            Load::Knee { .. } => Err(NO_SEARCH.to_owned()),
            Load::Closed { .. } | Load::Rate { .. } => Ok(()),
        }
    }

    /// k6 reads a script of somebody's own, as it would before load.
    fn check(&self, scenario: &Scenario) -> Result<(), String> {
        let (Some(script), Some(program)) = (scenario.script(), &self.program) else {
            return Ok(());
        };
        k6_script::inspect(program, script)
    }

    fn command(&self, job: &ToolJob<'_>) -> Result<ToolCommand, ToolError> {
        let program = self
            .program
            .as_ref()
            .ok_or_else(|| ToolError::NotInstalled("k6", self.fix.clone()))?;
        self.supports(job.scenario)
            .map_err(|why| ToolError::Unsupported("k6", why))?;
        let summary = job.work_dir.join("summary.json");
        let socket = job.scenario.workload == Workload::WsEcho;
        let url = url(job);
        let (connections, keep_alive, rate) = match job.scenario.load {
            Load::Closed {
                connections,
                keep_alive,
            } => (connections, keep_alive, None),
            Load::Rate {
                rate_per_s,
                connections,
                keep_alive,
            } => (connections, keep_alive, Some(rate_per_s)),
            Load::Count { .. } | Load::Knee { .. } => {
                return Err(ToolError::Unsupported(
                    "k6",
                    "it is given closed loops and rates".to_owned(),
                ));
            }
        };
        let mut settings = vec![
            ("URL", if socket { url.replacen("http", "ws", 1) } else { url }),
            ("SUMMARY", summary.display().to_string()),
            ("CONNECTIONS", connections.to_string()),
            ("DURATION_S", job.duration_s.to_string()),
            ("TIMEOUT_S", timeout_s(job.patience_s).to_string()),
            ("KEEP_ALIVE", keep_alive.to_string()),
        ];
        if let Some(content_type) = payload::content_type(job.scenario) {
            for file in payload::write(job.scenario, job.work_dir, 1)? {
                settings.push(("BODY", file.display().to_string()));
            }
            settings.push(("CONTENT_TYPE", content_type.to_owned()));
        }
        if let Some(payload) = job.scenario.payload.as_ref().filter(|_| socket) {
            let (kind, bytes) = match payload {
                Payload::Text { bytes } => ("text", *bytes),
                Payload::Bytes { bytes } => ("bytes", *bytes),
                Payload::Greeting {} | Payload::Numbers { .. } => ("greeting", 0),
            };
            settings.push(("PAYLOAD", kind.to_owned()));
            settings.push(("BYTES", bytes.to_string()));
            settings.push(("IN_FLIGHT", job.scenario.in_flight.unwrap_or(1).to_string()));
        }
        settings.extend(rate.map(|r| ("RATE", r.to_string())));
        let own = job.scenario.script();
        if let Some(http) = job.scenario.http.as_ref().filter(|_| own.is_none()) {
            let file = job.work_dir.join("requests.json");
            std::fs::write(&file, requests_json(http, ORDER_PLACES)?)?;
            settings.push(("REQUESTS", file.display().to_string()));
        }
        if let Some(thresholds) = job.scenario.thresholds.as_ref().filter(|t| !t.is_empty()) {
            settings.push(("THRESHOLDS", serde_json::json!(thresholds).to_string()));
        }
        // No REST API (`--address ""`), no usage report, no look for extensions: nothing but the load leaves k6.
        let mut argv = vec![program.into()];
        argv.extend(["run", "--no-usage-report", "--no-color", "--address", ""].map(Into::into));
        if socket || own.is_some() {
            // It would tell of connections or iterations, not of messages or requests.
            argv.push("--quiet".into());
        }
        if own.is_none() {
            // By itself it names its version, which may be another one than the verifier names.
            argv.extend(["--user-agent", user_agent()].map(Into::into));
        }
        for (name, value) in settings {
            argv.extend(["-e".into(), format!("RIG_{name}={value}").into()]);
        }
        if let Some(own) = own {
            for pair in k6_script::environment(job) {
                argv.extend(["-e".into(), pair.into()]);
            }
            argv.push(k6_script::write(own, job.work_dir)?.into());
        } else {
            let script = if socket { &self.socket_script } else { &self.script };
            argv.push(script.into());
        }
        Ok(ToolCommand {
            argv,
            env: vec![("K6_AUTO_EXTENSION_RESOLUTION".to_owned(), "false".to_owned())],
            files: vec![("summary.json".to_owned(), summary)],
        })
    }

    fn has_progress(&self) -> bool {
        true
    }

    fn progress(&self, from: OutputStream, line: &str) -> Option<u64> {
        (from == OutputStream::Stdout)
            .then(|| parser::k6::progress(line))
            .flatten()
    }

    fn parse(&self, scenario: &Scenario, output: &ToolOutput) -> Result<ToolResult, ParseError> {
        if scenario.workload == Workload::WsEcho {
            return parser::k6_ws::parse(output);
        }
        parser::k6::parse(scenario, output)
    }
}

fn sockets(scenario: &Scenario) -> Result<(), String> {
    payload::fits(scenario)?;
    if scenario.latency_until == Some(LatencyUntil::FirstByte) {
        return Err("The first byte of a WebSocket message is not measured.".to_owned());
    }
    match scenario.load {
        Load::Closed { keep_alive: true, .. } => Ok(()),
        _ => Err("k6 is given WebSockets in a closed loop only; loadgen has counts and rates.".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_being_built_while_the_process_that_builds_it_lives() {
        let folder = tempfile::tempdir().unwrap();
        let marker = folder.path().join("k6.building");
        let k6 = K6 {
            program: None,
            marker: marker.clone(),
            script: PathBuf::new(),
            socket_script: PathBuf::new(),
            fix: String::new(),
        };
        let reason = || k6.probe().reason.unwrap_or_default();
        assert_eq!(reason(), "k6 is not installed.");
        std::fs::write(&marker, format!("{}\n", std::process::id())).unwrap();
        assert_eq!(reason(), BEING_BUILT);
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        ended.wait().unwrap();
        for stale in [
            ended.id().to_string(),
            String::new(),
            "-1".to_owned(),
            "what?".to_owned(),
        ] {
            std::fs::write(&marker, stale).unwrap();
            assert_eq!(reason(), "k6 is not installed.");
        }
    }

    #[test]
    fn looks_beside_the_agent_first() {
        let found = places(Some(Path::new("/opt/rigmark/bin/rigmark")), Path::new("/srv/checkout"));
        assert_eq!(found.first(), Some(&PathBuf::from("/opt/rigmark/lib/rigmark/k6")));
        assert_eq!(found.last(), Some(&PathBuf::from("/srv/checkout/.rig/tools/k6")));
    }
}
