use super::*;
use crate::parser::{autocannon, recording};
use crate::protocol::result::{Failures, Latency, Percentile};
use crate::protocol::spec::{ToolName, Workload};

fn scenario(load: Load) -> Scenario {
    Scenario {
        schema: 1,
        id: "static-1k-ab".into(),
        title: String::new(),
        summary: String::new(),
        workload: Workload::Static,
        tool: ToolName::Ab,
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

fn closed(connections: u32) -> Scenario {
    scenario(Load::Closed {
        connections,
        keep_alive: true,
    })
}

fn result(requests_per_s: f64, mean_us: f64, resolution_us: f64) -> ToolResult {
    let requests = (requests_per_s * 10.0) as u64;
    ToolResult {
        tool: ToolName::Ab,
        tool_version: None,
        duration_us: 10_000_000,
        requests,
        failures: Failures::default(),
        bytes_received: Some(requests * 1200),
        bytes_scope: Some(BytesScope::Total),
        requests_per_s,
        latency: Some(Latency {
            mean_us: Some(mean_us),
            min_us: None,
            max_us: Some(mean_us * 10.0),
            stdev_us: None,
            percentiles: vec![
                Percentile { p: 50.0, us: mean_us },
                Percentile {
                    p: 99.0,
                    us: mean_us * 5.0,
                },
            ],
            resolution_us,
            corrected: false,
            mean_ci95_us: None,
            outliers: None,
            source: "test".into(),
        }),
        offered: None,
        statuses: None,
        thresholds_crossed: Vec::new(),
        connections: None,
        knee: None,
    }
}

fn codes(found: &Findings) -> (usize, Vec<&str>) {
    (
        found.contradictions.len(),
        found.labels.iter().map(|l| l.code.as_str()).collect(),
    )
}

#[test]
fn a_plausible_result_has_no_findings() {
    // 20,000/s of 1.6 ms on 32 connections: 32 in flight.
    let found = check(&closed(32), &result(20_000.0, 1600.0, 1.0), Some(300_000_000));
    assert_eq!(codes(&found), (0, vec![]));
    assert!((found.in_flight.unwrap() - 1.0).abs() < 1e-9);
}

/// A Raspberry Pi with ten connections, published twice: a median of 2.3 s at some 1,450 requests a second.
#[test]
fn the_published_log_has_337_times_more_in_flight_than_connections() {
    for (case, times, message) in [
        (
            "published-pi-1",
            337.4,
            "1459 requests/s of 2312.940 ms each are 3374 in flight at once, but there are only 10 connections.",
        ),
        (
            "published-pi-2",
            329.8,
            "1441 requests/s of 2289.160 ms each are 3298 in flight at once, but there are only 10 connections.",
        ),
    ] {
        let published = autocannon::parse(&recording::load("autocannon", case)).unwrap();
        let mut script = closed(10);
        (script.tool, script.path) = (ToolName::Autocannon, "/script.js".into());
        let found = check(&script, &published, None);
        let said: Vec<&str> = found.contradictions.iter().map(|c| c.message.as_str()).collect();
        assert_eq!(
            (said, found.contradictions[0].code.as_str()),
            (vec![message], "algebra")
        );
        assert!((found.in_flight.unwrap() - times).abs() < 0.5, "{found:?}");
    }
}

#[test]
fn a_tenth_more_in_flight_than_connections_is_a_contradiction_beyond_the_resolution() {
    let found = check(&closed(10), &result(20_000.0, 600.0, 1.0), None);
    assert!(
        found.contradictions[0].message.contains("only 10 connections"),
        "{found:?}"
    );
    // 1.15 times, but within the resolution: no.
    assert_eq!(codes(&check(&closed(32), &result(20_000.0, 1800.0, 90.0), None)).0, 0);
}

#[test]
fn a_script_has_as_many_under_way_as_it_likes() {
    let mut script = closed(10);
    let load = serde_json::json!({ "requests": [], "script": { "name": "load.js", "text": "" } });
    script.http = serde_json::from_value(load).unwrap();
    for mean_us in [100.0, 2000.0] {
        let found = check(&script, &result(20_000.0, mean_us, 0.001), None);
        assert_eq!((codes(&found), found.in_flight), ((0, vec![]), None));
    }
}

#[test]
fn a_coarse_or_corrected_mean_says_nothing() {
    let found = check(&closed(10), &result(20_000.0, 5000.0, 1000.0), None);
    assert_eq!((codes(&found), found.in_flight), ((0, vec![]), None));
    let mut corrected = result(20_000.0, 168_500.0, 1.0);
    corrected.latency.as_mut().unwrap().corrected = true;
    assert_eq!(check(&closed(10), &corrected, None).in_flight, None);
}

#[test]
fn an_idle_generator_is_labeled_in_closed_loop_only() {
    assert_eq!(
        codes(&check(&closed(64), &result(20_000.0, 1600.0, 1.0), None)),
        (0, vec!["generator-idle"])
    );
    let rate = scenario(Load::Rate {
        rate_per_s: 1000,
        connections: 64,
        keep_alive: true,
    });
    assert_eq!(codes(&check(&rate, &result(1000.0, 100.0, 1.0), None)), (0, vec![]));
}

#[test]
fn latencies_must_be_in_order() {
    let mut wrong = result(20_000.0, 1600.0, 1.0);
    wrong.latency.as_mut().unwrap().percentiles[0].us = 1e6;
    assert_eq!(codes(&check(&closed(32), &wrong, None)).0, 1);
    let mut wrong = result(20_000.0, 1600.0, 1.0);
    wrong.latency.as_mut().unwrap().max_us = Some(100.0);
    assert_eq!(codes(&check(&closed(32), &wrong, None)).0, 2);
}

#[test]
fn bodies_must_have_traveled() {
    let mut wrong = result(20_000.0, 1600.0, 1.0);
    wrong.bytes_received = Some(wrong.requests * 1000);
    assert_eq!(codes(&check(&closed(32), &wrong, Some(1))).0, 2);
    // Failed requests need no body.
    wrong.failures.total = wrong.requests / 10;
    assert_eq!(codes(&check(&closed(32), &wrong, None)).0, 0);
}

/// Seen: a server that answers 313 times a second is offered 2000, and what waits has no connection.
#[test]
fn latency_from_the_intended_moment_has_more_in_flight_than_connections() {
    let mut rate = scenario(Load::Rate {
        rate_per_s: 2000,
        connections: 10,
        keep_alive: true,
    });
    let waits = result(313.0, 431_238.0, 0.001);
    assert_eq!(codes(&check(&rate, &waits, None)), (1, vec![]));
    rate.tool = ToolName::Loadgen;
    assert_eq!(codes(&check(&rate, &waits, None)), (0, vec![]));
    // In a closed loop nothing waits.
    let mut closed = closed(10);
    closed.tool = ToolName::Loadgen;
    assert_eq!(codes(&check(&closed, &waits, None)).0, 1);
}

#[test]
fn after_the_first_byte_a_connection_is_busy_and_the_generator_not_idle() {
    let mut single = closed(1);
    let short = result(100.0, 1000.0, 1.0);
    assert_eq!(codes(&check(&single, &short, None)), (0, vec!["generator-idle"]));
    single.latency_until = Some(LatencyUntil::FirstByte);
    assert_eq!(codes(&check(&single, &short, None)), (0, vec![]));
}

#[test]
fn a_histogram_has_a_latency_for_each_answer() {
    let said = result(10_000.0, 1000.0, 1.0);
    let found = |count| {
        let mut found = Findings::default();
        histogram(&said, count, &mut found);
        found.contradictions
    };
    assert_eq!((found(None), found(Some(100_000))), (vec![], vec![]));
    for wrong in [99_999, 100_001, 0] {
        let found = found(Some(wrong));
        assert!(
            found[0]
                .message
                .contains(&format!("100000 responses, and {wrong} latencies")),
            "{found:?}"
        );
    }
}
