//! The verdict sentence of a scenario: its best entry against the baseline, or why there is no verdict.

use super::entry::sentence as about;
use super::unranked;
use super::{list, median, rate, some, stop};
use crate::sentence::entry::Facts;
use crate::sentence::number::percent_up;
use crate::sentence::scenario::{NAMED, ScenarioFacts, undecided};
use crate::sentence::tidy;
use crate::summary::{Metric, NoVerdictCode as Code};
use crate::verdict::NoVerdictReason;
use crate::winner::{PairVerdict, WinnerDecision};

/// The verdict sentence. `facts` has one item for each entry, in the order of the figures that were ranked.
#[must_use]
pub fn sentence(of: &ScenarioFacts<'_>, facts: &[Facts<'_>]) -> String {
    let (ranked, decision) = (of.ranked(facts), of.decision);
    let Some(first) = ranked.first() else {
        let noisy = of.no_verdict.filter(|why| why.code == Code::HostNoisy);
        return noisy.map_or_else(String::new, |why| why.sentence_zh.clone()) + &nothing_ranked(facts);
    };
    if first.entry.rate_not_sustained() && ranked.len() > 1 {
        let none = format!("没有参赛项在所有试验中都维持{}。", rate(first.scenario));
        return none + &failed(facts, None).unwrap_or_default();
    }
    let focus = ranked.iter().find(|f| f.comparison.is_some());
    let mut parts = vec![focus.map_or_else(|| about(first), |focus| verdict(of, focus, facts))];
    let blocks = of.blocks.filter(|_| of.names_blocks());
    parts.extend(blocks.and_then(|blocks| blocks.sentence_zh.clone()));
    parts.extend(place(&ranked, decision, facts));
    parts.extend(without(&ranked, decision, facts));
    parts.extend(bounds(&ranked, decision, facts));
    parts.extend(failed(facts, focus.and_then(|f| f.baseline).map(|b| b.key)));
    parts.concat()
}

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
        return "没有排名：没有参赛项。".to_owned();
    }
    let why: Vec<String> = groups
        .iter()
        .map(|(reason, names)| format!("{}：{}", list(names), stop(reason)))
        .collect();
    format!("没有排名。{}", why.concat())
}

/// The focus against the baseline, or why not with the medians of all.
fn verdict(of: &ScenarioFacts<'_>, focus: &Facts<'_>, facts: &[Facts<'_>]) -> String {
    let Some(why) = of.no_verdict else {
        return about(focus);
    };
    match why.code {
        Code::NoDifference => match why.difference {
            Some(difference) => format!(
                "{}达到 {} 的差异，五次运行中有四次会显示出来。",
                about(focus),
                percent_up(difference)
            ),
            None => about(focus),
        },
        Code::BaselineFailedVerification => format!("{}{}", why.sentence_zh, medians(&of.listed(facts))),
        Code::ToolLimit if why.limited.len() > 1 => format!("{}{}", why.sentence_zh, medians(&of.listed(facts))),
        _ if of.code_of_blocks() => format!("{}{}", why.sentence_zh, medians(&of.listed(facts))),
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
        named.push(format!("另外 {} 个", with.len() - NAMED));
    }
    let named = if named.is_empty() {
        return "没有中位数。".to_owned();
    } else {
        named.join("，")
    };
    match metric {
        Metric::RequestsPerS => format!("每秒请求数的中位数：{named}。"),
        Metric::CpuUsPerRequest => format!("每个请求的 CPU 时间的中位数：{named}。"),
        Metric::P99Us | Metric::FirstByteP50Us => format!("{}下 p99 延迟的中位数：{named}。", rate(first.scenario)),
    }
}

/// Of three and more: whom else the winner was faster than, or who leads without a winner.
fn place(ranked: &[&Facts<'_>], decision: &WinnerDecision, facts: &[Facts<'_>]) -> Option<String> {
    let first = ranked.first().filter(|_| ranked.len() > 2)?;
    let label = |i: &usize| facts[*i].entry.label.clone();
    let better = match first.scenario.metric() {
        Metric::CpuUsPerRequest => "花费更少",
        Metric::RequestsPerS | Metric::P99Us | Metric::FirstByteP50Us => "更快",
    };
    if let Some(winner) = decision.winner {
        let is_baseline = |i: &usize| facts[*i].comparison.is_none();
        let beaten: Vec<String> = decision.rivals.iter().filter(|i| !is_baseline(i)).map(label).collect();
        let (least, too) = if is_baseline(&winner) { (2, "") } else { (1, "也") };
        return (beaten.len() >= least)
            .then(|| format!("结果{too}显示 {} 比 {} {better}。", label(&winner), some(beaten, NAMED)));
    }
    let compared = ranked.len() - decision.undecided.len();
    let of = if compared == ranked.len() {
        format!("{compared} 个参赛项")
    } else {
        format!("可以比较的 {compared} 个参赛项")
    };
    match decision.top.len() {
        0 | 1 => None,
        n if n == compared => Some(format!("{of}中没有显示出领先者。")),
        _ => {
            let top = some(decision.top.iter().map(label).collect(), NAMED);
            let shared = decision.top.iter().all(|i| facts[*i].shared_ceiling);
            let how = if shared {
                format!("都到达 {} 的同一上限", tidy(&first.scenario.tool))
            } else if decision.apart {
                format!("但没有一个显示出比其他参赛项都{better}")
            } else {
                "它们之间没有显示出差异".to_owned()
            };
            Some(format!("{of}中 {top} 领先，{how}。"))
        }
    }
}

/// `b 与 c（3 个共同区组）相比没有结论。`
fn without(ranked: &[&Facts<'_>], decision: &WinnerDecision, facts: &[Facts<'_>]) -> Option<String> {
    let first = ranked.first()?;
    let names: Vec<String> = undecided(ranked, decision, facts)
        .into_iter()
        .map(|(i, shown)| format!("{}（{}）", facts[*i].entry.label, reason(first, shown)))
        .collect();
    (!names.is_empty()).then(|| format!("{} 与 {}相比没有结论。", first.entry.label, some(names, NAMED)))
}

/// Of an entry behind the first that is no bound itself.
fn reason(first: &Facts<'_>, shown: &PairVerdict) -> String {
    match (shown.verdict, shown.why) {
        (None, _) => format!("{} 个共同区组", shown.blocks),
        (_, Some(NoVerdictReason::EntryBound | NoVerdictReason::BaselineBound)) => {
            format!("{} 的瓶颈在 {}", first.entry.label, tidy(&first.scenario.tool))
        }
        (_, Some(NoVerdictReason::NoSpread(_))) => format!("全部 {} 个区组的比值都相同", shown.blocks),
        _ => "它们的比值过于不确定".to_owned(),
    }
}

/// Entries behind the first that may be better than they could show.
fn bounds(ranked: &[&Facts<'_>], decision: &WinnerDecision, facts: &[Facts<'_>]) -> Option<String> {
    let open = |f: &Facts<'_>| decision.open.iter().any(|i| facts[*i].entry.key == f.entry.key);
    let behind: Vec<&&Facts<'_>> = ranked
        .iter()
        .filter(|f| f.entry.bound && *f.position != Ok(1) || ranked.len() > 2 && open(f))
        .collect();
    let tool = tidy(&behind.first()?.scenario.tool);
    let names = |of: &[&&Facts<'_>]| some(of.iter().map(|f| f.entry.label.clone()).collect(), NAMED);
    let firsts: Vec<&&Facts<'_>> = ranked.iter().filter(|f| *f.position == Ok(1)).collect();
    Some(format!(
        "{} 的瓶颈在 {tool}，可能比 {} 更好。",
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
    (!names.is_empty()).then(|| format!("{} 未通过验证，不参与排名。", list(&names)))
}
