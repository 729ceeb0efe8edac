//! `--fail-on`: what a script wants to be stopped by. The rule is that of the statistics; here it gets the entries' labels.

use rigmark_stats::Summary;
pub use rigmark_stats::gate::Gate;
use rigmark_stats::verdict::BLOCKS_FOR_VERDICT;

use crate::cli::CliError;
use crate::protocol::journal::Plan;
use crate::protocol::spec::RunSpec;
use crate::runner::plan::most_blocks;

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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
}
