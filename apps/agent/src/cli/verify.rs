//! `rigmark verify SERVER…`: builds, starts and asks, without any load. *Right* for its loads decides; *conformance* is shown, and
//! asked for with `--strict`.

mod entries;
mod loads;
mod words;

use serde_json::{Value, json};

use super::args::VerifyArgs;
use super::output::{Tone, paint};
use super::servers::workload_name;
use super::{CliError, Env, Exit};
use crate::protocol::journal::{VerifyCheck, VerifyStatus};
use crate::protocol::spec::{Scenario, Workload};
use crate::runner::plan::prepare::none_claims;
use crate::runner::standalone_verify::{
    LoadReport, References, StandaloneReport, StartReport, verify_server, verify_start,
};
use crate::verify;
use entries::{ServerToVerify, all, named_servers};
use loads::{loads, scenarios};
use words::{line, request, show};

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
        "closes_after": load.seen.closes.map(|c| c.after),
        "other_headers": load.seen.other_headers,
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

impl From<crate::runner::standalone_verify::StandaloneError> for CliError {
    fn from(error: crate::runner::standalone_verify::StandaloneError) -> Self {
        match error {
            crate::runner::standalone_verify::StandaloneError::Build(error) => error.into(),
            other => Self::failed("verify", other.to_string()),
        }
    }
}
