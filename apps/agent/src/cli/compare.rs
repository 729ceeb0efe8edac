//! `rigmark compare`: two runs side by side. Figures are set beside each other where both were measured in the same environment;
//! there is never a verdict, and the reason and the way to one are said.

use rigmark_stats::across;
use rigmark_stats::summary::{EntrySummary, Metric, ScenarioSummary};
use serde::Serialize;

use super::args::CompareArgs;
use super::format;
use super::output::{Align, Tone, paint};
use super::report::facts::Report;
use super::report::load::load;
use super::report::repeat::argument;
use super::{CliError, Env, Exit};
use crate::host::fingerprint::{Difference, differences};
use crate::protocol::spec;
use crate::text::shell_word;

/// Two runs, and what of them can stand beside each other.
#[derive(Serialize)]
struct Compared {
    a: Side,
    b: Side,
    /// `null` where the environment of one is unknown.
    same_environment: Option<bool>,
    differences: Vec<Difference>,
    scenarios: Vec<Scenario>,
    /// What is in one of the two only, or was loaded in another way.
    left_out: Vec<String>,
    sentence: String,
    command: Option<String>,
}

#[derive(Serialize)]
struct Side {
    title: String,
    started: String,
    run_id: String,
}

#[derive(Serialize)]
struct Scenario {
    scenario: String,
    title: String,
    metric: Metric,
    entries: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    label: String,
    a: Figures,
    b: Figures,
    /// Median of b ÷ median of a; only in the same environment.
    ratio_of_medians: Option<f64>,
}

#[derive(Serialize)]
struct Figures {
    label: String,
    median: Option<f64>,
    lower_bound: bool,
    /// To the baseline of its own run.
    to_baseline: Option<f64>,
    baseline: String,
}

pub async fn run(args: &CompareArgs, env: &Env) -> Result<Exit, CliError> {
    let a = load(&args.a, &args.remote).await?;
    let b = load(&args.b, &args.remote).await?;
    let compared = compare(&a, &b);
    if compared.scenarios.is_empty() {
        let why = compared.left_out.join(" ");
        return Err(CliError::failed(
            "nothing-in-common",
            format!("The two runs have no server under the same scenario in common. {why}"),
        ));
    }
    env.out.object(&compared);
    show(&compared, env);
    Ok(Exit::Done)
}

fn compare(a: &Report, b: &Report) -> Compared {
    let environments = a.file.run.environment.as_ref().zip(b.file.run.environment.as_ref());
    let differences = environments.map(|(a, b)| differences(a, b));
    let same = differences.as_ref().map(Vec::is_empty);
    let (mut scenarios, mut left_out) = (Vec::new(), Vec::new());
    for of_a in &a.summary.scenarios {
        let title = a.scenario_title(&of_a.scenario);
        let Some(of_b) = b.summary.scenarios.iter().find(|s| s.scenario == of_a.scenario) else {
            left_out.push(format!("{title} is in the first run only."));
            continue;
        };
        let loads = a.scenario(&of_a.scenario).zip(b.scenario(&of_a.scenario));
        if of_a.metric != of_b.metric || !loads.is_some_and(|(of_a, of_b)| same_load(of_a, of_b)) {
            left_out.push(format!("{title} has another load in the second run."));
            continue;
        }
        let entries = entries((a, of_a), (b, of_b), same == Some(true), &mut left_out);
        if !entries.is_empty() {
            scenarios.push(Scenario {
                scenario: of_a.scenario.clone(),
                title,
                metric: of_a.metric,
                entries,
            });
        }
    }
    let only_b = b.summary.scenarios.iter().filter(|s| a.scenario(&s.scenario).is_none());
    left_out.extend(only_b.map(|s| format!("{} is in the second run only.", b.scenario_title(&s.scenario))));
    left_out.dedup();
    Compared {
        a: side(a),
        b: side(b),
        same_environment: same,
        differences: differences.unwrap_or_default(),
        command: one_run(a, b, &scenarios),
        scenarios,
        left_out,
        sentence: across::NO_VERDICT.to_owned(),
    }
}

/// Words and the length of a trial need not be the same: as the app's page *Compare* has it (`loadKey`). Own requests must be.
fn same_load(a: &spec::Scenario, b: &spec::Scenario) -> bool {
    let b_in_the_words_of_a = spec::Scenario {
        schema: a.schema,
        title: a.title.clone(),
        summary: a.summary.clone(),
        body_bytes: a.body_bytes,
        duration_s: a.duration_s,
        warmup_s: a.warmup_s,
        thresholds: a.thresholds.clone(),
        // It decides the metric, which is compared.
        judged_by: a.judged_by,
        ..b.clone()
    };
    *a == b_in_the_words_of_a
}

fn side(report: &Report) -> Side {
    Side {
        title: report.title(),
        started: report.started(),
        run_id: report.file.begin.run_id.to_string(),
    }
}

/// Whether an entry of one run is that of the other.
type Rule<'a> = &'a dyn Fn(&EntrySummary, &EntrySummary) -> bool;

/// By label, else by server: in each run it is called something else when it is `base` in one and `head` in the other.
fn entries(
    a: (&Report, &ScenarioSummary),
    b: (&Report, &ScenarioSummary),
    same: bool,
    left_out: &mut Vec<String>,
) -> Vec<Entry> {
    let mut free: Vec<&EntrySummary> = b.1.entries.iter().collect();
    let mut pairs: Vec<(&EntrySummary, Option<&EntrySummary>)> = a.1.entries.iter().map(|e| (e, None)).collect();
    let server = |report: &Report, e: &EntrySummary| {
        report
            .entry(&e.entry_key)
            .map(|e| (e.server.clone(), e.options.clone()))
    };
    let by_label = |x: &EntrySummary, y: &EntrySummary| a.0.label(&x.entry_key) == b.0.label(&y.entry_key);
    let by_server = |x: &EntrySummary, y: &EntrySummary| server(a.0, x) == server(b.0, y);
    let rules: [Rule<'_>; 2] = [&by_label, &by_server];
    for rule in rules {
        for (x, y) in pairs.iter_mut().filter(|(_, y)| y.is_none()) {
            if let Some(at) = free.iter().position(|candidate| rule(x, candidate)) {
                *y = Some(free.remove(at));
            }
        }
    }
    let alone = pairs
        .iter()
        .filter(|(_, y)| y.is_none())
        .map(|(x, _)| format!("{} is in the first run only.", a.0.label(&x.entry_key)));
    left_out.extend(
        alone.chain(
            free.iter()
                .map(|y| format!("{} is in the second run only.", b.0.label(&y.entry_key))),
        ),
    );
    let metric = a.1.metric;
    let entry = |(x, y): (&EntrySummary, Option<&EntrySummary>)| {
        let y = y?;
        Some(Entry {
            label: a.0.label(&x.entry_key),
            a: figures(a.0, metric, x),
            b: figures(b.0, metric, y),
            ratio_of_medians: across::ratio_of_medians(metric, x, y).filter(|_| same),
        })
    };
    pairs.into_iter().filter_map(entry).collect()
}

fn figures(report: &Report, metric: Metric, entry: &EntrySummary) -> Figures {
    Figures {
        label: report.label(&entry.entry_key),
        median: across::figure(metric, entry).map(|s| s.median),
        lower_bound: entry.lower_bound && metric != Metric::CpuUsPerRequest,
        to_baseline: entry.ratio.map(|r| r.estimate),
        baseline: report.label(&report.baseline().key),
    }
}

/// What measures the first pair in one run: the server of the first run as `a`, that of the second as `b`.
fn one_run(a: &Report, b: &Report, scenarios: &[Scenario]) -> Option<String> {
    let first = scenarios.first()?;
    let pair = first
        .entries
        .iter()
        .find(|e| e.a.label != e.a.baseline)
        .or(first.entries.first())?;
    let spec = |report: &Report, label: &str, new: &str| {
        let entry = report.file.begin.spec.entries.iter().find(|e| {
            report
                .plan()
                .entries
                .iter()
                .any(|p| p.label == label && e.label == p.label)
        })?;
        let mut entry = entry.clone();
        new.clone_into(&mut entry.label);
        Some(format!("--server={}", shell_word(&argument(&entry))))
    };
    let (x, y) = (spec(a, &pair.a.label, "a")?, spec(b, &pair.b.label, "b")?);
    Some(format!(
        "rigmark run {x} {y} --scenario={}",
        shell_word(&first.scenario)
    ))
}

fn show(compared: &Compared, env: &Env) {
    let out = &env.out;
    out.line(&format!("a  {}  {}", compared.a.title, compared.a.started));
    out.line(&format!("b  {}  {}", compared.b.title, compared.b.started));
    match compared.same_environment {
        Some(true) => out.line("Both were measured in the same environment."),
        None => out.line("The environment of one run is not known, so compare the figures only roughly."),
        Some(false) => {
            let which: Vec<String> = compared
                .differences
                .iter()
                .map(|d| format!("{}: {} / {}", d.name, d.a, d.b))
                .collect();
            out.line(&format!("They were measured in different environments, so compare only the ratios to each run's own baseline ({}).", which.join("; ")));
        }
    }
    for scenario in &compared.scenarios {
        out.line("");
        out.line(&format!(
            "{}  {}",
            paint(Tone::Bold, &scenario.title),
            paint(Tone::Dim, &scenario.scenario)
        ));
        let unit = match scenario.metric {
            Metric::RequestsPerS => "REQUESTS/S",
            Metric::P99Us => "P99 ms",
            Metric::FirstByteP50Us => "FIRST BYTE P50 ms",
            Metric::CpuUsPerRequest => "CPU µs/REQ",
        };
        let (of_a, of_b) = (format!("a {unit}"), format!("b {unit}"));
        let columns = [
            ("SERVER", Align::Left),
            (of_a.as_str(), Align::Right),
            (of_b.as_str(), Align::Right),
            ("b ÷ a", Align::Right),
            ("a TO ITS BASELINE", Align::Right),
            ("b TO ITS BASELINE", Align::Right),
        ];
        let ratio = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |v| format!("{v:.3}"));
        let row = |entry: &Entry| {
            let label = if entry.a.label == entry.b.label {
                entry.label.clone()
            } else {
                format!("{} / {}", entry.a.label, entry.b.label)
            };
            vec![
                label,
                figure(scenario.metric, &entry.a),
                figure(scenario.metric, &entry.b),
                ratio(entry.ratio_of_medians),
                ratio(entry.a.to_baseline),
                ratio(entry.b.to_baseline),
            ]
        };
        out.table(&columns, &scenario.entries.iter().map(row).collect::<Vec<_>>());
    }
    out.line("");
    compared
        .left_out
        .iter()
        .for_each(|line| out.line(&paint(Tone::Dim, line)));
    out.line(&compared.sentence);
    if let Some(command) = &compared.command {
        out.line(&format!("  {command}"));
    }
}

fn figure(metric: Metric, figures: &Figures) -> String {
    let Some(value) = figures.median else {
        return "–".to_owned();
    };
    let bound = if figures.lower_bound { "≥ " } else { "" };
    match metric {
        Metric::RequestsPerS => format!("{bound}{}", format::rate(value)),
        Metric::P99Us | Metric::FirstByteP50Us => format::significant(value / 1_000.0),
        Metric::CpuUsPerRequest => format::significant(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::testing::{file, report};

    #[test]
    fn the_same_labels_stand_beside_each_other_without_a_verdict() {
        let compared = compare(&report(0.9), &report(1.2));
        assert_eq!(compared.same_environment, Some(true));
        let entries = &compared.scenarios[0].entries;
        assert_eq!(entries.iter().map(|e| e.label.as_str()).collect::<Vec<_>>().len(), 2);
        let head = entries.iter().find(|e| e.label == "head").unwrap();
        assert!((head.ratio_of_medians.unwrap() - 1.2 / 0.9).abs() < 1e-9);
        assert!(compared.sentence.starts_with("There is no verdict"));
        assert!(compared.left_out.is_empty());
    }

    #[test]
    fn across_environments_only_ratios_to_the_own_baseline() {
        let mut other = file(1.2, &["base", "head"]);
        other.run.environment.as_mut().unwrap().facts.cpu_model = Some("Cortex-A76".to_owned());
        let compared = compare(&report(0.9), &Report::of(other).unwrap());
        assert_eq!(compared.same_environment, Some(false));
        let head = compared.scenarios[0]
            .entries
            .iter()
            .find(|e| e.label == "head")
            .unwrap();
        assert_eq!(head.ratio_of_medians, None);
        assert!(head.a.to_baseline.unwrap() < 1.0 && head.b.to_baseline.unwrap() > 1.0);
    }

    #[test]
    fn other_labels_match_by_server_and_what_is_left_is_said() {
        let other = Report::of(file(1.2, &["old", "head"])).unwrap();
        let compared = compare(&report(0.9), &other);
        let entries = &compared.scenarios[0].entries;
        assert_eq!(entries.len(), 2);
        assert!(entries.iter().any(|e| e.a.label == "base" && e.b.label == "old"));
    }

    #[test]
    fn what_was_loaded_in_another_way_is_left_out_and_what_was_only_told_otherwise_is_not() {
        type Change = fn(&mut spec::Scenario);
        let changed = |change: Change| {
            let mut other = report(1.2);
            change(&mut other.file.run.plan.as_mut().unwrap().scenarios[0]);
            compare(&report(0.9), &other)
        };
        let told: [Change; 3] = [
            |s| s.title = "Another title".to_owned(),
            |s| s.summary = "Another sentence.".to_owned(),
            |s| s.duration_s = 99.0,
        ];
        for change in told {
            assert_eq!(changed(change).scenarios.len(), 1);
        }
        let loaded: [Change; 2] = [|s| s.path = "/other".to_owned(), |s| s.in_flight = Some(9)];
        for change in loaded {
            let compared = changed(change);
            assert!(compared.scenarios.is_empty());
            assert!(compared.left_out[0].contains("another load"), "{:?}", compared.left_out);
        }
    }
}
