//! Why no difference was shown under a scenario: a code with its figures. The sentences are in [`crate::sentence::no_verdict`].
//!
//! The code is that of the comparison that the scenario's sentence is about: the entry with the best median, the baseline
//! apart, against the baseline.

use crate::detectable::{POWER, difference_among};
use crate::figures::Figures;
use crate::input::ScenarioInput;
use crate::median_order::MedianOrder;
use crate::sentence;
use crate::summary::{Blocks, NoVerdict, NoVerdictCode as Code, Verdict};
use crate::unranked::Unranked;
use crate::verdict::{Comparison, NoVerdictReason};
use crate::winner::Comparisons;

/// What the scenario's sentence is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentenceSubject {
    /// The entry; `None` where there is none.
    pub entry: Option<usize>,
    /// What it is compared with; `None` where it is alone.
    pub baseline: Option<usize>,
}

/// Finds what the scenario's sentence is about.
#[must_use]
pub fn subject(figures: &[Figures<'_>], median_order: &MedianOrder<'_>, baseline: Option<usize>) -> SentenceSubject {
    let rival = |i: &usize| Some(*i) != baseline;
    let ranked = median_order
        .order
        .iter()
        .copied()
        .filter(|i| median_order.positions[*i].is_ok());
    let declared = || (0..figures.len()).filter(rival);
    let entry = ranked
        .clone()
        .find(rival)
        .or_else(|| declared().find(|i| figures[*i].failed.is_none()))
        .or_else(|| declared().next());
    match entry {
        Some(entry) => SentenceSubject {
            entry: Some(entry),
            baseline,
        },
        None => SentenceSubject {
            entry: baseline,
            baseline: None,
        },
    }
}

/// Why this comparison shows no difference; `None` when it does. The sentences are still to be made.
#[must_use]
pub fn no_verdict(
    figures: &[Figures<'_>],
    median_order: &MedianOrder<'_>,
    scenario: &ScenarioInput,
    subject: SentenceSubject,
    compared: &Comparisons,
    blocks: &Blocks,
) -> Option<NoVerdict> {
    let none = |code| NoVerdict {
        code,
        entry_key: None,
        limited: Vec::new(),
        difference: None,
        power: None,
        reason: None,
        reason_zh: None,
        sentence: String::new(),
        sentence_zh: String::new(),
    };
    let (Some(entry), Some(baseline)) = (subject.entry, subject.baseline) else {
        return Some(none(Code::NothingToCompare));
    };
    let about = |code| NoVerdict {
        entry_key: Some(figures[entry].key.to_owned()),
        ..none(code)
    };
    let pair = [&figures[entry], &figures[baseline]];
    let comparison = compared.to_baseline[entry].as_ref()?;
    Some(match (comparison.verdict, comparison.why) {
        (Some(Verdict::Faster | Verdict::Slower), _) => return None,
        (_, Some(NoVerdictReason::EntryFailed)) => about(Code::FailedVerification),
        (_, Some(NoVerdictReason::BaselineFailed)) => about(Code::BaselineFailedVerification),
        (_, Some(NoVerdictReason::TooFewBlocks))
            if let Some((who, why)) = without_figure(figures, median_order, [entry, baseline]) =>
        {
            NoVerdict {
                reason: Some(sentence::unranked::words(why, scenario, &figures[who])),
                reason_zh: Some(sentence::zh::unranked::words(why, scenario, &figures[who])),
                entry_key: Some(figures[who].key.to_owned()),
                ..none(Code::NoFigure)
            }
        }
        (_, Some(NoVerdictReason::TooFewBlocks)) => match too_few(blocks) {
            Code::BlocksInvalid => NoVerdict {
                reason: pair.iter().find_map(|f| f.reason).map(str::to_owned),
                ..about(Code::BlocksInvalid)
            },
            code => about(code),
        },
        (_, Some(NoVerdictReason::BothBounds | NoVerdictReason::EntryBound | NoVerdictReason::BaselineBound)) => {
            NoVerdict {
                limited: [comparison.bounds.entry, comparison.bounds.baseline]
                    .iter()
                    .zip(pair)
                    .filter(|(blocks, _)| **blocks > 0)
                    .map(|(_, f)| f.key.to_owned())
                    .collect(),
                ..about(Code::ToolLimit)
            }
        }
        (_, Some(NoVerdictReason::EntryNotSustained | NoVerdictReason::BaselineNotSustained)) => {
            about(Code::RateNotSustained)
        }
        (_, Some(NoVerdictReason::NoSpread(_))) => about(Code::NoSpread),
        (Some(Verdict::NoDifference), _) => NoVerdict {
            difference: smallest(comparison),
            power: Some(POWER),
            ..about(Code::NoDifference)
        },
        _ => about(Code::TooUncertain),
    })
}

/// Of the two the one whose valid trials give no figure, and why.
fn without_figure<'a>(
    figures: &[Figures<'_>],
    median_order: &'a MedianOrder<'_>,
    pair: [usize; 2],
) -> Option<(usize, &'a Unranked<'a>)> {
    let of = |i: usize| Some((i, median_order.positions[i].as_ref().err()?));
    pair.into_iter().filter(|i| !figures[*i].valid.is_empty()).find_map(of)
}

/// The smallest difference that would have got a verdict with the chance [`POWER`], with the noise of these blocks.
fn smallest(comparison: &Comparison) -> Option<f64> {
    let tests = f64::from(comparison.family.max(1)) * f64::from(comparison.looks);
    difference_among(comparison.sd?, comparison.blocks, tests)
}

/// Why fewer than five blocks count.
fn too_few(blocks: &Blocks) -> Code {
    let needed = blocks.needed;
    if blocks.asked.unwrap_or(blocks.measured) < needed {
        Code::TooFewBlocksAsked
    } else if blocks.disturbed > 0
        && (blocks.counted + blocks.disturbed >= needed || 2 * blocks.disturbed > blocks.measured)
    {
        Code::HostNoisy
    } else if blocks.measured < needed {
        Code::BlocksMissing
    } else {
        Code::BlocksInvalid
    }
}

#[cfg(test)]
mod tests;
