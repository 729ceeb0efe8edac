//! `rigmark calibrate` end to end, with a state folder of its own.

use std::path::Path;

use crate::support::{ran, rigmark};
use rigmark::protocol::facts::{CheckStatus, HostCalibration, HostFacts};
use serde_json::Value;

/// What doctor says with this state folder.
fn told(dir: &Path) -> (Option<HostCalibration>, CheckStatus) {
    let mut command = rigmark(dir, &["doctor", "--quick", "--json"]);
    command.env("RIGMARK_STATE", dir.join("state"));
    let facts: HostFacts = serde_json::from_value(ran(command).json()["facts"].clone()).unwrap();
    let check = facts.checks.iter().find(|c| c.id == "calibration").unwrap();
    (facts.calibration.clone(), check.status)
}

#[test]
fn what_a_server_beside_itself_shows_is_stored_and_told_while_the_host_is_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state");
    assert_eq!(told(dir.path()), (None, CheckStatus::Unknown));
    let mut command = rigmark(
        dir.path(),
        &["calibrate", "--json", "-b", "6", "-d", "300ms", "--warmup", "0s"],
    );
    command.env("RIGMARK_STATE", &state);
    let ran = ran(command);
    if ran.code == Some(1) {
        // A host that is too busy for the rate, or for anything but the tool, is told so; and nothing is stored.
        let said = format!("{}{}", ran.stdout, ran.stderr);
        let sentence = ["could not be compared", "was the bottleneck", "two trials that count"];
        assert!(sentence.iter().any(|s| said.contains(s)), "{said}");
        assert_eq!(told(dir.path()), (None, CheckStatus::Unknown));
        return;
    }
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let said = ran.json();
    let stored: HostCalibration = serde_json::from_value(said["calibration"].clone()).unwrap();
    let logs = said["log_ratios"].as_array().unwrap();
    assert_eq!((stored.blocks as usize, stored.server.as_str()), (logs.len(), "epoll"));
    assert!((5..=6).contains(&logs.len()) && stored.sd_log_ratio > 0.0, "{stored:?}");
    assert!(stored.smallest.is_sorted_by(|a, b| a.difference > b.difference));
    assert!(said["difference_shown"].is_boolean());
    assert_eq!(told(dir.path()), (Some(stored), CheckStatus::Ok));

    // As after another kernel.
    let file = state.join("calibration.json");
    let mut other: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    other[0]["fingerprint"] = Value::String("0".repeat(64));
    std::fs::write(&file, other.to_string()).unwrap();
    assert_eq!(told(dir.path()), (None, CheckStatus::Warn));
}

#[test]
fn fewer_than_five_blocks_are_refused_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    let ran = crate::support::run(dir.path(), &["calibrate", "--blocks", "4"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("use 5 or more"), "{}", ran.stderr);
}
