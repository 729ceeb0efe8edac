use super::*;
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    plans: Vec<GoldenPlan>,
    ids: Vec<GoldenId>,
    looks: Vec<GoldenLooks>,
}
#[derive(Deserialize)]
struct GoldenId {
    seed: u64,
    block: u32,
    scenario: String,
    entry_key: String,
    id: Uuid,
}
#[derive(Deserialize)]
struct GoldenLooks {
    least: u32,
    most: u32,
    looks: Vec<u32>,
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

fn golden() -> Golden {
    serde_json::from_str(include_str!("golden_plan.json")).unwrap()
}

/// Tools that load for whole seconds, or for what they are asked.
struct Tools {
    whole_s: bool,
    shortest_slice_s: Option<f64>,
}

const EXACT: Tools = Tools {
    whole_s: false,
    shortest_slice_s: None,
};

impl ToolTiming for Tools {
    fn real_s(&self, _: ToolName, asked_s: f64) -> f64 {
        if self.whole_s { asked_s.ceil().max(1.0) } else { asked_s }
    }

    fn shortest_slice_s(&self, _: ToolName) -> Option<f64> {
        self.shortest_slice_s
    }
}

#[test]
fn the_golden_plans() {
    let plans = golden().plans;
    assert!(!plans.is_empty());
    for plan in plans {
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
        serde_json::from_str(include_str!("../../../../../packages/protocol/golden/run-spec.json")).unwrap(),
        serde_json::from_str(include_str!("../../../../../packages/protocol/golden/scenario.json")).unwrap(),
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
        revision: None,
    }
}

#[test]
fn the_plan_has_the_seconds_that_the_tool_will_really_load() {
    let (mut spec, mut scenario) = golden_spec();
    (spec.repeats, spec.duration_s, spec.warmup_s) = (1, Some(1.5), Some(0.2));
    let plan = |scenario: &Scenario| {
        let tools = Tools { whole_s: true, ..EXACT };
        expand(&spec, vec![entry("a")], vec![scenario.clone()], |_, _| true, &tools, 1)
    };
    let closed = plan(&scenario);
    assert_eq!((closed.trials[0].duration_s, closed.trials[0].warmup_s), (2.0, 0.2));
    assert_eq!(closed.planned_s, OVERHEAD_S + 0.2 + 2.0);
    // Tool runs of a count end by it, whatever the tool makes of seconds.
    scenario.load = Load::Count {
        requests: 1000,
        connections: 10,
        keep_alive: true,
    };
    assert_eq!(plan(&scenario).trials[0].duration_s, 1.5);
}

#[test]
fn a_tool_that_counts_whole_seconds_does_so_in_each_slice() {
    let (mut spec, scenario) = golden_spec();
    let mut of = |asked_s| {
        (spec.repeats, spec.duration_s) = (1, Some(asked_s));
        let tools = Tools {
            whole_s: true,
            shortest_slice_s: Some(1.0),
        };
        let plan = expand(
            &spec,
            vec![entry("a"), entry("b")],
            vec![scenario.clone()],
            |_, _| true,
            &tools,
            1,
        );
        (plan.trials[0].slices, plan.trials[0].duration_s)
    };
    assert_eq!(
        [10.0, 5.0, 4.0, 2.0].map(&mut of),
        [(10, 10.0), (6, 6.0), (4, 4.0), (1, 2.0)]
    );
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
        let trials = expand(&spec, entries, scenarios.clone(), claims, &EXACT, 4).trials;
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

#[test]
fn the_golden_ids() {
    for golden in golden().ids {
        let id = trial_id(golden.seed, golden.block, &golden.scenario, &golden.entry_key);
        assert_eq!(id, golden.id);
        assert_eq!(id.get_version_num(), 8);
    }
}

#[test]
fn the_golden_looks() {
    for golden in golden().looks {
        let found = looks(golden.least, golden.most);
        assert_eq!(found, golden.looks, "{} to {}", golden.least, golden.most);
    }
}

fn whole(seed: u64, repeats: u32, precision: Option<f64>, max_repeats: Option<u32>) -> Plan {
    let (mut spec, scenario) = golden_spec();
    (spec.seed, spec.repeats, spec.precision, spec.max_repeats) = (seed, repeats, precision, max_repeats);
    spec.entries.truncate(2);
    spec.scenarios.truncate(1);
    let entries = vec![entry("a"), entry("b")];
    expand(&spec, entries, vec![scenario], |_, _| true, &EXACT, most_blocks(&spec))
}

#[test]
fn without_a_precision_a_run_has_its_repeats_and_is_looked_at_once() {
    let plan = whole(1, 7, None, None);
    assert_eq!(plan.trials.len(), 14);
    assert_eq!(
        plan.blocks,
        Some(PlanBlocks {
            least: 7,
            most: 7,
            looks: vec![7],
            precision: None
        })
    );
    assert_eq!(range_s(&plan), (plan.planned_s, plan.planned_s));
}

#[test]
fn with_a_precision_the_plan_has_all_blocks_up_to_the_limit() {
    let plan = whole(1, 5, Some(0.02), None);
    let blocks = plan.blocks.clone().unwrap();
    assert_eq!((blocks.least, blocks.most, blocks.precision), (5, 20, Some(0.02)));
    assert_eq!(blocks.looks, [5, 7, 10, 14, 20]);
    assert_eq!(plan.trials.len(), 40);
    assert!((range_s(&plan).0 * 4.0 - plan.planned_s).abs() < 1e-9);
    assert_eq!(whole(1, 5, Some(0.02), Some(6)).trials.len(), 12);
    // Four of one repeat would have no verdict, whatever they show.
    assert_eq!(whole(1, 1, Some(0.02), None).blocks.unwrap().looks, [5]);
    assert_eq!(whole(1, 2, Some(0.02), None).blocks.unwrap().most, 8);
    assert_eq!(whole(1, 1, Some(0.02), Some(4)).blocks.unwrap().most, 4);
    // As far as a run may be.
    assert_eq!(whole(1, 60, Some(0.02), None).blocks.unwrap().most, 100);
}

#[test]
fn servers_that_alternate_have_slices_and_one_alone_has_none() {
    let (mut spec, mut scenario) = golden_spec();
    (spec.repeats, spec.duration_s) = (1, Some(4.0));
    scenario.tool = ToolName::Loadgen;
    scenario.load = Load::Closed {
        connections: 8,
        keep_alive: true,
    };
    let tools = Tools {
        shortest_slice_s: Some(0.2),
        ..EXACT
    };
    let entries = || vec![entry("a"), entry("b")];
    let slices = |spec: &RunSpec, claims: fn(usize, usize) -> bool| {
        expand(spec, entries(), vec![scenario.clone()], claims, &tools, 1).trials[0].slices
    };
    spec.slice_s = None;
    assert_eq!(slices(&spec, |_, _| true), 8);
    assert_eq!(slices(&spec, |entry, _| entry == 0), 1);
    spec.slice_s = Some(1.0);
    assert_eq!(slices(&spec, |_, _| true), 4);
    spec.slice_s = Some(0.0);
    assert_eq!(slices(&spec, |_, _| true), 1);
}

proptest! {
    /// Byte for byte: what is written of the shorter run begins what is written of the longer one.
    #[test]
    fn plans_of_one_seed_share_a_prefix(seed in 0u64..(1 << 53), least in 1u32..9, more in 0u32..9, limit in 9u32..30) {
        let bytes = |plan: Plan| {
            let text = serde_json::to_string(&plan.trials).unwrap();
            text.strip_suffix(']').unwrap().to_owned()
        };
        let short = bytes(whole(seed, least, None, None));
        prop_assert!(bytes(whole(seed, least + more, None, None)).starts_with(&short));
        prop_assert!(bytes(whole(seed, least, Some(0.05), Some(limit))).starts_with(&short));
    }

    #[test]
    fn looks_go_up_from_the_least_to_the_most_and_are_few(least in 1u32..101, more in 0u32..100) {
        let most = (least + more).min(100);
        let looks = looks(least, most);
        prop_assert!(looks.windows(2).all(|w| w[0] < w[1]));
        prop_assert!(looks[0] >= least && looks.last() == Some(&most) && looks.len() <= 12);
    }

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
