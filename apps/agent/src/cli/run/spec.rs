//! From what was typed to a run specification.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::expect;
use super::request::{RunRequest, Wanted};
use super::suite::{self, Chosen};
use rigmark_stats::verdict::BLOCKS_FOR_VERDICT;

use crate::assets::Assets;
use crate::cli::args::RunArgs;
use crate::cli::gate::can_fail;
use crate::cli::{CliError, Env};
use crate::fix;
use crate::protocol::spec::{EntrySpec, RunSpec, Scenario, Workload, base_id};
use crate::runner::plan::entry_parser::TypedEntry;
use crate::runner::plan::prepare::{borrowed, canonical, none_claims};
use crate::runner::plan::validate::{self, Invalid};
use crate::scenario::numbers::{self, sets_duration};
use crate::scenario::{self, left_out, owner};
use crate::server::{self, Server, revision};
use crate::tool;

/// Blocks where neither the command line nor a suite says.
const REPEATS: u32 = 5;

pub fn ask(args: &RunArgs, assets: &Assets, env: &Env) -> Result<RunRequest, CliError> {
    let typed = args.servers.iter().map(|text| wanted(text, assets, env));
    let typed: Vec<Wanted> = typed.collect::<Result<_, _>>()?;
    let chosen = match &args.suite {
        Some(name) => suite::choose(name, typed, assets, &env.out)?,
        None => {
            if let Some(name) = &args.as_suite {
                suite::find(name, assets)?;
            }
            Chosen {
                entries: typed,
                scenarios: args.scenarios.clone(),
                ..Chosen::default()
            }
        }
    };
    let mut known = scenario::load_all(assets)?;
    let (scenarios, local_scenarios) = named(&chosen.scenarios, &known)?;
    known.extend_from_slice(&local_scenarios);
    readable(&scenarios, &known, assets)?;
    if args.duration.is_some() && scenarios.iter().any(|reference| sets_duration(reference)) {
        let text = "The duration is given twice, by --duration and by the scenario; give one of them.";
        return Err(CliError::usage("duration", text));
    }
    let quick = args.quick.then(|| Quick::of(&chosen.entries));
    let mut asked = RunRequest {
        spec: RunSpec {
            schema: 1,
            title: args.title.clone().unwrap_or_default(),
            entries: Vec::new(),
            scenarios,
            repeats: args
                .repeats
                .or(quick.map(|q| q.repeats))
                .or(chosen.repeats)
                .unwrap_or(REPEATS),
            duration_s: args.duration.or(quick.map(|q| q.duration_s)).or(chosen.duration_s),
            warmup_s: args.warmup.or(quick.map(|q| q.warmup_s)),
            baseline: args.baseline.clone().or(chosen.baseline),
            seed: match args.seed {
                Some(seed) => seed,
                None => u64::from(getrandom::u32().map_err(|e| {
                    CliError::failed("seed", format!("No seed could be drawn ({e}); give one with --seed."))
                })?),
            },
            suite: args.suite.as_ref().or(args.as_suite.as_ref()).cloned(),
            slice_s: args.slice,
            precision: args.precision,
            max_repeats: args.max_repeats,
            time_limit_s: args.time_limit,
            tune: None, // --tune is of this command, not of what is asked for
        },
        local_servers: BTreeMap::new(),
        local_scenarios,
        left_out: chosen.left_out,
    };
    let mut found: HashMap<PathBuf, String> = HashMap::new();
    let mut contents = Vec::new();
    let mut claimed = Vec::new();
    for wanted in chosen.entries {
        claimed.extend_from_slice(&wanted.server.manifest.workloads);
        contents.push(wanted.server.content_hash.clone());
        let label = wanted.label.clone().unwrap_or_else(|| default_label(&wanted));
        borrowed(&label, &wanted.server)
            .iter()
            .for_each(|text| env.out.note(text));
        let name = name_of(
            &wanted.server,
            &wanted.named,
            assets,
            &mut asked.local_servers,
            &mut found,
        );
        asked.spec.entries.push(EntrySpec {
            label,
            server: name,
            options: wanted.options,
            revision: None,
        });
    }
    asked.spec = canonical(&asked.spec, &known)?;
    if args.fail_on.is_some() && asked.spec.repeats > 0 && asked.spec.max_repeats != Some(0) {
        can_fail(&asked.spec)?;
    }
    check(&asked, &claimed, &known, assets)?;
    let suite = chosen.without_baseline;
    if let Some(label) = suite.and_then(|suite| left_out::baseline_changed(&suite, &asked.spec)) {
        env.out.note(&label.message);
        asked.left_out.push(label);
    }
    expect::all(args, &asked, &contents, assets)?;
    Ok(asked)
}

/// `--quick`: five short blocks, so a large difference has its verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Quick {
    duration_s: f64,
    warmup_s: f64,
    repeats: u32,
}

impl Quick {
    fn of(entries: &[Wanted]) -> Self {
        let compiles = |wanted: &Wanted| wanted.server.manifest.compiles_while_running();
        Self {
            duration_s: 0.8,
            // Cold, it would be measured at its compiling.
            warmup_s: if entries.iter().any(compiles) { 2.0 } else { 0.2 },
            repeats: BLOCKS_FOR_VERDICT,
        }
    }
}

/// One that was named by a person must work.
fn wanted(text: &str, assets: &Assets, env: &Env) -> Result<Wanted, CliError> {
    let typed = TypedEntry::parse(text, assets).map_err(|e| CliError::usage("server", e))?;
    let server = env.server(assets, &typed.server)?;
    if let Some(missing) = server.missing() {
        let why = fix::with_reason(&missing.reason, missing.fix.as_deref());
        let message = format!("{} cannot be measured here: {why}", server.manifest.name);
        return Err(CliError::unsupported("unsupported", message));
    }
    server
        .manifest
        .resolve_options(&typed.options)
        .map_err(|e| CliError::usage("option", e))?;
    Ok(Wanted {
        label: typed.label,
        named: typed.server,
        server,
        options: typed.options,
    })
}

/// Everything that is wrong with names and numbers, before anything is built.
fn check(asked: &RunRequest, claimed: &[Workload], known: &[Scenario], assets: &Assets) -> Result<(), CliError> {
    let mut servers = server::names(assets);
    servers.extend(asked.local_servers.keys().cloned());
    let ids: Vec<String> = known.iter().map(|s| s.id.clone()).collect();
    validate::validate(&asked.spec, &servers, &ids)?;
    let resolved = |id: &String| numbers::resolve(id, known).ok().flatten();
    let scenarios: Vec<Scenario> = asked.spec.scenarios.iter().filter_map(resolved).collect();
    if !scenarios.iter().any(|s| s.workload.is_claimed(claimed)) {
        return Err(CliError::unsupported("not-claimed", none_claims(&scenarios)));
    }
    for scenario in &scenarios {
        let tool = tool::tool(scenario.tool, assets);
        let probed = tool.probe();
        let why = match tool.supports(scenario) {
            Err(why) => why,
            Ok(()) if !probed.supported => fix::with_reason(&probed.reason.unwrap_or_default(), probed.fix.as_deref()),
            Ok(()) => {
                tool.check(scenario).map_err(|why| CliError::failed("script", why))?;
                continue;
            }
        };
        let message = format!("{} cannot run here: {why}", scenario.id);
        return Err(CliError::unsupported("tool-missing", message));
    }
    Ok(())
}

/// The references that the spec uses, and the scenarios that were named by their files. One whose name is taken gets a number.
pub fn named(typed: &[String], known: &[Scenario]) -> Result<(Vec<String>, Vec<Scenario>), CliError> {
    let (mut references, mut local): (Vec<String>, Vec<Scenario>) = (Vec::new(), Vec::new());
    let mut found: HashMap<String, String> = HashMap::new();
    for text in typed {
        let Some((path, numbers)) = scenario_file(text) else {
            references.push(text.clone());
            continue;
        };
        let id = match found.get(path) {
            Some(id) => id.clone(),
            None => {
                let mut scenario = scenario::toml_file::read(Path::new(path))?;
                let taken = |id: &String| known.iter().chain(&local).any(|s| s.id == *id);
                scenario.id = std::iter::once(scenario.id.clone())
                    .chain((2..).map(|n| format!("{}.{n}", scenario.id)))
                    .find(|id| !taken(id))
                    .expect("the numbers do not end");
                found.insert(path.to_owned(), scenario.id.clone());
                local.push(scenario);
                local[local.len() - 1].id.clone()
            }
        };
        references.push(numbers.map_or_else(|| id.clone(), |numbers| format!("{id}:{numbers}")));
    }
    Ok((references, local))
}

/// A file in the owner's folder that was named and cannot be read is said as such, not as an unknown name.
fn readable(references: &[String], known: &[Scenario], assets: &Assets) -> Result<(), CliError> {
    let is_unknown = |reference: &&String| known.iter().all(|s| s.id != base_id(reference));
    let unknown: Vec<&str> = references.iter().filter(is_unknown).map(|r| base_id(r)).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let named = |path: &Path| {
        path.file_stem()
            .is_some_and(|stem| unknown.iter().any(|name| stem == *name))
    };
    match owner::problems(assets)?.into_iter().find(|file| named(&file.path)) {
        Some(file) => Err(CliError::usage("scenario-file", file.reason)),
        None => Ok(()),
    }
}

/// A path ends with `.toml` or has a `/`; numbers may follow.
fn scenario_file(text: &str) -> Option<(&str, Option<&str>)> {
    let is_path = |text: &str| text.ends_with(".toml") || text.contains('/');
    match text.rsplit_once(':') {
        Some((path, numbers)) if is_path(path) && !is_path(numbers) => Some((path, Some(numbers))),
        _ => is_path(text).then_some((text, None)),
    }
}

/// The name that the spec uses. Two folders of the same name (two commits of one server) get a number.
fn name_of(
    server: &Server,
    typed: &str,
    assets: &Assets,
    local: &mut BTreeMap<String, Server>,
    found: &mut HashMap<PathBuf, String>,
) -> String {
    if let Some(name) = found.get(&server.folder) {
        return name.clone();
    }
    let known = server::names(assets);
    let base = &server.manifest.name;
    if known.iter().any(|n| n == typed) {
        found.insert(server.folder.clone(), base.clone());
        return base.clone();
    }
    let taken = |name: &String| known.contains(name) || local.contains_key(name);
    let name = std::iter::once(base.clone())
        .chain((2..).map(|n| format!("{base}.{n}")))
        .find(|name| !taken(name))
        .expect("the numbers do not end");
    local.insert(name.clone(), server.clone());
    found.insert(server.folder.clone(), name.clone());
    name
}

/// The server's name, with the commit and the options that were set: `epoll workers=4`, `server@origin/main`.
fn default_label(wanted: &Wanted) -> String {
    let options = wanted.options.iter().map(|(name, value)| format!(" {name}={value}"));
    let reference = wanted.server.revision.as_ref().and_then(|r| r.reference.as_deref());
    let at = reference.map(|reference| format!("@{}", shown_reference(reference)));
    std::iter::once(wanted.server.manifest.name.clone())
        .chain(at)
        .chain(options)
        .collect()
}

/// A whole hash says no more than its beginning.
pub fn shown_reference(reference: &str) -> &str {
    let is_hash = reference.len() >= 40 && reference.bytes().all(|b| b.is_ascii_hexdigit());
    if is_hash { revision::short(reference) } else { reference }
}

impl From<Invalid> for CliError {
    fn from(error: Invalid) -> Self {
        Self::usage(error.code(), error.to_string())
    }
}

#[cfg(test)]
#[path = "spec_tests.rs"]
mod tests;
