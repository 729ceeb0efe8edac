//! What the numbers of a run mean: spreads, ratios to the baseline with their intervals, ranks, verdicts and the
//! sentences that say them. Pure: no clock, no randomness, no I/O, and the same bits on every platform. INTERFACE.md
//! states what goes in and comes out.

pub mod across;
pub mod bands;
pub mod between_runs;
pub mod blocks;
pub mod ceiling;
pub mod changes;
pub mod codes;
pub mod curve;
pub mod detectable;
pub mod effect;
pub mod figures;
pub mod gate;
pub mod histogram;
pub mod holm;
pub mod input;
pub mod math;
pub mod median_order;
pub mod no_verdict;
pub mod normal;
pub mod outliers;
pub mod over_time;
pub mod overall;
pub mod percentile;
pub mod rank;
pub mod ratio;
pub mod rounds;
pub mod sentence;
mod single_requests;
pub mod spread;
pub mod student;
pub mod summary;
#[cfg(test)]
mod testing;
pub mod unranked;
pub mod verdict;
pub mod wasm;
pub mod winner;

use figures::Figures;
pub use input::{InputError, SummaryInput};
use sentence::entry::Facts;
use sentence::scenario::ScenarioFacts;
pub use summary::Summary;
use summary::{Blocks, EntrySummary, ScenarioSummary};
use unranked::Unranked;
use verdict::{Comparison, Pair};
use winner::Comparisons;

/// Says what the trials of a run mean.
///
/// # Errors
/// [`InputError`] when the input contradicts itself (an unknown entry, a scenario that is there twice). Odd numbers
/// are no errors: they are treated as unknown.
pub fn summarize(input: &SummaryInput) -> Result<Summary, InputError> {
    input.check()?;
    let of = |scenario: &input::ScenarioInput| -> Vec<Figures<'_>> {
        let entries = input.entries.iter();
        entries
            .map(|e| Figures::of(input, scenario, &e.key, sentence::label(input, &e.key)))
            .collect()
    };
    let tables: Vec<Vec<Figures<'_>>> = input.scenarios.iter().map(of).collect();
    let baseline = input
        .entries
        .iter()
        .position(|e| Some(e.key.as_str()) == input.baseline());
    let (mut pairs, mut others) = (Vec::new(), Vec::new());
    for (scenario, figures) in input.scenarios.iter().zip(&tables) {
        // What does not rank is in no family of comparisons, so it widens no interval.
        if !scenario.metric().ranks() {
            continue;
        }
        for (index, entry) in figures.iter().enumerate() {
            if let Some(baseline) = baseline.filter(|b| *b != index) {
                pairs.push(Pair::new(scenario.metric(), entry, &figures[baseline]));
            }
        }
        others.extend(winner::pairs(scenario.metric(), figures, baseline));
    }
    // Decided together: the adjustment is for all comparisons of the run.
    let mut comparisons = verdict::decide(&pairs, input.looks).into_iter();
    let mut direct = verdict::decide(&others, input.looks).into_iter();
    let scenarios: Vec<ScenarioSummary> = input
        .scenarios
        .iter()
        .zip(&tables)
        .map(|(scenario, figures)| {
            if !scenario.metric().ranks() {
                return single_requests(input, scenario, figures, baseline);
            }
            let compared: Vec<Option<Comparison>> = (0..figures.len())
                .map(|i| if Some(i) == baseline { None } else { comparisons.next() })
                .collect();
            let compared = Comparisons::new(baseline, compared, &mut direct);
            ranked(input, scenario, figures, &compared)
        })
        .collect();
    Ok(Summary {
        schema: 1,
        sentence: sentence::run::sentence(input, &scenarios),
        sentence_zh: sentence::zh::run::sentence(input, &scenarios),
        scenarios,
    })
}

/// A scenario that ranks.
fn ranked(
    input: &SummaryInput,
    scenario: &input::ScenarioInput,
    figures: &[Figures<'_>],
    compared: &Comparisons,
) -> ScenarioSummary {
    let baseline = compared.baseline;
    let median_order = median_order::median_order(scenario, figures);
    let decision = winner::decide_winner(figures, &median_order, compared);
    let ranks = rank::ranks(figures, &median_order, compared);
    let subject = no_verdict::subject(figures, &median_order, baseline);
    let blocks = blocks_of(input, scenario, figures, subject);
    let shared = ceiling::shared(scenario.load, figures);
    let why = blocks.as_ref().and_then(|blocks| {
        let found = no_verdict::no_verdict(figures, &median_order, scenario, subject, compared, blocks)?;
        let all = (figures, shared.as_slice());
        Some(sentence::no_verdict::with_sentences(
            found, scenario, all, subject, compared, blocks,
        ))
    });
    let facts: Vec<Facts<'_>> = figures
        .iter()
        .enumerate()
        .map(|(i, entry)| Facts {
            scenario,
            entry,
            baseline: baseline.filter(|_| figures.len() > 1).map(|b| &figures[b]),
            comparison: compared.to_baseline[i].as_ref(),
            position: &median_order.positions[i],
            rank: ranks.of[i],
            shared_ceiling: shared[i],
        })
        .collect();
    let of = ScenarioFacts {
        median_order: &median_order,
        ranks: &ranks,
        decision: &decision,
        no_verdict: why.as_ref(),
        blocks: blocks.as_ref(),
    };
    ScenarioSummary {
        scenario: scenario.id.clone(),
        metric: scenario.metric(),
        winner_key: decision.winner.map(|i| figures[i].key.to_owned()),
        sentence: sentence::scenario::sentence(&of, &facts),
        sentence_zh: sentence::zh::scenario::sentence(&of, &facts),
        no_winner_code: decision.no_winner.map(|why| why.code),
        no_winner: decision.no_winner.map(sentence::no_winner::words),
        no_winner_zh: decision.no_winner.map(sentence::zh::no_winner::words),
        entries: ranks.order.iter().map(|i| entry(&facts[*i])).collect(),
        no_verdict: why.filter(|_| !ranks.any() && !compared.differ()),
        blocks,
    }
}

/// A scenario that ranks nobody.
fn single_requests(
    input: &SummaryInput,
    scenario: &input::ScenarioInput,
    figures: &[Figures<'_>],
    baseline: Option<usize>,
) -> ScenarioSummary {
    let subject = no_verdict::subject(figures, &median_order::median_order(scenario, figures), baseline);
    single_requests::summary(scenario, figures, blocks_of(input, scenario, figures, subject))
}

fn blocks_of(
    input: &SummaryInput,
    scenario: &input::ScenarioInput,
    figures: &[Figures<'_>],
    subject: no_verdict::SentenceSubject,
) -> Option<Blocks> {
    let other = subject.baseline.map(|b| &figures[b]);
    let counted = blocks::blocks(input, scenario, &figures[subject.entry?], other);
    Some(sentence::blocks::with_sentences(counted))
}

fn entry(f: &Facts<'_>) -> EntrySummary {
    let why = f.position.as_ref().err();
    EntrySummary {
        rank: f.rank.map(|rank| rank.from),
        rank_to: f.rank.map(|rank| rank.to),
        unranked_code: why.map(Unranked::code),
        unranked_reason: why.map(|why| sentence::unranked::words(why, f.scenario, f.entry)),
        unranked_reason_zh: why.map(|why| sentence::zh::unranked::words(why, f.scenario, f.entry)),
        blocks_in_common: f.comparison.map(|c| c.blocks),
        ratio_bound: f.comparison.and_then(|c| c.ratio_bound(f.scenario.metric())),
        shared_ceiling: f.shared_ceiling,
        ratio: f.comparison.and_then(|c| c.ratio),
        verdict: f.comparison.and_then(|c| c.verdict),
        effect: f.comparison.and_then(|c| c.effect),
        sentence: sentence::entry::sentence(f),
        sentence_zh: sentence::zh::entry::sentence(f),
        ..f.entry.summary(f.scenario)
    }
}
