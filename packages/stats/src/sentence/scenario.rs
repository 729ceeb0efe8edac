//! The verdict sentence of a scenario: its best entry against the baseline, or why there is no verdict.

use super::entry::{Facts, sentence as about};
use super::{list, median, stop, tidy};
use crate::figures::Figures;
use crate::rank::Ranking;
use crate::sentence::number::things;
use crate::summary::Metric;
use crate::verdict::{BLOCKS_FOR_VERDICT, Why};
use std::collections::BTreeSet;

/// Entries that a list of medians names before it says how many more there are.
const NAMED: usize = 6;

/// The verdict sentence. `facts` has one item for each entry, in the order of the figures that were ranked.
#[must_use]
pub fn sentence(facts: &[Facts<'_>], ranking: &Ranking) -> String {
    let ranked: Vec<&Facts<'_>> = ranking
        .order
        .iter()
        .map(|i| &facts[*i])
        .filter(|f| f.rank.is_ok())
        .collect();
    let Some(first) = ranked.first() else {
        return nothing_ranked(facts);
    };
    // The best entry that is not the baseline: when the baseline is best, the one that comes next.
    let focus = ranked.iter().find(|f| f.comparison.is_some());
    let mut parts = vec![focus.map_or_else(|| about(first), |focus| verdict(focus, &ranked))];
    parts.extend(place(&ranked, ranking, facts));
    parts.extend(bounds(&ranked, ranking, facts));
    parts.extend(failed(facts, focus.and_then(|f| f.baseline).map(|b| b.key)));
    parts.join(" ")
}

/// `Nothing is ranked. a and b: not measured. c: failed verification: 12 of 1,024 bytes.`
fn nothing_ranked(facts: &[Facts<'_>]) -> String {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for (reason, name) in facts
        .iter()
        .filter_map(|f| Some((f.rank.as_ref().err()?.as_str(), f.entry.label.clone())))
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
        (_, Some(Why::BothBounds)) => format!(
            "{tool} was the limit for {} and {}, so their figures are bounds and give no verdict.",
            focus.entry.label, baseline.label
        ),
        _ => return about(focus),
    };
    format!("{because} {}", medians(ranked))
}

/// `3 blocks were measured; a verdict needs 5.`
fn blocks(focus: &Facts<'_>, baseline: &Figures<'_>, common: u32) -> String {
    let of = |f: &Figures<'_>| f.valid.iter().map(|t| t.block).collect::<BTreeSet<u64>>();
    let measured = u32::try_from(of(focus.entry).union(&of(baseline)).count()).unwrap_or(u32::MAX);
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
        Metric::P99Us => format!(
            "Medians of the p99 latency at {}: {}.",
            super::rate(first.scenario),
            named.join(", ")
        ),
    }
}

/// Who is first, where the verdict does not say it: of three and more with the baseline first or with a shared rank.
fn place(ranked: &[&Facts<'_>], ranking: &Ranking, facts: &[Facts<'_>]) -> Option<String> {
    if ranked.len() < 3 {
        return None;
    }
    let of = things(u32::try_from(ranked.len()).unwrap_or(u32::MAX), "entry").replace("entrys", "entries");
    match ranking.winner {
        Some(winner) if facts[winner].comparison.is_some() => None,
        Some(winner) => Some(format!("Of {of}, {} ranks first.", facts[winner].entry.label)),
        None => {
            let firsts: Vec<String> = ranked
                .iter()
                .filter(|f| *f.rank == Ok(1))
                .map(|f| f.entry.label.clone())
                .collect();
            (firsts.len() > 1).then(|| format!("Of {of}, {} share the first rank.", list(&firsts)))
        }
    }
}

/// Entries behind the winner that may be better than they could show.
fn bounds(ranked: &[&Facts<'_>], ranking: &Ranking, facts: &[Facts<'_>]) -> Option<String> {
    let winner = &facts[ranking.winner?];
    let behind: Vec<&&Facts<'_>> = ranked
        .iter()
        .filter(|f| f.entry.lower_bound && *f.rank != Ok(1))
        .collect();
    let tool = tidy(&behind.first()?.scenario.tool);
    if winner.entry.lower_bound {
        return None;
    }
    let names: Vec<String> = behind.iter().map(|f| f.entry.label.clone()).collect();
    Some(format!(
        "{tool} was the limit for {}, which may be better than {}.",
        list(&names),
        winner.entry.label
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
