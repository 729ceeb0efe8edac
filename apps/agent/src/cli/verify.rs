//! `rigmark verify SERVER…`: builds, starts and asks, without any load. *Right* for its loads decides; *conformance* is shown, and
//! asked for with `--strict`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::args::VerifyArgs;
use super::output::{Tone, paint};
use super::run::spec;
use super::servers::workload_name;
use super::{CliError, Env, Exit};
use crate::assets::Assets;
use crate::protocol::journal::{VerifyCheck, VerifyStatus};
use crate::protocol::spec::{Payload, Scenario, Workload};
use crate::runner::plan::entry_parser::TypedEntry;
use crate::runner::plan::prepare::none_claims;
use crate::runner::standalone_verify::{
    LoadReport, References, StandaloneReport, StartReport, verify_server, verify_start,
};
use crate::runner::validity::closes;
use crate::scenario::{self, numbers};
use crate::server::{self, Server};
use crate::verify::{self, conformance, knows};

/// What is to be verified.
struct ServerToVerify {
    label: String,
    server: Server,
    options: BTreeMap<String, i64>,
    workloads: Vec<Workload>,
}

pub async fn run(args: &VerifyArgs, env: &Env) -> Result<Exit, CliError> {
    let assets = env.assets()?;
    // Everything that was typed is looked at before anything is built.
    let scenarios = scenarios(&assets, args)?;
    let (entries, unsupported) = if args.all {
        all(&assets, args.workload)
    } else {
        (named_servers(&assets, args, env)?, Vec::new())
    };
    for one in &unsupported {
        let text = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
        env.out.line(&format!(
            "{} {}: {} {}",
            paint(Tone::Warn, "unsupported"),
            text("server"),
            text("reason"),
            text("fix")
        ));
    }
    let (mut results, mut references) = (Vec::new(), References::new());
    for entry in &entries {
        let before = results.len();
        if entry.workloads.is_empty() && args.scenarios.is_empty() {
            results.push(starts(entry, args, env).await?);
        }
        // Every server takes somebody's own requests, where a scenario that was named has some.
        let own = (!args.scenarios.is_empty() && args.workload.is_none()).then_some(Workload::Http);
        for workload in entry.workloads.iter().chain(&own) {
            let loads = loads(&scenarios, *workload);
            if loads.is_empty() {
                continue;
            }
            results.push(verify(entry, *workload, &loads, &mut references, args, env).await?);
        }
        if results.len() == before && entries.len() > 1 && !args.all {
            env.out.note(&format!(
                "{} claims the workload of none of the scenarios, so it was left out.",
                entry.label
            ));
        }
    }
    if results.is_empty() && unsupported.is_empty() {
        return Err(none_to_verify(&scenarios, args.workload));
    }
    let failed = results.iter().filter(|r| r["status"] == "failed").count();
    env.out.object(&json!({
        "passed": results.len() - failed,
        "failed": failed,
        "verified": results,
        "unsupported": unsupported,
    }));
    Ok(match (failed, results.is_empty()) {
        (0, false) => Exit::Done,
        (0, true) => Exit::Unsupported,
        _ => Exit::Failed,
    })
}

/// Why nothing could be asked of anybody.
fn none_to_verify(scenarios: &[Scenario], asked: Option<Workload>) -> CliError {
    let of = |s: &&Scenario| asked.is_none_or(|asked| s.workload == asked);
    let fitting: Vec<Scenario> = scenarios.iter().filter(of).cloned().collect();
    match asked.filter(|_| fitting.is_empty()) {
        Some(asked) => {
            let name = workload_name(asked);
            let message = format!("No scenario here has the workload {name}; name one with --scenario.");
            CliError::unsupported("workload", message)
        }
        None => CliError::unsupported("not-claimed", none_claims(&fitting)),
    }
}

fn named_servers(assets: &Assets, args: &VerifyArgs, env: &Env) -> Result<Vec<ServerToVerify>, CliError> {
    let mut entries = Vec::new();
    for text in &args.servers {
        let typed = TypedEntry::parse(text, assets).map_err(|e| CliError::usage("server", e))?;
        let server = env.server(assets, &typed.server)?;
        let options = server
            .manifest
            .resolve_options(&typed.options)
            .map_err(|e| CliError::usage("option", e))?;
        entries.push(ServerToVerify {
            label: typed.label.unwrap_or_else(|| server.manifest.name.clone()),
            workloads: workloads(&server, args.workload)?,
            server,
            options,
        });
    }
    Ok(entries)
}

/// The servers that can be verified here, and of each other one why not and how to fix it. Who does not claim the workload that was
/// asked for is none of them.
fn all(assets: &Assets, asked: Option<Workload>) -> (Vec<ServerToVerify>, Vec<Value>) {
    let (mut entries, mut unsupported) = (Vec::new(), Vec::new());
    for server::known::Known { name, folder, .. } in server::known::bundled(assets) {
        let server = match Server::load(&folder) {
            Ok(server) => server,
            Err(error) => {
                unsupported.push(json!({ "server": name, "workloads": [], "reason": error.to_string(), "fix": null }));
                continue;
            }
        };
        let claimed = &server.manifest.workloads;
        if asked.is_some_and(|asked| !asked.is_claimed(claimed)) {
            continue;
        }
        let mut workloads = asked.map_or_else(|| claimed.clone(), |asked| vec![asked]);
        workloads.retain(|w| knows(*w));
        if let Some(missing) = server.missing() {
            let (reason, fix) = (missing.reason, missing.fix);
            unsupported.push(json!({ "server": name, "workloads": workloads, "reason": reason, "fix": fix }));
            continue;
        }
        let options = server.manifest.options.iter();
        entries.push(ServerToVerify {
            label: name,
            options: options.map(|(name, o)| (name.clone(), o.default)).collect(),
            workloads,
            server,
        });
    }
    (entries, unsupported)
}

/// Of a server that claims no workload: it is built, becomes ready and ends as it should. What it is to answer, only a scenario
/// can say. With `--all`, what cannot be built counts as failed and ends nothing.
async fn starts(entry: &ServerToVerify, args: &VerifyArgs, env: &Env) -> Result<Value, CliError> {
    let (label, server) = (&entry.label, &entry.server);
    env.out.note(&format!("Starting {label} …"));
    let report = match verify_start(server, &entry.options, &env.state).await {
        Ok(report) => report,
        Err(error) if args.all => StartReport::failed(error.to_string()),
        Err(error) => return Err(error.into()),
    };
    let passed = report.failure.is_none();
    let mark = if passed {
        paint(Tone::Good, "passed")
    } else {
        paint(Tone::Bad, "failed")
    };
    let said = match &report.failure {
        Some(failure) => failure.clone(),
        None => format!(
            "it is ready after {} ms. It claims no workload, so no response was checked; load it with a scenario of your own.",
            report.elapsed.as_millis()
        ),
    };
    env.out.line(&format!("{mark} {label}: {said}"));
    for check in report.checks.iter().filter(|c| c.status == VerifyStatus::Failed) {
        env.out.line(&format!("  {}", line(check)));
    }
    Ok(json!({
        "server": server.manifest.name,
        "label": label,
        "content_hash": server.content_hash,
        "workload": null,
        "status": if passed { "passed" } else { "failed" },
        "error": report.failure,
        "checks": report.checks,
        "sandboxed": report.unsandboxed_reason.is_none(),
        "elapsed_ms": report.elapsed.as_millis() as u64,
    }))
}

/// With `--all`, what cannot be built counts as failed and ends nothing.
async fn verify(
    entry: &ServerToVerify,
    workload: Workload,
    loads: &[Scenario],
    references: &mut References,
    args: &VerifyArgs,
    env: &Env,
) -> Result<Value, CliError> {
    let (label, server) = (&entry.label, &entry.server);
    env.out
        .note(&format!("Verifying {label}, {} …", workload_name(workload)));
    let report = match verify_server(server, label, &entry.options, workload, loads, references, &env.state).await {
        Ok(report) => report,
        Err(error) if args.all => StandaloneReport::failed(error.to_string()),
        Err(error) => return Err(error.into()),
    };
    let passed = report.right() && (!args.strict || report.conforms());
    show(env, label, workload, &report, passed);
    Ok(json!({
        "server": server.manifest.name,
        "label": label,
        "content_hash": server.content_hash,
        "workload": workload,
        "status": if passed { "passed" } else { "failed" },
        "right": report.right(),
        "conforms": report.conforms(),
        "error": report.failure,
        "checks": merged(&report),
        "loads": report.loads.iter().map(load_json).collect::<Vec<_>>(),
        "conformance": report.conformance,
        "sandboxed": report.unsandboxed_reason.is_none(),
        "elapsed_ms": report.elapsed.as_millis() as u64,
    }))
}

fn load_json(load: &LoadReport) -> Value {
    json!({
        "scenario": load.scenario.id,
        "request": request(&load.scenario),
        "status": verify::status(&load.checks),
        "checks": load.checks,
        "closes_after": load.closes.map(|c| c.after),
    })
}

/// Each check once, as the first load found it that was answered wrong.
fn merged(report: &StandaloneReport) -> Vec<VerifyCheck> {
    let mut merged: Vec<VerifyCheck> = Vec::new();
    for check in report.loads.iter().flat_map(|load| &load.checks) {
        match merged.iter_mut().find(|known| known.id == check.id) {
            None => merged.push(check.clone()),
            Some(known) if known.status == VerifyStatus::Passed => *known = check.clone(),
            Some(_) => {}
        }
    }
    merged
}

/// What may be asked for: the scenarios that were named, or all that are bundled.
fn scenarios(assets: &Assets, args: &VerifyArgs) -> Result<Vec<Scenario>, CliError> {
    let mut all = scenario::load_all(assets)?;
    if args.scenarios.is_empty() {
        return Ok(all);
    }
    let (references, local) = spec::named(&args.scenarios, &all)?;
    all.extend(local);
    let named = |name: &String| {
        let found = numbers::resolve(name, &all).map_err(|why| CliError::usage("scenario-numbers", why))?;
        found.ok_or_else(|| {
            let message = format!("There is no scenario {name}; `rigmark scenarios` lists them.");
            CliError::usage("scenario", message)
        })
    };
    references.iter().map(named).collect()
}

/// Those of one workload that differ in what is sent, each over the most connections that one of them has.
fn loads(scenarios: &[Scenario], workload: Workload) -> Vec<Scenario> {
    let sends = |s: &Scenario| {
        (
            s.tool,
            s.path.clone(),
            s.load.keep_alive(),
            s.payload.clone(),
            s.in_flight,
            s.http.clone(),
        )
    };
    let mut loads: Vec<Scenario> = Vec::new();
    for scenario in scenarios.iter().filter(|s| s.workload == workload) {
        match loads.iter_mut().find(|known| sends(known) == sends(scenario)) {
            None => loads.push(scenario.clone()),
            Some(known) if known.load.connections() < scenario.load.connections() => *known = scenario.clone(),
            Some(_) => {}
        }
    }
    loads
}

fn workloads(server: &Server, asked: Option<Workload>) -> Result<Vec<Workload>, CliError> {
    let name = &server.manifest.name;
    let claimed = &server.manifest.workloads;
    let wanted: Vec<Workload> = match asked {
        None => claimed.clone(),
        Some(workload) if workload.is_claimed(claimed) => vec![workload],
        Some(workload) => {
            let claimed: Vec<&str> = claimed.iter().map(|w| workload_name(*w)).collect();
            let claimed = if claimed.is_empty() {
                "none".to_owned()
            } else {
                claimed.join(", ")
            };
            let message = format!("{name} does not claim {}; it has {claimed}.", workload_name(workload));
            return Err(CliError::unsupported("workload", message));
        }
    };
    match wanted.iter().find(|w| !knows(**w)) {
        Some(unknown) if asked.is_some() || wanted.len() == 1 => {
            let message = format!(
                "This agent cannot verify {} yet, so {name} cannot be measured with it; update the agent.",
                workload_name(*unknown)
            );
            Err(CliError::unsupported("workload", message))
        }
        _ => Ok(wanted.into_iter().filter(|w| knows(*w)).collect()),
    }
}

fn show(env: &Env, label: &str, workload: Workload, report: &StandaloneReport, passed: bool) {
    let title = format!("{label}, {}", workload_name(workload));
    if let Some(failure) = &report.failure {
        env.out
            .line(&format!("{} {title}: {failure}", paint(Tone::Bad, "failed")));
    } else {
        let word = match passed {
            true => paint(Tone::Good, "passed"),
            false => paint(Tone::Bad, "failed"),
        };
        env.out
            .line(&format!("{word} {title} ({} ms)", report.elapsed.as_millis()));
    }
    for load in &report.loads {
        let failed: Vec<&VerifyCheck> = load
            .checks
            .iter()
            .filter(|c| c.status == VerifyStatus::Failed)
            .collect();
        let mark = match failed.is_empty() {
            true => paint(Tone::Good, "✓"),
            false => paint(Tone::Bad, "✗"),
        };
        let closes = load
            .closes
            .map_or_else(String::new, |c| format!("; {}", closes::label(c, None).message));
        env.out.line(&format!("  {mark} {}{closes}", request(&load.scenario)));
        for check in failed {
            env.out.line(&format!("    {}", line(check)));
        }
    }
    if !report.conformance.is_empty() {
        env.out
            .line(&format!("  {}", conformance::sentence(workload, &report.conformance)));
        for check in report.conformance.iter().filter(|c| c.status == VerifyStatus::Failed) {
            env.out.line(&format!("    {}", line(check)));
        }
    }
}

/// "ab, 100 connections, GET /1k.bin".
fn request(scenario: &Scenario) -> String {
    let method = match scenario.workload {
        Workload::Http => return own_request(scenario),
        Workload::Plaintext | Workload::Static => "GET ",
        Workload::JsonSum | Workload::Upload => "POST ",
        Workload::WsEcho => "messages on ",
    };
    let connections = match scenario.load.connections() {
        1 => "1 connection".to_owned(),
        n => format!("{n} connections"),
    };
    let kept = if scenario.load.keep_alive() {
        ""
    } else {
        ", a new one for each request"
    };
    let payload = match scenario.payload {
        Some(Payload::Bytes { bytes } | Payload::Text { bytes }) => format!(" with {bytes} bytes"),
        Some(Payload::Numbers { count }) => format!(" with {count} numbers"),
        Some(Payload::Greeting {}) | None => String::new(),
    };
    let together = scenario.in_flight.filter(|n| *n > 1);
    let together = together.map_or_else(String::new, |n| format!(", {n} under way on each"));
    let tool = scenario.tool.as_str();
    format!(
        "{tool}, {connections}{kept}{together}: {method}{}{payload}",
        scenario.path
    )
}

/// "wrk, 64 connections: 3 requests of load".
fn own_request(scenario: &Scenario) -> String {
    let requests = scenario.http.as_ref().map_or(&[][..], |http| &http.requests);
    let what = match requests {
        [one] => format!("{} {}", one.method.as_str(), one.path),
        many => format!("{} requests of {}", many.len(), scenario.base_id()),
    };
    let connections = match scenario.load.connections() {
        1 => "1 connection".to_owned(),
        n => format!("{n} connections"),
    };
    format!("{}, {connections}: {what}", scenario.tool.as_str())
}

fn line(check: &VerifyCheck) -> String {
    let mark = match check.status {
        VerifyStatus::Passed => paint(Tone::Good, "✓"),
        VerifyStatus::Failed => paint(Tone::Bad, "✗"),
        VerifyStatus::Skipped => paint(Tone::Dim, "–"),
    };
    match &check.message {
        Some(message) => format!("{mark} {}: {message}", check.id),
        None => format!("{mark} {}: {}", check.id, check.title),
    }
}

impl From<crate::runner::standalone_verify::StandaloneError> for CliError {
    fn from(error: crate::runner::standalone_verify::StandaloneError) -> Self {
        match error {
            crate::runner::standalone_verify::StandaloneError::Build(error) => error.into(),
            other => Self::failed("verify", other.to_string()),
        }
    }
}
