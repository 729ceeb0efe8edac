use super::*;
use crate::protocol::result::Failures;
use crate::protocol::spec::{ToolName, Workload};

fn scenario(load: Load) -> Scenario {
    Scenario {
        schema: 1,
        id: "static-1k".into(),
        title: String::new(),
        summary: String::new(),
        workload: Workload::Static,
        tool: ToolName::Wrk,
        path: "/1k.bin".into(),
        body_bytes: 1024,
        payload: None,
        in_flight: None,
        latency_until: None,
        load,
        duration_s: 10.0,
        warmup_s: 1.0,
        thresholds: None,
        judged_by: None,
        http: None,
    }
}

fn closed(connections: u32, keep_alive: bool) -> Scenario {
    scenario(Load::Closed {
        connections,
        keep_alive,
    })
}

/// 10,000 responses of 1 KB.
fn result() -> ToolResult {
    serde_json::from_value(serde_json::json!({
        "tool": "wrk", "tool_version": null, "duration_us": 10_000_000, "requests": 10_000,
        "failures": serde_json::to_value(Failures::default()).unwrap(),
        "bytes_received": 12_000_000, "bytes_scope": "total", "requests_per_s": 1000.0,
        "latency": null, "offered": null, "statuses": null, "thresholds_crossed": [],
    }))
    .unwrap()
}

fn counted(accepted: u64) -> SocketCounts {
    SocketCounts {
        traffic: Some(Traffic {
            packets: 30_000,
            accepted,
        }),
        loopback_bytes: Some(15_000_000),
        runs: 1,
    }
}

fn codes(scenario: &Scenario, result: &ToolResult, counted: &SocketCounts) -> (usize, Vec<String>) {
    let mut found = Findings::default();
    check(scenario, result, counted, &mut found);
    assert!(found.contradictions.iter().all(|c| c.code == "kernel-count"));
    (
        found.contradictions.len(),
        found.labels.into_iter().map(|l| l.code).collect(),
    )
}

#[test]
fn counts_that_agree_are_not_spoken_of() {
    // wrk looks at the server once before its load.
    for accepted in [64, 65] {
        assert_eq!(codes(&closed(64, true), &result(), &counted(accepted)), (0, vec![]));
    }
    assert_eq!(codes(&closed(64, false), &result(), &counted(10_001)), (0, vec![]));
    let unknown = SocketCounts {
        traffic: None,
        loopback_bytes: None,
        runs: 1,
    };
    assert_eq!(codes(&closed(64, true), &result(), &unknown), (0, vec![]));
}

#[test]
fn fewer_connections_than_were_asked_for_are_another_load() {
    assert_eq!(codes(&closed(64, true), &result(), &counted(57)).0, 1);
    assert_eq!(
        codes(&closed(64, true), &result(), &counted(60)),
        (0, vec!["connections-fewer".into()])
    );
    // Each run of the tool makes all of them.
    let slices = SocketCounts { runs: 4, ..counted(64) };
    assert_eq!(codes(&closed(64, true), &result(), &slices).0, 1);
    let slices = SocketCounts {
        runs: 4,
        ..counted(256)
    };
    assert_eq!(codes(&closed(64, true), &result(), &slices), (0, vec![]));
}

#[test]
fn without_the_kernels_word_the_tools_own_count_tells() {
    let mut said = result();
    said.connections = Some(10);
    let unknown = SocketCounts {
        runs: 4,
        ..SocketCounts::default()
    };
    assert_eq!(codes(&closed(64, true), &said, &unknown).0, 1);
    said.connections = Some(64);
    assert_eq!(codes(&closed(64, true), &said, &unknown), (0, vec![]));
}

#[test]
fn connections_that_were_not_kept_and_those_that_were_kept_against_the_rule_are_told() {
    assert_eq!(
        codes(&closed(64, true), &result(), &counted(10_000)),
        (0, vec!["connections-renewed".into()])
    );
    assert_eq!(codes(&closed(64, false), &result(), &counted(64)).0, 1);
}

#[test]
fn at_a_rate_only_loadgen_makes_all_connections_first() {
    let mut rate = scenario(Load::Rate {
        rate_per_s: 1000,
        connections: 64,
        keep_alive: true,
    });
    assert_eq!(codes(&rate, &result(), &counted(5)), (0, vec![]));
    rate.tool = ToolName::Loadgen;
    assert_eq!(codes(&rate, &result(), &counted(5)).0, 1);
}

#[test]
fn a_script_opens_as_many_connections_as_it_needs_and_sends_what_it_likes() {
    let mut script = closed(64, true);
    let load = serde_json::json!({ "requests": [], "script": { "name": "load.js", "text": "" } });
    script.http = serde_json::from_value(load).unwrap();
    for made in [5, 384] {
        let mut counted = counted(made);
        counted.loopback_bytes = Some(80_000_000);
        assert_eq!(codes(&script, &result(), &counted), (0, vec![]));
    }
}

#[test]
fn an_answer_takes_two_packets_unless_several_go_together() {
    let mut few = counted(64);
    few.traffic = Some(Traffic {
        packets: 19_999,
        accepted: 64,
    });
    let mut scenario = closed(64, true);
    assert_eq!(codes(&scenario, &result(), &few).0, 1);
    scenario.in_flight = Some(16);
    assert_eq!(codes(&scenario, &result(), &few), (0, vec![]));
}

#[test]
fn bytes_that_nobody_counted_are_a_label() {
    let mut many = counted(64);
    many.loopback_bytes = Some(80_000_000);
    assert_eq!(
        codes(&closed(64, true), &result(), &many),
        (0, vec!["uncounted-traffic".into()])
    );
    // What was sent up is accounted for.
    let mut upload = closed(64, true);
    upload.payload = Some(Payload::Bytes { bytes: 8000 });
    assert_eq!(codes(&upload, &result(), &many), (0, vec![]));
}
