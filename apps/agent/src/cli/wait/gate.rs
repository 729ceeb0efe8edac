//! `--fail-on` for a run of the app: the rule that `rigmark run` has, on the app's figures.

use rigmark_stats::Summary;
use rigmark_stats::gate::Gate;
use serde_json::{Value, json};

use crate::cli::gate;
use crate::control::message::{EntryResults, Results, ScenarioResults};
use crate::protocol::journal::Plan;
use crate::text::plain;

const NAME_CHARS: usize = 80;

const UNREADABLE: &str = "--fail-on cannot pass: the app's results name no server, or this version of rigmark does not \
                          understand them; update rigmark, and look at the run's page.";

/// Why it is not met, in one sentence; `None` when it is. An error where the results do not show either.
pub fn broken(gate: &Gate, results: &Results) -> Result<Option<String>, &'static str> {
    match (plan(results), summary(results)) {
        (Some(plan), Some(summary)) if !plan.entries.is_empty() => Ok(gate::broken(gate, &plan, &summary)),
        _ => Err(UNREADABLE),
    }
}

/// Entries by their labels: those are all that is needed of a plan.
fn plan(results: &Results) -> Option<Plan> {
    let mut entries: Vec<Value> = Vec::new();
    for entry in results.scenarios.iter().flat_map(|s| &s.entries) {
        if !entries.iter().any(|e| e["key"] == *entry.label) {
            entries.push(json!({
                "key": entry.label, "label": plain(&entry.label, NAME_CHARS), "server": "", "title": "", "content_hash": "",
                "options": {}, "baseline": entry.baseline,
            }));
        }
    }
    let plan = json!({
        "seed": 0, "prng": "", "shuffle": "", "entries": entries, "scenarios": [], "trials": [], "planned_s": 0,
    });
    crate::json::read(&plan).ok()
}

fn summary(results: &Results) -> Option<Summary> {
    let scenarios: Vec<Value> = results.scenarios.iter().map(scenario).collect();
    crate::json::read(&json!({ "schema": 1, "sentence": "", "scenarios": scenarios })).ok()
}

fn scenario(scenario: &ScenarioResults) -> Value {
    json!({
        "scenario": plain(&scenario.scenario, NAME_CHARS), "metric": scenario.metric, "winner_key": null, "no_winner": null,
        "entries": scenario.entries.iter().map(entry).collect::<Vec<_>>(), "sentence": "",
    })
}

fn entry(entry: &EntryResults) -> Value {
    let ratio = match (entry.ratio, entry.low, entry.high) {
        (Some(estimate), Some(low), Some(high)) => {
            json!({ "estimate": estimate, "low": low, "high": high, "confidence": 0.95 })
        }
        _ => Value::Null,
    };
    // As the API writes them, and as the statistics do.
    let verdict = entry.verdict.as_deref().map(|verdict| match verdict {
        "no difference shown" => "no-difference",
        "not comparable" => "not-comparable",
        other => other,
    });
    let unranked = entry.unranked.as_ref();
    json!({
        "entry_key": entry.label, "rank": null, "unranked_reason": unranked.map(|u| &u.reason),
        "unranked_code": unranked.and_then(|u| u.code.as_ref()), "trials_valid": entry.trials_valid,
        "trials_invalid": entry.trials_invalid, "requests_per_s": null, "lower_bound": entry.lower_bound, "limit": null,
        "cpu_us_per_request": null, "rss_peak_bytes": null, "bytes_per_request": null, "percentiles": [], "ratio": ratio,
        "verdict": verdict, "sentence": "",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two entries, the second with this verdict.
    fn results(metric: &str, verdict: &str) -> Results {
        let entry = |label: &str, baseline: bool, verdict: Value| {
            json!({
                "label": label, "baseline": baseline, "verdict": verdict, "ratio": 0.9, "low": 0.88, "high": 0.92,
                "trials_valid": 5, "trials_invalid": 0, "requests_per_s": null, "cpu_us_per_request": null,
            })
        };
        let entries = [entry("old", true, Value::Null), entry("new", false, json!(verdict))];
        let scenario = json!({ "scenario": "s", "title": "s", "metric": metric, "sentence": "", "entries": entries });
        serde_json::from_value(json!({ "sentence": null, "scenarios": [scenario] })).unwrap()
    }

    #[test]
    fn results_that_cannot_be_read_pass_no_gate() {
        let gate: Gate = "slower".parse().unwrap();
        let of = |metric: &str, verdict: &str| broken(&gate, &results(metric, verdict));
        assert_eq!(of("requests_per_s", "no difference shown"), Ok(None));
        let slower = of("requests_per_s", "slower").unwrap();
        assert!(slower.is_some_and(|said| said.contains("new is 10 % slower than old")));
        for (metric, verdict) in [("joules", "slower"), ("requests_per_s", "rather slower")] {
            assert_eq!(of(metric, verdict), Err(UNREADABLE), "{metric} {verdict}");
        }
        let nobody = Results {
            sentence: None,
            scenarios: Vec::new(),
        };
        assert_eq!(broken(&gate, &nobody), Err(UNREADABLE));
    }
}
