//! The verdict sentence of a scenario: its best entry against the baseline, or why there is no verdict.

use super::entry::{Facts, both_in, sentence as about};
use super::{list, median, stop, tidy};
use crate::figures::Figures;
use crate::input::Scenario;
use crate::lead::{Lead, Shown};
use crate::rank::Ranking;
use crate::sentence::number::things;
use crate::summary::Metric;
use crate::verdict::{BLOCKS_FOR_VERDICT, Why};
use std::collections::BTreeSet;

/// Entries that a list names before it says how many more there are.
pub(super) const NAMED: usize = 6;

/// The verdict sentence. `facts` has one item for each entry, in the order of the figures that were ranked.
#[must_use]
pub fn sentence(facts: &[Facts<'_>], ranking: &Ranking, lead: &Lead) -> String {
    let ranked: Vec<&Facts<'_>> = ranking
        .order
        .iter()
        .map(|i| &facts[*i])
        .filter(|f| f.rank.is_ok())
        .collect();
    let Some(first) = ranked.first() else {
        return nothing_ranked(facts);
    };
    if first.entry.lost() && ranked.len() > 1 {
        let none = format!("No entry sustained {} in all its trials.", super::rate(first.scenario));
        return std::iter::once(none)
            .chain(failed(facts, None))
            .collect::<Vec<_>>()
            .join(" ");
    }
    // The best entry that is not the baseline: when the baseline is best, the one that comes next.
    let focus = ranked.iter().find(|f| f.comparison.is_some());
    let mut parts = vec![focus.map_or_else(|| about(first), |focus| verdict(focus, &ranked))];
    parts.extend(place(&ranked, lead, facts));
    parts.extend(without(&ranked, lead, facts));
    parts.extend(bounds(&ranked, lead, facts));
    parts.extend(failed(facts, focus.and_then(|f| f.baseline).map(|b| b.key)));
    parts.join(" ")
}

/// `Nothing is ranked. a and b: not measured. c: failed verification: 12 of 1,024 bytes.`
fn nothing_ranked(facts: &[Facts<'_>]) -> String {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for (reason, name) in facts
        .iter()
        .filter_map(|f| Some((f.rank.as_ref().err()?.en.as_str(), f.entry.label.clone())))
    {
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

/// The focus against the baseline, or the medians of all where there is no verdict for anybody's sake.
fn verdict(focus: &Facts<'_>, ranked: &[&Facts<'_>]) -> String {
    let (Some(comparison), Some(baseline)) = (focus.comparison, focus.baseline) else {
        return about(focus);
    };
    let tool = &focus.scenario.tool;
    let because = match (comparison.verdict, comparison.why) {
        _ if baseline.failed.is_some() => {
            format!(
                "{}, the baseline, failed verification, so there is no verdict.",
                baseline.label
            )
        }
        (None, _) => blocks(focus, baseline, comparison.blocks),
        (_, Some(Why::BothBounds)) if let Some(both) = both_in(comparison, &focus.entry.label, &baseline.label) => {
            format!("{tool} was the limit {both}, so the ratio is one of bounds and gives no verdict.")
        }
        (_, Some(Why::BothBounds)) => {
            let bound: Vec<&&Facts<'_>> = ranked.iter().filter(|f| f.entry.bound).collect();
            let names = bound.iter().map(|f| f.entry.label.clone()).collect();
            let shared = bound.iter().all(|f| f.shared_ceiling);
            format!(
                "{tool} was the limit for {}{}, so their figures are bounds and give no verdict.",
                some(names),
                if shared { ", a shared ceiling" } else { "" }
            )
        }
        _ => return about(focus),
    };
    format!("{because} {}", medians(ranked))
}

/// Blocks in which at least one of the two has a valid trial.
pub(super) fn measured(a: &Figures<'_>, b: &Figures<'_>) -> u32 {
    let of = |f: &Figures<'_>| f.valid.iter().map(|t| t.block).collect::<BTreeSet<u64>>();
    u32::try_from(of(a).union(&of(b)).count()).unwrap_or(u32::MAX)
}

/// `3 blocks were measured; a verdict needs 5.`
fn blocks(focus: &Facts<'_>, baseline: &Figures<'_>, common: u32) -> String {
    let measured = measured(focus.entry, baseline);
    let verb = |n| if n == 1 { "was" } else { "were" };
    if measured == common {
        return format!(
            "{} {} measured; a verdict needs {BLOCKS_FOR_VERDICT}.",
            things(common, "block"),
            verb(common)
        );
    }
    let (a, b) = (&focus.entry.label, &baseline.label);
    let all = things(measured, "block");
    format!(
        "{all} {} measured, {common} of them valid for both {a} and {b}; a verdict needs {BLOCKS_FOR_VERDICT}.",
        verb(measured)
    )
}

fn medians(ranked: &[&Facts<'_>]) -> String {
    let Some(first) = ranked.first() else {
        return String::new();
    };
    let metric = first.scenario.metric();
    let with: Vec<&&Facts<'_>> = ranked.iter().filter(|f| f.entry.metric.is_some()).collect();
    let mut named: Vec<String> = with.iter().take(NAMED).map(|f| median(metric, f.entry)).collect();
    if with.len() > NAMED {
        named.push(format!("{} more", with.len() - NAMED));
    }
    match metric {
        _ if named.is_empty() => "There are no medians.".to_owned(),
        Metric::RequestsPerS => format!("Medians: {} requests a second.", named.join(", ")),
        Metric::CpuUsPerRequest => format!("Medians of the processor time a request: {}.", named.join(", ")),
        Metric::P99Us => format!(
            "Medians of the p99 latency at {}: {}.",
            super::rate(first.scenario),
            named.join(", ")
        ),
    }
}

/// Of three and more: whom else the winner was faster than, or who leads without a winner.
fn place(ranked: &[&Facts<'_>], lead: &Lead, facts: &[Facts<'_>]) -> Option<String> {
    let first = ranked.first().filter(|_| ranked.len() > 2)?;
    let label = |i: &usize| facts[*i].entry.label.clone();
    if let Some(winner) = lead.winner {
        // The verdict has named one of the two already, unless the baseline won.
        let is_baseline = |i: &usize| facts[*i].comparison.is_none();
        let beaten: Vec<String> = lead.rivals.iter().filter(|i| !is_baseline(i)).map(label).collect();
        let (least, too) = if is_baseline(&winner) { (2, "") } else { (1, " too") };
        let better = better(first.scenario);
        return (beaten.len() >= least)
            .then(|| format!("{} was shown to {better} than {}{too}.", label(&winner), some(beaten)));
    }
    let compared = ranked.len() - lead.undecided.len();
    let of = if compared == ranked.len() {
        format!("{compared} entries")
    } else {
        format!("the {compared} entries that can be compared")
    };
    match lead.leaders.len() {
        0 | 1 => None,
        n if n == compared => Some(format!("Of {of}, none was shown to lead.")),
        _ => {
            let shared = lead.leaders.iter().all(|i| facts[*i].shared_ceiling);
            let how = if shared {
                format!("at a shared ceiling of {}", tidy(&first.scenario.tool))
            } else if lead.apart {
                format!("none of them being shown to {} than all others", better(first.scenario))
            } else {
                "without a shown difference between them".to_owned()
            };
            let leaders = lead.leaders.iter().map(label).collect();
            Some(format!("Of {of}, {} lead, {how}.", some(leaders)))
        }
    }
}

/// Those that the first has no verdict against, without the pair that the verdict has spoken of: the baseline and the
/// best of the others.
pub(super) fn undecided<'a>(ranked: &[&Facts<'_>], lead: &'a Lead, facts: &[Facts<'_>]) -> Vec<&'a (usize, Shown)> {
    let Some(first) = ranked.first().filter(|_| ranked.len() > 2) else {
        return Vec::new();
    };
    let is_baseline = |f: &Facts<'_>| f.comparison.is_none();
    let best = ranked.iter().find(|f| !is_baseline(f)).map(|f| f.entry.key);
    let said = |f: &Facts<'_>| is_baseline(f) || is_baseline(first) && best == Some(f.entry.key);
    lead.undecided.iter().filter(|(i, _)| !said(&facts[*i])).collect()
}

/// `There is no verdict on b against c (3 blocks in common).`
fn without(ranked: &[&Facts<'_>], lead: &Lead, facts: &[Facts<'_>]) -> Option<String> {
    let first = ranked.first()?;
    let names: Vec<String> = undecided(ranked, lead, facts)
        .into_iter()
        .map(|(i, shown)| format!("{} ({})", facts[*i].entry.label, reason(first, shown)))
        .collect();
    (!names.is_empty()).then(|| format!("There is no verdict on {} against {}.", first.entry.label, some(names)))
}

/// Of an entry behind the first that is no bound itself.
fn reason(first: &Facts<'_>, shown: &Shown) -> String {
    let blocks = things(shown.blocks, "block");
    match (shown.verdict, shown.why) {
        (None, _) => format!("{blocks} in common"),
        (_, Some(Why::EntryBound | Why::BaselineBound)) => {
            format!("{} was the limit for {}", tidy(&first.scenario.tool), first.entry.label)
        }
        (_, Some(Why::NoSpread(_))) => format!("all {blocks} gave the same ratio"),
        _ => "their ratio is too uncertain".to_owned(),
    }
}

fn better(scenario: &Scenario) -> &'static str {
    match scenario.metric() {
        Metric::CpuUsPerRequest => "spend less",
        Metric::RequestsPerS | Metric::P99Us => "be faster",
    }
}

/// A list that ends with how many more there are.
fn some(mut names: Vec<String>) -> String {
    if names.len() > NAMED {
        let more = names.len() - NAMED + 1;
        names.truncate(NAMED - 1);
        names.push(format!("{more} more"));
    }
    list(&names)
}

/// Entries behind the first that may be better than they could show.
fn bounds(ranked: &[&Facts<'_>], lead: &Lead, facts: &[Facts<'_>]) -> Option<String> {
    let open = |f: &Facts<'_>| lead.open.iter().any(|i| facts[*i].entry.key == f.entry.key);
    let behind: Vec<&&Facts<'_>> = ranked
        .iter()
        .filter(|f| f.entry.bound && *f.rank != Ok(1) || ranked.len() > 2 && open(f))
        .collect();
    let tool = tidy(&behind.first()?.scenario.tool);
    let names = |of: &[&&Facts<'_>]| some(of.iter().map(|f| f.entry.label.clone()).collect());
    let firsts: Vec<&&Facts<'_>> = ranked.iter().filter(|f| *f.rank == Ok(1)).collect();
    Some(format!(
        "{tool} was the limit for {}, which may be better than {}.",
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
