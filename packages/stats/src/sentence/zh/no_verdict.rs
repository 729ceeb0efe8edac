//! Why there is no verdict of a difference, and what to do: one sentence for each code.

use super::blocks::{disturbed, lost};
use super::entry::both_in;
use super::{rate, some, stop};
use crate::sentence::no_verdict::{NoVerdictFacts, bound};
use crate::sentence::number::percent_up;
use crate::sentence::scenario::NAMED;
use crate::summary::NoVerdictCode as Code;

pub const ALONE: &str = "得出结论要比较两个参赛项，而这次运行只有一个；请再加一个服务器。";

pub(in crate::sentence) fn sentence(why: &NoVerdictFacts<'_>) -> String {
    let (entry, baseline, blocks) = (&why.entry.label, &why.baseline.label, why.blocks);
    let needed = blocks.needed;
    let all = lost(blocks).map_or_else(String::new, |lost| lost + "。");
    match why.found.code {
        Code::NothingToCompare => String::new(),
        Code::FailedVerification => format!("{entry} 未通过验证，因此没有结论。"),
        Code::BaselineFailedVerification => format!("基线 {baseline} 未通过验证，因此没有结论。"),
        Code::TooFewBlocksAsked => {
            let had = match blocks.asked {
                Some(asked) => format!("这次运行只要求 {asked} 个"),
                None => format!("只测量了 {} 个", blocks.measured),
            };
            format!("得出结论需要 {needed} 个区组，{had}；请要求 {needed} 个或更多（--repeats {needed}）。{all}")
        }
        Code::HostNoisy => {
            let lost = lost(blocks).unwrap_or_default();
            format!("{lost}。得出结论需要 {needed} 个：请换一个更安静的时段、换一台主机，或延长测量时间。")
        }
        Code::BlocksMissing => {
            let of = blocks
                .asked
                .map_or_else(String::new, |asked| format!("计划了 {asked} 个区组，"));
            format!(
                "{of}测量了 {} 个区组，而得出结论需要 {needed} 个。{all}",
                blocks.measured
            )
        }
        Code::BlocksInvalid => {
            let host = disturbed(blocks).map_or_else(String::new, |host| format!("，{host}"));
            let (all, both) = (blocks.measured, blocks.counted);
            let reason = why.found.reason.as_deref();
            let reason = reason.map_or_else(String::new, |reason| format!("第一次无效的试验：{}", stop(reason)));
            let found = format!("{all} 个区组中有 {both} 个同时有 {entry} 和 {baseline} 的有效试验{host}");
            format!("{found}；得出结论需要 {needed} 个。{reason}")
        }
        Code::ToolLimit => limit(why),
        Code::RateNotSustained => {
            let rate = rate(why.scenario);
            let who = if why.entry.rate_not_sustained() {
                entry.clone()
            } else {
                format!("基线 {baseline}")
            };
            format!("{who} 没有维持{rate}，因此没有结论；请用更低的速率。")
        }
        Code::NoFigure => {
            let key = why.found.entry_key.as_deref();
            let who = why
                .figures
                .iter()
                .find(|f| Some(f.key) == key)
                .map_or("", |f| f.label.as_str());
            let reason = stop(why.found.reason_zh.as_deref().unwrap_or("没有数值"));
            format!("{who} 没有可以比较的数值：{reason}")
        }
        Code::NoSpread => format!("所有区组中 {entry} 与 {baseline} 的比值都相同：置信区间未知，因此没有结论。"),
        Code::TooUncertain => format!("{entry} 与 {baseline} 的比值过于不确定，无法给出数值，因此没有结论。"),
        Code::NoDifference => {
            let seen = why.found.difference.map_or_else(String::new, |difference| {
                format!("；达到 {} 的差异，五次运行中有四次会显示出来", percent_up(difference))
            });
            format!("{entry} 与 {baseline} 之间没有显示出差异{seen}。")
        }
    }
}

fn limit(why: &NoVerdictFacts<'_>) -> String {
    let tool = &why.scenario.tool;
    let (entry, baseline) = (&why.entry.label, &why.baseline.label);
    match why.comparison.bounds.any() {
        (true, true) => match both_in(why.comparison, entry, baseline) {
            Some(both) => format!("{both}的瓶颈在 {tool}，它们的比值只是界限之比，不能得出结论。"),
            None => {
                let (names, shared) = bound(why);
                let ceiling = if shared { "，达到同一上限" } else { "" };
                format!(
                    "{} 的瓶颈都在 {tool}{ceiling}，它们的数值只是界限，不能得出结论。",
                    some(names, NAMED)
                )
            }
        },
        (of_entry, _) => {
            let name = if of_entry { entry } else { baseline };
            format!("{name} 的瓶颈在 {tool}，因此 {entry} 与 {baseline} 相比没有结论。")
        }
    }
}
