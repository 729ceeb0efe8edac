//! `--fail-on` for a run of the app: the rule that `rigmark run` has, on the app's figures.

use rigmark_stats::Summary;
use serde_json::{Value, json};

use crate::cli::run::gate::{self, Gate};
use crate::control::message::{EntryResults, Results, ScenarioResults};
use crate::protocol::journal::Plan;
use crate::text::plain;

const NAME_CHARS: usize = 80;

/// Why it is not met, in one sentence. A scenario that this version does not understand is in no gate.
pub fn broken(gate: &Gate, results: &Results) -> Option<String> {
    let (plan, summary) = (plan(results)?, summary(results)?);
    gate::broken(gate, &plan, &summary)
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
