//! The sentences, generated once and reused in terminal, page, Markdown, picture and alternative text.

pub mod between_runs;
pub mod blocks;
pub mod change;
pub mod changes;
pub mod curve;
pub mod entry;
pub mod no_verdict;
pub mod no_winner;
pub mod number;
pub mod percentile;
pub mod run;
pub mod scenario;
pub mod single_requests;
pub mod unranked;
pub mod zh;

use crate::figures::Figures;
use crate::input::{ScenarioInput, SummaryInput};
use crate::math::positive;
use crate::summary::{Metric, Spread};
use number::{count, figure, things, time};

/// The longest label that a sentence repeats, in characters.
const LABEL: usize = 80;

/// What sentences call an entry: its label, or its key when it has none; both when another entry has the same label.
/// It stays on one line and is cut when very long.
#[must_use]
pub fn label(input: &SummaryInput, key: &str) -> String {
    let Some(entry) = input.entries.iter().find(|entry| entry.key == key) else {
        return short(key);
    };
    let shown = tidy(&entry.label);
    let twins = input.entries.iter().filter(|other| tidy(&other.label) == shown).count();
    match (shown.is_empty(), twins) {
        (true, _) => short(key),
        (false, 1) => shown,
        (false, _) => format!("{shown} ({})", short(key)),
    }
}

/// A key; of a long one, such as a hash, the end.
fn short(key: &str) -> String {
    let key = tidy(key);
    match key.char_indices().rev().nth(11) {
        Some((start, _)) if key.chars().count() > 24 => format!("…{}", &key[start..]),
        _ => key,
    }
}

/// Text from elsewhere on one line, cut when very long.
#[must_use]
pub fn tidy(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|w| !w.is_empty())
        .collect();
    let line = words.join(" ");
    match line.char_indices().nth(LABEL) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `5,000 requests a second`, the fixed rate of the scenario.
fn rate(scenario: &ScenarioInput) -> String {
    match scenario.rate_per_s.and_then(positive) {
        Some(rate) => format!("{} requests a second", count(rate)),
        None => "the stated rate".to_owned(),
    }
}

/// The metric that ranks with its unit: `14,000 requests a second`, `1.23 ms`.
fn amount(metric: Metric, value: f64) -> String {
    match metric {
        Metric::RequestsPerS => format!("{} requests a second", figure(value)),
        Metric::P99Us | Metric::FirstByteP50Us => time(value),
        Metric::CpuUsPerRequest => format!("{} of CPU time per request", time(value)),
    }
}

/// `epoll ≥ 14,000`, `nginx 1.23 ms`: for lists of medians.
fn median(metric: Metric, figures: &Figures<'_>) -> String {
    let Some(spread) = figures.metric else {
        return format!("{} unknown", figures.label);
    };
    let at_least = match (figures.bound, metric.more_is_better()) {
        (false, _) => "",
        (true, true) => "≥ ",
        (true, false) => "≤ ",
    };
    format!("{} {at_least}{}", figures.label, bare(metric, spread.median))
}

/// The metric that ranks as lists have it: a rate without its unit, which stands at the end.
fn bare(metric: Metric, value: f64) -> String {
    if metric == Metric::RequestsPerS {
        figure(value)
    } else {
        time(value)
    }
}

/// `median of 7 trials, 13,900 to 14,200`.
fn range(metric: Metric, spread: &Spread) -> String {
    if spread.n == 1 {
        return "one trial".to_owned();
    }
    format!(
        "median of {}, {} to {}",
        things(spread.n, "trial"),
        bare(metric, spread.min),
        bare(metric, spread.max)
    )
}

/// `5.02 % less`, `12.0 % more`: a ratio as a difference, below a factor of two.
fn less(ratio: f64) -> Option<String> {
    let percent = (ratio - 1.0) * 100.0;
    let how = if percent < 0.0 { "less" } else { "more" };
    (0.5..2.0)
        .contains(&ratio)
        .then(|| format!("{} % {how}", figure(percent.abs())))
}

/// A verdict as the head of a sentence. Of what a request costs nobody is faster.
fn head(metric: Metric, better: bool) -> &'static str {
    match (metric, better) {
        (Metric::CpuUsPerRequest, true) => "Spends less",
        (Metric::CpuUsPerRequest, false) => "Spends more",
        (_, true) => "Faster",
        (_, false) => "Slower",
    }
}

/// A reason from elsewhere as the end of a sentence.
fn stop(text: &str) -> String {
    let text = tidy(text);
    if text.ends_with(['.', '!', '?', '…']) {
        text
    } else {
        text + "."
    }
}

#[cfg(test)]
mod tests;
