use std::collections::BTreeMap;

use super::*;
use crate::protocol::result::{BytesScope, Percentile};
use crate::protocol::spec::ToolName;

fn run(requests: u64, duration_us: u64, mean_us: f64) -> ToolResult {
    ToolResult {
        tool: ToolName::Ab,
        tool_version: Some("2.3".into()),
        duration_us,
        requests,
        failures: Failures {
            connect: Some(0),
            length: Some(1),
            total: 1,
            ..Failures::default()
        },
        bytes_received: Some(requests * 100),
        bytes_scope: Some(BytesScope::Total),
        requests_per_s: requests as f64 * 1e6 / duration_us as f64,
        latency: Some(Latency {
            mean_us: Some(mean_us),
            min_us: Some(mean_us / 2.0),
            max_us: Some(mean_us * 2.0),
            stdev_us: Some(0.0),
            percentiles: vec![Percentile { p: 50.0, us: mean_us }],
            resolution_us: 1.0,
            corrected: false,
            mean_ci95_us: Some(1.0),
            outliers: Some(3),
            source: "ab".into(),
        }),
        offered: None,
        statuses: Some(BTreeMap::from([("2xx".into(), requests)])),
        thresholds_crossed: Vec::new(),
        connections: Some(10),
        knee: None,
    }
}

#[test]
fn sums_are_added_and_the_rate_is_of_the_measured_seconds() {
    let all = together(&[run(1000, 500_000, 10.0), run(3000, 500_000, 30.0)], Manner::ToolRuns).unwrap();
    assert_eq!(
        (all.requests, all.duration_us, all.requests_per_s),
        (4000, 1_000_000, 4000.0)
    );
    assert_eq!(
        (all.failures.total, all.failures.length, all.failures.connect),
        (2, Some(2), Some(0))
    );
    // Nobody told these.
    assert_eq!((all.failures.read, all.failures.content), (None, None));
    assert_eq!((all.bytes_received, all.connections), (Some(400_000), Some(10)));
    assert_eq!(all.statuses.unwrap()["2xx"], 4000);
}

#[test]
fn the_mean_is_weighted_and_no_percentile_is_made_of_percentiles() {
    let all = together(&[run(1000, 500_000, 10.0), run(3000, 500_000, 30.0)], Manner::ToolRuns).unwrap();
    let latency = all.latency.unwrap();
    assert_eq!(
        (latency.mean_us, latency.min_us, latency.max_us),
        (Some(25.0), Some(5.0), Some(60.0))
    );
    // Of 1000 tens and 3000 thirties.
    assert!((latency.stdev_us.unwrap() - 75f64.sqrt()).abs() < 1e-9);
    assert!(latency.percentiles.is_empty());
    assert_eq!((latency.mean_ci95_us, latency.outliers), (None, None));
    assert_eq!(latency.source, "ab, 2 tool runs");
}

#[test]
fn what_one_shot_did_not_tell_is_unknown_of_all() {
    let mut silent = run(10, 10, 1.0);
    (silent.bytes_received, silent.statuses, silent.connections) = (None, None, None);
    silent.latency.as_mut().unwrap().max_us = None;
    let all = together(&[run(10, 10, 1.0), silent], Manner::ToolRuns).unwrap();
    assert_eq!((all.bytes_received, all.statuses, all.connections), (None, None, None));
    let latency = all.latency.unwrap();
    assert_eq!((latency.max_us, latency.mean_us), (None, Some(1.0)));
    // One that was not answered at all has no latency, and takes the others' away from nobody.
    let mut dead = run(0, 10, 1.0);
    dead.latency = None;
    assert!(
        together(&[run(10, 10, 1.0), dead], Manner::ToolRuns)
            .unwrap()
            .latency
            .is_some()
    );
}

#[test]
fn a_single_shot_is_itself_and_none_is_none() {
    let one = run(10, 10, 1.0);
    assert_eq!(together(std::slice::from_ref(&one), Manner::ToolRuns), Some(one));
    assert_eq!(together(&[], Manner::ToolRuns), None);
}

#[test]
fn slices_add_up_what_was_offered_and_take_the_most_connections() {
    let slice = |connections, requests, dropped| ToolResult {
        connections,
        offered: Some(Offered {
            rate_per_s: 2000.0,
            requests,
            dropped,
        }),
        ..run(1000, 500_000, 10.0)
    };
    let all = together(&[slice(Some(10), 1000, 0), slice(Some(12), 1000, 3)], Manner::Slices).unwrap();
    let offered = all.offered.unwrap();
    assert_eq!(
        (offered.rate_per_s, offered.requests, offered.dropped),
        (2000.0, 2000, 3)
    );
    assert_eq!(all.connections, Some(12));
    assert_eq!(all.latency.unwrap().source, "ab, 2 slices");
    let silent = together(&[slice(Some(10), 1, 0), slice(None, 1, 0)], Manner::Slices).unwrap();
    assert_eq!(silent.connections, None);
}

#[test]
fn shots_are_fired_until_the_seconds_were_measured() {
    let after = |runs, measured_us, wall_us| enough(10.0, runs, measured_us, wall_us, true);
    assert_eq!(after(5, 9_999_999, 10_000_000), None);
    assert_eq!(after(6, 10_000_000, 12_000_000), Some(Enough::Measured));
    assert_eq!(after(6, 200_000, 30_000_000), Some(Enough::Wall));
    assert_eq!(after(MOST_RUNS, 200_000, 1_000_000), Some(Enough::MostRuns));
    assert_eq!(enough(10.0, 1, 0, 100, false), Some(Enough::Unanswered));
}

/// As many as there may be still make a record that fits a chunk.
#[test]
fn the_most_shots_fit_a_record() {
    let slice = crate::protocol::journal::Slice {
        left_out: false,
        counters: None,
        index: MOST_RUNS as u32,
        begin_us: 10_000_000_000_000,
        end_us: 10_000_000_000_000,
    };
    let bytes = serde_json::to_vec(&slice).unwrap().len() + 1;
    assert!(MOST_RUNS * bytes + 32 * 1024 < crate::protocol::wire::CHUNK_BYTES);
}
