//! Orders a run's steps and says what became of them.

pub mod context;
mod environment;
pub mod execute;
pub mod measure;
pub mod outcome;
pub mod plan;
pub mod standalone_verify;
pub mod summary;
pub mod trial;
pub mod validity;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;

use crate::host;
use crate::host::cores::Cores;
use crate::host::sysroot::SysRoot;
use crate::host::tune::Tuning;
use crate::journal::Sink;
use crate::protocol::journal::{Begin, Event, Phase, PhaseName, PhaseStatus, PlanEntry, RunResult, RunStatus};
use crate::protocol::result::Reason;
use crate::protocol::spec::{EntrySpec, RunSpec, base_id};
use crate::server::{self, Server};
use crate::text;
use context::{RunContext, RunIds};
use measure::time::Stopwatch;
use plan::connection_limits::ConnectionLimits;
use plan::prepare::prepare;
use plan::validate::validate;
use trial::real_executor::RealExecutor;

/// Does the run: every record from `begin` to `result` goes to `sink`; the returned result is the last one.
/// Ends early, within two seconds, when `cancel` turns true. The caller holds the host's lock
/// ([`host::lock::HostLock`]).
pub async fn execute(
    spec: RunSpec,
    ids: RunIds,
    ctx: RunContext,
    sink: Arc<dyn Sink>,
    cancel: watch::Receiver<bool>,
) -> RunResult {
    sink.append(Event::Begin(Begin {
        run_id: ids.run_id,
        attempt_id: ids.attempt_id,
        attempt_no: ids.attempt_no,
        wall_us: SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_micros() as u64,
        boot_id: host::boot_id(),
        agent_version: env!("CARGO_PKG_VERSION").to_owned(),
        spec: spec.clone(),
    }));
    // Before the facts, which are to say what the trials met.
    let tuning = ctx
        .tune
        .map(|huge_pages| Tuning::begin(&SysRoot::host(), ctx.state.root(), huge_pages));
    let result = match measure(&spec, ids, &ctx, &sink, cancel, tuning.as_ref()).await {
        Ok(result) => result,
        Err(error) => RunResult {
            status: RunStatus::Failed,
            error: Some(error),
            trials_valid: 0,
            trials_invalid: 0,
            time: None,
        },
    };
    if let Some(tuning) = tuning {
        environment::end_tuning(&sink, tuning);
    }
    sink.append(Event::Result(result.clone()));
    result
}

/// The app offers it only where the owner allows it; this agent was started anew without that, or the app is not to be believed.
const TUNING_NOT_ALLOWED: &str = "The run asks to tune this host, which its owner does not allow; queue it without tuning, or start \
     the agent with --allow-tune.";

async fn measure(
    spec: &RunSpec,
    ids: RunIds,
    ctx: &RunContext,
    sink: &Arc<dyn Sink>,
    mut cancel: watch::Receiver<bool>,
    tuning: Option<&Tuning>,
) -> Result<RunResult, Reason> {
    let (began, time) = (Instant::now(), Arc::new(Stopwatch::default()));
    preflight(sink, PhaseStatus::Begin, None);
    if let Some(sentence) = &ctx.forbidden {
        let error = text::reason("forbidden-by-owner", sentence);
        preflight(sink, PhaseStatus::Failed, Some(&error.message));
        return Err(error);
    }
    if spec.tune == Some(true) && ctx.tune.is_none() {
        let error = text::reason("tuning-not-allowed", TUNING_NOT_ALLOWED);
        preflight(sink, PhaseStatus::Failed, Some(&error.message));
        return Err(error);
    }
    // Facts start compilers and tools; a thread of their own keeps heartbeats going meanwhile.
    let (assets, state) = (ctx.assets.clone(), ctx.state.root().to_owned());
    let facts = tokio::task::spawn_blocking(move || host::facts_with(Some(&assets), &state));
    let facts = tokio::select! {
        biased;
        () = execute::cancelled(&mut cancel) => return Ok(never_begun()),
        facts = facts => facts.map_err(|e| text::reason("facts", &format!("The host could not be inspected ({e}).")))?,
    };
    let limits = ConnectionLimits::of_this_host(&facts);
    let Some(at_commits) = at_commits(spec, ctx, cancel.clone()).await else {
        return Ok(never_begun());
    };
    let prepared = at_commits.and_then(|mut servers| {
        servers.extend(ctx.local_servers.clone());
        prepare(spec, &ctx.assets, &servers, &ctx.local_scenarios, &limits)
    });
    let prepared = prepared.and_then(|p| Ok((p, folder(ids, ctx)?)));
    let (prepared, folder) = prepared.inspect_err(|e| preflight(sink, PhaseStatus::Failed, Some(&e.message)))?;
    let cores = Cores::of_this_host();
    let (sandboxed, governor) = (facts.unsandboxed_reason.is_none(), facts.governor.clone());
    environment::record(sink, ctx, facts, &prepared, &cores, tuning);
    sink.append(Event::Plan(prepared.plan.clone()));
    // After the plan, which has the entries that they name.
    let left_out = ctx.left_out.iter().chain(&prepared.labels);
    left_out.for_each(|label| sink.append(Event::Label(label.clone())));
    preflight(sink, PhaseStatus::End, None);
    // A full disk is said before anything is measured.
    sink.health().map_err(|e| text::reason("journal", &e))?;
    let mut executor = RealExecutor {
        state: ctx.state.clone(),
        folder,
        prepared_entries: prepared.prepared_entries,
        scenarios: prepared
            .plan
            .scenarios
            .iter()
            .map(|s| (s.id.clone(), s.clone()))
            .collect(),
        tools: prepared.tools,
        missing_tools: prepared.missing_tools,
        cores,
        sandboxed,
        governor,
        cpu_quota: host::control_groups::cpu_quota_here().is_some(),
        sink: sink.clone(),
        time: time.clone(),
        entries: baseline_first(&prepared.plan.entries),
        blocks: prepared.plan.blocks.clone(),
        references: Default::default(),
    };
    let result = execute::drive(
        &prepared.plan,
        &mut executor,
        sink.as_ref(),
        &plan::stopping::look,
        cancel,
    )
    .await;
    Ok(RunResult {
        time: Some(Box::new(time.of(began.elapsed()))),
        ..result
    })
}

/// The servers that the spec names at a commit, which git may have to fetch first; on a thread of its own, so that heartbeats go
/// on. `None` when the run is cancelled meanwhile.
async fn at_commits(
    spec: &RunSpec,
    ctx: &RunContext,
    mut cancel: watch::Receiver<bool>,
) -> Option<Result<BTreeMap<String, Server>, Reason>> {
    let entries: Vec<EntrySpec> = spec.entries.iter().filter(|e| e.revision.is_some()).cloned().collect();
    if entries.is_empty() {
        return Some(Ok(BTreeMap::new()));
    }
    let known = server::names(&ctx.assets);
    let scenarios: Vec<String> = spec.scenarios.iter().map(|s| base_id(s).to_owned()).collect();
    // Git is asked for nothing that is not valid.
    if let Err(invalid) = validate(spec, &known, &scenarios) {
        return Some(Err(text::reason(invalid.code(), &invalid.to_string())));
    }
    let (assets, state, stopped) = (ctx.assets.clone(), ctx.state.clone(), cancel.clone());
    let found = tokio::task::spawn_blocking(move || {
        let at_commit = |entry: EntrySpec| {
            let reference = entry.revision.as_deref().unwrap_or_default();
            let stopped = || *stopped.borrow();
            let server = Server::queued(&assets, &state, &entry.server, reference, &stopped);
            let server = server.map_err(|e| text::reason("revision", &e.to_string()))?;
            Ok((entry.named(), server))
        };
        entries.into_iter().map(at_commit).collect::<Result<_, Reason>>()
    });
    tokio::select! {
        biased;
        () = execute::cancelled(&mut cancel) => None,
        found = found => Some(found.unwrap_or_else(|e| {
            Err(text::reason("revision", &format!("The commits could not be looked up ({e}).")))
        })),
    }
}

fn baseline_first(entries: &[PlanEntry]) -> Vec<PlanEntry> {
    let mut entries = entries.to_vec();
    entries.sort_by_key(|entry| !entry.baseline);
    entries
}

fn folder(ids: RunIds, ctx: &RunContext) -> Result<PathBuf, Reason> {
    // Short, because sockets in a server's work folder have names of at most 107 bytes; the end is the part that is drawn.
    let name = ids.attempt_id.simple().to_string().split_off(20);
    ctx.state.work(&name).map_err(|e| text::reason("state", &e.to_string()))
}

fn preflight(sink: &Arc<dyn Sink>, status: PhaseStatus, message: Option<&str>) {
    sink.append(Event::Phase(Phase {
        phase: PhaseName::Preflight,
        status,
        entry_key: None,
        trial_id: None,
        message: message.map(text::message),
    }));
}

fn never_begun() -> RunResult {
    RunResult {
        status: RunStatus::Cancelled,
        error: Some(Reason::new(
            "cancelled",
            "The run was cancelled before anything was measured.",
        )),
        trials_valid: 0,
        trials_invalid: 0,
        time: None,
    }
}
