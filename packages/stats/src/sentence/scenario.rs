//! The verdict sentence of a scenario: its best entry against the baseline, or why there is no verdict.

use super::entry::{Facts, sentence as about};
use super::number::percent_up;
use super::unranked;
use super::{list, median, stop, tidy};
use crate::input::ScenarioInput;
use crate::median_order::MedianOrder;
use crate::rank::Ranks;
use crate::sentence::number::things;
use crate::summary::{Blocks, Metric, NoVerdict, NoVerdictCode as Code};
use crate::verdict::NoVerdictReason;
use crate::winner::{PairVerdict, WinnerDecision};

/// Entries that a list names before it says how many more there are.
pub(super) const NAMED: usize = 6;

/// What is known of the scenario as a whole.
#[derive(Debug, Clone, Copy)]
pub struct ScenarioFacts<'a> {
    pub median_order: &'a MedianOrder<'a>,
    pub ranks: &'a Ranks,
    pub decision: &'a WinnerDecision,
    /// Of the comparison that the sentence is about, also where another one has a verdict.
    pub no_verdict: Option<&'a NoVerdict>,
    pub blocks: Option<&'a Blocks>,
}

impl<'a> ScenarioFacts<'a> {
    /// By their medians.
    pub(super) fn ranked(&self, facts: &'a [Facts<'a>]) -> Vec<&'a Facts<'a>> {
        let order = self.median_order.order.iter().map(|i| &facts[*i]);
        order.filter(|f| f.position.is_ok()).collect()
    }

    /// As they are shown.
    pub(super) fn listed(&self, facts: &'a [Facts<'a>]) -> Vec<&'a Facts<'a>> {
        let order = self.ranks.order.iter().map(|i| &facts[*i]);
        order.filter(|f| f.position.is_ok()).collect()
    }

    /// Whether to say which blocks do not count: a code of blocks has said it, and of what failed it explains nothing.
    pub(super) fn names_blocks(&self) -> bool {
        let code = self.no_verdict.map(|why| why.code);
        let failed = [
            Code::FailedVerification,
            Code::BaselineFailedVerification,
            Code::RateNotSustained,
        ];
        !self.code_of_blocks() && code.is_none_or(|code| !failed.contains(&code))
    }

    /// A code of blocks says itself which ones count.
    pub(super) fn code_of_blocks(&self) -> bool {
        self.no_verdict.is_some_and(|why| {
            matches!(
                why.code,
                Code::TooFewBlocksAsked | Code::HostNoisy | Code::BlocksMissing | Code::BlocksInvalid
            )
        })
    }
}

/// The verdict sentence. `facts` has one item for each entry, in the order of the figures that were ranked.
#[must_use]
pub fn sentence(of: &ScenarioFacts<'_>, facts: &[Facts<'_>]) -> String {
    let (ranked, decision) = (of.ranked(facts), of.decision);
    let Some(first) = ranked.first() else {
        let noisy = of.no_verdict.filter(|why| why.code == Code::HostNoisy);
        let noisy = noisy.map_or_else(String::new, |why| format!("{} ", why.sentence));
        return noisy + &nothing_ranked(facts);
    };
    let mut parts = Vec::new();
    if first.entry.rate_not_sustained() && ranked.len() > 1 {
        parts.push(format!(
            "No entry sustained {} in all its trials.",
            super::rate(first.scenario)
        ));
        parts.extend(failed(facts, None));
        return parts.join(" ");
    }
    // The best entry that is not the baseline: when the baseline is best, the one that comes next.
    let focus = ranked.iter().find(|f| f.comparison.is_some());
    parts.push(focus.map_or_else(|| about(first), |focus| verdict(of, focus, facts)));
    let blocks = of.blocks.filter(|_| of.names_blocks());
    parts.extend(blocks.and_then(|blocks| blocks.sentence.clone()));
    parts.extend(place(&ranked, decision, facts));
    parts.extend(without(&ranked, decision, facts));
    parts.extend(bounds(&ranked, decision, facts));
    parts.extend(failed(facts, focus.and_then(|f| f.baseline).map(|b| b.key)));
    parts.join(" ")
}

/// `Nothing is ranked. a and b: not measured. c: failed verification: 12 of 1,024 bytes.`
fn nothing_ranked(facts: &[Facts<'_>]) -> String {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    let why = |f: &Facts<'_>| Some(unranked::words(f.position.as_ref().err()?, f.scenario, f.entry));
    for (reason, name) in facts.iter().filter_map(|f| Some((why(f)?, f.entry.label.clone()))) {
        match groups.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, names)) => names.push(name),
            None => groups.push((reason, vec![name])),
        }
    }
    if groups.is_empty() {
        return "Nothing is ranked: there is no entry.".to_owned();
    }
    let why: Vec<String> = groups
        .iter()
        .map(|(reason, names)| format!("{}: {}", list(names), stop(reason)))
        .collect();
    format!("Nothing is ranked. {}", why.join(" "))
}

/// The focus against the baseline, or why not with the medians of all.
fn verdict(of: &ScenarioFacts<'_>, focus: &Facts<'_>, facts: &[Facts<'_>]) -> String {
    let Some(why) = of.no_verdict else {
        return about(focus);
    };
    match why.code {
        Code::NoDifference => match why.difference {
            Some(difference) => format!(
                "{} A difference of {} or more would have been shown in 4 of 5 runs.",
                about(focus),
                percent_up(difference)
            ),
            None => about(focus),
        },
        Code::BaselineFailedVerification => format!("{} {}", why.sentence, medians(&of.listed(facts))),
        Code::ToolLimit if why.limited.len() > 1 => format!("{} {}", why.sentence, medians(&of.listed(facts))),
        _ if of.code_of_blocks() => format!("{} {}", why.sentence, medians(&of.listed(facts))),
        _ => about(focus),
    }
}

fn medians(listed: &[&Facts<'_>]) -> String {
    let Some(first) = listed.first() else {
        return String::new();
    };
    let metric = first.scenario.metric();
    let with: Vec<&&Facts<'_>> = listed.iter().filter(|f| f.entry.metric.is_some()).collect();
    let mut named: Vec<String> = with.iter().take(NAMED).map(|f| median(metric, f.entry)).collect();
    if with.len() > NAMED {
        named.push(format!("{} more", with.len() - NAMED));
    }
    match metric {
        _ if named.is_empty() => "There are no medians.".to_owned(),
        Metric::RequestsPerS => format!("Medians: {} requests a second.", named.join(", ")),
        Metric::CpuUsPerRequest => format!("Median CPU time per request: {}.", named.join(", ")),
        Metric::P99Us | Metric::FirstByteP50Us => format!(
            "Medians of the p99 latency at {}: {}.",
            super::rate(first.scenario),
            named.join(", ")
        ),
    }
}

/// Of three and more: whom else the winner was faster than, or who leads without a winner.
fn place(ranked: &[&Facts<'_>], decision: &WinnerDecision, facts: &[Facts<'_>]) -> Option<String> {
    let first = ranked.first().filter(|_| ranked.len() > 2)?;
    let label = |i: &usize| facts[*i].entry.label.clone();
    if let Some(winner) = decision.winner {
        // The verdict has named one of the two already, unless the baseline won.
        let is_baseline = |i: &usize| facts[*i].comparison.is_none();
        let beaten: Vec<String> = decision.rivals.iter().filter(|i| !is_baseline(i)).map(label).collect();
        let (least, too) = if is_baseline(&winner) { (2, "") } else { (1, " too") };
        let better = better(first.scenario);
        return (beaten.len() >= least)
            .then(|| format!("{} was shown to {better} than {}{too}.", label(&winner), some(beaten)));
    }
    let compared = ranked.len() - decision.undecided.len();
    let of = if compared == ranked.len() {
        format!("{compared} entries")
    } else {
        format!("the {compared} entries that can be compared")
    };
    match decision.top.len() {
        0 | 1 => None,
        n if n == compared => Some(format!("Of {of}, none was shown to lead.")),
        _ => {
            let shared = decision.top.iter().all(|i| facts[*i].shared_ceiling);
            let how = if shared {
                format!("at a shared ceiling of {}", tidy(&first.scenario.tool))
            } else if decision.apart {
                format!("none of them shown to {} than all others", better(first.scenario))
            } else {
                "with no difference shown between them".to_owned()
            };
            let top = decision.top.iter().map(label).collect();
            Some(format!("Of {of}, {} lead, {how}.", some(top)))
        }
    }
}

/// Those that the first has no verdict against, without the pair that the verdict has spoken of: the baseline and the
/// best of the others.
pub(super) fn undecided<'a>(
    ranked: &[&Facts<'_>],
    decision: &'a WinnerDecision,
    facts: &[Facts<'_>],
) -> Vec<&'a (usize, PairVerdict)> {
    let Some(first) = ranked.first().filter(|_| ranked.len() > 2) else {
        return Vec::new();
    };
    let is_baseline = |f: &Facts<'_>| f.comparison.is_none();
    let best = ranked.iter().find(|f| !is_baseline(f)).map(|f| f.entry.key);
    let in_first_sentence = |f: &Facts<'_>| is_baseline(f) || is_baseline(first) && best == Some(f.entry.key);
    decision
        .undecided
        .iter()
        .filter(|(i, _)| !in_first_sentence(&facts[*i]))
        .collect()
}

/// `There is no verdict on b against c (3 blocks in common).`
fn without(ranked: &[&Facts<'_>], decision: &WinnerDecision, facts: &[Facts<'_>]) -> Option<String> {
    let first = ranked.first()?;
    let names: Vec<String> = undecided(ranked, decision, facts)
        .into_iter()
        .map(|(i, shown)| format!("{} ({})", facts[*i].entry.label, reason(first, shown)))
        .collect();
    (!names.is_empty()).then(|| format!("There is no verdict on {} against {}.", first.entry.label, some(names)))
}

/// Of an entry behind the first that is no bound itself.
fn reason(first: &Facts<'_>, shown: &PairVerdict) -> String {
    let blocks = things(shown.blocks, "block");
    match (shown.verdict, shown.why) {
        (None, _) => format!("{blocks} in common"),
        (_, Some(NoVerdictReason::EntryBound | NoVerdictReason::BaselineBound)) => {
            format!(
                "{} was the bottleneck for {}",
                tidy(&first.scenario.tool),
                first.entry.label
            )
        }
        (_, Some(NoVerdictReason::NoSpread(_))) => format!("all {blocks} gave the same ratio"),
        _ => "their ratio is too uncertain".to_owned(),
    }
}

fn better(scenario: &ScenarioInput) -> &'static str {
    match scenario.metric() {
        Metric::CpuUsPerRequest => "spend less",
        Metric::RequestsPerS | Metric::P99Us | Metric::FirstByteP50Us => "be faster",
    }
}

/// A list that ends with how many more there are.
pub(super) fn some(mut names: Vec<String>) -> String {
    if names.len() > NAMED {
        let more = names.len() - NAMED + 1;
        names.truncate(NAMED - 1);
        names.push(format!("{more} more"));
    }
    list(&names)
}

/// Entries behind the first that may be better than they could show.
fn bounds(ranked: &[&Facts<'_>], decision: &WinnerDecision, facts: &[Facts<'_>]) -> Option<String> {
    let open = |f: &Facts<'_>| decision.open.iter().any(|i| facts[*i].entry.key == f.entry.key);
    let behind: Vec<&&Facts<'_>> = ranked
        .iter()
        .filter(|f| f.entry.bound && *f.position != Ok(1) || ranked.len() > 2 && open(f))
        .collect();
    let tool = tidy(&behind.first()?.scenario.tool);
    let names = |of: &[&&Facts<'_>]| some(of.iter().map(|f| f.entry.label.clone()).collect());
    let firsts: Vec<&&Facts<'_>> = ranked.iter().filter(|f| *f.position == Ok(1)).collect();
    Some(format!(
        "{tool} was the bottleneck for {}, which may be better than {}.",
        names(&behind),
        names(&firsts)
    ))
}

/// The baseline is left out: the verdict has said it.
fn failed(facts: &[Facts<'_>], baseline: Option<&str>) -> Option<String> {
    let names: Vec<String> = facts
        .iter()
        .filter(|f| f.entry.failed.is_some() && Some(f.entry.key) != baseline)
        .map(|f| f.entry.label.clone())
        .collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    (!names.is_empty()).then(|| format!("{} failed verification and {verb} not ranked.", list(&names)))
}
