use super::*;
use crate::protocol::journal::{Slice, SliceCounters};
use crate::protocol::spec::ToolName;

fn scenario(load: Load) -> Scenario {
    let golden = include_str!("../../../../../packages/protocol/golden/scenario.json");
    Scenario {
        load,
        tool: ToolName::Loadgen,
        ..serde_json::from_str(golden).unwrap()
    }
}

fn closed(connections: u32) -> Scenario {
    scenario(Load::Closed {
        connections,
        keep_alive: true,
    })
}

#[test]
fn a_trial_has_an_even_number_of_slices_or_is_whole() {
    let of = |duration_s, asked| planned(&closed(64), Some(0.2), duration_s, asked, 2);
    assert_eq!(of(10.0, None), 20);
    assert_eq!([2.0, 2.4, 2.5, 3.0].map(|s| of(s, None)), [4, 4, 4, 6]);
    // A short trial has four shorter ones, as far as the tool can.
    assert_eq!([1.9, 0.8, 0.7].map(|s| of(s, None)), [4, 4, 1]);
    assert_eq!([0.2, 1.0, 5.0, 0.0].map(|s| of(10.0, Some(s))), [50, 10, 1, 1]);
    // Never shorter than the tool can.
    assert_eq!(of(10.0, Some(0.05)), 50);
    // Nor longer than a second, because their number has to be even.
    assert_eq!([4.0, 4.5, 5.0, 6.0, 7.0].map(|s| of(s, Some(1.0))), [4, 6, 6, 6, 8]);
    assert_eq!([3.0, 3.9].map(|s| of(s, Some(1.0))), [1, 1]);
    // A trial is one record.
    assert_eq!(of(3600.0, Some(0.2)), MOST_SLICES);
}

#[test]
fn ab_is_in_slices_only_when_they_are_asked_for() {
    let ab = Scenario {
        tool: ToolName::Ab,
        ..closed(64)
    };
    assert_eq!(planned(&ab, Some(0.5), 10.0, None, 2), 1);
    assert_eq!(planned(&ab, Some(0.5), 10.0, Some(0.5), 2), 20);
}

#[test]
fn what_cannot_alternate_is_whole() {
    assert_eq!(planned(&closed(64), None, 10.0, None, 2), 1);
    assert_eq!(planned(&closed(64), Some(0.2), 10.0, Some(0.5), 1), 1);
}

#[test]
fn a_load_that_a_short_window_would_change_is_whole() {
    let of = |scenario: &Scenario| planned(scenario, Some(0.2), 10.0, None, 2);
    let count = Load::Count {
        requests: 1000,
        connections: 10,
        keep_alive: true,
    };
    assert_eq!(of(&scenario(count)), 1);
    let first_byte = Scenario {
        latency_until: Some(LatencyUntil::FirstByte),
        ..closed(64)
    };
    assert_eq!(of(&first_byte), 1);
    assert_eq!(of(&closed(1000)), 1);
    let rate = Load::Rate {
        rate_per_s: 1000,
        connections: 10,
        keep_alive: true,
    };
    assert_eq!(of(&scenario(rate)), 20);
    // 64 responses of 1 MB under way; an upload counts by what is sent.
    let large = Scenario {
        body_bytes: 1_000_000,
        ..closed(64)
    };
    let upload = Scenario {
        payload: Some(Payload::Bytes { bytes: 1_000_000 }),
        ..closed(64)
    };
    assert_eq!((of(&large), of(&upload)), (1, 1));
    let few = Scenario {
        body_bytes: 1_000_000,
        ..closed(8)
    };
    assert_eq!(of(&few), 20);
}

#[test]
fn rounds_are_mirrored() {
    assert_eq!(order(2, 4).collect::<Vec<_>>(), [0, 1, 1, 0, 0, 1, 1, 0]);
    assert_eq!(order(3, 2).collect::<Vec<_>>(), [0, 1, 2, 2, 1, 0]);
    assert_eq!(order(1, 2).collect::<Vec<_>>(), [0, 0]);
}

#[test]
fn a_drift_of_the_host_meets_all_alike() {
    // With an even number of rounds the mean place in time is the same for each.
    for (entries, rounds) in [(2, 4), (3, 4), (5, 20)] {
        let order: Vec<usize> = order(entries, rounds).collect();
        let places = |entry| {
            let own = order.iter().enumerate().filter(move |(_, e)| **e == entry);
            own.map(|(place, _)| place).sum::<usize>()
        };
        assert!((1..entries).all(|entry| places(entry) == places(0)), "{order:?}");
    }
}

/// As many as there may be still make a record that fits a chunk.
#[test]
fn the_most_slices_fit_a_record() {
    let us = Some(4_500_000_000);
    let slice = Slice {
        index: MOST_SLICES,
        begin_us: 10_000_000_000_000,
        end_us: 10_000_000_000_000,
        left_out: true,
        counters: Some(SliceCounters {
            requests: us,
            tool_us: us,
            server_cpu_us: us,
            tool_cpu_us: us,
            host_total_us: us,
            host_steal_us: us,
            others_cpu_us: us,
        }),
    };
    let bytes = serde_json::to_vec(&slice).unwrap().len() + 1;
    assert!(
        MOST_SLICES as usize * bytes + 16 * 1024 < crate::protocol::wire::CHUNK_BYTES,
        "{bytes}"
    );
}
