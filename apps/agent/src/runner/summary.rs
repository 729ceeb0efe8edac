//! From the journal's records to what the statistics take. Nothing here ranks or gives a verdict.

use std::sync::Mutex;

use rigmark_stats::input;
use rigmark_stats::summary::Metric;
use rigmark_stats::{InputError, Summary, SummaryInput, summarize};

use crate::journal::Sink;
use crate::protocol::journal::{Environment, Event, Plan, PlanBlocks, RunLabel, Trial, Verify, VerifyStatus};
use crate::protocol::result::{Limit, TrialStatus};
use crate::protocol::spec::{JudgedBy, LatencyUntil, Load};

/// Keeps of a run what its table needs: samples, logs and raw output pass by.
#[derive(Default)]
pub struct Collector(Mutex<Collected>);

#[derive(Debug, Default, Clone)]
pub struct Collected {
    pub environment: Option<Environment>,
    pub plan: Option<Plan>,
    pub trials: Vec<Trial>,
    pub failed_verification: Vec<Verify>,
    pub labels: Vec<RunLabel>,
}

impl Collector {
    pub fn collected(&self) -> Collected {
        self.0.lock().expect("no writer panics").clone()
    }
}

impl Sink for Collector {
    fn append(&self, event: Event) {
        let mut kept = self.0.lock().expect("no writer panics");
        match event {
            Event::Environment(environment) => kept.environment = Some(environment),
            Event::Plan(plan) => kept.plan = Some(plan),
            Event::Trial(trial) => kept.trials.push(trial),
            Event::Verify(verify) if verify.status == VerifyStatus::Failed => kept.failed_verification.push(verify),
            Event::Label(label) => kept.labels.push(label),
            _ => {}
        }
    }
}

impl Collected {
    /// `None` before there was a plan.
    pub fn summary(&self) -> Option<Result<Summary, InputError>> {
        Some(summarize(&self.input()?))
    }

    /// What is summed up. `None` before there was a plan.
    pub fn input(&self) -> Option<SummaryInput> {
        let plan = self.plan.as_ref()?;
        let entries = plan.entries.iter();
        Some(SummaryInput {
            schema: 1,
            baseline_key: entries.clone().find(|e| e.baseline).map(|e| e.key.clone()),
            entries: entries
                .map(|e| input::EntryInput {
                    key: e.key.clone(),
                    label: e.label.clone(),
                })
                .collect(),
            scenarios: plan.scenarios.iter().map(scenario).collect(),
            trials: self.trials.iter().map(trial).collect(),
            failed_verification: self.failed_entries(),
            looks: plan.blocks.as_ref().map_or(1, looks),
            blocks_asked: plan.blocks.as_ref().map(|blocks| blocks.least),
        })
    }

    /// Each entry once for each scenario, with the first thing that was wrong.
    fn failed_entries(&self) -> Vec<input::FailedVerification> {
        let mut failed: Vec<input::FailedVerification> = Vec::new();
        for verify in &self.failed_verification {
            // Wrong for one load is not wrong for another.
            let trials = self.plan.iter().flat_map(|p| p.trials.iter().chain(&p.reserve));
            let scenario = trials
                .filter(|t| Some(t.trial_id) == verify.trial_id)
                .map(|t| t.scenario.clone())
                .next();
            let known = |f: &input::FailedVerification| f.entry_key == verify.entry_key && f.scenario == scenario;
            if !failed.iter().any(known) {
                let first = verify.checks.iter().find(|c| c.status == VerifyStatus::Failed);
                failed.push(input::FailedVerification {
                    entry_key: verify.entry_key.clone(),
                    scenario,
                    reason: first.map_or_else(String::new, |c| c.message.clone().unwrap_or_else(|| c.title.clone())),
                });
            }
        }
        failed
    }
}

fn looks(blocks: &PlanBlocks) -> u32 {
    u32::try_from(blocks.looks.len()).unwrap_or(u32::MAX)
}

fn scenario(scenario: &crate::protocol::spec::Scenario) -> input::ScenarioInput {
    let (load, rate_per_s) = match scenario.load {
        Load::Closed { .. } => (input::LoadKind::Closed, None),
        Load::Count { .. } => (input::LoadKind::Count, None),
        Load::Knee { .. } => (input::LoadKind::Knee, None),
        Load::Rate { rate_per_s, .. } => (input::LoadKind::Rate, Some(f64::from(rate_per_s))),
    };
    input::ScenarioInput {
        id: scenario.id.clone(),
        title: scenario.title.clone(),
        tool: scenario.tool.as_str().to_owned(),
        load,
        rate_per_s,
        judged_by: scenario.judged_by.map(|by| match by {
            JudgedBy::RequestsPerS => Metric::RequestsPerS,
            JudgedBy::P99Us => Metric::P99Us,
            JudgedBy::CpuUsPerRequest => Metric::CpuUsPerRequest,
        }),
        latency_until: scenario.latency_until.map(|until| match until {
            LatencyUntil::FirstByte => input::LatencyUntil::FirstByte,
            LatencyUntil::LastByte => input::LatencyUntil::LastByte,
        }),
        connections: Some(scenario.load.connections()),
        in_flight: scenario.in_flight,
    }
}

impl From<Limit> for input::Limit {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::ServerBound => Self::ServerBound,
            Limit::GeneratorBound => Self::GeneratorBound,
            Limit::NothingSaturated => Self::NothingSaturated,
        }
    }
}

fn trial(trial: &Trial) -> input::TrialInput {
    let result = trial.result.as_ref();
    let latency = result.and_then(|r| r.latency.as_ref());
    let resources = trial.resources.as_ref();
    let percentile = |p: &crate::protocol::result::Percentile| input::Percentile { p: p.p, us: p.us };
    input::TrialInput {
        trial_id: trial.trial_id.to_string(),
        entry_key: trial.entry_key.clone(),
        scenario: trial.scenario.clone(),
        block: u64::from(trial.block),
        status: match trial.status {
            TrialStatus::Valid => input::TrialStatus::Valid,
            TrialStatus::Invalid => input::TrialStatus::Invalid,
            TrialStatus::Failed => input::TrialStatus::Failed,
            TrialStatus::Cancelled => input::TrialStatus::Cancelled,
        },
        reason: trial.reasons.first().map(|r| r.message.clone()),
        limit: trial.limit.map(Limit::into),
        requests: result.map(|r| r.requests as f64),
        requests_per_s: result.map(|r| r.requests_per_s),
        failures_total: result.map(|r| r.failures.total as f64),
        offered: result.and_then(|r| r.offered.as_ref()).map(|o| input::Offered {
            rate_per_s: o.rate_per_s,
            requests: o.requests as f64,
            dropped: o.dropped as f64,
        }),
        server_cpu_us: resources.and_then(|r| r.server_cpu_us).map(|v| v as f64),
        server_rss_peak_bytes: resources.and_then(|r| r.server_rss_peak_bytes).map(|v| v as f64),
        bytes_received: result.and_then(|r| r.bytes_received).map(|v| v as f64),
        percentiles: latency
            .map(|l| l.percentiles.iter().map(percentile).collect())
            .unwrap_or_default(),
        mean_us: latency.and_then(|l| l.mean_us),
        stdev_us: latency.and_then(|l| l.stdev_us),
        min_us: latency.and_then(|l| l.min_us),
        max_us: latency.and_then(|l| l.max_us),
        window_us: resources.map(|r| r.window_us as f64),
        energy_uj: resources.and_then(|r| r.energy_uj).map(|v| v as f64),
        loopback_bytes: resources.and_then(|r| r.loopback_bytes).map(|v| v as f64),
        windows: Some(u32::try_from(trial.slices.len()).unwrap_or(u32::MAX)),
        reason_code: trial.reasons.first().map(|r| r.code.clone()),
        steal_ratio: resources.and_then(|r| r.host_steal_ratio),
        taken_ratio: resources.and_then(|r| r.host_taken_ratio),
        rounds: trial.rounds.map(|r| input::Rounds {
            measured: r.measured,
            left_out: r.left_out,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use uuid::Uuid;

    #[test]
    fn what_was_wrong_in_a_reserve_block_is_wrong_for_its_scenario_alone() {
        let trial = |id: u128, scenario: &str, block: u32| {
            json!({
                "trial_id": Uuid::from_u128(id), "entry_key": "a", "scenario": scenario, "block": block, "position": 0,
                "slices": 1, "warmup_s": 0.0, "duration_s": 1.0,
            })
        };
        let plan = json!({
            "seed": 1, "prng": "", "shuffle": "", "entries": [], "scenarios": [], "planned_s": 2.0,
            "trials": [trial(1, "s", 0), trial(2, "t", 0)], "reserve": [trial(3, "s", 1), trial(4, "t", 1)],
        });
        let verify = json!({
            "entry_key": "a", "trial_id": Uuid::from_u128(4), "when": "before", "workload": "static", "status": "failed",
            "checks": [],
        });
        let run = Collected {
            plan: Some(serde_json::from_value(plan).unwrap()),
            failed_verification: vec![serde_json::from_value(verify).unwrap()],
            ..Collected::default()
        };
        let failed = run.failed_entries();
        assert_eq!(failed.len(), 1);
        assert_eq!(failed[0].scenario.as_deref(), Some("t"));
    }
}
