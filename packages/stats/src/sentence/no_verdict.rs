//! Why there is no verdict of a difference, and what to do: one sentence for each code.

use super::blocks::{disturbed, lost};
use super::entry::both_in;
use super::number::{percent_up, things};
use super::scenario::some;
use super::{rate, stop, zh};
use crate::figures::Figures;
use crate::input::ScenarioInput;
use crate::no_verdict::SentenceSubject;
use crate::summary::{Blocks, NoVerdict, NoVerdictCode as Code};
use crate::verdict::Comparison;
use crate::winner::Comparisons;

/// What the sentences are made of.
#[derive(Debug, Clone, Copy)]
pub struct NoVerdictFacts<'a> {
    pub found: &'a NoVerdict,
    pub scenario: &'a ScenarioInput,
    pub figures: &'a [Figures<'a>],
    /// Of each entry whether its rate is a lower bound that another one has too.
    pub shared: &'a [bool],
    pub entry: &'a Figures<'a>,
    pub baseline: &'a Figures<'a>,
    pub comparison: &'a Comparison,
    pub blocks: &'a Blocks,
}

/// The code with its sentences.
#[must_use]
pub fn with_sentences(
    found: NoVerdict,
    scenario: &ScenarioInput,
    (figures, shared): (&[Figures<'_>], &[bool]),
    subject: SentenceSubject,
    compared: &Comparisons,
    blocks: &Blocks,
) -> NoVerdict {
    let pair = subject.entry.zip(subject.baseline);
    let both = pair.and_then(|(entry, baseline)| {
        let why = NoVerdictFacts {
            found: &found,
            scenario,
            figures,
            shared,
            entry: &figures[entry],
            baseline: &figures[baseline],
            comparison: compared.to_baseline[entry].as_ref()?,
            blocks,
        };
        Some((sentence(&why), zh::no_verdict::sentence(&why)))
    });
    let (sentence, sentence_zh) = both.unwrap_or_else(|| {
        let alone = "A verdict compares two entries, and this run has one; add another server.";
        (alone.to_owned(), zh::no_verdict::ALONE.to_owned())
    });
    NoVerdict {
        sentence,
        sentence_zh,
        ..found
    }
}

fn sentence(why: &NoVerdictFacts<'_>) -> String {
    let (entry, baseline, blocks) = (&why.entry.label, &why.baseline.label, why.blocks);
    let needed = things(blocks.needed, "block");
    let all = lost(blocks).map_or_else(String::new, |lost| format!(" {lost}."));
    match why.found.code {
        Code::NothingToCompare => String::new(),
        Code::FailedVerification => format!("{entry} failed verification, so there is no verdict."),
        Code::BaselineFailedVerification => {
            format!("{baseline}, the baseline, failed verification, so there is no verdict.")
        }
        Code::TooFewBlocksAsked => {
            let had = match blocks.asked {
                Some(asked) => format!("this run asked for {asked}"),
                None if blocks.measured == 1 => "1 was measured".to_owned(),
                None => format!("{} were measured", blocks.measured),
            };
            format!(
                "A verdict needs {needed}, and {had}; ask for {} or more (--repeats {}).{all}",
                blocks.needed, blocks.needed
            )
        }
        Code::HostNoisy => format!(
            "{}. A verdict needs {}: measure at a quieter hour, on another host, or for a longer time.",
            lost(blocks).unwrap_or_default(),
            blocks.needed
        ),
        Code::BlocksMissing => {
            let of = blocks.asked.map_or_else(String::new, |asked| format!(" of {asked}"));
            format!(
                "{}{of} blocks {} measured, and a verdict needs {}.{all}",
                blocks.measured,
                if blocks.measured == 1 { "was" } else { "were" },
                blocks.needed
            )
        }
        Code::BlocksInvalid => {
            let reason = why.found.reason.as_deref();
            let reason = reason.map_or_else(String::new, |reason| {
                format!(" The first invalid trial: {}", stop(reason))
            });
            let host = disturbed(blocks).map_or_else(String::new, |host| format!("; {host}"));
            format!(
                "{} of {} {} a valid trial of both {entry} and {baseline}{host}; a verdict needs {}.{reason}",
                blocks.counted,
                things(blocks.measured, "block"),
                if blocks.counted == 1 { "has" } else { "have" },
                blocks.needed
            )
        }
        Code::ToolLimit => limit(why),
        Code::RateNotSustained => {
            let who = if why.entry.rate_not_sustained() {
                entry.clone()
            } else {
                format!("{baseline}, the baseline,")
            };
            let rate = rate(why.scenario);
            format!("{who} did not sustain {rate}, so there is no verdict; ask for a lower rate.")
        }
        Code::NoFigure => {
            let key = why.found.entry_key.as_deref();
            let who = why
                .figures
                .iter()
                .find(|f| Some(f.key) == key)
                .map_or("", |f| f.label.as_str());
            let reason = stop(why.found.reason.as_deref().unwrap_or("no figure"));
            format!("{who} has no figure to compare: {reason}")
        }
        Code::NoSpread => {
            format!(
                "All blocks gave the same ratio of {entry} to {baseline}: its interval is unknown, so there is no verdict."
            )
        }
        Code::TooUncertain => {
            format!("The ratio of {entry} to {baseline} is too uncertain to state, so there is no verdict.")
        }
        Code::NoDifference => {
            let seen = why.found.difference.map_or_else(String::new, |difference| {
                format!(
                    "; one of {} or more would have been shown in 4 of 5 runs",
                    percent_up(difference)
                )
            });
            format!("No difference was shown between {entry} and {baseline}{seen}.")
        }
    }
}

/// The tool was the bottleneck for both, or for one of the two.
fn limit(why: &NoVerdictFacts<'_>) -> String {
    let tool = &why.scenario.tool;
    let (entry, baseline) = (&why.entry.label, &why.baseline.label);
    match why.comparison.bounds.any() {
        (true, true) => match both_in(why.comparison, entry, baseline) {
            Some(both) => {
                format!("{tool} was the bottleneck {both}, so their ratio compares bounds and gives no verdict.")
            }
            None => {
                let (names, shared) = bound(why);
                let ceiling = if shared { ", a shared ceiling" } else { "" };
                format!(
                    "{tool} was the bottleneck for {}{ceiling}, so their figures are bounds and give no verdict.",
                    some(names)
                )
            }
        },
        (of_entry, _) => {
            let name = if of_entry { entry } else { baseline };
            format!("{tool} was the bottleneck for {name}, so there is no verdict on {entry} against {baseline}.")
        }
    }
}

/// The entries whose median is a bound, the baseline first, and whether they share a ceiling.
pub(super) fn bound(why: &NoVerdictFacts<'_>) -> (Vec<String>, bool) {
    let bound = |f: &Figures<'_>| f.bound && f.failed.is_none() && !f.valid.is_empty();
    let mut all: Vec<(&Figures<'_>, bool)> = why.figures.iter().zip(why.shared.iter().copied()).collect();
    all.retain(|(f, _)| bound(f));
    all.sort_by_key(|(f, _)| f.key != why.baseline.key);
    let shared = all.iter().all(|(_, shared)| *shared);
    (all.into_iter().map(|(f, _)| f.label.clone()).collect(), shared)
}
