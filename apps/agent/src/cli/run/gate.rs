//! `--fail-on`: what a script wants to be stopped by.

use clap::ValueEnum;
use rigmark_stats::summary::{Summary, Verdict};

use crate::protocol::journal::Plan;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Gate {
    // A server is shown to be slower than the baseline, under any scenario.
    Slower,
}

impl Gate {
    /// Why it is not met, in one sentence; `None` when it is. Without a verdict nothing is slower.
    pub fn broken(self, plan: &Plan, summary: &Summary) -> Option<String> {
        let Gate::Slower = self;
        let slower: Vec<String> = summary
            .scenarios
            .iter()
            .flat_map(|scenario| scenario.entries.iter().map(move |entry| (scenario, entry)))
            .filter(|(_, entry)| entry.verdict == Some(Verdict::Slower))
            .map(|(scenario, entry)| {
                let label = plan.entries.iter().find(|e| e.key == entry.entry_key);
                let label = label.map_or(entry.entry_key.as_str(), |e| e.label.as_str());
                format!("{label} under {}", scenario.scenario)
            })
            .collect();
        (!slower.is_empty()).then(|| {
            format!(
                "The gate --fail-on slower was not met: slower than the baseline is {}.",
                slower.join(", ")
            )
        })
    }
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
                "rss_peak_bytes": null, "bytes_per_request": null, "percentiles": [], "ratio": null,
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
        for fine in ["faster", "no-difference", "not-comparable"] {
            assert_eq!(Gate::Slower.broken(&plan(), &summary(json!(fine))), None, "{fine}");
        }
        assert_eq!(Gate::Slower.broken(&plan(), &summary(json!(null))), None);
        let said = Gate::Slower.broken(&plan(), &summary(json!("slower"))).unwrap();
        assert!(
            said.ends_with("slower than the baseline is new under static-1k-ab."),
            "{said}"
        );
    }
}
