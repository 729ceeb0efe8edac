//! `rigmark run`: measures here, with no account and no network, and says what the numbers mean.

mod cost;
mod exit;
mod expect;
mod notes;
mod order;
pub(super) mod plan_line;
mod progress;
pub(super) mod request;
pub(super) mod revisions;
pub(super) mod spec;
mod suite;
pub(super) mod table;
mod time_use;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rigmark_stats::Summary;
use serde_json::json;
use uuid::Uuid;

use super::args::RunArgs;
use super::output::{Output, Tone, paint};
use super::{CliError, Env, Exit, gate, signals};
use crate::assets::Assets;
use crate::host::tune::HugePages;
use crate::host::{lock::HostLock, monotonic_us};
use crate::journal::{FileSink, Tee};
use crate::protocol::journal::{Plan, RunResult, RunStatus, TimeSpent};
use crate::protocol::result::{Reason, TrialStatus};
use crate::protocol::spec::Scenario;
use crate::runner::context::{RunContext, RunIds};
use crate::runner::execute;
use crate::runner::summary::{Collected, Collector};
use crate::server::content::{BUILT, IGNORED};
use progress::Progress;
use request::RunRequest;

pub async fn run(args: &RunArgs, env: &Env) -> Result<Exit, CliError> {
    let assets = env.assets()?;
    let asked = spec::ask(args, &assets, env)?;
    if let Some(out) = &args.out {
        outside(out, &asked)?;
    }
    let measured = measure(asked, assets, env, "rigmark run", args.out.as_deref(), args.tune).await?;
    let known = crate::scenario::load_all(&env.assets()?).unwrap_or_default();
    let exit = show(args, env, &measured, &known)?;
    Ok(match exit {
        Exit::Done => gate::of_run(args.fail_on.as_ref(), &measured.run, &env.out),
        other => other,
    })
}

/// The result file changes while the run writes it, and what is measured must not. What the content hash leaves out may.
fn outside(out: &Path, asked: &RunRequest) -> Result<(), CliError> {
    let Some(place) = place_of(out) else { return Ok(()) };
    let is_in = |folder: &Path| {
        let below = place.strip_prefix(folder).ok();
        let no_content = |name| IGNORED.iter().chain(&BUILT).any(|other| name == *other);
        below.is_some_and(|below| !below.iter().any(no_content))
    };
    for entry in &asked.spec.entries {
        let server = asked.local_servers.get(&entry.server);
        if server.is_some_and(|server| is_in(&server.folder)) {
            return Err(CliError::usage(
                "out",
                format!(
                    "{} lies in the folder of {}, which must not change while it is measured; name a file outside it \
                     with --out.",
                    out.display(),
                    entry.label
                ),
            ));
        }
    }
    Ok(())
}

/// Where the file is or will be; `None` where its folder is not there.
fn place_of(out: &Path) -> Option<PathBuf> {
    let out = std::path::absolute(out).ok()?;
    let new = || Some(out.parent()?.canonicalize().ok()?.join(out.file_name()?));
    out.canonicalize().ok().or_else(new)
}

/// A run that is over, and where its records are; nowhere where it ended before it had a plan.
pub struct MeasuredRun {
    pub result: RunResult,
    pub run: Collected,
    pub run_id: Uuid,
    pub out: Option<PathBuf>,
}

/// Measures under the host's lock, with progress on stderr; every record goes to `out`, without one to the state folder.
pub async fn measure(
    asked: RunRequest,
    assets: Assets,
    env: &Env,
    owner: &str,
    out: Option<&Path>,
    tune: Option<HugePages>,
) -> Result<MeasuredRun, CliError> {
    let _lock = HostLock::acquire(owner).map_err(|e| CliError::failed("locked", e.to_string()))?;
    let run_id = Uuid::now_v7();
    let out = match out {
        Some(path) => path.to_owned(),
        None => env.state.dir("runs")?.join(format!("{run_id}.jsonl")),
    };
    let file = FileSink::create(&out, monotonic_us).map_err(|e| CliError::failed("out", e.to_string()))?;
    let file = Arc::new(file);
    let progress = Arc::new(Progress::new(&env.out));
    let collector = Arc::new(Collector::default());
    let cancel = signals::listen()?.stopped;
    let ids = RunIds {
        run_id,
        attempt_id: Uuid::now_v7(),
        attempt_no: 1,
    };
    let ctx = RunContext {
        forbidden: None,
        assets,
        state: env.state.clone(),
        control_plane_same_host: None,
        local_servers: asked.local_servers,
        local_scenarios: asked.local_scenarios,
        left_out: asked.left_out,
        tune,
    };
    let sink = Arc::new(Tee(vec![file.clone(), progress.clone(), collector.clone()]));
    let mut result = execute(asked.spec, ids, ctx, sink, cancel).await;
    progress.finish();
    // What was measured is shown all the same: it may be nowhere else.
    if let Err(e) = file.finish() {
        if result.status != RunStatus::Failed {
            result.error = Some(Reason::new("out", e.to_string()));
        }
        result.status = RunStatus::Failed;
    }
    let run = collector.collected();
    let out = match &run.plan {
        _ if file.holds_earlier() => None,
        Some(_) => Some(out),
        None => discard(out),
    };
    Ok(MeasuredRun {
        result,
        run,
        run_id,
        out,
    })
}

/// The records of a run that never began are no result. What is no file, such as a pipe, has them already.
fn discard(out: PathBuf) -> Option<PathBuf> {
    let is_file = std::fs::symlink_metadata(&out).is_ok_and(|m| m.is_file());
    let gone = is_file && std::fs::remove_file(&out).is_ok();
    (!gone).then_some(out)
}

fn show(args: &RunArgs, env: &Env, measured: &MeasuredRun, known: &[Scenario]) -> Result<Exit, CliError> {
    let MeasuredRun {
        result,
        run,
        run_id,
        out,
    } = measured;
    let summary = match run.summary() {
        Some(Ok(summary)) => Some(summary),
        Some(Err(error)) => return Err(CliError::failed("summary", error.to_string())),
        None => None,
    };
    env.out.object(&json!({
        "run_id": run_id,
        "status": result.status,
        "error": result.error,
        "trials_valid": result.trials_valid,
        "trials_invalid": result.trials_invalid,
        "time": result.time,
        "out": out.as_deref().map(Path::to_string_lossy),
        "plan": run.plan,
        "labels": run.labels,
        "trials": run.trials,
        "failed_verification": run.failed_verification,
        "summary": summary,
    }));
    if let (Some(plan), Some(summary)) = (&run.plan, &summary) {
        let shown = RunToShow {
            measured: result.trials_valid > 0,
            time: result.time.as_deref(),
            ..RunToShow::of(plan, run, summary)
        };
        show_tables(&env.out, &shown);
        if let Some(command) = cost::command(args, plan, summary, known).filter(|_| shown.measured) {
            env.out.line(
                "The load tool was the bottleneck. Compare by CPU time per request instead; the tool is no part of it:",
            );
            env.out.line(&format!("  {command}"));
        }
    }
    if let Some(error) = &result.error {
        env.out
            .note(&format!("{} {}", paint(Tone::Bad, "error:"), error.message));
    }
    if let Some(out) = out {
        env.out.line(&next(result, out));
    }
    Ok(exit::of(result))
}

/// What the end of a run shows, also of a file.
pub(super) struct RunToShow<'a> {
    plan: &'a Plan,
    run: &'a Collected,
    summary: &'a Summary,
    /// There is a trial that counts.
    pub measured: bool,
    time: Option<&'a TimeSpent>,
}

impl<'a> RunToShow<'a> {
    pub fn of(plan: &'a Plan, run: &'a Collected, summary: &'a Summary) -> Self {
        Self {
            plan,
            run,
            summary,
            measured: run.trials.iter().any(|t| t.status == TrialStatus::Valid),
            time: None,
        }
    }
}

/// The tables, what is to be known about them, and the verdicts.
pub(super) fn show_tables(out: &Output, shown: &RunToShow<'_>) {
    let RunToShow { plan, run, summary, .. } = shown;
    if shown.measured {
        let scenarios = summary.scenarios.iter();
        scenarios.for_each(|scenario| table::print(out, plan, &run.trials, scenario));
    }
    for line in revisions::lines(plan) {
        out.line(&paint(Tone::Dim, &line));
    }
    // Which pairs are not there stands under the tables.
    for label in run.labels.iter().filter(|l| l.code != "not-claimed") {
        out.line(&format!("{} {}", paint(Tone::Warn, &label.code), label.message));
    }
    for line in trial_labels(run) {
        out.line(&line);
    }
    for line in time_use::disturbed(&run.trials)
        .iter()
        .chain(&shown.time.map(time_use::time))
    {
        out.line(&paint(Tone::Dim, line));
    }
    if shown.measured {
        out.line("");
        sentences(summary).iter().for_each(|line| out.line(line));
    }
}

/// Of each scenario, then of the run; of one scenario they are the same.
pub(super) fn sentences(summary: &Summary) -> Vec<String> {
    let each = summary
        .scenarios
        .iter()
        .map(|s| format!("{}: {}", s.scenario, s.sentence));
    let several = each.filter(|_| summary.scenarios.len() > 1);
    several.chain([paint(Tone::Bold, &summary.sentence)]).collect()
}

/// Each kind of label once, with how many trials have it and what the first of them says.
fn trial_labels(run: &Collected) -> Vec<String> {
    let mut kinds: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for label in run.trials.iter().flat_map(|t| &t.labels) {
        kinds.entry(&label.code).or_insert((0, &label.message)).0 += 1;
    }
    let all = run.trials.len();
    let line = |(code, (count, message)): (&str, (usize, &str))| {
        format!(
            "{} in {count} of {all} trials, such as: {message}",
            paint(Tone::Warn, code)
        )
    };
    kinds.into_iter().map(line).collect()
}

fn next(result: &RunResult, out: &Path) -> String {
    let file = out.display();
    match result.status {
        RunStatus::Succeeded => format!("Every record is in {file}"),
        // A pipe cannot be read again.
        _ if result.trials_valid + result.trials_invalid > 0 && out.is_file() => {
            format!("Every record until then is in {file}; `rigmark report {file}` shows what it holds")
        }
        _ => format!("Every record until then is in {file}"),
    }
}
