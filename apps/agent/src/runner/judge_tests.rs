use super::*;
use crate::protocol::result::{Failures, KneeEnd, KneeStep, Offered};
use crate::protocol::spec::{Load, ToolName, Workload};

fn scenario() -> Scenario {
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
        load: Load::Closed {
            connections: 32,
            keep_alive: true,
        },
        duration_s: 10.0,
        warmup_s: 1.0,
        thresholds: None,
        judged_by: None,
    }
}

fn result() -> ToolResult {
    ToolResult {
        tool: ToolName::Ab,
        tool_version: None,
        duration_us: 10_000_000,
        requests: 100_000,
        failures: Failures::default(),
        bytes_received: None,
        bytes_scope: None,
        requests_per_s: 10_000.0,
        latency: None,
        offered: None,
        statuses: None,
        thresholds_crossed: Vec::new(),
        connections: None,
        knee: None,
    }
}

fn resources() -> Resources {
    Resources {
        window_us: 10_100_000,
        server_cpu_us: Some(9_500_000),
        tool_cpu_us: Some(5_000_000),
        host_steal_ratio: Some(0.0),
        server_cpus: Some(1),
        tool_cpus: Some(1),
        ..Resources::default()
    }
}

fn judged(result: &ToolResult, resources: &Resources) -> Judgement {
    judged_beside(result, resources, None)
}

fn judged_at(pace: &Pace) -> Judgement {
    judged_with(&result(), &resources(), None, pace)
}

fn judged_beside(result: &ToolResult, resources: &Resources, others_busy: Option<f64>) -> Judgement {
    judged_with(result, resources, others_busy, &Pace::default())
}

fn judged_with(result: &ToolResult, resources: &Resources, others_busy: Option<f64>, pace: &Pace) -> Judgement {
    judged_under(&scenario(), result, resources, others_busy, pace)
}

fn judged_under(
    scenario: &Scenario,
    result: &ToolResult,
    resources: &Resources,
    others_busy: Option<f64>,
    pace: &Pace,
) -> Judgement {
    judged_by(Clock::default(), scenario, result, resources, others_busy, pace)
}

fn judged_by(
    clock: Clock,
    scenario: &Scenario,
    result: &ToolResult,
    resources: &Resources,
    others_busy: Option<f64>,
    pace: &Pace,
) -> Judgement {
    let cores = Cores::Split {
        server: vec![0],
        tool: vec![1],
    };
    judge(&Measured {
        scenario,
        duration_s: scenario.duration_s,
        result,
        resources,
        cores: &cores,
        workers: 2,
        tool_threads: Some(1),
        host_busy: None,
        others_busy,
        pace,
        governor: None,
        clock,
        counted: &Counted::default(),
        histogram_count: None,
    })
}

fn codes(reasons: &[Reason]) -> Vec<&str> {
    reasons.iter().map(|r| r.code.as_str()).collect()
}

#[test]
fn a_good_trial_counts_and_names_its_limit() {
    let judgement = judged(&result(), &resources());
    assert_eq!(
        (judgement.status, judgement.limit),
        (TrialStatus::Valid, Some(Limit::ServerBound))
    );
    assert!(
        judgement.reasons.is_empty() && judgement.labels.is_empty(),
        "{judgement:?}"
    );
}

#[test]
fn one_error_in_a_thousand_counts_and_more_do_not() {
    let mut some = result();
    some.failures.total = 100;
    assert_eq!(judged(&some, &resources()).status, TrialStatus::Valid);
    some.failures.total = 101;
    let judgement = judged(&some, &resources());
    assert_eq!(
        (judgement.status, codes(&judgement.reasons)),
        (TrialStatus::Invalid, vec!["errors"])
    );
}

#[test]
fn no_answer_at_all_is_a_failure() {
    let mut none = result();
    none.requests = 0;
    none.failures.total = 50;
    assert_eq!(judged(&none, &resources()).status, TrialStatus::Failed);
}

#[test]
fn where_no_answer_fits_the_window_a_longer_one_is_asked_for_and_else_the_servers_log() {
    let mut none = result();
    none.requests = 0;
    let said = |scenario: &Scenario, result: &ToolResult| {
        let judgement = judged_under(scenario, result, &resources(), None, &Pace::default());
        assert_eq!(
            (judgement.status, codes(&judgement.reasons)),
            (TrialStatus::Failed, vec!["no-requests"])
        );
        judgement.reasons[0].message.clone()
    };
    let mut short = scenario();
    short.duration_s = 1.0;
    assert_eq!(
        said(&short, &none),
        "No answer was complete within the window of 1 s; give more with --duration."
    );
    let log = "Not one request was answered; see the server's log.";
    let mut failed = none.clone();
    failed.failures.total = 1;
    let mut unconnected = none.clone();
    unconnected.connections = Some(0);
    for result in [failed, unconnected] {
        assert_eq!(said(&short, &result), log);
    }
    short.load = Load::Rate {
        rate_per_s: 100,
        connections: 32,
        keep_alive: true,
    };
    assert_eq!(said(&short, &none), log);
}

#[test]
fn steal_is_labelled_and_then_invalidates() {
    let with = |ratio| {
        let resources = Resources {
            host_steal_ratio: Some(ratio),
            ..resources()
        };
        judged(&result(), &resources)
    };
    assert_eq!(codes(&with(0.005).labels), Vec::<&str>::new());
    assert_eq!(
        (codes(&with(0.01).labels), with(0.05).status),
        (vec!["steal"], TrialStatus::Valid)
    );
    assert_eq!(
        (with(0.02).status, codes(&with(0.02).labels)),
        (TrialStatus::Valid, vec!["steal"])
    );
    assert_eq!(
        (with(0.06).status, codes(&with(0.06).reasons)),
        (TrialStatus::Invalid, vec!["steal"])
    );
}

#[test]
fn a_generator_that_looks_at_the_clock_until_the_next_moment_is_no_limit() {
    let scenario = Scenario {
        tool: ToolName::Loadgen,
        load: Load::Rate {
            rate_per_s: 10_000,
            connections: 32,
            keep_alive: true,
        },
        ..scenario()
    };
    let spinning = Resources {
        server_cpu_us: Some(3_000_000),
        tool_cpu_us: Some(10_000_000),
        ..resources()
    };
    let limit = |dropped| {
        let offered = Some(Offered {
            rate_per_s: 10_000.0,
            requests: 100_000,
            dropped,
        });
        judged_under(
            &scenario,
            &ToolResult { offered, ..result() },
            &spinning,
            None,
            &Pace::default(),
        )
        .limit
    };
    assert_eq!(limit(0), Some(Limit::NothingSaturated));
    // One short pause of the host.
    assert_eq!(limit(100), Some(Limit::NothingSaturated));
    // Where it missed more it had no time to look.
    assert_eq!(limit(101), Some(Limit::GeneratorBound));
}

#[test]
fn thresholds_and_short_windows_are_said() {
    let mut odd = result();
    odd.thresholds_crossed = vec!["http_req_duration p(99)<1".into()];
    odd.duration_us = 5_000_000;
    let judgement = judged(&odd, &resources());
    assert_eq!(judgement.status, TrialStatus::Valid, "{:?}", judgement.reasons);
    assert_eq!(codes(&judgement.labels), ["threshold", "short-window"]);
}

#[test]
fn unknown_counters_say_nothing() {
    let resources = Resources {
        server_cpu_us: None,
        host_steal_ratio: None,
        ..resources()
    };
    assert_eq!(judged(&result(), &resources).limit, None);
}

#[test]
fn a_busy_host_is_labelled() {
    assert_eq!(
        codes(&judged_beside(&result(), &resources(), Some(0.3)).labels),
        ["busy-host"]
    );
    assert!(judged_beside(&result(), &resources(), Some(0.05)).labels.is_empty());
}

#[test]
fn a_host_that_throttled_measured_something_else() {
    let mut pace = Pace::default();
    pace.see(crate::sample::Edge {
        throttle_flags: Some(0x4),
        ..Default::default()
    });
    let judgement = judged_at(&pace);
    assert_eq!(
        (judgement.status, codes(&judgement.reasons)),
        (TrialStatus::Invalid, vec!["throttled"])
    );
}

#[test]
fn a_count_whose_seconds_were_not_measured_is_not_ranked_and_a_short_one_says_so() {
    let shots = |asked_s: f64, measured_s: f64| {
        let scenario = Scenario {
            load: Load::Count {
                connections: 32,
                keep_alive: true,
                requests: 1000,
            },
            duration_s: asked_s,
            ..scenario()
        };
        let result = ToolResult {
            duration_us: (measured_s * 1e6) as u64,
            ..result()
        };
        let judged = judged_under(&scenario, &result, &resources(), None, &Pace::default());
        let codes = |of: &[Reason]| of.iter().map(|r| r.code.clone()).collect::<Vec<_>>().join(" ");
        (judged.status, codes(&judged.reasons), codes(&judged.labels))
    };
    let (unfinished, short) = ("shots-unfinished".to_owned(), "short-count".to_owned());
    assert_eq!(shots(10.0, 10.02), (TrialStatus::Valid, String::new(), String::new()));
    assert_eq!(
        shots(10.0, 9.0),
        (TrialStatus::Invalid, unfinished.clone(), String::new())
    );
    assert_eq!(shots(2.0, 2.1), (TrialStatus::Valid, String::new(), short.clone()));
    assert_eq!(shots(2.0, 0.3), (TrialStatus::Invalid, unfinished, short));
}

#[test]
fn a_tool_cannot_measure_longer_than_it_lived() {
    let said = |scenario: &Scenario, duration_us| {
        let result = ToolResult {
            duration_us,
            ..result()
        };
        let judged = judged_under(scenario, &result, &resources(), None, &Pace::default());
        (judged.status, codes(&judged.reasons).join(" "))
    };
    // An hour forward in the middle of ten seconds: 360 times too slow.
    let hour = said(&scenario(), 3_610_000_000);
    assert_eq!(hour, (TrialStatus::Invalid, "clock".to_owned()));
    assert_eq!(said(&scenario(), 10_360_000).1, "clock");
    assert_eq!(said(&scenario(), 10_340_000), (TrialStatus::Valid, String::new()));
    // At a rate of one a second loadgen ends with the last answer, and tells the ten seconds of its plan.
    let slow = Scenario {
        tool: ToolName::Loadgen,
        load: Load::Rate {
            rate_per_s: 1,
            connections: 1,
            keep_alive: true,
        },
        ..scenario()
    };
    assert_eq!(said(&slow, 11_000_000), (TrialStatus::Valid, String::new()));
}

#[test]
fn a_wall_clock_that_was_set_spoils_what_is_timed_by_it_and_is_said_of_the_rest() {
    let mut clock = Clock::default();
    // Two seconds back, which the tool's own duration does not show: the trial only seems to be shorter.
    clock.see(1_000_000, -1_000_000, 10_000_000);
    let judged = |tool, workload| {
        let scenario = Scenario {
            tool,
            workload,
            ..scenario()
        };
        let judged = judged_by(clock, &scenario, &result(), &resources(), None, &Pace::default());
        let all: Vec<Reason> = judged.reasons.iter().chain(&judged.labels).cloned().collect();
        assert_eq!(codes(&all), ["clock-jumped"], "{all:?}");
        assert!(all[0].message.contains("went back by 2.000 s"), "{all:?}");
        judged.status
    };
    for tool in [ToolName::Ab, ToolName::Wrk, ToolName::Autocannon] {
        assert_eq!(judged(tool, Workload::Static), TrialStatus::Invalid, "{tool:?}");
    }
    assert_eq!(judged(ToolName::K6, Workload::WsEcho), TrialStatus::Invalid);
    assert_eq!(judged(ToolName::K6, Workload::Static), TrialStatus::Valid);
    assert_eq!(judged(ToolName::Loadgen, Workload::Static), TrialStatus::Valid);
}

#[test]
fn a_search_without_a_rate_is_the_only_answer_unless_the_host_did_something() {
    let step = KneeStep {
        rate_per_s: 1000,
        duration_s: 1.0,
        p99_us: Some(3210.0),
        lost_ratio: Some(0.5),
        unsent_ratio: Some(0.0),
        server_cores: None,
        held: false,
    };
    let mut failed = result();
    // Of the step that did not hold.
    failed.failures.total = 50_000;
    failed.knee = Some(KneeSearch {
        end: KneeEnd::BelowStart,
        p99_bound_us: 1500,
        steps: vec![step],
    });
    let scenario = Scenario {
        tool: ToolName::Loadgen,
        ..scenario()
    };
    let judged = |resources: &Resources, pace: &Pace| {
        let judged = judged_under(&scenario, &failed, resources, None, pace);
        assert_eq!(judged.status, TrialStatus::Invalid);
        (codes(&judged.reasons).join(" "), knee::found_none(&judged.reasons))
    };
    let below = ("knee-below-start".to_owned(), true);
    assert_eq!(judged(&resources(), &Pace::default()), below);
    let stolen = Resources {
        host_steal_ratio: Some(0.06),
        ..resources()
    };
    let mut hot = Pace::default();
    hot.see(crate::sample::Edge {
        throttle_flags: Some(0x4),
        ..Default::default()
    });
    let with_host = ("knee-below-start steal throttled".to_owned(), false);
    assert_eq!(judged(&stolen, &hot), with_host);
}
