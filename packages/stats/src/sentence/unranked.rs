//! Why an entry has no rank, in both languages.

use super::number::count;
use crate::figures::{Figures, Sustained};
use crate::input::Scenario;
use crate::math::positive;
use crate::percentile::{self, RANKING};
use crate::summary::Metric;

/// A few words for a cell, which also end a sentence. What others said (reasons of trials and of verification) is in
/// their own language.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unranked {
    pub en: String,
    pub zh: String,
}

fn both(en: impl Into<String>, zh: impl Into<String>) -> Unranked {
    Unranked {
        en: en.into(),
        zh: zh.into(),
    }
}

/// Why the entry has no rank; `None` when it has one.
#[must_use]
pub fn unranked(scenario: &Scenario, figures: &Figures<'_>) -> Option<Unranked> {
    if let Some(reason) = figures.failed {
        return Some(both(
            format!("failed verification: {reason}"),
            format!("未通过验证：{reason}"),
        ));
    }
    if figures.valid.is_empty() {
        return Some(match (figures.invalid, figures.reason) {
            (0, _) => both("not measured", "未测量"),
            (_, Some(reason)) => both(format!("no valid trial: {reason}"), format!("没有有效的试验：{reason}")),
            (_, None) => both("no valid trial", "没有有效的试验"),
        });
    }
    let tool = &scenario.tool;
    match figures.sustained {
        Sustained::Unknown => {
            return Some(both(
                format!("{tool} did not say what it offered or how many requests failed"),
                format!("{tool} 没有给出它发出了多少请求或有多少请求失败"),
            ));
        }
        Sustained::No { .. } if figures.lower_bound => {
            let rate = scenario.rate_per_s.and_then(positive).map(count);
            let stated = rate.clone().unwrap_or_else(|| "the stated".to_owned());
            return Some(both(
                format!("{tool} was the limit: it did not send {stated} requests a second"),
                match rate {
                    Some(rate) => format!("瓶颈在 {tool}：它没有做到每秒发出 {rate} 个请求"),
                    None => format!("瓶颈在 {tool}：它没有达到规定的速率"),
                },
            ));
        }
        Sustained::No { .. } => return None,
        Sustained::NotAsked | Sustained::Yes => {}
    }
    if figures.metric.is_some() {
        return None;
    }
    Some(match scenario.metric() {
        Metric::RequestsPerS => both("no trial gave a rate that can be used", "没有一次试验给出可用的速率"),
        Metric::CpuUsPerRequest => both(
            "no trial gave the server's processor time and requests",
            "没有一次试验给出服务器的处理器时间和请求数",
        ),
        Metric::P99Us => {
            let p99 = figures.percentiles.iter().find(|p| p.p == RANKING);
            let note = p99.and_then(|p| p.note.as_deref()).unwrap_or_default();
            both(
                format!("p99 {note}"),
                format!("p99 不计入：{}", percentile::trouble_zh(figures, scenario)),
            )
        }
    })
}
