//! Result files for the tests.

use serde_json::{Value, json};

use super::facts::Report;
use super::result_file::ResultFile;

/// That of the protocol's examples.
pub fn golden() -> ResultFile {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../packages/protocol/golden/journal.jsonl"
    );
    ResultFile::read(std::path::Path::new(path)).unwrap()
}

/// Seven blocks of `base` and `head`, whose rate is so much of that of `base`.
pub fn report(level: f64) -> Report {
    Report::of(file(level, &["base", "head"])).unwrap()
}

pub fn file(level: f64, labels: &[&str; 2]) -> ResultFile {
    let mut file = golden();
    let plan = file.run.plan.as_mut().unwrap();
    let keys = ["b".repeat(64), "c".repeat(64)];
    let mut entries = vec![plan.entries[0].clone(), plan.entries[0].clone()];
    for (at, entry) in entries.iter_mut().enumerate() {
        entry.key.clone_from(&keys[at]);
        entry.label = labels[at].to_owned();
        entry.baseline = at == 0;
    }
    plan.entries = entries;
    plan.blocks = None;
    let noise = [1.0, 1.02, 0.99, 1.01, 0.98, 1.015, 0.985];
    let other = [1.01, 0.985, 1.0, 0.99, 1.02, 0.98, 1.005];
    let trial = |at: usize, block: usize, rate: f64| -> Value {
        json!({
            "trial_id": uuid::Uuid::from_u128((block * 2 + at) as u128), "entry_key": keys[at], "scenario": "static-1k-ab",
            "block": block, "position": at, "status": "valid", "reasons": [], "labels": [], "slices": [], "resources": null,
            "limit": "server-bound", "result": {
                "tool": "ab", "tool_version": "2.3", "duration_us": 3_000_000, "requests": (rate * 3.0) as u64,
                "failures": { "total": 0 }, "bytes_received": null, "bytes_scope": null, "requests_per_s": rate,
                "latency": null, "offered": null, "statuses": null, "thresholds_crossed": [],
            },
        })
    };
    let rates = noise.iter().zip(other).enumerate();
    let both = rates.flat_map(|(block, (a, b))| [trial(0, block, 10_000.0 * a), trial(1, block, 10_000.0 * level * b)]);
    file.run.trials = both.map(|t| serde_json::from_value(t).unwrap()).collect();
    file.run.failed_verification.clear();
    file.run.labels.clear();
    file
}
