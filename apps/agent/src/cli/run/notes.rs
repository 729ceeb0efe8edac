//! Why a cell of the table is empty or does not rank: the notes of the statistics, each once.

use std::collections::BTreeMap;

use rigmark_stats::summary::EntrySummary;

/// The percentiles that the table shows.
pub const SHOWN: [f64; 2] = [50.0, 99.0];

/// `P50, P99 of epoll, nginx: from closed-loop load: shown, not ranked`.
pub fn lines<'a>(entries: impl Iterator<Item = &'a EntrySummary>, label: impl Fn(&str) -> String) -> Vec<String> {
    let mut by_note: BTreeMap<(&'a str, usize), Vec<String>> = BTreeMap::new();
    for entry in entries {
        for (column, p) in SHOWN.iter().enumerate() {
            let found = entry.percentiles.iter().find(|x| x.p == *p);
            if let Some(note) = found.and_then(|x| x.note.as_deref()) {
                by_note.entry((note, column)).or_default().push(label(&entry.entry_key));
            }
        }
    }
    let mut by_entries: BTreeMap<(&str, Vec<String>), Vec<String>> = BTreeMap::new();
    for ((note, column), labels) in by_note {
        let column = format!("P{}", SHOWN[column]);
        by_entries.entry((note, labels)).or_default().push(column);
    }
    let line = |((note, labels), columns): ((&str, Vec<String>), Vec<String>)| {
        format!("{} of {}: {note}.", columns.join(", "), labels.join(", "))
    };
    by_entries.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigmark_stats::summary::ScenarioSummary;
    use serde_json::json;

    #[test]
    fn each_note_is_said_once_for_all_that_have_it() {
        let entry = |key: &str, p99: Option<&str>| {
            json!({
                "entry_key": key, "rank": null, "unranked_reason": null, "trials_valid": 5, "trials_invalid": 0,
                "requests_per_s": null, "lower_bound": false, "limit": null, "cpu_us_per_request": null,
                "rss_peak_bytes": null, "bytes_per_request": null, "ratio": null, "verdict": null, "sentence": "",
                "percentiles": [
                    { "p": 50.0, "us": null, "rankable": false, "note": "shown, not ranked" },
                    { "p": 99.0, "us": null, "rankable": false, "note": p99 },
                ],
            })
        };
        let scenario: ScenarioSummary = serde_json::from_value(json!({
            "scenario": "s", "metric": "requests_per_s", "winner_key": null, "no_winner": null, "sentence": "",
            "entries": [
                entry("a", Some("shown, not ranked")),
                entry("b", Some("shown, not ranked")),
                entry("c", Some("does not count: ab did not print it")),
            ],
        }))
        .unwrap();
        assert_eq!(
            lines(scenario.entries.iter(), str::to_uppercase),
            [
                "P99 of C: does not count: ab did not print it.",
                "P99 of A, B: shown, not ranked.",
                "P50 of A, B, C: shown, not ranked.",
            ]
        );
    }
}
