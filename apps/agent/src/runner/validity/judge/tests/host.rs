//! What the host and the generator did meanwhile.

use super::*;
use crate::protocol::result::Offered;

#[test]
fn the_level_of_steal_is_a_label_and_never_a_reason() {
    let with = |ratio| {
        let resources = Resources {
            host_steal_ratio: Some(ratio),
            ..resources()
        };
        judged(&result(), &resources)
    };
    assert_eq!(codes(&with(0.005).labels), Vec::<&str>::new());
    for ratio in [0.01, 0.06, 0.45] {
        let judged = with(ratio);
        assert_eq!(
            (judged.status, codes(&judged.labels)),
            (TrialStatus::Valid, vec!["steal"])
        );
    }
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
            &CpuConditions::default(),
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
fn unknown_counters_say_nothing() {
    let resources = Resources {
        server_cpu_us: None,
        host_steal_ratio: None,
        ..resources()
    };
    assert_eq!(judged(&result(), &resources).limit, None);
}

/// The kernel stops server and tool, and their cores are free then.
#[test]
fn a_quota_may_have_been_the_limit_of_what_was_not_saturated() {
    let with = |server_cpu_us| Resources {
        server_cpu_us: Some(server_cpu_us),
        ..resources()
    };
    let limit = |server_cpu_us| judged_under_a_quota(&with(server_cpu_us)).limit;
    assert_eq!(judged(&result(), &with(3_000_000)).limit, Some(Limit::NothingSaturated));
    assert_eq!(limit(3_000_000), None);
    assert_eq!(limit(9_500_000), Some(Limit::ServerBound));
}

#[test]
fn a_busy_host_is_labeled() {
    assert_eq!(
        codes(&judged_beside(&result(), &resources(), Some(0.3)).labels),
        ["busy-host"]
    );
    assert!(judged_beside(&result(), &resources(), Some(0.05)).labels.is_empty());
}

#[test]
fn a_host_that_throttled_measured_something_else() {
    let mut cpu = CpuConditions::default();
    cpu.see(crate::sample::Edge {
        throttle_flags: Some(0x4),
        ..Default::default()
    });
    let judgment = judged_at(&cpu);
    assert_eq!(
        (judgment.status, codes(&judgment.reasons)),
        (TrialStatus::Invalid, vec!["throttled"])
    );
}
