//! What the numbers of a run mean: spreads, ratios to the baseline with their intervals, ranks, verdicts and the
//! sentences that say them. Pure: no clock, no randomness, no I/O, and the same bits on every platform. INTERFACE.md
//! states what goes in and comes out.

pub mod blocks;
pub mod ceiling;
pub mod curve;
pub mod detectable;
pub mod effect;
pub mod figures;
pub mod histogram;
pub mod holm;
pub mod input;
pub mod math;
pub mod no_verdict;
pub mod normal;
pub mod outliers;
pub mod percentile;
pub mod place;
pub mod rank;
pub mod ratio;
pub mod rounds;
pub mod sentence;
pub mod spread;
pub mod student;
pub mod summary;
#[cfg(test)]
mod testing;
pub mod verdict;
pub mod wasm;
pub mod winner;

use figures::Figures;
pub use input::{InputError, SummaryInput};
use sentence::entry::Facts;
use sentence::scenario::Of;
pub use summary::Summary;
use summary::{EntrySummary, ScenarioSummary};
use verdict::{Comparison, Pair};
use winner::Comparisons;

/// Says what the trials of a run mean.
///
/// # Errors
/// [`InputError`] when the input contradicts itself (an unknown entry, a scenario that is there twice). Odd numbers
/// are no errors: they are treated as unknown.
pub fn summarise(input: &SummaryInput) -> Result<Summary, InputError> {
    input.check()?;
    let tables: Vec<Vec<Figures<'_>>> = input
        .scenarios
        .iter()
        .map(|s| {
            input
                .entries
                .iter()
                .map(|e| Figures::of(input, s, &e.key, sentence::label(input, &e.key)))
                .collect()
        })
        .collect();
    let baseline = input
        .entries
        .iter()
        .position(|e| Some(e.key.as_str()) == input.baseline());
    let (mut pairs, mut others) = (Vec::new(), Vec::new());
    for (scenario, figures) in input.scenarios.iter().zip(&tables) {
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
            let compared: Vec<Option<Comparison>> = (0..figures.len())
                .map(|i| if Some(i) == baseline { None } else { comparisons.next() })
                .collect();
            let compared = Comparisons::new(baseline, compared, &mut direct);
            let ranking = rank::rank(scenario, figures);
            let lead = winner::lead(figures, &ranking, &compared);
            let places = place::places(figures, &ranking, &compared);
            let told = no_verdict::told(figures, &ranking, baseline);
            let blocks = told.entry.map(|entry| {
                let other = told.baseline.map(|b| &figures[b]);
                sentence::blocks::told(blocks::blocks(input, scenario, &figures[entry], other))
            });
            let shared = ceiling::shared(scenario.load, figures);
            let why = blocks.as_ref().and_then(|blocks| {
                let found = no_verdict::no_verdict(figures, &ranking, told, &compared, blocks)?;
                let all = (figures.as_slice(), shared.as_slice());
                Some(sentence::no_verdict::told(
                    found, scenario, all, told, &compared, blocks,
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
                    rank: &ranking.ranks[i],
                    place: places.of[i],
                    shared_ceiling: shared[i],
                })
                .collect();
            let of = Of {
                ranking: &ranking,
                places: &places,
                lead: &lead,
                no_verdict: why.as_ref(),
                blocks: blocks.as_ref(),
            };
            ScenarioSummary {
                scenario: scenario.id.clone(),
                metric: scenario.metric(),
                winner_key: lead.winner.map(|i| figures[i].key.to_owned()),
                sentence: sentence::scenario::sentence(&of, &facts),
                sentence_zh: sentence::zh::scenario::sentence(&of, &facts),
                no_winner: lead.no_winner,
                entries: places.order.iter().map(|i| entry(&facts[*i])).collect(),
                no_verdict: why.filter(|_| !places.any() && !compared.differ()),
                blocks,
            }
        })
        .collect();
    Ok(Summary {
        schema: 1,
        sentence: sentence::run::sentence(input, &scenarios),
        sentence_zh: sentence::zh::run::sentence(input, &scenarios),
        scenarios,
    })
}

fn entry(f: &Facts<'_>) -> EntrySummary {
    EntrySummary {
        entry_key: f.entry.key.to_owned(),
        rank: f.place.map(|place| place.from),
        rank_to: f.place.map(|place| place.to),
        unranked_reason: f.rank.as_ref().err().map(|why| why.en.clone()),
        trials_valid: f.entry.trials_valid(),
        trials_invalid: f.entry.invalid,
        requests_per_s: f.entry.requests_per_s,
        lower_bound: f.entry.lower_bound,
        shared_ceiling: f.shared_ceiling,
        limit: f.entry.limit,
        cpu_us_per_request: f.entry.cpu_us_per_request,
        rss_peak_bytes: f.entry.rss_peak_bytes,
        bytes_per_request: f.entry.bytes_per_request,
        efficiency: f.entry.efficiency,
        percentiles: f.entry.percentiles.clone(),
        ratio: f.comparison.and_then(|c| c.ratio),
        verdict: f.comparison.and_then(|c| c.verdict),
        effect: f.comparison.and_then(|c| c.effect),
        outliers: f.entry.outliers,
        sentence: sentence::entry::sentence(f),
        sentence_zh: sentence::zh::entry::sentence(f),
    }
}
