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
        Metric::CpuUsPerRequest => ("每个请求的处理器时间", time),
    };
    let value = |v: f64| {
        if relative_to.is_some() {
            format!("{} 倍", times(v))
        } else {
            value(v)
        }
    };
    let runs = |n: u32| format!("{} 次运行", count(f64::from(n)));
    let environment = if change.environment_changed {
        "主机环境在同一次运行发生了变化。"
    } else {
        ""
    };
    format!(
        "{verdict}：{what}{of}{} {}，中位数从 {}（{}）变为 {}（{}）。{environment}",
        if change.ratio > 1.0 { "上升" } else { "下降" },
        percent((change.ratio - 1.0).abs()),
        value(change.before),
        runs(change.values_before),
        value(change.after),
        runs(change.values_after),
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
