//! `--fail-on`: what a script wants to be stopped by, and what becomes of it. The rule is that of the statistics; here it gets the
//! entries' labels.

use rigmark_stats::Summary;
use rigmark_stats::gate::Gate;
use rigmark_stats::verdict::BLOCKS_FOR_VERDICT;

use super::{CliError, Exit, Output};
use crate::protocol::journal::Plan;
use crate::protocol::result::TrialStatus;
use crate::protocol::spec::RunSpec;
use crate::runner::plan::most_blocks;
use crate::runner::summary::Collected;
use crate::runner::validity::knee;

/// A run that can have no verdict would pass every gate.
pub fn can_fail(spec: &RunSpec) -> Result<(), CliError> {
    let most = most_blocks(spec);
    if most >= BLOCKS_FOR_VERDICT {
        return Ok(());
    }
    let option = match spec.precision {
        Some(_) => "--max-repeats",
        None => "--repeats",
    };
    Err(CliError::usage(
        "fail-on",
        format!(
            "--fail-on needs a verdict, and a verdict needs {BLOCKS_FOR_VERDICT} blocks, but {option} is {most}; ask \
             for {BLOCKS_FOR_VERDICT} or more, or leave --fail-on out."
        ),
    ))
}

/// Why the gate is not met, in one sentence; `None` when it is.
pub fn broken(gate: &Gate, plan: &Plan, summary: &Summary) -> Option<String> {
    let baseline = plan.entries.iter().find(|e| e.baseline).or(plan.entries.first())?;
    let label = |key: &str| {
        let entry = plan.entries.iter().find(|e| e.key == key);
        entry.map_or_else(|| key.to_owned(), |e| e.label.clone())
    };
    gate.broken(summary, &baseline.key, label)
}

/// Says why it is not met.
pub fn exit(broken: Option<&str>, out: &Output) -> Exit {
    match broken {
        Some(sentence) => {
            out.note(sentence);
            Exit::GateNotMet
        }
        None => Exit::Done,
    }
}

/// Only a run that is done can be held to a gate.
pub fn of_run(gate: Option<&Gate>, run: &Collected, out: &Output) -> Exit {
    let (Some(gate), Some(plan), Some(Ok(summary))) = (gate, &run.plan, run.summary()) else {
        return Exit::Done;
    };
    let exit = exit(broken(gate, plan, &summary).as_deref(), out);
    let unseen = unseen(run, plan);
    for label in &unseen {
        out.note(&format!(
            "--fail-on: {label} has no trial that counts, so it cannot pass; its reason is above."
        ));
    }
    if unseen.is_empty() { exit } else { Exit::Failed }
}

/// The labels of those who have no trial that counts, under whichever scenario: a gate passes nobody whom it has not seen. A search
/// that found no rate counts here: it was carried out, and that none holds the bound is the result.
fn unseen<'a>(run: &Collected, plan: &'a Plan) -> Vec<&'a str> {
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

    /// Two entries under one scenario, the second with this verdict.
    fn summary(verdict: serde_json::Value) -> Summary {
        let entry = |key: &str, verdict: serde_json::Value| {
            json!({
                "entry_key": key, "rank": 1, "unranked_reason": null, "trials_valid": 5, "trials_invalid": 0,
                "requests_per_s": null, "lower_bound": false, "limit": null, "cpu_us_per_request": null,
                "rss_peak_bytes": null, "bytes_per_request": null, "percentiles": [],
            "ratio": { "estimate": 0.9, "low": 0.88, "high": 0.92, "confidence": 0.95 },
                "verdict": verdict, "sentence": "",
            })
        };
        let scenario = json!({
            "scenario": "static-1k-ab", "metric": "requests_per_s", "winner_key": null, "no_winner": null,
            "entries": [entry("k0", json!(null)), entry("k1", verdict)], "sentence": "",
        });
        serde_json::from_value(json!({ "schema": 1, "sentence": "", "scenarios": [scenario] })).unwrap()
    }

    fn plan() -> Plan {
        let entry = |key: &str, label: &str| {
            json!({
                "key": key, "label": label, "server": label, "title": label, "content_hash": "", "options": {},
                "baseline": key == "k0",
            })
        };
        serde_json::from_value(json!({
            "seed": 1, "prng": "splitmix64", "shuffle": "fisher-yates", "entries": [entry("k0", "old"), entry("k1", "new")],
            "scenarios": [], "trials": [], "planned_s": 0,
        }))
        .unwrap()
    }

    #[test]
    fn only_a_verdict_of_slower_breaks_the_gate() {
        let gate: Gate = "slower".parse().unwrap();
        for fine in [
            json!("faster"),
            json!("no-difference"),
            json!("not-comparable"),
            json!(null),
        ] {
            assert_eq!(broken(&gate, &plan(), &summary(fine.clone())), None, "{fine}");
        }
        assert_eq!(
            broken(&gate, &plan(), &summary(json!("slower"))).unwrap(),
            "--fail-on slower failed: in scenario static-1k-ab, new is 10 % slower than old (95 % interval 8.0 to 12 %)."
        );
    }

    #[test]
    fn who_has_no_trial_that_counts_is_named() {
        use TrialStatus::{Failed, Invalid, Valid};
        for (first, second, without) in [
            (Valid, Valid, vec![]),
            (Valid, Invalid, vec!["new"]),
            (Failed, Valid, vec!["old"]),
            (Failed, Invalid, vec!["old", "new"]),
        ] {
            let planned = |entry: &str| PlanTrial {
                trial_id: Uuid::nil(),
                entry_key: entry.to_owned(),
                scenario: "s".to_owned(),
                block: 0,
                position: 0,
                slices: 1,
                warmup_s: 0.0,
                duration_s: 1.0,
            };
            let mut plan = plan();
            plan.trials = ["k0", "k1"].map(planned).to_vec();
            let ended = plan.trials.iter().zip([first, second]);
            let run = Collected {
                trials: ended.map(|(trial, status)| empty_record(trial, status, None)).collect(),
                ..Collected::default()
            };
            assert_eq!(unseen(&run, &plan), without, "{first:?} {second:?}");
        }
    }
}
