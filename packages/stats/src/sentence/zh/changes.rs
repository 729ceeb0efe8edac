//! Change points of a history of runs.

use crate::changes::{Change, Changes};
use crate::sentence::number::{count, figure, percent, ratio as times, time};
use crate::sentence::tidy;
use crate::sentence::zh::head;
use crate::summary::{Metric, Verdict};

/// Entry, scenario and the first run after the change stand beside it.
#[must_use]
pub fn change(metric: Metric, relative_to: Option<&str>, change: &Change) -> String {
    let verdict = head(metric, change.verdict == Verdict::Faster);
    let of = relative_to.map_or(String::new(), |label| format!("（相对于 {}）", tidy(label)));
    let (what, value): (&str, fn(f64) -> String) = match metric {
        Metric::RequestsPerS => ("每秒请求数", figure),
        Metric::P99Us => ("p99 延迟", time),
        Metric::FirstByteP50Us => ("首字节时间", time),
        Metric::CpuUsPerRequest => ("每个请求的 CPU 时间", time),
    };
    let value = |v: f64| {
        if relative_to.is_some() {
            format!("{} 倍", times(v))
        } else {
            value(v)
        }
    };
    let environment = if change.environment_changed {
        "从这次运行起，主机环境也有变化。"
    } else {
        ""
    };
    let [before, after] = [value(change.before), value(change.after)];
    let [runs_before, runs_after] =
        [change.values_before, change.values_after].map(|n| format!("{} 次运行", count(f64::from(n))));
    // Two figures that are written alike would contradict the sentence.
    let medians = if before == after {
        format!("由之前 {runs_before}和之后 {runs_after}的中位数得出")
    } else {
        format!("中位数从 {before}（{runs_before}）变为 {after}（{runs_after}）")
    };
    format!(
        "{verdict}：{what}{of}{} {}，{medians}。{environment}",
        if change.ratio > 1.0 { "上升" } else { "下降" },
        percent((change.ratio - 1.0).abs()),
    )
}

/// Of `known` values: how many changes, or why none can be found yet.
#[must_use]
pub fn sentence(changes: &Changes, known: u32) -> String {
    match changes.changes.len() {
        0 if known < changes.least_values => {
            format!(
                "至少需要 {} 次运行才能发现变化，现有 {known} 次。",
                changes.least_values
            )
        }
        0 => format!("在 {known} 次运行中没有发现变化。"),
        n => format!("在 {known} 次运行中发现 {n} 处变化。"),
    }
}
