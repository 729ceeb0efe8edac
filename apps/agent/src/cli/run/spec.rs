//! From what was typed to a run specification.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use crate::assets::Assets;
use crate::cli::args::RunArgs;
use crate::cli::{CliError, Env};
use crate::fix;
use crate::protocol::spec::{EntrySpec, RunSpec};
use crate::runner::entry::TypedEntry;
use crate::runner::validate::{self, Invalid};
use crate::scenario::{self, suite};
use crate::server::nearest::hint;
use crate::server::{self, Server};
use crate::tool;

/// What is to be done, and where the servers are that were named by path.
pub struct Asked {
    pub spec: RunSpec,
    pub local_servers: BTreeMap<String, PathBuf>,
}

pub fn ask(args: &RunArgs, assets: &Assets, env: &Env) -> Result<Asked, CliError> {
    let (typed, scenarios) = match &args.suite {
        Some(name) => from_suite(name, args, assets, env)?,
        None => (args.servers.clone(), args.scenarios.clone()),
    };
    let mut asked = Asked {
        spec: RunSpec {
            schema: 1,
            title: args.title.clone().unwrap_or_default(),
            entries: Vec::new(),
            scenarios,
            repeats: args.repeats,
            duration_s: args.duration,
            warmup_s: args.warmup,
            baseline: args.baseline.clone(),
            seed: match args.seed {
                Some(seed) => seed,
                None => u64::from(getrandom::u32().map_err(|e| {
                    CliError::failed("seed", format!("No seed could be drawn ({e}); give one with --seed."))
                })?),
            },
            suite: args.suite.clone(),
        },
        local_servers: BTreeMap::new(),
    };
    let mut found: HashMap<PathBuf, String> = HashMap::new();
    for text in &typed {
        let typed = TypedEntry::parse(text).map_err(|e| CliError::usage("server", e))?;
        let server = Server::find(assets, &typed.server)?;
        if let Some(missing) = server.missing() {
            let why = fix::said(&missing.reason, missing.fix.as_deref());
            let message = format!("{} cannot be measured here: {why}", server.manifest.name);
            return Err(CliError::unsupported("unsupported", message));
        }
        server
            .manifest
            .resolve_options(&typed.options)
            .map_err(|e| CliError::usage("option", e))?;
        let name = name_of(&server, &typed.server, assets, &mut asked.local_servers, &mut found);
        asked.spec.entries.push(EntrySpec {
            label: typed.label.clone().unwrap_or_else(|| default_label(&server, &typed)),
            server: name,
            options: typed.options,
        });
    }
    check(&asked, assets)?;
    Ok(asked)
}

/// Everything that is wrong with names and numbers, before anything is built.
fn check(asked: &Asked, assets: &Assets) -> Result<(), CliError> {
    let known = scenario::load_all(assets).map_err(|e| CliError::failed("scenarios", e.to_string()))?;
    let mut servers = server::names(assets);
    servers.extend(asked.local_servers.keys().cloned());
    let ids: Vec<String> = known.iter().map(|s| s.id.clone()).collect();
    validate::validate(&asked.spec, &servers, &ids)?;
    for scenario in known.iter().filter(|s| asked.spec.scenarios.contains(&s.id)) {
        let tool = tool::tool(scenario.tool, assets).probe();
        if !tool.supported {
            let why = fix::said(&tool.reason.unwrap_or_default(), tool.fix.as_deref());
            let message = format!("{} cannot be done here: {why}", scenario.id);
            return Err(CliError::unsupported("tool-missing", message));
        }
    }
    Ok(())
}

/// The suite's scenarios, and its servers where none were named: those that this host cannot run are left out, said.
fn from_suite(name: &str, args: &RunArgs, assets: &Assets, env: &Env) -> Result<(Vec<String>, Vec<String>), CliError> {
    let suites = suite::load_all(assets).map_err(|e| CliError::failed("suites", e.to_string()))?;
    let Some(suite) = suites.iter().find(|s| s.id == name) else {
        let hint = hint(name, suites.iter().map(|s| s.id.as_str()));
        return Err(CliError::usage(
            "unknown-suite",
            format!("There is no suite {name:?}; {hint}"),
        ));
    };
    if !args.servers.is_empty() {
        return Ok((args.servers.clone(), suite.scenarios.clone()));
    }
    let mut servers = Vec::new();
    for EntrySpec { server: name, .. } in &suite.entries {
        match Server::find(assets, name)?.missing() {
            None => servers.push(name.clone()),
            Some(missing) => env.out.note(&format!("{name} is left out: {}", missing.reason)),
        }
    }
    Ok((servers, suite.scenarios.clone()))
}

/// The name that the spec uses. Two folders of the same name (two commits of one server) get a number.
fn name_of(
    server: &Server,
    typed: &str,
    assets: &Assets,
    local: &mut BTreeMap<String, PathBuf>,
    found: &mut HashMap<PathBuf, String>,
) -> String {
    if let Some(name) = found.get(&server.folder) {
        return name.clone();
    }
    let bundled = server::names(assets);
    let base = &server.manifest.name;
    if bundled.iter().any(|n| n == typed) {
        found.insert(server.folder.clone(), base.clone());
        return base.clone();
    }
    let taken = |name: &String| bundled.contains(name) || local.contains_key(name);
    let name = std::iter::once(base.clone())
        .chain((2..).map(|n| format!("{base}.{n}")))
        .find(|name| !taken(name))
        .expect("the numbers do not end");
    local.insert(name.clone(), server.folder.clone());
    found.insert(server.folder.clone(), name.clone());
    name
}

/// The server's name, with the options that were set: `epoll workers=4`.
fn default_label(server: &Server, typed: &TypedEntry) -> String {
    let options = typed.options.iter().map(|(name, value)| format!(" {name}={value}"));
    std::iter::once(server.manifest.name.clone()).chain(options).collect()
}

impl From<Invalid> for CliError {
    fn from(error: Invalid) -> Self {
        Self::usage(error.code(), error.to_string())
    }
}
