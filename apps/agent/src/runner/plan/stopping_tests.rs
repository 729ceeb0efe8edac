use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::protocol::journal::{PlanBlocks, PlanEntry, PlanTrial};
use crate::protocol::result::{Limit, Reason, ToolResult, TrialStatus};
use crate::protocol::spec::{Scenario, ToolName};
use crate::runner::outcome::empty_record;
use crate::splitmix::SplitMix64;

const PRECISION: f64 = 0.02;

fn scenario(id: &str) -> Scenario {
    let golden = include_str!("../../../../../packages/protocol/golden/scenario.json");
    Scenario {
        id: id.into(),
        ..serde_json::from_str(golden).unwrap()
    }
}

/// Of 5 to 20 blocks; the first entry is the baseline.
fn plan(entries: &[&str], scenarios: &[&str]) -> Plan {
    let slots = crate::runner::plan::order(7, entries.len(), scenarios.len(), 20);
    let trials = slots.iter().map(|slot| PlanTrial {
        trial_id: Uuid::now_v7(),
        entry_key: entries[slot.entry].into(),
        scenario: scenarios[slot.scenario].into(),
        block: slot.block,
        position: slot.position,
        slices: 1,
        warmup_s: 0.0,
        duration_s: 1.0,
    });
    Plan {
        seed: 7,
        prng: "splitmix64".into(),
        shuffle: "fisher-yates".into(),
        trials: trials.collect(),
        entries: entries
            .iter()
            .map(|key| PlanEntry {
                key: key.to_string(),
                label: key.to_string(),
                server: key.to_string(),
                title: String::new(),
                content_hash: String::new(),
                options: Default::default(),
                baseline: *key == entries[0],
                revision: None,
            })
            .collect(),
        scenarios: scenarios.iter().map(|id| scenario(id)).collect(),
        planned_s: 0.0,
        reserve: Vec::new(),
        time_limit_s: None,
        blocks: Some(PlanBlocks {
            least: 5,
            most: 20,
            looks: vec![5, 7, 10, 14, 20],
            precision: Some(PRECISION),
        }),
    }
}

/// The trials of the first blocks; `rate` of an entry, a scenario and a block, `None` where the trial failed.
fn trials(plan: &Plan, blocks: u32, rate: impl Fn(&str, &str, u32) -> Option<f64>) -> Vec<Trial> {
    let first = plan.trials.iter().filter(|t| t.block < blocks);
    first
        .map(
            |planned| match rate(&planned.entry_key, &planned.scenario, planned.block) {
                Some(rate) => Trial {
                    result: Some(result(rate)),
                    ..empty_record(planned, TrialStatus::Valid, None)
                },
                None => empty_record(planned, TrialStatus::Failed, Some(Reason::new("crash", "It ended."))),
            },
        )
        .collect()
}

fn result(requests_per_s: f64) -> ToolResult {
    serde_json::from_value(serde_json::json!({
        "tool": ToolName::Loadgen, "tool_version": null, "duration_us": 1_000_000, "requests": requests_per_s as u64,
        "failures": { "connect": 0, "read": 0, "write": 0, "timeout": 0, "status": 0, "length": 0, "content": 0,
            "other": 0, "total": 0 },
        "bytes_received": null, "bytes_scope": null, "requests_per_s": requests_per_s, "latency": null, "offered": null,
        "statuses": null, "thresholds_crossed": [],
    }))
    .unwrap()
}

fn ended_with(plan: &Plan, blocks: u32, trials: &[Trial], broken: &[(&str, &str)]) -> Option<(String, String)> {
    let broken = |entry: &str, scenario: &str| broken.contains(&(entry, scenario));
    let so_far = SoFar {
        blocks,
        last: blocks >= plan.blocks.as_ref().unwrap().most,
        trials,
        broken: &broken,
    };
    look(plan, &so_far).map(|label| (label.code, label.message))
}

/// `part` up or down from block to block, never the same twice.
fn noise(part: f64, block: u32) -> f64 {
    let size = 1.0 + f64::from(block % 3) / 10.0;
    1.0 + part * size * if block.is_multiple_of(2) { 1.0 } else { -1.0 }
}

#[test]
fn a_run_ends_when_every_ratio_is_known_within_the_precision() {
    let plan = plan(&["a", "b"], &["s"]);
    let quiet = trials(&plan, 7, |entry, _, block| {
        Some(if entry == "a" {
            1000.0
        } else {
            1000.0 * noise(0.001, block)
        })
    });
    let (code, message) = ended_with(&plan, 7, &quiet, &[]).unwrap();
    assert_eq!(code, "ended-early");
    assert_eq!(
        message,
        "Ended after 7 of at most 20 blocks: every ratio is known within 2 %."
    );
}

/// Of entry b, so much of what was offered is answered in block 0, 1, 2…
fn rated(answered: impl Fn(u32) -> f64) -> Option<(String, String)> {
    let mut plan = plan(&["a", "b"], &["s"]);
    plan.scenarios[0].judged_by = Some(crate::protocol::spec::JudgedBy::CpuUsPerRequest);
    plan.scenarios[0].load = crate::protocol::spec::Load::Rate {
        rate_per_s: 1000,
        connections: 8,
        keep_alive: true,
    };
    let mut some = trials(&plan, 7, |entry, _, block| {
        Some(if entry == "a" { 1000.0 } else { 1000.0 * answered(block) })
    });
    for trial in &mut some {
        trial.result.as_mut().unwrap().offered = Some(crate::protocol::result::Offered {
            rate_per_s: 1000.0,
            requests: 1000,
            dropped: 0,
        });
        let spent = serde_json::json!({ "window_us": 1_000_000, "server_cpu_us": 9000 + 7 * trial.block });
        trial.resources = serde_json::from_value(spent).unwrap();
    }
    ended_with(&plan, 7, &some, &[])
}

#[test]
fn a_rate_that_is_sustained_in_some_trials_is_measured_on_and_one_that_never_is_ends_the_run() {
    assert_eq!(rated(|block| if block < 3 { 0.9 } else { 1.0 }), None);
    let (code, message) = rated(|_| 0.9).unwrap();
    assert_eq!(code, "ended-early");
    assert!(
        message.ends_with("more blocks would settle no further ratio."),
        "{message}"
    );
}

#[test]
fn a_run_ends_when_every_verdict_is_clear() {
    let plan = plan(&["a", "b"], &["s"]);
    let apart = trials(&plan, 7, |entry, _, block| {
        Some(if entry == "a" {
            1000.0
        } else {
            2000.0 * noise(0.08, block)
        })
    });
    let (code, message) = ended_with(&plan, 7, &apart, &[]).unwrap();
    assert_eq!(code, "ended-early");
    assert!(message.ends_with("every verdict is settled."), "{message}");
}

#[test]
fn one_open_comparison_keeps_all_scenarios_going_and_is_counted_at_the_limit() {
    let plan = plan(&["a", "b"], &["s", "t"]);
    let of = |blocks| {
        trials(&plan, blocks, |entry, scenario, block| match (entry, scenario) {
            ("b", "s") => Some(1000.0 * noise(0.001, block)),
            ("b", _) => Some(1000.0 * noise(0.3, block)),
            _ => Some(1000.0),
        })
    };
    assert_eq!(ended_with(&plan, 7, &of(7), &[]), None);
    let (code, message) = ended_with(&plan, 20, &of(20), &[]).unwrap();
    assert_eq!(code, "precision-not-reached");
    assert!(
        message.contains("After 20 blocks") && message.contains("1 of 2 ratios"),
        "{message}"
    );
}

#[test]
fn what_more_blocks_cannot_change_keeps_nothing_going() {
    let plan = plan(&["a", "b", "c"], &["s"]);
    // One that is not tried any more.
    let quiet = trials(&plan, 5, |entry, _, block| match entry {
        "a" => Some(1000.0),
        "b" => Some(1000.0 * noise(0.001, block)),
        _ => None,
    });
    assert_eq!(ended_with(&plan, 5, &quiet, &[("c", "s")]).unwrap().0, "ended-early");
    // One that failed and may yet be measured.
    assert_eq!(ended_with(&plan, 5, &quiet, &[]), None);
    // Without a baseline there is no ratio at all.
    let (_, message) = ended_with(&plan, 5, &quiet, &[("a", "s")]).unwrap();
    assert!(message.contains("settle no further ratio"), "{message}");
    // Two lower bounds say nothing about each other.
    let mut bounds = trials(&plan, 5, |_, _, block| Some(1000.0 * noise(0.3, block)));
    bounds.iter_mut().for_each(|t| t.limit = Some(Limit::GeneratorBound));
    assert_eq!(ended_with(&plan, 5, &bounds, &[]).unwrap().0, "ended-early");
}

#[test]
fn a_narrow_interval_of_too_few_blocks_is_not_enough() {
    let plan = plan(&["a", "b"], &["s"]);
    // Four of the five blocks have both trials, and agree.
    let quiet = trials(&plan, 5, |entry, _, block| match (entry, block) {
        ("b", 0) => None,
        ("b", _) => Some(1000.0 * noise(0.0001, block)),
        _ => Some(1000.0),
    });
    assert_eq!(ended_with(&plan, 5, &quiet, &[]), None);
}

#[test]
fn a_bound_that_is_known_well_and_shows_nothing_keeps_nothing_going() {
    let plan = plan(&["a", "b"], &["s"]);
    let with = |part: f64| {
        let mut trials = trials(&plan, 7, |entry, _, block| {
            Some(if entry == "a" {
                1000.0
            } else {
                1000.0 * noise(part, block)
            })
        });
        let of_b = trials.iter_mut().filter(|t| t.entry_key == "b");
        of_b.for_each(|t| t.limit = Some(Limit::GeneratorBound));
        ended_with(&plan, 7, &trials, &[])
    };
    assert!(with(0.001).unwrap().1.contains("settle no further ratio"));
    // More blocks may yet show it faster.
    assert_eq!(with(0.3), None);
}

#[test]
fn precise_at_the_limit_is_no_label_and_neither_is_a_run_without_a_precision() {
    let mut plan = plan(&["a", "b"], &["s"]);
    let quiet = trials(&plan, 20, |entry, _, block| {
        Some(if entry == "a" {
            1000.0
        } else {
            1000.0 * noise(0.001, block)
        })
    });
    assert_eq!(ended_with(&plan, 20, &quiet, &[]), None);
    plan.blocks.as_mut().unwrap().precision = None;
    assert_eq!(ended_with(&plan, 7, &quiet, &[]), None);
}

/// How many of so many A/A tests, with log-normal noise of 3 %, end with a verdict of a difference.
fn false_verdicts(runs: u64, looks: &[u32]) -> u32 {
    let mut rng = SplitMix64::new(20);
    let mut even = move || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    // Box and Muller.
    let mut normal = move || (-2.0 * (1.0 - even()).ln()).sqrt() * (std::f64::consts::TAU * even()).cos();
    let mut found = 0;
    for _ in 0..runs {
        let mut plan = plan(&["a", "b"], &["s"]);
        plan.blocks.as_mut().unwrap().looks = looks.to_vec();
        // No interval is ever so narrow: only a verdict ends these.
        plan.blocks.as_mut().unwrap().precision = Some(1e-9);
        let noise: Vec<f64> = plan.trials.iter().map(|_| (0.03 * normal()).exp()).collect();
        let noise = std::cell::RefCell::new(noise.into_iter());
        let all = trials(&plan, 20, |_, _, _| Some(1e6 * noise.borrow_mut().next().unwrap()));
        let ends = [5, 7, 10, 14, 20].into_iter().any(|blocks| {
            let so_far: Vec<Trial> = all.iter().filter(|t| t.block < blocks).cloned().collect();
            let so_far = SoFar {
                blocks,
                last: blocks == 20,
                trials: &so_far,
                broken: &|_, _| false,
            };
            state(&plan, &so_far, 1e-9).clear > 0
        });
        found += u32::from(ends);
    }
    found
}

#[test]
fn looking_five_times_keeps_the_error_rate_because_each_look_has_its_share() {
    assert!(false_verdicts(300, &[5, 7, 10, 14, 20]) <= 15, "more than 5 %");
    // What it would be otherwise: the same looks, each with the error of a single one.
    assert!(false_verdicts(300, &[20]) > 20);
}

#[test]
fn a_run_whose_blocks_the_host_disturbed_says_how_many_count() {
    assert_eq!(all_there_were(20, 20), "20 blocks, the limit of this run");
    let fewer = all_there_were(17, 20);
    assert_eq!(fewer, "17 of 20 blocks, because the host disturbed the others");
}

#[test]
fn parts_are_written_in_per_cent() {
    assert_eq!([0.02, 0.005, 0.1, 0.0].map(percent), ["2 %", "0.5 %", "10 %", "0 %"]);
}

proptest! {
    /// Each look is made with its share of the error: more looks, wider intervals, so never a state with less to tell.
    #[test]
    fn more_looks_never_make_a_run_end_sooner(spread in 0.001f64..0.2, apart in 0.8f64..1.2) {
        let mut plan = plan(&["a", "b"], &["s"]);
        let some = trials(&plan, 7, |entry, _, block| {
            Some(if entry == "a" { 1000.0 } else { 1000.0 * apart * noise(spread, block) })
        });
        let many = ended_with(&plan, 7, &some, &[]).is_some();
        plan.blocks.as_mut().unwrap().looks = vec![7, 20];
        let few = ended_with(&plan, 7, &some, &[]).is_some();
        prop_assert!(few || !many);
    }
}
