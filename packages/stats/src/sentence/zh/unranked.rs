//! Why an entry has no rank.

use crate::figures::Figures;
use crate::input::ScenarioInput;
use crate::math::positive;
use crate::sentence::number::count;
use crate::summary::Metric;
use crate::unranked::Unranked;

/// Of an entry under a scenario.
#[must_use]
pub fn words(why: &Unranked<'_>, scenario: &ScenarioInput, figures: &Figures<'_>) -> String {
    let tool = &scenario.tool;
    match why {
        Unranked::FailedVerification(reason) => format!("未通过验证：{reason}"),
        Unranked::NotMeasured => "未测量".to_owned(),
        Unranked::NoValidTrial(Some(reason)) => format!("没有有效的试验：{reason}"),
        Unranked::NoValidTrial(None) => "没有有效的试验".to_owned(),
        Unranked::OfferedUnknown => format!("{tool} 没有给出应当发出的请求数或失败的请求数"),
        Unranked::ToolLimit => match scenario.rate_per_s.and_then(positive).map(count) {
            Some(rate) => format!("瓶颈在 {tool}：它未能每秒发出 {rate} 个请求"),
            None => format!("瓶颈在 {tool}：它未能达到规定的速率"),
        },
        Unranked::NoFigure(Metric::CpuUsPerRequest) => "没有一次试验给出服务器的 CPU 时间和请求数".to_owned(),
        Unranked::NoFigure(_) => "没有一次试验给出可用的速率".to_owned(),
        Unranked::PercentileDoesNotCount(p) => {
            let note = figures.percentile(*p).and_then(|found| found.note_zh.as_deref());
            format!("p{p} {}", note.unwrap_or_default())
        }
    }
}
