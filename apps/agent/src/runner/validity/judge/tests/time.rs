//! How long it was measured, and by which clock.

use super::*;

#[test]
fn a_count_whose_seconds_were_not_measured_is_not_ranked_and_a_short_one_says_so() {
    let counted = |asked_s: f64, measured_s: f64| {
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
        let judged = judged_under(&scenario, &result, &resources(), None, &CpuConditions::default());
        let codes = |of: &[Reason]| of.iter().map(|r| r.code.clone()).collect::<Vec<_>>().join(" ");
        (judged.status, codes(&judged.reasons), codes(&judged.labels))
    };
    let (unfinished, short) = ("shots-unfinished".to_owned(), "short-count".to_owned());
    assert_eq!(counted(10.0, 10.02), (TrialStatus::Valid, String::new(), String::new()));
    assert_eq!(
        counted(10.0, 9.0),
        (TrialStatus::Invalid, unfinished.clone(), String::new())
    );
    assert_eq!(counted(2.0, 2.1), (TrialStatus::Valid, String::new(), short.clone()));
    assert_eq!(counted(2.0, 0.3), (TrialStatus::Invalid, unfinished, short));
}

#[test]
fn a_tool_cannot_measure_longer_than_it_lived() {
    let said = |scenario: &Scenario, duration_us| {
        let result = ToolResult {
            duration_us,
            ..result()
        };
        let judged = judged_under(scenario, &result, &resources(), None, &CpuConditions::default());
        (judged.status, codes(&judged.reasons).join(" "))
    };
    // An hour forward in the middle of ten seconds: 360 times too slow.
    let hour = said(&scenario(), 3_610_000_000);
    assert_eq!(hour, (TrialStatus::Invalid, "clock".to_owned()));
    assert_eq!(said(&scenario(), 10_360_000).1, "clock");
    assert_eq!(said(&scenario(), 10_340_000), (TrialStatus::Valid, String::new()));
    // At a rate of one a second loadgen ends with the last response, and tells the ten seconds of its plan.
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
    let mut clock = WallClock::default();
    // Two seconds back, which the tool's own duration does not show: the trial only seems to be shorter.
    clock.see(1_000_000, -1_000_000, 10_000_000);
    let judged = |tool, workload| {
        let scenario = Scenario {
            tool,
            workload,
            ..scenario()
        };
        let judged = judged_by(
            clock,
            &scenario,
            &result(),
            &resources(),
            None,
            &CpuConditions::default(),
        );
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
