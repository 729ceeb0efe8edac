//! Every recording against a snapshot, and the most important figures once more by hand.

mod damaged;

use super::recording::{cases, load, scenario};
use super::{ab, autocannon, h2load, k6, k6_ws, loadgen, wrk};
use crate::protocol::result::ToolResult;
use crate::protocol::spec::ToolName;
use crate::tool::output::{ParseError, ToolOutput};

fn tools() -> impl Iterator<Item = (&'static str, ToolName)> {
    ToolName::ALL.into_iter().map(|tool| (tool.as_str(), tool))
}

fn parse(tool: ToolName, case: &str, output: &ToolOutput) -> Result<ToolResult, ParseError> {
    match tool {
        ToolName::Ab => ab::parse(output),
        ToolName::Autocannon => autocannon::parse(output),
        ToolName::H2load => h2load::parse(&scenario(tool, None), output),
        ToolName::K6 if case.starts_with("ws") => k6_ws::parse(output),
        ToolName::K6 => k6::parse(&scenario(tool, case.starts_with("rate").then_some(500)), output),
        ToolName::Wrk => wrk::parse(&scenario(tool, None), output),
        ToolName::Loadgen => loadgen::parse(output),
    }
}

fn recorded(tool: ToolName, case: &str) -> Result<ToolResult, ParseError> {
    parse(tool, case, &load(tool.as_str(), case))
}

/// No result may hold what JSON or a chart cannot.
fn check_sane(result: &ToolResult) {
    let mut figures = vec![result.requests_per_s];
    if let Some(l) = &result.latency {
        figures.extend([l.mean_us, l.min_us, l.max_us, l.stdev_us].into_iter().flatten());
        figures.extend(l.percentiles.iter().flat_map(|p| [p.p, p.us]));
        assert!(l.percentiles.windows(2).all(|w| w[0].p < w[1].p && w[0].us <= w[1].us));
        assert!(l.percentiles.len() <= 200);
    }
    figures.extend(result.offered.as_ref().map(|o| o.rate_per_s));
    assert!(
        figures.iter().all(|f| f.is_finite() && !f.is_sign_negative()),
        "{figures:?}"
    );
    let f = &result.failures;
    let counts = [
        f.connect,
        f.read,
        f.write,
        f.timeout,
        f.status,
        f.length,
        f.other,
        Some(f.total),
    ];
    let counts = counts
        .into_iter()
        .flatten()
        .chain([result.requests, result.duration_us]);
    assert!(counts.chain(result.bytes_received).all(|n| n < 1 << 53));
    assert!(result.thresholds_crossed.len() <= 20);
}

#[test]
fn every_recording_is_what_it_was() {
    for (name, tool) in tools() {
        for case in cases(name) {
            let outcome = recorded(tool, &case);
            if let Ok(result) = &outcome {
                check_sane(result);
            }
            let outcome = outcome.map_err(|e| e.to_string());
            insta::assert_json_snapshot!(format!("{name}-{case}"), outcome);
        }
    }
}

#[test]
fn killed_tools_have_no_result() {
    for (name, tool) in tools() {
        assert_eq!(
            recorded(tool, "killed"),
            Err(ParseError::Killed { tool: name, signal: 9 })
        );
        let stopped = recorded(tool, "interrupted").unwrap_err();
        assert!(matches!(
            stopped,
            ParseError::Killed { signal: 2, .. } | ParseError::Exit { code: 0 | 1 | 105, .. }
        ));
        let ended = recorded(tool, "terminated").unwrap_err();
        assert!(matches!(
            ended,
            ParseError::Killed { signal: 15, .. } | ParseError::Exit { code: 105, .. }
        ));
    }
}

#[test]
fn refused_connections_are_named() {
    for (name, tool) in tools() {
        let error = recorded(tool, "refused").unwrap_err();
        assert!(
            matches!(&error, ParseError::Refused { tool, .. } if *tool == name),
            "{error:?}"
        );
    }
}

#[test]
fn success_has_no_failures_and_all_its_bytes() {
    for (name, tool) in tools() {
        let result = recorded(tool, "success").unwrap();
        assert_eq!(result.failures.total, 0, "{name}");
        assert!(result.bytes_received.unwrap() >= result.requests * 1024, "{name}");
        let rate = result.requests as f64 / (result.duration_us as f64 / 1e6);
        assert!((result.requests_per_s / rate - 1.0).abs() < 0.001, "{name}");
    }
}

/// One reset is a receive failure, a length failure and an exception in ab's sum: three times as many as there were.
#[test]
fn ab_counts_a_reset_once() {
    let raw = load("ab", "reset");
    let line = raw.stdout.lines().find(|l| l.starts_with("Failed requests:")).unwrap();
    let printed: u64 = line.split_whitespace().last().unwrap().parse().unwrap();
    let failures = ab::parse(&raw).unwrap().failures;
    assert_eq!(failures.total * 3, printed);
    assert_eq!(failures.read, Some(failures.total));
}

#[test]
fn a_mean_is_kept_only_where_whole_milliseconds_say_something() {
    for tool in [ToolName::Ab, ToolName::Autocannon] {
        let fast = recorded(tool, "success").unwrap().latency.unwrap();
        assert_eq!((fast.mean_us, fast.stdev_us), (None, None), "{tool:?}");
        let slow = recorded(tool, "slow").unwrap().latency.unwrap();
        assert!(slow.mean_us.unwrap() >= 20_000.0);
        assert!(slow.mean_us.unwrap() <= slow.max_us.unwrap());
    }
    let fast = recorded(ToolName::Autocannon, "success").unwrap().latency.unwrap();
    assert_eq!(fast.min_us, None);
    let slow = recorded(ToolName::Autocannon, "slow").unwrap().latency.unwrap();
    assert_eq!((slow.min_us, slow.stdev_us), (Some(20_000.0), None));
}

#[test]
fn ab_says_that_nothing_answered_in_time() {
    let error = recorded(ToolName::Ab, "timeout").unwrap_err();
    assert!(error.to_string().contains("time-out"), "{error}");
}

#[test]
fn autocannon_leaves_out_latency_that_it_paired_wrongly() {
    for case in ["close", "half", "reset"] {
        let result = recorded(ToolName::Autocannon, case).unwrap();
        assert_eq!(result.latency, None, "{case}");
        assert!(result.failures.read.unwrap() > result.requests / 100, "{case}");
    }
    assert!(recorded(ToolName::Autocannon, "non-2xx").unwrap().latency.is_some());
    assert_eq!(
        recorded(ToolName::Autocannon, "timeout").unwrap().failures.timeout,
        Some(22)
    );
}

#[test]
fn k6_threshold_crossed_is_still_a_result() {
    let result = recorded(ToolName::K6, "threshold").unwrap();
    assert_eq!(result.thresholds_crossed, ["http_req_duration: p(95)<5"]);
    assert!(result.requests > 0);
    assert!(
        recorded(ToolName::K6, "threshold-held")
            .unwrap()
            .thresholds_crossed
            .is_empty()
    );
}

#[test]
fn k6_says_what_was_offered_and_dropped() {
    let held = recorded(ToolName::K6, "rate").unwrap().offered.unwrap();
    assert_eq!((held.rate_per_s, held.dropped), (500.0, 0));
    let dropped = recorded(ToolName::K6, "rate-dropped").unwrap();
    let offered = dropped.offered.unwrap();
    assert!(offered.dropped > 0);
    // 353 were answered, 644 dropped; the rest of 500 a second for two seconds was interrupted.
    assert_eq!((dropped.requests, offered.dropped, offered.requests), (353, 644, 1000));
    assert_eq!(recorded(ToolName::K6, "success").unwrap().offered, None);
}

/// `http_req_failed.fails` are the requests that did not fail.
#[test]
fn k6_failures_are_the_failed_ones() {
    let result = recorded(ToolName::K6, "non-2xx").unwrap();
    let share = result.failures.total as f64 / result.requests as f64;
    assert!((0.045..0.055).contains(&share), "{share}: the server failed each 20th");
    assert_eq!(result.statuses.unwrap()["5xx"], result.failures.total);
}

#[test]
fn sockets_say_what_was_wrong() {
    let good = recorded(ToolName::K6, "ws-success").unwrap();
    assert!(good.requests > 100 && good.failures.total == 0 && good.connections.unwrap() >= 8);
    assert_eq!(good.latency.unwrap().resolution_us, 1000.0);
    let lower = recorded(ToolName::K6, "ws-lower").unwrap();
    assert_eq!(lower.failures.content, Some(lower.requests));
    assert!(recorded(ToolName::K6, "ws-drop").unwrap().failures.timeout.unwrap() > 0);
    let refused = recorded(ToolName::K6, "ws-refused").unwrap_err();
    assert!(matches!(refused, ParseError::Refused { tool: "k6", .. }));
}

#[test]
fn loadgen_gives_all_its_latencies() {
    use hdrhistogram::serialization::Deserializer;
    let output = load("loadgen", "success");
    let (result, blob) = (loadgen::parse(&output).unwrap(), loadgen::histogram(&output).unwrap());
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, &blob.blob).unwrap();
    let histogram: hdrhistogram::Histogram<u64> = Deserializer::new().deserialize(&mut bytes.as_slice()).unwrap();
    assert_eq!((histogram.len(), blob.count), (result.requests, result.requests));
    let latency = result.latency.unwrap();
    let p99 = latency.percentiles.iter().find(|p| p.p == 99.0).unwrap().us;
    assert!((histogram.value_at_quantile(0.99) as f64 / 1000.0 / p99 - 1.0).abs() < 0.001);
    let offered = recorded(ToolName::Loadgen, "rate-dropped").unwrap().offered.unwrap();
    assert!(offered.dropped > 0 && offered.requests == 1000, "{offered:?}");
}

#[test]
fn loadgen_tells_its_latencies_second_by_second() {
    let output = load("loadgen", "over-time");
    let columns = loadgen::over_time(&output);
    let seconds: Vec<u64> = columns.iter().map(|column| column.to_us / 1_000_000).collect();
    assert_eq!(seconds, [1, 2, 3]);
    let told: u64 = columns.iter().map(rigmark_stats::bands::Column::requests).sum();
    assert_eq!(told, loadgen::parse(&output).unwrap().requests);
    assert_eq!(
        loadgen::over_time(&load("loadgen", "success")),
        [],
        "it was recorded before loadgen told them"
    );
    let moved = |to: &str| ToolOutput {
        stdout: output.stdout.replace(r#""first":"#, to),
        ..output.clone()
    };
    assert_eq!(
        loadgen::over_time(&moved(r#""first":900"#)),
        [],
        "such a band does not exist"
    );
}

/// With those that wrk added, as many as its percentiles are of; slices are added from them.
#[test]
fn wrk_gives_all_its_latencies() {
    for case in ["success", "success-close"] {
        let output = load("wrk", case);
        let (result, blob) = (
            wrk::parse(&scenario(ToolName::Wrk, None), &output).unwrap(),
            wrk::histogram(&output).unwrap(),
        );
        assert!(blob.corrected && blob.count >= result.requests, "{}", blob.count);
        let mut sum = rigmark_stats::histogram::MergedHistogram::default();
        sum.add(&blob.blob).unwrap();
        for said in result.latency.unwrap().percentiles {
            let found = sum.percentile_us(said.p).unwrap();
            assert!(
                (found - said.us).abs() <= 1.0 + said.us * 0.01,
                "{case} {said:?} {found}"
            );
        }
    }
    // Recorded with a script that did not print them.
    assert_eq!(wrk::histogram(&load("wrk", "slow")), None);
}

#[test]
fn live_progress_grows() {
    let lines = |tool: &str, of: fn(&str) -> Option<u64>| -> Vec<u64> {
        load(tool, "success").stdout.lines().filter_map(of).collect()
    };
    for counts in [
        lines("autocannon", autocannon::tick),
        lines("k6", k6::progress),
        lines("loadgen", loadgen::tick),
    ] {
        assert!(counts.len() >= 2 && counts.is_sorted() && counts[0] > 0, "{counts:?}");
    }
    assert_eq!(k6::progress("load   [  50% ] 4 VUs  1.0s/2s"), None);
    assert_eq!(autocannon::tick("not json"), None);
    let result = load("autocannon", "success").stdout.lines().last().map(str::to_owned);
    assert!(result.as_deref().is_some_and(|l| l.contains("result")));
    assert_eq!(
        autocannon::tick(&result.unwrap()),
        None,
        "a total is of no known moment"
    );
}

#[test]
fn versions() {
    let text = load("ab", "success").stdout;
    assert_eq!(ab::version(&text).as_deref(), Some("2.3"));
    assert_eq!(
        k6::version("k6 v1.8.1 (go1.26.8, linux/amd64)\n").as_deref(),
        Some("1.8.1")
    );
    assert_eq!(
        autocannon::version(r#"{"type":"version","version":"9.0.0"}"#).as_deref(),
        Some("9.0.0")
    );
    assert_eq!(
        k6::version("k6-arm64 v1.8.1 (go1.26.8, linux/arm64)").as_deref(),
        Some("1.8.1")
    );
    let wrk_says = ["wrk debian/4.1.0-3+b2 [epoll] Copyright (C) 2012", "wrk 4.1.0 [kqueue]"];
    assert!(wrk_says.iter().all(|t| wrk::version(t).as_deref() == Some("4.1.0")));
    for odd in ["", "k6", "Version", "{}", "ApacheBench, Version ", "wrk", "wrk debian/"] {
        assert_eq!((ab::version(odd), k6::version(odd)), (None, None));
        assert_eq!((autocannon::version(odd), wrk::version(odd)), (None, None));
    }
}
