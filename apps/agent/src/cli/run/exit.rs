//! What a run's exit code says of it.

use crate::cli::Exit;
use crate::protocol::journal::{Plan, RunResult, RunStatus};
use crate::protocol::result::TrialStatus;
use crate::runner::summary::Collected;
use crate::runner::validity::knee;

/// Done where at least one trial counts: what did not count has its reason in the table.
pub fn of(result: &RunResult) -> Exit {
    match result.status {
        RunStatus::Cancelled => Exit::Interrupted,
        RunStatus::Succeeded if result.trials_valid > 0 => Exit::Done,
        _ => Exit::Failed,
    }
}

/// The labels of those who have no trial that counts, under whichever scenario: a gate passes nobody whom it has not seen. A search
/// that found no rate counts here: it was carried out, and that none holds the bound is the result.
pub fn unseen<'a>(run: &Collected, plan: &'a Plan) -> Vec<&'a str> {
    let planned = |entry: &str| plan.trials.iter().any(|t| t.entry_key == entry);
    let counts = |entry: &str| {
        let mut of = run.trials.iter().filter(|t| t.entry_key == entry);
        of.any(|t| t.status == TrialStatus::Valid || knee::found_none(&t.reasons))
    };
    let unseen = plan.entries.iter().filter(|e| planned(&e.key) && !counts(&e.key));
    unseen.map(|e| e.label.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use uuid::Uuid;

    use crate::protocol::journal::PlanTrial;
    use crate::runner::outcome::empty_record;

    fn planned(entry: &str) -> PlanTrial {
        PlanTrial {
            trial_id: Uuid::nil(),
            entry_key: entry.to_owned(),
            scenario: "s".to_owned(),
            block: 0,
            position: 0,
            slices: 1,
            warmup_s: 0.0,
            duration_s: 1.0,
        }
    }

    /// Two entries with one trial each, of these statuses.
    fn run(first: TrialStatus, second: TrialStatus) -> (Collected, RunResult) {
        let trials = [planned("a"), planned("b")];
        let entry = |key: &str| {
            json!({
                "key": key, "label": key, "server": key, "title": key, "content_hash": "", "options": {}, "baseline": false,
            })
        };
        let plan: Plan = serde_json::from_value(json!({
            "seed": 1, "prng": "splitmix64", "shuffle": "fisher-yates", "entries": [entry("a"), entry("b")],
            "scenarios": [], "trials": trials, "planned_s": 2,
        }))
        .unwrap();
        let statuses = [first, second];
        let valid = statuses.iter().filter(|s| **s == TrialStatus::Valid).count() as u64;
        let collected = Collected {
            plan: Some(plan),
            trials: trials
                .iter()
                .zip(statuses)
                .map(|(trial, status)| empty_record(trial, status, None))
                .collect(),
            ..Collected::default()
        };
        let result = RunResult {
            status: match valid {
                0 => RunStatus::Failed,
                _ => RunStatus::Succeeded,
            },
            error: None,
            trials_valid: valid,
            trials_invalid: 2 - valid,
            time: None,
        };
        (collected, result)
    }

    #[test]
    fn it_is_0_where_a_trial_counts_and_1_where_none_does() {
        use TrialStatus::{Failed, Invalid, Valid};
        for (first, second, expected, without) in [
            (Valid, Valid, Exit::Done, vec![]),
            (Valid, Invalid, Exit::Done, vec!["b"]),
            (Failed, Valid, Exit::Done, vec!["a"]),
            (Failed, Invalid, Exit::Failed, vec!["a", "b"]),
        ] {
            let (run, result) = run(first, second);
            let plan = run.plan.as_ref().unwrap();
            assert_eq!(
                (of(&result), unseen(&run, plan)),
                (expected, without),
                "{first:?} {second:?}"
            );
        }
    }

    #[test]
    fn one_that_was_cancelled_or_failed_is_not_done_whatever_counts() {
        let (_, result) = run(TrialStatus::Valid, TrialStatus::Valid);
        for (status, expected) in [
            (RunStatus::Cancelled, Exit::Interrupted),
            (RunStatus::Failed, Exit::Failed),
        ] {
            let result = RunResult {
                status,
                ..result.clone()
            };
            assert_eq!(of(&result), expected);
        }
    }
}
