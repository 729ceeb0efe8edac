//! `rigmark queue`: a run on a host of the workspace, from what that host can do.

use std::collections::BTreeMap;

use rigmark_stats::verdict::BLOCKS_FOR_VERDICT;
use serde_json::json;

use super::args::QueueArgs;
use super::gate::can_fail;
use super::run::spec::shown_reference;
use super::{CliError, Env, Exit, remote, wait};
use crate::control::message::{Host, HostCatalogue, List, Run};
use crate::control::{Api, Call};
use crate::protocol::spec::{EntrySpec, RunSpec};
use crate::runner::plan::entry_parser::{ServerLookup, TypedEntry};
use crate::server::manifest::is_slug;
use crate::source;
use crate::text::plain;

/// Blocks where neither the command line nor a suite says.
const REPEATS: u32 = 5;
const NAME_CHARS: usize = 80;
const URL_CHARS: usize = 500;

pub async fn run(args: &QueueArgs, env: &Env) -> Result<Exit, CliError> {
    if args.follow.out.is_some() && !args.wait {
        return Err(CliError::usage(
            "out",
            "--out needs --wait: the run has no records before it is measured.",
        ));
    }
    if args.follow.cancel_on_interrupt && !args.wait {
        return Err(CliError::usage(
            "cancel-on-interrupt",
            "--cancel-on-interrupt needs --wait: without it the command ends as soon as the run is queued.",
        ));
    }
    let (api, _) = remote::api(&args.remote)?;
    let said = "Interrupted before the run was queued.";
    let run = remote::until_interrupted(env, queue(args, &api), said).await?;
    let url = plain(&run.url, URL_CHARS);
    if !args.wait {
        env.out.object(&json!({ "run": run }));
        env.out
            .line(&format!("Queued on {}: {url}", plain(&run.host.name, NAME_CHARS)));
        env.out.note(&format!("Wait for it with: rigmark wait {}", run.id));
        if args.follow.fail_on.is_some() {
            env.out
                .note("Give that command --fail-on too: the rule is checked there, and here only whether it can be.");
        }
        return Ok(Exit::Done);
    }
    env.out
        .note(&format!("Queued on {}: {url}", plain(&run.host.name, NAME_CHARS)));
    wait::follow(&api, run.id, &args.follow, env).await
}

async fn queue(args: &QueueArgs, api: &Api) -> Result<Run, CliError> {
    let workspace = remote::workspace(api, &args.workspace).await?;
    let host = host(api, &workspace, &args.host).await?;
    let catalogue: HostCatalogue = api.json(Call::get(format!("hosts/{}/catalogue", host.id))).await?;
    let spec = spec(args, &catalogue)?;
    if args.follow.fail_on.is_some() {
        can_fail(&spec)?;
    }
    let source = std::env::current_dir().ok().and_then(|here| source::find(&here));
    let mut body = json!({ "host": host.id, "spec": spec });
    if let Some(source) = source {
        body["source"] = json!(source);
    }
    let call = Call::post(format!("workspaces/{workspace}/runs"), &body).once_only();
    Ok(api.json(call).await?)
}

/// By its id or its exact name. Machines that are known from files only are no hosts to queue on.
async fn host(api: &Api, workspace: &str, wanted: &str) -> Result<Host, CliError> {
    let mut known: Vec<Host> = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let more = cursor.map(|c| format!("&cursor={}", crate::control::client::encoded(&c)));
        let path = format!("workspaces/{workspace}/hosts?limit=100{}", more.unwrap_or_default());
        let page: List<Host> = api.json(Call::get(path)).await?;
        known.extend(page.items);
        cursor = page.next_cursor.filter(|_| known.len() < 10_000);
        if cursor.is_none() {
            break;
        }
    }
    known.retain(|h| h.kind != "published");
    let fits = |h: &&Host| h.name == wanted || h.id.to_string() == wanted;
    let mut found = known.iter().filter(fits);
    match (found.next(), found.next()) {
        (Some(host), None) => Ok(host.clone()),
        (Some(one), Some(_)) => Err(CliError::usage(
            "host",
            format!(
                "Several hosts are called {wanted:?}; give the id of one, such as {}.",
                one.id
            ),
        )),
        (None, _) => {
            let names: Vec<String> = known.iter().map(|h| plain(&h.name, NAME_CHARS)).collect();
            let hosts = match names.is_empty() {
                true => "it has none; add one on the page of hosts".to_owned(),
                false => format!("its hosts are {}", names.join(", ")),
            };
            Err(CliError::failed(
                "host",
                format!("The workspace {workspace} has no host {wanted:?}; {hosts}."),
            ))
        }
    }
}

struct OfHost<'a>(&'a HostCatalogue);

impl ServerLookup for OfHost<'_> {
    fn has_name(&self, name: &str) -> bool {
        self.0.servers.iter().any(|s| s.name == name)
    }
    /// A path here is nothing there; `NAME@REF` is a server at a commit of the host's clone.
    fn has_folder(&self, path: &str) -> bool {
        at_commit(path).is_some_and(|(name, _)| self.has_name(name))
    }
}

/// No server's name has an `@` in it.
fn at_commit(text: &str) -> Option<(&str, &str)> {
    text.split_once('@')
        .filter(|(name, reference)| is_slug(name) && !reference.is_empty())
}

/// What the app and the host refuse, they refuse in their own words; here is only what would not be understood.
fn spec(args: &QueueArgs, catalogue: &HostCatalogue) -> Result<RunSpec, CliError> {
    let suite = match &args.suite {
        None => None,
        Some(id) => Some(catalogue.suites.iter().find(|s| s.id == *id).ok_or_else(|| {
            let known: Vec<&str> = catalogue.suites.iter().map(|s| s.id.as_str()).collect();
            CliError::usage(
                "suite",
                format!("The host has no suite {id:?}; it has {}.", known.join(", ")),
            )
        })?),
    };
    let mut entries = Vec::new();
    for text in &args.servers {
        entries.push(entry(text, catalogue)?);
    }
    if let Some(suite) = suite.filter(|_| entries.is_empty()) {
        entries = suite.entries.clone();
    }
    let quick = args.quick.then(|| warm_up_s(&entries, catalogue));
    let baseline = args.baseline.clone().or_else(|| {
        // One that --server took out is none.
        let of_suite = &suite?.baseline;
        entries.iter().any(|e| e.label == *of_suite).then(|| of_suite.clone())
    });
    Ok(RunSpec {
        schema: 1,
        title: args.title.clone().unwrap_or_default(),
        scenarios: suite.map_or_else(|| args.scenarios.clone(), |s| s.scenarios.clone()),
        repeats: args
            .repeats
            .or(quick.map(|_| BLOCKS_FOR_VERDICT))
            .or(suite.map(|s| s.repeats))
            .unwrap_or(REPEATS),
        duration_s: args
            .duration
            .or(quick.map(|_| 0.8))
            .or(suite.and_then(|s| s.duration_s)),
        warmup_s: args.warmup.or(quick),
        baseline,
        seed: match args.seed {
            Some(seed) => seed,
            None => u64::from(getrandom::u32().map_err(|e| {
                CliError::failed("seed", format!("No seed could be drawn ({e}); give one with --seed."))
            })?),
        },
        suite: args.suite.clone(),
        slice_s: args.slice,
        precision: args.precision,
        max_repeats: args.max_repeats,
        time_limit_s: args.time_limit,
        tune: args.tune.then_some(true),
        entries,
    })
}

fn entry(text: &str, catalogue: &HostCatalogue) -> Result<EntrySpec, CliError> {
    let typed = TypedEntry::parse(text, &OfHost(catalogue)).map_err(|e| CliError::usage("server", e))?;
    let (name, revision) = match at_commit(&typed.server) {
        Some((name, reference)) => (name.to_owned(), Some(reference.to_owned())),
        None => (typed.server.clone(), None),
    };
    let Some(server) = catalogue.servers.iter().find(|s| s.name == name) else {
        let known: Vec<&str> = catalogue.servers.iter().map(|s| s.name.as_str()).collect();
        let known = match known.is_empty() {
            true => "it has reported none yet, so wait until its agent is online".to_owned(),
            false => format!("it has {}", known.join(", ")),
        };
        return Err(CliError::usage(
            "server",
            format!("The host has no server {name:?}; {known}. A path names a server on this machine only."),
        ));
    };
    // An app from before would say that it knows no such field.
    if let Some(reference) = revision.as_ref().filter(|_| server.revisions != Some(true)) {
        return Err(CliError::usage(
            "revision",
            format!(
                "The host takes no commit for {name}: its folder is in no git clone that the host's owner put there, or its agent is \
                 too old; leave out @{}, or put the folder of a clone into the host's servers.",
                plain(reference, NAME_CHARS)
            ),
        ));
    }
    let label = typed
        .label
        .unwrap_or_else(|| default_label(&name, revision.as_deref(), &typed.options));
    Ok(EntrySpec {
        label,
        server: name,
        options: typed.options,
        revision,
    })
}

/// As of `rigmark run`: `epoll workers=4`, `hello@origin/main`.
fn default_label(server: &str, reference: Option<&str>, options: &BTreeMap<String, i64>) -> String {
    let at = reference.map(|reference| format!("@{}", shown_reference(reference)));
    let options = options.iter().map(|(name, value)| format!(" {name}={value}"));
    std::iter::once(server.to_owned()).chain(at).chain(options).collect()
}

/// Of `--quick`. A server that compiles while it runs would be measured at its compiling.
fn warm_up_s(entries: &[EntrySpec], catalogue: &HostCatalogue) -> f64 {
    let compiles = |entry: &EntrySpec| {
        let known = catalogue.servers.iter().find(|s| s.name == entry.server);
        known.is_some_and(|s| s.jit == Some(true))
    };
    if entries.iter().any(compiles) { 2.0 } else { 0.2 }
}
