//! The table of a finished run. Its numbers and sentences are those of the statistics; here they only get units.

use rigmark_stats::input::Limit;
use rigmark_stats::summary::{EntrySummary, Ratio, ScenarioSummary, Spread};

use super::notes;
use crate::cli::format;
use crate::cli::output::{Align, Output, Tone, paint};
use crate::protocol::journal::{Plan, Trial};

const COLUMNS: [(&str, Align); 10] = [
    ("SERVER", Align::Left),
    ("REQUESTS/S", Align::Right),
    ("MIN–MAX", Align::Right),
    ("CV %", Align::Right),
    ("P50 ms", Align::Right),
    ("P99 ms", Align::Right),
    ("CPU µs/REQ", Align::Right),
    ("RSS MiB", Align::Right),
    ("TRIALS", Align::Right),
    ("LIMIT", Align::Left),
];

pub fn print(out: &Output, plan: &Plan, trials: &[Trial], scenario: &ScenarioSummary) {
    let title = plan
        .scenarios
        .iter()
        .find(|s| s.id == scenario.scenario)
        .map_or("", |s| s.title.as_str());
    out.line("");
    out.line(&format!(
        "{}  {}",
        paint(Tone::Bold, title),
        paint(Tone::Dim, &scenario.scenario)
    ));
    let compared = scenario.entries.iter().any(|e| e.ratio.is_some());
    let mut columns = COLUMNS.to_vec();
    if compared {
        columns.push(("TO BASELINE (95 %)", Align::Right));
    }
    let rows: Vec<Vec<String>> = scenario.entries.iter().map(|e| row(plan, e, compared)).collect();
    out.table(&columns, &rows);
    let planned = |key: &str| {
        plan.trials
            .iter()
            .any(|t| t.scenario == scenario.scenario && t.entry_key == key)
    };
    for entry in scenario.entries.iter().filter(|e| e.rank.is_none()) {
        if !planned(&entry.entry_key) {
            let workload = plan.scenarios.iter().find(|s| s.id == scenario.scenario);
            let workload = workload.map_or("its workload", |s| s.workload.name());
            out.line(&format!("{} does not claim {workload}.", label(plan, &entry.entry_key)));
        } else if let Some(reason) = &entry.unranked_reason {
            out.line(&format!("{} is not ranked: {reason}", label(plan, &entry.entry_key)));
        }
    }
    let unknown = |e: &&EntrySummary| e.limit.is_none() && e.trials_valid > 0;
    let unknown: Vec<String> = scenario
        .entries
        .iter()
        .filter(unknown)
        .map(|e| label(plan, &e.entry_key))
        .collect();
    if !unknown.is_empty() {
        out.line(&format!(
            "What limited {} is not known: other programs were busy, or the trials differed.",
            unknown.join(", ")
        ));
    }
    if let Some(line) = single_shots(plan, trials, scenario) {
        out.line(&line);
    }
    let measured = scenario.entries.iter().filter(|e| planned(&e.entry_key));
    for line in notes::lines(measured, |key| label(plan, key)) {
        out.line(&paint(Tone::Dim, &line));
    }
}

/// What one shot of a load given as a count said: what such a benchmark publishes. Of the first block, and not ranked.
fn single_shots(plan: &Plan, trials: &[Trial], scenario: &ScenarioSummary) -> Option<String> {
    let of = |entry: &EntrySummary| {
        let same = |t: &&Trial| t.scenario == scenario.scenario && t.entry_key == entry.entry_key;
        let first = trials.iter().filter(same).min_by_key(|t| t.block)?;
        let rate = first.single_shot.as_ref()?.requests_per_s;
        Some(format!("{} {}", label(plan, &entry.entry_key), format::rate(rate)))
    };
    let shots: Vec<String> = scenario.entries.iter().filter_map(of).collect();
    (!shots.is_empty()).then(|| format!("Single shot, first block, not ranked: {} requests/s.", shots.join(", ")))
}

fn label(plan: &Plan, key: &str) -> String {
    plan.entries
        .iter()
        .find(|e| e.key == key)
        .map_or_else(|| key.to_owned(), |e| e.label.clone())
}

fn row(plan: &Plan, entry: &EntrySummary, compared: bool) -> Vec<String> {
    let none = || "–".to_owned();
    let median = |spread: &Option<Spread>, show: fn(f64) -> String| spread.map_or_else(none, |s| show(s.median));
    let bound = if entry.lower_bound { "≥ " } else { "" };
    let percentile = |p: f64| {
        let found = entry.percentiles.iter().find(|x| x.p == p).and_then(|x| x.us);
        found.map_or_else(none, |us| format::significant(us.median / 1000.0))
    };
    let rate = entry.requests_per_s;
    let baseline = plan.entries.iter().any(|e| e.key == entry.entry_key && e.baseline);
    let mut cells = vec![
        label(plan, &entry.entry_key),
        rate.map_or_else(none, |r| format!("{bound}{}", format::rate(r.median))),
        rate.map_or_else(none, |r| format!("{}–{}", format::rate(r.min), format::rate(r.max))),
        rate.and_then(|r| r.cv)
            .map_or_else(none, |cv| format!("{:.1}", cv * 100.0)),
        percentile(notes::SHOWN[0]),
        percentile(notes::SHOWN[1]),
        median(&entry.cpu_us_per_request, format::significant),
        median(&entry.rss_peak_bytes, |bytes| {
            format::significant(bytes / f64::from(1 << 20))
        }),
        format!("{}/{}", entry.trials_valid, entry.trials_valid + entry.trials_invalid),
        limit(entry.limit).to_owned(),
    ];
    if compared {
        cells.push(match entry.ratio {
            Some(ratio) => interval(&ratio),
            None if baseline => "baseline".to_owned(),
            None => none(),
        });
    }
    cells
}

/// Beyond this factor between its ends an interval says that nothing is known yet, and its digits say no more.
const WIDEST: f64 = 100.0;

fn interval(ratio: &Ratio) -> String {
    if ratio.high > WIDEST * ratio.low {
        return format!("{:.3} (too wide)", ratio.estimate);
    }
    format!("{:.3} ({:.3}–{:.3})", ratio.estimate, ratio.low, ratio.high)
}

fn limit(limit: Option<Limit>) -> &'static str {
    match limit {
        Some(Limit::ServerBound) => "server",
        Some(Limit::GeneratorBound) => "generator",
        Some(Limit::NothingSaturated) => "none",
        None => "–",
    }
}
