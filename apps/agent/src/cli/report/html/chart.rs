//! The charts: boxes placed by percentages, so that text keeps its size at every width, and no script is needed to see them.
//! Each point says its value in `data-tip`.

use rigmark_stats::across;
use rigmark_stats::sentence::change::Change;
use rigmark_stats::summary::{EntrySummary, Metric, ScenarioSummary};

use super::super::escape::html as text;
use super::super::facts::{Report, compared};
use super::scale::{Scale, log_ticks};
use crate::cli::format;
use crate::cli::run::table::verdict;
use crate::protocol::journal::Trial;
use crate::protocol::result::TrialStatus;

/// As many colors and shapes as there are; beyond them labels alone tell entries apart.
const SERIES: usize = 8;

/// `s1`…`s8`: the same for an entry in every chart of the page.
fn series(report: &Report, key: &str) -> String {
    let at = report.plan().entries.iter().position(|e| e.key == key).unwrap_or(0);
    format!("s{}", at % SERIES + 1)
}

struct Figure<'a> {
    title: &'a str,
    /// What the whole shows, for who does not see it.
    summary: String,
    body: String,
}

impl Figure<'_> {
    fn html(&self) -> String {
        format!(
            "<figure>\n<figcaption>{}</figcaption>\n<div class=\"chart\" role=\"img\" tabindex=\"0\" aria-label=\"{}\">\n{}</div>\n</figure>\n",
            text(self.title),
            text(&self.summary),
            self.body
        )
    }
}

/// The ratio of each entry to the baseline as a change, with its interval. `None` where nobody has a ratio.
pub fn against_baseline(report: &Report, scenario: &ScenarioSummary) -> Option<String> {
    let entries: Vec<&EntrySummary> = compared(report, scenario)
        .into_iter()
        .filter(|e| e.ratio.is_some())
        .collect();
    let ends = entries
        .iter()
        .filter_map(|e| e.ratio)
        .flat_map(|r| [r.low - 1.0, r.high - 1.0]);
    let scale = Scale::around(ends.chain([0.0]))?;
    if entries.is_empty() {
        return None;
    }
    let baseline = report.label(&report.baseline().key);
    let row = |entry: &&EntrySummary| {
        let name = report.label(&entry.entry_key);
        let change = Change {
            metric: scenario.metric,
            entry,
            name: &name,
            baseline: &baseline,
        };
        let ratio = entry.ratio?;
        let (low, at, high) = (
            scale.at(ratio.low - 1.0),
            scale.at(ratio.estimate - 1.0),
            scale.at(ratio.high - 1.0),
        );
        let cell = change.cell()?;
        let tip = format!("{name}: {cell}, {}", verdict(entry.verdict, scenario.metric));
        Some(format!(
            "<div class=\"row {}\"><span class=\"name\">{}</span><div class=\"track\"><i class=\"one\" style=\"left:{:.2}%\"></i>\
             <i class=\"interval\" style=\"left:{low:.2}%;width:{:.2}%\"></i><b class=\"point\" style=\"left:{at:.2}%\" data-tip=\"{}\"></b></div>\
             <span class=\"value\">{}</span></div>\n",
            series(report, &entry.entry_key),
            text(&name),
            scale.at(0.0),
            (high - low).max(0.3),
            text(&tip),
            text(&cell),
        ))
    };
    let rows: String = entries.iter().filter_map(row).collect();
    let tick = |change: f64| match change {
        0.0 => "0".to_owned(),
        change => format!(
            "{}{} %",
            if change > 0.0 { "+" } else { "−" },
            trimmed(change.abs() * 100.0)
        ),
    };
    let (less, more) = if scenario.metric.more_is_better() {
        ("slower", "faster")
    } else {
        ("faster", "slower")
    };
    let sides = format!("<div class=\"sides\"><span>← {less}</span><span>{more} →</span></div>\n");
    let body = format!("{rows}{}{sides}", axis(&scale, tick));
    let title = format!(
        "Change of {} against {baseline}, with 95 % intervals",
        what(scenario.metric)
    );
    Some(
        Figure {
            title: &title,
            summary: scenario.sentence.clone(),
            body,
        }
        .html(),
    )
}

/// Each trial's value; the first block is at the top. `None` where there is none.
pub fn trials(report: &Report, scenario: &ScenarioSummary) -> Option<String> {
    let of = |entry: &EntrySummary| -> Vec<Dot> {
        let own = report
            .file
            .run
            .trials
            .iter()
            .filter(|t| t.scenario == scenario.scenario && t.entry_key == entry.entry_key);
        own.filter_map(|trial| Dot::of(trial, entry, scenario.metric)).collect()
    };
    let all: Vec<(&EntrySummary, Vec<Dot>)> = scenario.entries.iter().map(|e| (e, of(e))).collect();
    let scale = Scale::around(all.iter().flat_map(|(_, dots)| dots.iter().map(|d| d.value)))?;
    let blocks = all
        .iter()
        .flat_map(|(_, dots)| dots.iter().map(|d| d.block))
        .max()
        .unwrap_or(0)
        + 1;
    let row = |(entry, dots): &(&EntrySummary, Vec<Dot>)| {
        let name = report.label(&entry.entry_key);
        let point = |dot: &Dot| {
            let doubt = if dot.counts { "" } else { ", does not count" };
            let tip = format!(
                "{name}, block {}: {}{doubt}",
                dot.block + 1,
                with_unit(scenario.metric, dot.value)
            );
            format!(
                "<b class=\"point{}\" style=\"left:{:.2}%;top:{:.1}%\" data-tip=\"{}\"></b>",
                if dot.counts { "" } else { " void" },
                scale.at(dot.value),
                f64::from(dot.block * 2 + 1) / f64::from(blocks * 2) * 100.0,
                text(&tip)
            )
        };
        let median = median(scenario.metric, entry);
        let mark = median.map(|m| {
            let tip = format!("{name}, median: {}", with_unit(scenario.metric, m));
            format!(
                "<i class=\"median\" style=\"left:{:.2}%\" data-tip=\"{}\"></i>",
                scale.at(m),
                text(&tip)
            )
        });
        format!(
            "<div class=\"row tall {}\"><span class=\"name\">{}</span><div class=\"track\">{}{}</div><span class=\"value\">{}</span></div>\n",
            series(report, &entry.entry_key),
            text(&name),
            mark.unwrap_or_default(),
            dots.iter().map(point).collect::<String>(),
            median.map_or_else(|| "–".to_owned(), |m| text(&with_unit(scenario.metric, m))),
        )
    };
    let rows: String = all.iter().map(row).collect();
    let body = format!("{rows}{}", axis(&scale, |v| short(scenario.metric, v)));
    let title = format!(
        "{}, one point a trial, first block on top, median as a line",
        sentence_case(what(scenario.metric))
    );
    let medians = all.iter().map(|(e, _)| {
        let known = median(scenario.metric, e).map_or_else(|| "unknown".to_owned(), |m| with_unit(scenario.metric, m));
        format!("{} {known}", report.label(&e.entry_key))
    });
    let summary = format!("Medians: {}.", medians.collect::<Vec<_>>().join(", "));
    Some(
        Figure {
            title: &title,
            summary,
            body,
        }
        .html(),
    )
}

/// Percentiles of latency on a logarithmic axis. `None` where fewer than two are known of everybody.
pub fn latency(report: &Report, scenario: &ScenarioSummary) -> Option<String> {
    let curves: Vec<(&EntrySummary, Vec<(f64, f64)>)> = scenario
        .entries
        .iter()
        .map(|e| {
            (
                e,
                e.percentiles
                    .iter()
                    .filter_map(|p| Some((p.p, p.us?.median)))
                    .collect::<Vec<_>>(),
            )
        })
        .filter(|(_, points)| points.len() > 1)
        .collect();
    let places: Vec<f64> = {
        let mut all: Vec<f64> = curves
            .iter()
            .flat_map(|(_, points)| points.iter().map(|(p, _)| *p))
            .collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    };
    let values = || {
        curves
            .iter()
            .flat_map(|(_, points)| points.iter().map(|(_, us)| us / 1_000.0))
            .filter(|v| *v > 0.0)
    };
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    if curves.is_empty() || low > high || places.len() < 2 {
        return None;
    }
    let (low, high) = (low / 1.25, high * 1.25);
    let top = |ms: f64| (1.0 - (ms / low).ln() / (high / low).ln()) * 100.0;
    let left = |p: f64| {
        let at = places.iter().position(|x| *x == p).unwrap_or(0);
        (at as f64 + 0.5) / places.len() as f64 * 100.0
    };
    let grid: String = log_ticks(low, high)
        .into_iter()
        .map(|ms| {
            format!(
                "<i class=\"grid\" style=\"top:{:.2}%\"><span>{}</span></i>",
                top(ms),
                trimmed(ms)
            )
        })
        .collect();
    let curve = |(entry, points): &(&EntrySummary, Vec<(f64, f64)>)| {
        let name = report.label(&entry.entry_key);
        let line: Vec<String> = points
            .iter()
            .map(|(p, us)| format!("{:.2},{:.2}", left(*p), top(us / 1_000.0)))
            .collect();
        let dots: String = points
            .iter()
            .map(|(p, us)| {
                let tip = format!("{name}, p{p}: {} ms", format::significant(us / 1_000.0));
                format!(
                    "<b class=\"point\" style=\"left:{:.2}%;top:{:.2}%\" data-tip=\"{}\"></b>",
                    left(*p),
                    top(us / 1_000.0),
                    text(&tip)
                )
            })
            .collect();
        format!(
            "<div class=\"curve {}\"><svg viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><polyline points=\"{}\"/></svg>{dots}</div>",
            series(report, &entry.entry_key),
            line.join(" ")
        )
    };
    let curves_drawn: String = curves.iter().map(curve).collect();
    let names: String = places
        .iter()
        .map(|p| format!("<span style=\"left:{:.2}%\">p{p}</span>", left(*p)))
        .collect();
    let key = |(entry, _): &(&EntrySummary, Vec<(f64, f64)>)| {
        format!(
            "<span class=\"key {}\"><b class=\"point\"></b>{}</span>",
            series(report, &entry.entry_key),
            text(&report.label(&entry.entry_key))
        )
    };
    let keys: String = curves.iter().map(key).collect();
    let body = format!(
        "<div class=\"plot\">{grid}{curves_drawn}</div>\n<div class=\"axis bottom\">{names}</div>\n<div class=\"keys\">{keys}</div>\n"
    );
    let p50 = |(e, points): &(&EntrySummary, Vec<(f64, f64)>)| {
        let last = points.last().map_or((0.0, 0.0), |l| *l);
        format!(
            "{}: p{} {} ms to p{} {} ms",
            report.label(&e.entry_key),
            points[0].0,
            format::significant(points[0].1 / 1e3),
            last.0,
            format::significant(last.1 / 1e3)
        )
    };
    let summary = format!("Latency. {}.", curves.iter().map(p50).collect::<Vec<_>>().join("; "));
    Some(
        Figure {
            title: "Latency in ms by percentile, medians of the trials, logarithmic",
            summary,
            body,
        }
        .html(),
    )
}

/// A trial's value of what the scenario compares.
struct Dot {
    block: u32,
    value: f64,
    counts: bool,
}

impl Dot {
    fn of(trial: &Trial, entry: &EntrySummary, metric: Metric) -> Option<Self> {
        let id = trial.trial_id.to_string();
        let figures = entry.trials.iter().find(|t| t.trial_id == id);
        let result = trial.result.as_ref();
        let percentile = |p: f64| {
            result?
                .latency
                .as_ref()?
                .percentiles
                .iter()
                .find(|x| x.p == p)
                .map(|x| x.us)
        };
        let value = match metric {
            Metric::RequestsPerS => result.map(|r| r.requests_per_s),
            Metric::P99Us => percentile(99.0),
            Metric::FirstByteP50Us => percentile(50.0),
            Metric::CpuUsPerRequest => figures.and_then(|f| f.cpu_us_per_request),
        };
        Some(Self {
            block: trial.block,
            value: value.filter(|v| v.is_finite())?,
            counts: trial.status == TrialStatus::Valid && figures.is_none_or(|f| f.counts),
        })
    }
}

fn median(metric: Metric, entry: &EntrySummary) -> Option<f64> {
    across::figure(metric, entry).map(|spread| spread.median)
}

fn axis(scale: &Scale, label: impl Fn(f64) -> String) -> String {
    let tick = |value: &f64| {
        format!(
            "<span style=\"left:{:.2}%\">{}</span>",
            scale.at(*value),
            text(&label(*value))
        )
    };
    format!(
        "<div class=\"row axis-row\"><span class=\"name\"></span><div class=\"axis\">{}</div><span class=\"value\"></span></div>\n",
        scale.ticks.iter().map(tick).collect::<String>()
    )
}

fn what(metric: Metric) -> &'static str {
    match metric {
        Metric::RequestsPerS => "requests per second",
        Metric::P99Us => "p99 latency",
        Metric::FirstByteP50Us => "time to the first byte",
        Metric::CpuUsPerRequest => "CPU time per request",
    }
}

fn with_unit(metric: Metric, value: f64) -> String {
    match metric {
        Metric::RequestsPerS => format!("{} requests/s", format::rate(value)),
        Metric::P99Us | Metric::FirstByteP50Us => format!("{} ms", format::significant(value / 1_000.0)),
        Metric::CpuUsPerRequest => format!("{} µs", format::significant(value)),
    }
}

/// For a tick.
fn short(metric: Metric, value: f64) -> String {
    match metric {
        Metric::RequestsPerS if value >= 1_000.0 => format::grouped(value.round() as u64),
        Metric::RequestsPerS => trimmed(value),
        Metric::P99Us | Metric::FirstByteP50Us => format!("{} ms", trimmed(value / 1_000.0)),
        Metric::CpuUsPerRequest => format!("{} µs", trimmed(value)),
    }
}

/// A tick's value, which is a whole step, without the rest of the arithmetic.
fn trimmed(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

fn sentence_case(words: &str) -> String {
    let mut chars = words.chars();
    chars
        .next()
        .map_or_else(String::new, |c| c.to_uppercase().collect::<String>() + chars.as_str())
}
