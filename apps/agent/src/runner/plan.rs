//! The whole order of a run, expanded from its seed before anything starts.
//!
//! Block by block, and within a block scenario by scenario, the entries are shuffled: SplitMix64 seeded with the run's
//! seed, Fisher and Yates from the end, unbiased draws. One stream goes through the whole plan, so a run with more
//! blocks begins with the plan of the same run with fewer. `golden_plan.json` has the vectors.

use uuid::Uuid;

use super::splitmix::SplitMix64;
use crate::protocol::journal::{Plan, PlanEntry, PlanTrial};
use crate::protocol::spec::{Load, RunSpec, Scenario, ToolName};

/// Start, both verifications and the stop of one server: what a trial takes beside its load.
pub const OVERHEAD_S: f64 = 1.5;

/// One place in the order, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    pub block: u32,
    pub scenario: usize,
    pub position: u32,
    pub entry: usize,
}

pub fn order(seed: u64, entries: usize, scenarios: usize, blocks: u32) -> Vec<Slot> {
    let mut rng = SplitMix64::new(seed);
    let mut slots = Vec::with_capacity(entries * scenarios * blocks as usize);
    for block in 0..blocks {
        for scenario in 0..scenarios {
            let mut drawn: Vec<usize> = (0..entries).collect();
            rng.shuffle(&mut drawn);
            slots.extend(drawn.into_iter().zip(0..).map(|(entry, position)| Slot {
                block,
                scenario,
                position,
                entry,
            }));
        }
    }
    slots
}

/// `entries` and `scenarios` are in the order of the spec, which has been validated. `claims` says whether an entry
/// answers a scenario's workload, by index: pairs that do not are dropped after the order was drawn for all, so that
/// what one server claims changes nobody else's place. `real_s` is how long a tool loads when it is asked for so many
/// seconds.
pub fn expand(
    spec: &RunSpec,
    entries: Vec<PlanEntry>,
    scenarios: Vec<Scenario>,
    claims: impl Fn(usize, usize) -> bool,
    real_s: impl Fn(ToolName, f64) -> f64,
) -> Plan {
    let real_s = |scenario: &Scenario, asked: f64| match (asked, &scenario.load) {
        // No warm-up is none with any tool.
        (0.0, _) => 0.0,
        // Shots end by their count.
        (asked, Load::Count { .. }) => asked,
        (asked, _) => real_s(scenario.tool, asked),
    };
    let trials: Vec<PlanTrial> = order(spec.seed, entries.len(), scenarios.len(), spec.repeats)
        .into_iter()
        .filter(|slot| claims(slot.entry, slot.scenario))
        .map(|slot| {
            let scenario = &scenarios[slot.scenario];
            PlanTrial {
                trial_id: Uuid::now_v7(),
                entry_key: entries[slot.entry].key.clone(),
                scenario: scenario.id.clone(),
                block: slot.block,
                position: slot.position,
                slices: 1,
                warmup_s: real_s(scenario, spec.warmup_s.unwrap_or(scenario.warmup_s)),
                duration_s: real_s(scenario, spec.duration_s.unwrap_or(scenario.duration_s)),
            }
        })
        .collect();
    Plan {
        seed: spec.seed,
        prng: "splitmix64".to_owned(),
        shuffle: "fisher-yates".to_owned(),
        planned_s: trials.iter().map(|t| OVERHEAD_S + t.warmup_s + t.duration_s).sum(),
        entries,
        scenarios,
        trials,
        blocks: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Golden {
        plans: Vec<GoldenPlan>,
    }
    #[derive(Deserialize)]
    struct GoldenPlan {
        seed: u64,
        entries: usize,
        scenarios: usize,
        blocks: u32,
        /// A row for each block and scenario: the entries' indices in order.
        order: Vec<Vec<usize>>,
    }

    #[test]
    fn the_golden_plans() {
        let golden: Golden = serde_json::from_str(include_str!("golden_plan.json")).unwrap();
        assert!(!golden.plans.is_empty());
        for plan in golden.plans {
            let slots = order(plan.seed, plan.entries, plan.scenarios, plan.blocks);
            let rows: Vec<Vec<usize>> = slots
                .chunks(plan.entries)
                .map(|c| c.iter().map(|s| s.entry).collect())
                .collect();
            assert_eq!(rows, plan.order, "seed {}", plan.seed);
        }
    }

    fn golden_spec() -> (RunSpec, Scenario) {
        (
            serde_json::from_str(include_str!("../../../../packages/protocol/golden/run-spec.json")).unwrap(),
            serde_json::from_str(include_str!("../../../../packages/protocol/golden/scenario.json")).unwrap(),
        )
    }

    fn entry(key: &str) -> PlanEntry {
        PlanEntry {
            key: key.into(),
            label: String::new(),
            server: String::new(),
            title: String::new(),
            content_hash: String::new(),
            options: Default::default(),
            baseline: true,
        }
    }

    #[test]
    fn the_plan_has_the_seconds_that_the_tool_will_really_load() {
        let (mut spec, mut scenario) = golden_spec();
        (spec.repeats, spec.duration_s, spec.warmup_s) = (1, Some(1.5), Some(0.0));
        let plan = |scenario: &Scenario| {
            let whole_s = |_, asked: f64| asked.ceil().max(1.0);
            expand(&spec, vec![entry("a")], vec![scenario.clone()], |_, _| true, whole_s)
        };
        let closed = plan(&scenario);
        assert_eq!((closed.trials[0].duration_s, closed.trials[0].warmup_s), (2.0, 0.0));
        assert_eq!(closed.planned_s, OVERHEAD_S + 2.0);
        // Shots end by their count, whatever the tool makes of seconds.
        scenario.load = Load::Count {
            requests: 1000,
            connections: 10,
            keep_alive: true,
        };
        assert_eq!(plan(&scenario).trials[0].duration_s, 1.5);
    }

    #[test]
    fn what_one_server_does_not_claim_changes_nobody_elses_place() {
        let (mut spec, scenario) = golden_spec();
        (spec.repeats, spec.seed) = (4, 11);
        let scenarios: Vec<Scenario> = ["s", "t"]
            .map(|id| Scenario {
                id: id.into(),
                ..scenario.clone()
            })
            .into();
        let plan = |claims: fn(usize, usize) -> bool| {
            let entries = vec![entry("a"), entry("b"), entry("c")];
            let trials = expand(&spec, entries, scenarios.clone(), claims, |_, s| s).trials;
            let place = |t: &PlanTrial| (t.block, t.scenario.clone(), t.entry_key.clone(), t.position);
            trials.iter().map(place).collect::<Vec<_>>()
        };
        let (all, some) = (plan(|_, _| true), plan(|entry, scenario| (entry, scenario) != (1, 0)));
        let left: Vec<_> = all
            .into_iter()
            .filter(|(_, s, e, _)| (s.as_str(), e.as_str()) != ("s", "b"))
            .collect();
        assert_eq!((some.len(), some), (20, left));
    }

    proptest! {
        #[test]
        fn a_longer_run_begins_with_the_shorter_one(
            seed in 0u64..(1 << 53), entries in 1usize..9, scenarios in 1usize..5, blocks in 1u32..9, more in 0u32..9,
        ) {
            let short = order(seed, entries, scenarios, blocks);
            let long = order(seed, entries, scenarios, blocks + more);
            prop_assert_eq!(&long[..short.len()], &short[..]);
        }

        #[test]
        fn every_block_has_every_entry_once(seed: u64, entries in 1usize..17, scenarios in 1usize..5) {
            let slots = order(seed, entries, scenarios, 3);
            for group in slots.chunks(entries) {
                let mut seen: Vec<usize> = group.iter().map(|s| s.entry).collect();
                seen.sort();
                prop_assert_eq!(seen, (0..entries).collect::<Vec<_>>());
                prop_assert!(group.iter().all(|s| s.block == group[0].block && s.scenario == group[0].scenario));
                prop_assert_eq!(group.last().unwrap().position as usize, entries - 1);
            }
        }
    }
}
