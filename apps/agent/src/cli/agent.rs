//! `rigmark agent`: waits for runs and does them.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;
use tokio::sync::watch;

use super::args::AgentArgs;
use super::output::Output;
use super::{CliError, Env, Exit, signals};
use crate::assets::Assets;
use crate::host::lock::HostLock;
use crate::host::owner_rules::{OwnerRules, TimeOfDay};
use crate::host::sysroot::SysRoot;
use crate::host::tune::{self, HugePages};
use crate::journal::Sink;
use crate::protocol::catalogue::Catalogue;
use crate::protocol::facts::HostTune;
use crate::protocol::journal::{RunLabel, RunResult};
use crate::protocol::spec::{RunSpec, ToolName, base_id};
use crate::protocol::wire::Lease;
use crate::runner;
use crate::runner::context::{RunContext, RunIds};
use crate::scenario::left_out;
use crate::session::client::Client;
use crate::session::driver::{self, LeaseExecutor, SessionHost, Setup};
use crate::session::identity::Identity;
use crate::session::{self, Inventory, LogLevel};
use crate::spool::Spool;
use crate::state::State;
use crate::text::message;

pub async fn run(args: &AgentArgs, env: &Env) -> Result<Exit, CliError> {
    let root = env.state.root();
    let identity = Identity::load(root).map_err(|e| CliError::failed("identity", e.to_string()))?;
    let assets = env.assets()?;
    env.state.dir("spool")?;
    let _only = only_agent(root)?;
    let allow_http = args.allow_http || identity.allow_http;
    let client = Client::new(&identity.url, allow_http).map_err(|e| CliError::failed("url", e.to_string()))?;
    let spool = Spool::open(root).map_err(|e| CliError::failed("spool", e.to_string()))?;
    let out = Output::new(env.out.is_json(), super::args::ColorArg::Auto);
    let through = client
        .proxy()
        .map(|p| format!(" through the proxy {p}"))
        .unwrap_or_default();
    let (url, name) = (&identity.url, &identity.host_name);
    say(
        &out,
        LogLevel::Info,
        &format!("Waiting for runs from {url} as {name}{through}."),
    );
    if args.allow_tune {
        tuning_in_words(&tune::within_reach(&SysRoot::host()))
            .into_iter()
            .for_each(|(level, text)| say(&out, level, &text));
    }
    if let Some((level, text)) = rules_in_words(&assets) {
        say(&out, level, &text);
    }
    for hidden in crate::server::known::hidden(&assets) {
        say(&out, LogLevel::Warn, &hidden.sentence);
    }
    let setup = Setup {
        identity,
        client,
        spool,
        host: Arc::new(AgentHost {
            assets: assets.clone(),
            state: env.state.clone(),
            allow_tune: args.allow_tune,
        }),
        executor: Arc::new(Runner {
            assets,
            state: env.state.clone(),
            tune: args.tune,
            allow_tune: args.allow_tune,
        }),
        clock: crate::host::monotonic_us,
        once: args.once,
        log: Box::new(move |level, text| say(&out, level, text)),
    };
    let signals = signals::listen()?;
    match driver::run(setup, signals.stopped).await {
        Ok(session::SessionEnd::Refused(sentence)) => Err(CliError::failed("refused", sentence)),
        Ok(session::SessionEnd::Revoked(sentence)) => Err(CliError::new(Exit::Revoked, "revoked", sentence)),
        Ok(session::SessionEnd::Stopped) if *signals.interrupted.borrow() => Ok(Exit::Interrupted),
        Ok(session::SessionEnd::Stopped | session::SessionEnd::Once) => Ok(Exit::Done),
        Err(error) => Err(CliError::failed("spool", error.to_string())),
    }
}

/// A line on stderr, or with `--json` an object a line on stdout.
fn say(out: &Output, level: LogLevel, text: &str) {
    if out.is_json() {
        let level = match level {
            LogLevel::Info => "info",
            LogLevel::Warn => "warn",
        };
        out.object(&json!({ "event": "log", "level": level, "message": text }));
    } else {
        out.note(text);
    }
}

/// Two agents on one state folder would deliver each other's spool.
fn only_agent(state: &Path) -> Result<File, CliError> {
    let path = state.join("agent.lock");
    let unusable = |error| CliError::failed("state", format!("{} cannot be used ({error}).", path.display()));
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(unusable)?;
    // SAFETY: the descriptor is open for as long as `file` lives.
    if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } != 0 {
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::WouldBlock {
            return Err(CliError::failed(
                "state",
                format!(
                    "{} cannot be locked ({error}); name a folder on a local disk with --state-dir.",
                    path.display()
                ),
            ));
        }
        return Err(CliError::failed(
            "running",
            format!(
                "Another agent already uses {}; stop it first, or name another folder with --state-dir.",
                state.display()
            ),
        ));
    }
    Ok(file)
}

/// What the owner's opt-in comes to on this host.
fn tuning_in_words(reach: &HostTune) -> Vec<(LogLevel, String)> {
    let mut lines = Vec::new();
    if !reach.sets.is_empty() {
        let text = format!("While they run, runs from the app may set: {}.", reach.sets.join(", "));
        lines.push((LogLevel::Info, text));
    }
    if !reach.missing.is_empty() {
        let text = format!(
            "Runs from the app may be tuned, but this agent lacks some of the rights: {}. \
             See \"Tuning by queued runs\" in docs/install.md.",
            reach.missing.join("; ")
        );
        lines.push((LogLevel::Warn, text));
    }
    lines
}

/// What the owner's files forbid, or what is wrong with one.
fn rules_in_words(assets: &Assets) -> Option<(LogLevel, String)> {
    match OwnerRules::read(assets) {
        Err(sentence) => Some((LogLevel::Warn, sentence)),
        Ok(rules) => {
            let phrases = rules.phrases(&crate::server::names(assets))?;
            let text = format!("The owner of this host limits queued runs: {}.", phrases.join("; "));
            (!phrases.is_empty()).then_some((LogLevel::Info, text))
        }
    }
}

struct AgentHost {
    assets: Assets,
    state: State,
    allow_tune: bool,
}

impl SessionHost for AgentHost {
    fn inventory(&self) -> Inventory {
        let (rules, unreadable) = match OwnerRules::read(&self.assets) {
            Ok(rules) => (rules, None),
            Err(sentence) => (OwnerRules::default(), Some(vec![message(&sentence)])),
        };
        let assets = self.assets.clone().without_builds(rules.forbid_builds());
        let mut servers = crate::server::catalogue(&assets);
        let mut tools = crate::tool::catalogue(&assets);
        rules.restrict(&mut servers, &mut tools);
        let mut facts = crate::host::facts_with(Some(&assets), self.state.root());
        let may_tune = self.allow_tune && !rules.forbid_tuning();
        facts.tune = may_tune.then(|| tune::within_reach(&SysRoot::host()));
        let names: Vec<String> = servers.iter().map(|server| server.name.clone()).collect();
        facts.owner_rules = unreadable.or_else(|| rules.phrases(&names));
        Inventory {
            facts,
            catalogue: Catalogue {
                servers,
                scenarios: crate::scenario::catalogue(&assets, &tools).unwrap_or_default(),
                tools,
                suites: crate::scenario::suite::load_all(&assets).unwrap_or_default(),
            },
        }
    }
    fn owner_files(&self) -> u64 {
        self.assets.owner_files()
    }
    fn boot_id(&self) -> String {
        crate::host::boot_id()
    }
    fn monotonic_us(&self) -> u64 {
        crate::host::monotonic_us()
    }
    fn lock(&self, owner: &str) -> Result<Box<dyn Send>, String> {
        if let Some(closed) = OwnerRules::read(&self.assets)?.closed(TimeOfDay::now()) {
            return Err(closed);
        }
        match HostLock::acquire(owner) {
            Ok(lock) => Ok(Box::new(lock)),
            Err(held) => Err(held.to_string()),
        }
    }
    fn rest(&self) {
        // glibc keeps what was freed in each thread's arena; a waiting agent has no use for it.
        // SAFETY: malloc_trim may be called at any time from any thread.
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        unsafe {
            libc::malloc_trim(0);
        }
        #[cfg(target_os = "linux")]
        crate::host::unmap_idle_code();
    }
}

struct Runner {
    assets: Assets,
    state: State,
    /// Every run is tuned, whatever it asks for.
    tune: Option<HugePages>,
    /// A run is tuned that asks for it.
    allow_tune: bool,
}

/// What the owner lets one run do.
struct Allowed {
    rules: OwnerRules,
    /// Where it finds what it needs.
    assets: Assets,
    tune: Option<HugePages>,
    /// Why it is refused.
    forbidden: Option<String>,
}

impl Runner {
    /// Only this host's owner can allow it: a run that asks where it is not allowed is refused, by [`runner::execute`].
    fn tuning(&self, spec: &RunSpec) -> Option<HugePages> {
        let allowed = spec.tune == Some(true) && self.allow_tune;
        self.tune.or(allowed.then_some(HugePages::Never))
    }

    /// As the owner's files are at this moment.
    fn allowed(&self, spec: &RunSpec) -> Allowed {
        let (rules, unreadable) = match OwnerRules::read(&self.assets) {
            Ok(rules) => (rules, None),
            Err(sentence) => (OwnerRules::default(), Some(sentence)),
        };
        let scenarios = crate::scenario::load_all(&self.assets).unwrap_or_default();
        let asked = |id: &str| spec.scenarios.iter().any(|reference| base_id(reference) == id);
        let tools: Vec<ToolName> = scenarios.iter().filter(|s| asked(&s.id)).map(|s| s.tool).collect();
        let forbidden = unreadable.or_else(|| rules.refusal(spec, &tools));
        Allowed {
            assets: self.assets.clone().without_builds(rules.forbid_builds()),
            // A run that is refused changes nothing on the host.
            tune: self
                .tuning(spec)
                .filter(|_| forbidden.is_none() && !rules.forbid_tuning()),
            forbidden,
            rules,
        }
    }

    /// The tools are asked for their versions, so it has a thread of its own and heartbeats go on.
    async fn left_out(&self, spec: &RunSpec, allowed: &Allowed, mut cancel: watch::Receiver<bool>) -> Vec<RunLabel> {
        if allowed.forbidden.is_some() {
            return Vec::new();
        }
        let (spec, assets, rules) = (spec.clone(), allowed.assets.clone(), allowed.rules.clone());
        let found = tokio::task::spawn_blocking(move || {
            left_out::on_this_host(&spec, &assets, |servers, tools| rules.restrict(servers, tools))
        });
        tokio::select! {
            biased;
            () = runner::execute::cancelled(&mut cancel) => Vec::new(),
            found = found => found.unwrap_or_default(),
        }
    }
}

#[async_trait]
impl LeaseExecutor for Runner {
    async fn execute(&self, lease: Lease, sink: Arc<dyn Sink>, cancel: watch::Receiver<bool>) -> RunResult {
        let ids = RunIds {
            run_id: lease.run_id,
            attempt_id: lease.attempt_id,
            attempt_no: lease.attempt_no,
        };
        let allowed = self.allowed(&lease.spec);
        let left_out = self.left_out(&lease.spec, &allowed, cancel.clone()).await;
        let context = RunContext {
            assets: allowed.assets,
            forbidden: allowed.forbidden,
            state: self.state.clone(),
            control_plane_same_host: Some(lease.control_plane_same_host),
            local_servers: std::collections::BTreeMap::new(),
            local_scenarios: Vec::new(),
            left_out,
            tune: allowed.tune,
        };
        runner::execute(lease.spec, ids, context, sink, cancel).await
    }
}

#[cfg(test)]
#[path = "agent_tests.rs"]
mod tests;
