//! What the tool counted: responses, errors, a search and its end.

use super::*;
use crate::protocol::result::{KneeEnd, KneeStep};

#[test]
fn a_good_trial_counts_and_names_its_limit() {
    let judgment = judged(&result(), &resources());
    assert_eq!(
        (judgment.status, judgment.limit),
        (TrialStatus::Valid, Some(Limit::ServerBound))
    );
    assert!(
        judgment.reasons.is_empty() && judgment.labels.is_empty(),
        "{judgment:?}"
    );
}

#[test]
fn one_error_in_a_thousand_counts_and_more_do_not() {
    let mut some = result();
    some.failures.total = 100;
    assert_eq!(judged(&some, &resources()).status, TrialStatus::Valid);
    some.failures.total = 101;
    let judgment = judged(&some, &resources());
    assert_eq!(
        (judgment.status, codes(&judgment.reasons)),
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
fn where_no_answer_fits_the_window_a_longer_one_is_asked_for_and_else_a_verification() {
    let mut none = result();
    none.requests = 0;
    let said = |scenario: &Scenario, result: &ToolResult| {
        let judgment = judged_under(scenario, result, &resources(), None, &CpuConditions::default());
        assert_eq!(
            (judgment.status, codes(&judgment.reasons)),
            (TrialStatus::Failed, vec!["no-requests"])
        );
        judgment.reasons[0].message.clone()
    };
    let mut short = scenario();
    short.duration_s = 1.0;
    assert_eq!(
        said(&short, &none),
        "No response was complete within the window of 1 s; give it longer with --duration."
    );
    let none_came = "No request got a response; `rigmark verify` with this server shows what it answers.";
    let mut failed = none.clone();
    failed.failures.total = 1;
    let mut unconnected = none.clone();
    unconnected.connections = Some(0);
    for result in [failed, unconnected] {
        assert_eq!(said(&short, &result), none_came);
    }
    short.load = Load::Rate {
        rate_per_s: 100,
        connections: 32,
        keep_alive: true,
    };
    assert_eq!(said(&short, &none), none_came);
}

#[test]
fn thresholds_and_short_windows_are_said() {
    let mut odd = result();
    odd.thresholds_crossed = vec!["http_req_duration p(99)<1".into()];
    odd.duration_us = 5_000_000;
    let judgment = judged(&odd, &resources());
    assert_eq!(judgment.status, TrialStatus::Valid, "{:?}", judgment.reasons);
    assert_eq!(codes(&judgment.labels), ["threshold", "short-window"]);
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
    let judged = |resources: &Resources, cpu: &CpuConditions| {
        let judged = judged_under(&scenario, &failed, resources, None, cpu);
        assert_eq!(judged.status, TrialStatus::Invalid);
        (codes(&judged.reasons).join(" "), knee::found_none(&judged.reasons))
    };
    let below = ("knee-below-start".to_owned(), true);
    assert_eq!(judged(&resources(), &CpuConditions::default()), below);
    let stolen = Resources {
        host_steal_ratio: Some(0.06),
        ..resources()
    };
    let mut hot = CpuConditions::default();
    hot.see(crate::sample::Edge {
        throttle_flags: Some(0x4),
        ..Default::default()
    });
    let with_host = ("knee-below-start throttled".to_owned(), false);
    assert_eq!(judged(&stolen, &hot), with_host);
}
