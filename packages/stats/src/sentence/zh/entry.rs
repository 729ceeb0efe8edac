//! The sentence about one entry: what it measured, or how it compares with the baseline.

use super::unranked;
use super::{amount, median, range, rate, stop};
use crate::figures::{Figures, MAY_GO_UNANSWERED, Sustained};
use crate::input::{LoadKind, ScenarioInput};
use crate::sentence::entry::Facts;
use crate::sentence::number::{count, figure, percent, ratio, time};
use crate::summary::{Metric, Ratio, Verdict};
use crate::verdict::{BLOCKS_FOR_VERDICT, Comparison, NoVerdictReason};

/// One sentence about the entry; a second one where the first needs its reason.
#[must_use]
pub fn sentence(facts: &Facts<'_>) -> String {
    let name = &facts.entry.label;
    if let Err(why) = facts.position {
        let words = unranked::words(why, facts.scenario, facts.entry);
        return format!("{name} 未排名：{}", stop(&words));
    }
    if let Sustained::No { trials } = facts.entry.sustained {
        return format!(
            "{name} 在 {} 次试验中有 {trials} 次没有维持{}{}。",
            count(f64::from(facts.entry.trials_valid())),
            rate(facts.scenario),
            if facts.rank.is_some() { "，排在最后" } else { "" }
        );
    }
    let (Some(comparison), Some(baseline)) = (facts.comparison, facts.baseline) else {
        let subject = if facts.baseline.is_some() {
            format!("{name}（基线）")
        } else {
            format!("{name} ")
        };
        return alone(facts, &subject);
    };
    let other = &baseline.label;
    match (comparison.verdict, &comparison.ratio, comparison.why) {
        (Some(Verdict::Faster | Verdict::Slower), Some(ratio), _) => compared(facts, baseline, comparison, ratio),
        (Some(Verdict::NoDifference), Some(found), _) => format!(
            "{name} 与 {other} 之间没有显示出差异：{}之比为 {}（{}）。",
            match facts.scenario.metric() {
                Metric::RequestsPerS => "速率",
                Metric::P99Us | Metric::FirstByteP50Us => "p99 延迟",
                Metric::CpuUsPerRequest => "每个请求的 CPU 时间",
            },
            ratio(found.estimate),
            certainty(found, comparison)
        ),
        (None, _, _) => format!(
            "{}得出结论需要与 {other} 有 {BLOCKS_FOR_VERDICT} 个共同区组，现在有 {} 个。",
            alone(facts, &format!("{name} ")),
            comparison.blocks
        ),
        (_, _, why) => format!(
            "{}{}",
            alone(facts, &format!("{name} ")),
            because(why, baseline, facts, comparison)
        ),
    }
}

/// For a cell.
#[must_use]
pub fn not_sustained(trials: u32, of: u32) -> String {
    format!("{of} 次试验中有 {trials} 次没有维持速率")
}

/// Why there is no verdict though there are blocks enough.
fn because(why: Option<NoVerdictReason>, baseline: &Figures<'_>, facts: &Facts<'_>, comparison: &Comparison) -> String {
    let (name, other, tool) = (&facts.entry.label, &baseline.label, &facts.scenario.tool);
    let level = baseline.metric.map_or("没有数值".to_owned(), |m| {
        format!("为{}", amount(facts.scenario.metric(), m.median))
    });
    match why {
        Some(NoVerdictReason::BaselineFailed) => format!("基线 {other} 未通过验证，因此没有结论。"),
        Some(NoVerdictReason::BaselineNotSustained) => {
            format!("基线 {other} 没有维持{}，因此没有结论。", rate(facts.scenario))
        }
        Some(NoVerdictReason::BothBounds) => {
            let of = if facts.shared_ceiling {
                "同一上限处的差别"
            } else {
                "两个界限"
            };
            match both_in(comparison, name, other) {
                Some(both) => format!("{both}的瓶颈在 {tool}，仅凭{of}不能得出结论。"),
                None => format!("{other} 的瓶颈也在 {tool}，仅凭{of}不能得出结论。"),
            }
        }
        Some(NoVerdictReason::EntryBound) => match some_of(comparison.bounds.entry, comparison) {
            Some(some) => format!("{name} {some}的瓶颈在 {tool}，因此与 {other} 相比没有结论，后者{level}。"),
            None => format!("与 {other} 相比没有结论，后者{level}。"),
        },
        Some(NoVerdictReason::BaselineBound) => match some_of(comparison.bounds.baseline, comparison) {
            Some(some) => format!("{other} {some}的瓶颈在 {tool}，因此没有结论。"),
            None => format!("{other} 的瓶颈在 {tool}，因此没有结论。"),
        },
        Some(NoVerdictReason::NoSpread(same)) => format!(
            "全部 {} 个区组与 {other} 的比值都相同，为 {}：置信区间未知，因此没有结论。",
            comparison.blocks,
            ratio(same)
        ),
        _ => format!("与 {other} 的比值过于不确定，无法给出数值，因此对 {name} 没有结论。"),
    }
}

/// `在 10 个区组中有 4 个`; nothing where it is all of them.
fn some_of(bound: u32, comparison: &Comparison) -> Option<String> {
    let all = comparison.blocks;
    (bound < all).then(|| format!("在 {all} 个区组中有 {bound} 个"))
}

/// `在 10 个区组中，epoll 有 4 个、nginx 有 10 个`; nothing where it is all of both.
pub(super) fn both_in(comparison: &Comparison, name: &str, other: &str) -> Option<String> {
    let (bounds, all) = (comparison.bounds, comparison.blocks);
    (bounds.entry < all || bounds.baseline < all).then(|| {
        format!(
            "在 {all} 个区组中，{name} 有 {} 个、{other} 有 {} 个",
            bounds.entry, bounds.baseline
        )
    })
}

/// The entry without a comparison. `subject` is its name, as the sentence begins.
fn alone(facts: &Facts<'_>, subject: &str) -> String {
    let (metric, scenario, bound) = (facts.scenario.metric(), facts.scenario, facts.entry.bound);
    let Some(spread) = facts.entry.metric else {
        return format!("{subject}没有可用的数值。");
    };
    let (value, range) = (amount(metric, spread.median), range(metric, &spread));
    let tool = &scenario.tool;
    match metric {
        Metric::CpuUsPerRequest => format!(
            "{}{subject}每个请求花费 {} 的 CPU 时间（{range}）。",
            at_cost(scenario, facts.entry.unanswered),
            time(spread.median)
        ),
        Metric::RequestsPerS if scenario.load == LoadKind::Knee => {
            let least = if bound { "至少" } else { "" };
            format!("{subject}在{least}{value}时延迟仍在界限之内（{range}）。")
        }
        Metric::RequestsPerS if bound => {
            let least = figure(spread.median);
            format!("{subject}每秒至少处理 {least} 个请求，瓶颈在 {tool}（{range}）。")
        }
        Metric::RequestsPerS => format!("{subject}每秒处理 {} 个请求（{range}）。", figure(spread.median)),
        Metric::P99Us | Metric::FirstByteP50Us if bound => format!(
            "{}{subject}的 p99 延迟至多为 {value}，瓶颈在 {tool}（{range}）。",
            at(scenario)
        ),
        Metric::P99Us | Metric::FirstByteP50Us => {
            format!("{}{subject}的 p99 延迟为 {value}（{range}）。", at(scenario))
        }
    }
}

/// A difference that was shown.
fn compared(facts: &Facts<'_>, baseline: &Figures<'_>, comparison: &Comparison, found: &Ratio) -> String {
    let (entry, scenario) = (facts.entry, facts.scenario);
    let metric = scenario.metric();
    let bounds = comparison.bounds;
    let bound = match bounds.any() {
        (false, false) => "",
        (bounded, _) if bounded == metric.more_is_better() => "至少",
        _ => "至多",
    };
    let (name, other, times) = (&entry.label, &baseline.label, ratio(found.estimate));
    let limit = match bounds.any() {
        (false, false) => String::new(),
        (entry, _) => {
            let (whose, n) = if entry {
                (name, bounds.entry)
            } else {
                (other, bounds.baseline)
            };
            match some_of(n, comparison) {
                Some(some) => format!("；{whose} {some}的瓶颈在 {}", scenario.tool),
                None => format!("；{whose} 的瓶颈在 {}", scenario.tool),
            }
        }
    };
    let sure = certainty(found, comparison);
    let medians = || format!("{}，{}", median(metric, entry), median(metric, baseline));
    match metric {
        Metric::CpuUsPerRequest => format!(
            "{}{name} 每个请求花费的 CPU 时间{}{sure}；中位数：{}）。",
            at_cost(scenario, entry.unanswered.max(baseline.unanswered)),
            than(found.estimate, other),
            medians()
        ),
        Metric::RequestsPerS if scenario.load == LoadKind::Knee => {
            format!("延迟在界限之内时，{name} 每秒处理的请求数{bound}为 {other} 的 {times} 倍（{sure}）{limit}。")
        }
        Metric::RequestsPerS => {
            format!("{name} 每秒处理的请求数{bound}为 {other} 的 {times} 倍（{sure}）{limit}。")
        }
        Metric::P99Us | Metric::FirstByteP50Us => format!(
            "{}{name} 的 p99 延迟{bound}为 {other} 的 {times} 倍（{sure}；中位数：{}）{limit}。",
            at(scenario),
            medians()
        ),
    }
}

/// `比 nginx 少 5.02 %（0.950 倍；`, or `为 nginx 的 2.10 倍（` from a factor of two on: up to what follows in the brackets.
fn than(found: f64, other: &str) -> String {
    let (percent, times) = (figure(((found - 1.0) * 100.0).abs()), ratio(found));
    match found {
        0.5..1.0 => format!("比 {other} 少 {percent} %（{times} 倍；"),
        1.0..2.0 => format!("比 {other} 多 {percent} %（{times} 倍；"),
        _ => format!("为 {other} 的 {times} 倍（"),
    }
}

/// `在每秒 5,000 个请求下，` where the rate was fixed.
fn at(scenario: &ScenarioInput) -> String {
    match scenario.load {
        LoadKind::Rate => format!("在{}下，", rate(scenario)),
        LoadKind::Closed | LoadKind::Count | LoadKind::Knee => String::new(),
    }
}

/// The same with the part that the host kept from being answered.
fn at_cost(scenario: &ScenarioInput, unanswered: f64) -> String {
    match scenario.load {
        LoadKind::Rate if unanswered > MAY_GO_UNANSWERED => format!(
            "在{}下（其中至多 {} 因主机繁忙未得到响应），",
            rate(scenario),
            percent(unanswered)
        ),
        _ => at(scenario),
    }
}

/// `95 % 置信区间 1.18 到 1.29，7 个区组`.
fn certainty(found: &Ratio, comparison: &Comparison) -> String {
    let adjusted = match (comparison.family, comparison.looks) {
        (0 | 1, 1) => String::new(),
        (0 | 1, looks) => format!("，按 {looks} 次期中分析校正"),
        (n, 1) => format!("，按 {n} 项比较校正"),
        (n, looks) => format!("，按 {n} 项比较和 {looks} 次期中分析校正"),
    };
    let (low, high) = (ratio(found.low), ratio(found.high));
    format!("95 % 置信区间 {low} 到 {high}{adjusted}，{} 个区组", comparison.blocks)
}
