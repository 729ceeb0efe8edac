//! The same sentences in Chinese (simplified): each module says what its English neighbor says, from the same facts.
//! Numbers and units are written alike, so that nobody reads two values.

pub mod between_runs;
pub mod blocks;
pub mod changes;
pub mod curve;
pub mod entry;
pub mod no_verdict;
pub mod no_winner;
pub mod percentile;
pub mod run;
pub mod scenario;
pub mod single_requests;
pub mod unranked;

use super::number::{count, figure, time};
use super::{bare, tidy};
use crate::figures::Figures;
use crate::input::ScenarioInput;
use crate::math::positive;
use crate::summary::{Metric, Spread};

/// `a`, `a 和 b`, `a、b 和 c`.
fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} 和 {last}", first.join("、")),
    }
}

/// A list that ends with how many more there are.
fn some(mut names: Vec<String>, named: usize) -> String {
    if names.len() > named {
        let more = names.len() - named + 1;
        names.truncate(named - 1);
        names.push(format!("另外 {more} 个"));
    }
    list(&names)
}

/// `每秒 5,000 个请求`, the fixed rate of the scenario.
fn rate(scenario: &ScenarioInput) -> String {
    match scenario.rate_per_s.and_then(positive) {
        Some(rate) => format!("每秒 {} 个请求", count(rate)),
        None => "规定的速率".to_owned(),
    }
}

/// The metric that ranks with its unit.
fn amount(metric: Metric, value: f64) -> String {
    match metric {
        Metric::RequestsPerS => format!("每秒 {} 个请求", figure(value)),
        Metric::P99Us | Metric::FirstByteP50Us => time(value),
        Metric::CpuUsPerRequest => format!("每个请求 {} CPU 时间", time(value)),
    }
}

/// `epoll ≥ 14,000`: for lists of medians.
fn median(metric: Metric, figures: &Figures<'_>) -> String {
    if figures.metric.is_none() {
        return format!("{} 未知", figures.label);
    }
    super::median(metric, figures)
}

/// `7 次试验的中位数，13,900 到 14,200`.
fn range(metric: Metric, spread: &Spread) -> String {
    if spread.n == 1 {
        return "一次试验".to_owned();
    }
    let (low, high) = (bare(metric, spread.min), bare(metric, spread.max));
    format!("{} 次试验的中位数，{low} 到 {high}", count(f64::from(spread.n)))
}

/// A verdict as the head of a sentence.
fn head(metric: Metric, better: bool) -> &'static str {
    match (metric, better) {
        (Metric::CpuUsPerRequest, true) => "花费更少",
        (Metric::CpuUsPerRequest, false) => "花费更多",
        (_, true) => "更快",
        (_, false) => "更慢",
    }
}

/// A reason as the end of a sentence.
fn stop(text: &str) -> String {
    let text = tidy(text);
    if text.ends_with(['.', '!', '?', '…', '。', '！', '？']) {
        text
    } else {
        text + "。"
    }
}

#[cfg(test)]
mod tests;
