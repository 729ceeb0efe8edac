//! The whole order of a run, expanded from its seed before anything starts.
//!
//! Block by block, and within a block scenario by scenario, the entries are shuffled: SplitMix64 seeded with the run's
//! seed, Fisher and Yates from the end, unbiased draws. One stream goes through the whole plan, so a run with more
//! blocks begins with the plan of the same run with fewer, byte for byte: a trial's id too is made of the seed and its
//! place. `golden_plan.json` has the vectors.

pub mod blocks;
pub mod connection_limits;
pub mod entry;
pub mod entry_parser;
pub mod parameters;
pub mod prepare;
pub mod prepared_entry;
pub mod slices;
pub mod stopping;
pub mod validate;
pub mod warm_up_windows;

use rigmark_stats::verdict::BLOCKS_FOR_VERDICT;
use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

use crate::loadgen::knee::planned_s;
use crate::protocol::journal::{Plan, PlanBlocks, PlanEntry, PlanTrial};
use crate::protocol::ranges::{MAX_TRIALS, REPEATS};
use crate::protocol::spec::{Load, RunSpec, Scenario, ToolName};
use crate::scenario::{OVERHEAD_S, warm_up_s};
use crate::splitmix::SplitMix64;

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

/// UUID version 8 (RFC 9562, §5.8) of the first 16 bytes of SHA-256 over
/// `rigmark trial SEED BLOCK SCENARIO ENTRY_KEY`, numbers in decimal. Two runs with one seed share ids; what is stored of a
/// trial is found by its attempt and its id.
pub fn trial_id(seed: u64, block: u32, scenario: &str, entry_key: &str) -> Uuid {
    let digest = Sha256::digest(format!("rigmark trial {seed} {block} {scenario} {entry_key}"));
    let (first, _) = digest.split_first_chunk::<16>().expect("a digest has 32 bytes");
    Builder::from_custom_bytes(*first).into_uuid()
}

/// The limit of blocks: the repeats, or with a precision what was asked for, else four times the repeats and at least those
/// that a verdict takes, as far as a run may be.
pub fn most_blocks(spec: &RunSpec) -> u32 {
    if spec.precision.is_none() {
        return spec.repeats;
    }
    let a_block = (spec.entries.len() * spec.scenarios.len()).max(1);
    let room = (MAX_TRIALS / a_block) as u32;
    let usual = spec.repeats.saturating_mul(4).max(BLOCKS_FOR_VERDICT);
    let usual = usual.min(*REPEATS.end()).min(room);
    spec.max_repeats.unwrap_or(usual).max(spec.repeats)
}

/// After how many blocks a run that may take `least` to `most` of them is looked at. Each look costs a share of the error
/// rate, so they are few: none is before the blocks that a verdict takes, each has about 1.4 times the blocks of the one
/// before, and the last but one is dropped where the last would follow it by less than a fifth.
pub fn looks(least: u32, most: u32) -> Vec<u32> {
    let mut looks = Vec::new();
    let mut next = least.max(BLOCKS_FOR_VERDICT);
    while u64::from(next) * 6 < u64::from(most) * 5 {
        looks.push(next);
        next = (next * 7).div_ceil(5);
    }
    looks.push(most);
    looks
}

/// What the plan must know of the tools.
pub trait ToolTiming {
    /// How long a tool loads when it is asked for so many seconds.
    fn real_s(&self, tool: ToolName, asked_s: f64) -> f64;
    /// `None`: the tool cannot do slices.
    fn shortest_slice_s(&self, tool: ToolName) -> Option<f64>;
}

/// `entries` and `scenarios` are in the order of the spec, which has been validated. `claims` says whether an entry
/// answers a scenario's workload, by index: pairs that do not are dropped after the order was drawn for all, so that
/// what one server claims changes nobody else's place. All `most` blocks are in it; with a precision they may not all be
/// needed.
pub fn expand(
    spec: &RunSpec,
    entries: Vec<PlanEntry>,
    scenarios: Vec<Scenario>,
    claims: impl Fn(usize, usize) -> bool,
    tools: &dyn ToolTiming,
    most: u32,
) -> Plan {
    let real_s = |scenario: &Scenario, asked: f64| match &scenario.load {
        // Tool runs of a count end by it.
        Load::Count { .. } => asked,
        _ => tools.real_s(scenario.tool, asked),
    };
    let slices: Vec<u32> = (0..scenarios.len())
        .map(|index| {
            let scenario = &scenarios[index];
            let duration_s = spec.duration_s(scenario);
            let together = (0..entries.len()).filter(|entry| claims(*entry, index)).count();
            let shortest_s = tools.shortest_slice_s(scenario.tool);
            slices::planned(scenario, shortest_s, duration_s, spec.slice_s, together)
        })
        .collect();
    let reserve = reserve_blocks(spec, most);
    let mut trials: Vec<PlanTrial> = order(spec.seed, entries.len(), scenarios.len(), most + reserve)
        .into_iter()
        .filter(|slot| claims(slot.entry, slot.scenario))
        .map(|slot| {
            let scenario = &scenarios[slot.scenario];
            let entry_key = entries[slot.entry].key.clone();
            PlanTrial {
                trial_id: trial_id(spec.seed, slot.block, &scenario.id, &entry_key),
                entry_key,
                scenario: scenario.id.clone(),
                block: slot.block,
                position: slot.position,
                slices: slices[slot.scenario],
                warmup_s: spec
                    .warmup_s
                    .unwrap_or_else(|| warm_up_s(scenario, spec.duration_s(scenario))),
                duration_s: planned_s(
                    &scenario.load,
                    in_slices(slices[slot.scenario], spec.duration_s(scenario), |s| {
                        real_s(scenario, s)
                    }),
                ),
            }
        })
        .collect();
    // One stream: a longer run with this seed has them as its next blocks.
    let reserve = trials.split_off(trials.partition_point(|t| t.block < most));
    let looks = match spec.precision {
        Some(_) => looks(spec.repeats, most),
        None => vec![most],
    };
    Plan {
        seed: spec.seed,
        prng: "splitmix64".to_owned(),
        shuffle: "fisher-yates".to_owned(),
        planned_s: trials.iter().map(length_s).sum(),
        entries,
        scenarios,
        trials,
        blocks: Some(PlanBlocks {
            // Nothing ends a run before its first look.
            least: looks[0],
            most,
            looks,
            precision: spec.precision,
        }),
        reserve,
        time_limit_s: spec.time_limit_s,
    }
}

/// A tool that counts whole seconds does so in each of its slices.
fn in_slices(slices: u32, asked_s: f64, real_s: impl Fn(f64) -> f64) -> f64 {
    let slice_s = asked_s / f64::from(slices.max(1));
    let real = real_s(slice_s);
    if real == slice_s {
        asked_s
    } else {
        real * f64::from(slices.max(1))
    }
}

/// Blocks that may take the place of those that the host disturbed: as many as the repeats, as far as a run may be.
pub fn reserve_blocks(spec: &RunSpec, most: u32) -> u32 {
    let a_block = (spec.entries.len() * spec.scenarios.len()).max(1);
    let room = (MAX_TRIALS / a_block) as u32;
    spec.repeats.min(room.saturating_sub(most))
}

/// Takes blocks from the end of the reserve until the plan has at most so many bytes as a record.
pub fn fit_reserve(plan: &mut Plan, room: usize) {
    while !plan.reserve.is_empty() && serde_json::to_vec(plan).map_or(usize::MAX, |text| text.len()) > room {
        let last = plan.reserve.last().map_or(0, |t| t.block);
        plan.reserve.retain(|t| t.block < last);
    }
}

/// Planned seconds of a trial, with what it takes beside its load.
pub fn length_s(trial: &PlanTrial) -> f64 {
    OVERHEAD_S + trial.warmup_s + trial.duration_s
}

/// Planned seconds of the first block, which no time limit ends.
pub fn first_block_s(plan: &Plan) -> f64 {
    plan.trials.iter().filter(|t| t.block == 0).map(length_s).sum()
}

/// Planned seconds of the blocks that begin before the time limit.
pub fn limited_s(plan: &Plan) -> f64 {
    let Some(limit) = plan.time_limit_s else {
        return plan.planned_s;
    };
    let mut blocks_s = 0.0;
    for block in plan.trials.chunk_by(|a, b| a.block == b.block) {
        if blocks_s > 0.0 && blocks_s >= limit {
            break;
        }
        blocks_s += block.iter().map(length_s).sum::<f64>();
    }
    blocks_s
}

/// Seconds of the blocks that are run in any case, and of all.
pub fn range_s(plan: &Plan) -> (f64, f64) {
    let least = plan.blocks.as_ref().map_or(u32::MAX, |b| b.least);
    let first = plan.trials.iter().filter(|t| t.block < least);
    (first.map(length_s).sum(), plan.planned_s)
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
