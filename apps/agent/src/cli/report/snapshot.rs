//! A run as an app has it: `GET runs/{id}/snapshot`, and each run in the JSON of a report. Both have the same fields, and a
//! result file is made of them. The app may be anybody's: it is bounded, and its text is plain before anything is made of it.

use rigmark_stats::Summary;
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::cleaned::cleaned;
use super::date;
use super::facts::Report;
use super::result_file::{MOST_NAMED, MOST_TRIALS, ResultFile};
use crate::cli::CliError;
use crate::protocol::journal::{
    Begin, Environment, Plan, PlanBlocks, PlanEntry, PlanTrial, Rounds, RunLabel, RunResult, RunStatus, Slice, Trial,
    Verify, VerifyCheck, VerifyStatus, When,
};
use crate::protocol::result::{Limit, Reason, Resources, ToolResult, TrialStatus};
use crate::protocol::spec::{RunSpec, Scenario, Workload};
use crate::runner::summary::Collected;
use crate::source::Source;
use crate::text::plain;

#[derive(Debug, Deserialize)]
struct Snapshot {
    run_id: Uuid,
    title: String,
    state: String,
    started_at: Option<String>,
    #[serde(default)]
    source: Option<Source>,
    spec: RunSpec,
    gaps: Vec<String>,
    entries: Vec<PlanEntry>,
    scenarios: Vec<Scenario>,
    #[serde(default)]
    blocks: Option<PlanBlocks>,
    trials: Vec<SnapshotTrial>,
    verify: Vec<SnapshotVerify>,
    labels: Vec<RunLabel>,
    environment: Option<Environment>,
    summary: Option<Summary>,
}

/// With what was planned and what came of it in one.
#[derive(Debug, Deserialize)]
struct SnapshotTrial {
    trial_id: Uuid,
    entry_key: String,
    scenario: String,
    block: u32,
    position: u32,
    slices: u32,
    warmup_s: f64,
    duration_s: f64,
    state: String,
    reasons: Vec<Reason>,
    labels: Vec<Reason>,
    #[serde(default)]
    done_slices: Vec<Slice>,
    result: Option<ToolResult>,
    resources: Option<Resources>,
    limit: Option<Limit>,
    #[serde(default)]
    single_shot: Option<ToolResult>,
    #[serde(default)]
    warmup_us: Option<u64>,
    #[serde(default)]
    warmup_steady: Option<bool>,
    #[serde(default)]
    rounds: Option<Rounds>,
}

#[derive(Debug, Deserialize)]
struct SnapshotVerify {
    entry_key: String,
    trial_id: Option<Uuid>,
    when: When,
    workload: Workload,
    status: VerifyStatus,
    checks: Vec<VerifyCheck>,
}

/// A run of an app, ready to be reported, and which code it is about.
pub struct Found {
    pub report: Report,
    pub source: Option<Source>,
}

/// `name` is what the run is called in errors.
///
/// # Errors
/// In one sentence: not understood, larger than any run, or without results.
pub fn read(value: Value, name: &str) -> Result<Found, CliError> {
    let snapshot: Snapshot = crate::json::read(&cleaned(value)).map_err(|error| {
        let why = error.to_string();
        // Its position is in a text that nobody else sees.
        let why = plain(why.split(" at line ").next().unwrap_or_default(), 200);
        failed(
            "version",
            format!(
                "{name} is not in a form that Rigmark {} reads ({why}); use the Rigmark of its app.",
                env!("CARGO_PKG_VERSION")
            ),
        )
    })?;
    let named = snapshot.entries.len().max(snapshot.scenarios.len());
    if named > MOST_NAMED || snapshot.trials.len() > MOST_TRIALS {
        return Err(failed("too-large", format!("{name} is larger than any run may be.")));
    }
    if snapshot.entries.is_empty() || snapshot.summary.is_none() {
        let why = snapshot.gaps.first().map(|gap| format!(" {gap}")).unwrap_or_default();
        return Err(failed("no-results", format!("{name} has no results.{why}")));
    }
    Ok(snapshot.found())
}

fn failed(code: &str, message: String) -> CliError {
    CliError::failed(code, message)
}

impl Snapshot {
    fn found(self) -> Found {
        let status = match self.state.as_str() {
            "succeeded" => Some(RunStatus::Succeeded),
            "cancelled" => Some(RunStatus::Cancelled),
            "failed" | "timed_out" => Some(RunStatus::Failed),
            _ => None,
        };
        let trials: Vec<Trial> = self.trials.iter().filter_map(SnapshotTrial::measured).collect();
        let valid = trials.iter().filter(|t| t.status == TrialStatus::Valid).count() as u64;
        let summary = self
            .summary
            .map(|summary| known(summary, &self.entries, &self.scenarios));
        let file = ResultFile {
            begin: Begin {
                run_id: self.run_id,
                // What an app does not hand out.
                attempt_id: Uuid::nil(),
                attempt_no: 0,
                boot_id: String::new(),
                wall_us: self.started_at.as_deref().and_then(date::parse).unwrap_or_default(),
                agent_version: self
                    .environment
                    .as_ref()
                    .map(|e| e.facts.agent_version.clone())
                    .unwrap_or_default(),
                spec: RunSpec {
                    title: self.title,
                    ..self.spec.clone()
                },
            },
            result: status.map(|status| RunResult {
                status,
                error: None,
                trials_valid: valid,
                trials_invalid: trials.len() as u64 - valid,
                time: None,
            }),
            run: Collected {
                environment: self.environment,
                plan: Some(Plan {
                    seed: self.spec.seed,
                    prng: String::new(),
                    shuffle: String::new(),
                    entries: self.entries,
                    scenarios: self.scenarios,
                    planned_s: self.trials.iter().map(|t| t.warmup_s + t.duration_s).sum(),
                    trials: self.trials.iter().map(SnapshotTrial::planned).collect(),
                    blocks: self.blocks,
                    reserve: Vec::new(),
                    time_limit_s: self.spec.time_limit_s,
                }),
                failed_verification: self
                    .verify
                    .into_iter()
                    .filter(|v| v.status == VerifyStatus::Failed)
                    .map(SnapshotVerify::record)
                    .collect(),
                labels: self.labels,
                trials,
            },
            gaps: Some(self.gaps),
        };
        Found {
            report: Report {
                summary: summary.expect("a snapshot without a summary is refused"),
                file,
            },
            source: self.source,
        }
    }
}

/// Without what is in no plan: every table looks entries and scenarios up there.
fn known(mut summary: Summary, entries: &[PlanEntry], scenarios: &[Scenario]) -> Summary {
    summary
        .scenarios
        .retain(|s| scenarios.iter().any(|x| x.id == s.scenario));
    for scenario in &mut summary.scenarios {
        scenario
            .entries
            .retain(|e| entries.iter().any(|x| x.key == e.entry_key));
    }
    summary
}

impl SnapshotTrial {
    fn planned(&self) -> PlanTrial {
        PlanTrial {
            trial_id: self.trial_id,
            entry_key: self.entry_key.clone(),
            scenario: self.scenario.clone(),
            block: self.block,
            position: self.position,
            slices: self.slices,
            warmup_s: self.warmup_s,
            duration_s: self.duration_s,
        }
    }

    /// `None` for one that is still planned or runs.
    fn measured(&self) -> Option<Trial> {
        let status = match self.state.as_str() {
            "valid" => TrialStatus::Valid,
            "invalid" => TrialStatus::Invalid,
            "failed" => TrialStatus::Failed,
            "cancelled" => TrialStatus::Cancelled,
            _ => return None,
        };
        Some(Trial {
            trial_id: self.trial_id,
            entry_key: self.entry_key.clone(),
            scenario: self.scenario.clone(),
            block: self.block,
            position: self.position,
            status,
            reasons: self.reasons.clone(),
            labels: self.labels.clone(),
            slices: self.done_slices.clone(),
            result: self.result.clone(),
            resources: self.resources.clone(),
            limit: self.limit,
            single_shot: self.single_shot.clone(),
            warmup_us: self.warmup_us,
            warmup_steady: self.warmup_steady,
            rounds: self.rounds,
        })
    }
}

impl SnapshotVerify {
    fn record(self) -> Verify {
        Verify {
            entry_key: self.entry_key,
            trial_id: self.trial_id,
            when: self.when,
            workload: self.workload,
            status: self.status,
            checks: self.checks,
        }
    }
}
