//! How many blocks of a scenario count, and what became of the others.

use crate::figures::Figures;
use crate::input::{Rounds, ScenarioInput, SummaryInput, TrialInput, TrialStatus};
use crate::math::positive;
use crate::summary::Blocks;
use crate::verdict::BLOCKS_FOR_VERDICT;
use std::collections::{BTreeMap, BTreeSet};

/// Counts the blocks of `entry`, and of `other` where the two are compared.
#[must_use]
pub fn blocks(
    input: &SummaryInput,
    scenario: &ScenarioInput,
    entry: &Figures<'_>,
    other: Option<&Figures<'_>>,
) -> Blocks {
    let trials = || {
        let of = |t: &&TrialInput| t.scenario == scenario.id && t.status != TrialStatus::Cancelled;
        input.trials.iter().filter(of)
    };
    let both = |block: &&u64| other.is_none_or(|other| other.logs.contains_key(block));
    let counted: BTreeSet<u64> = entry.logs.keys().filter(both).copied().collect();
    let measured: BTreeSet<u64> = trials().map(|t| t.block).collect();
    let disturbed = || trials().filter(|t| t.disturbed() && !counted.contains(&t.block));
    let mut rounds: BTreeMap<u64, Rounds> = BTreeMap::new();
    for trial in trials().filter(|t| counted.contains(&t.block)) {
        if let Some(own) = trial.rounds {
            // A round has a slice of each entry, so the trials of a block have the same ones.
            let of_block = rounds.entry(trial.block).or_default();
            of_block.measured = of_block.measured.max(own.measured);
            of_block.left_out = of_block.left_out.max(own.left_out);
        }
    }
    Blocks {
        needed: BLOCKS_FOR_VERDICT,
        asked: input.blocks_asked,
        measured: number(measured.len()),
        counted: number(counted.len()),
        disturbed: number(disturbed().map(|t| t.block).collect::<BTreeSet<u64>>().len()),
        steal_max: disturbed()
            .filter_map(|t| positive(t.steal_ratio?))
            .max_by(f64::total_cmp),
        others_max: disturbed()
            .filter_map(|t| positive(t.taken_ratio? - t.steal_ratio.unwrap_or(0.0)))
            .max_by(f64::total_cmp),
        rounds: (!rounds.is_empty()).then(|| Rounds {
            measured: rounds.values().fold(0, |sum, r| sum.saturating_add(r.measured)),
            left_out: rounds.values().fold(0, |sum, r| sum.saturating_add(r.left_out)),
        }),
        sentence: None,
        sentence_zh: None,
    }
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
