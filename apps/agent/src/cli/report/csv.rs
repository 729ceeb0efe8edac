//! One row for each entry under each scenario (RFC 4180); unknown is empty. Columns are only added, at the end.

use rigmark_stats::input::Limit;
use rigmark_stats::summary::{BoundSide, EntrySummary, Metric, ScenarioSummary, Spread, Verdict};

use super::facts::Report;

type Field = (&'static str, String);

pub fn render(report: &Report) -> String {
    let of = |scenario: &ScenarioSummary| -> Vec<Vec<Field>> {
        scenario
            .entries
            .iter()
            .map(|entry| fields(report, scenario, entry))
            .collect()
    };
    let rows: Vec<Vec<Field>> = report.summary.scenarios.iter().flat_map(of).collect();
    let head = rows
        .first()
        .map(|row| row.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>());
    let body = rows
        .iter()
        .map(|row| row.iter().map(|(_, value)| cell(value)).collect::<Vec<_>>());
    head.into_iter().chain(body).map(|row| row.join(",") + "\r\n").collect()
}

fn fields(report: &Report, scenario: &ScenarioSummary, entry: &EntrySummary) -> Vec<Field> {
    let planned = report.entry(&entry.entry_key);
    let load = report.scenario(&scenario.scenario);
    let yes = |is: bool| if is { "true" } else { "false" }.to_owned();
    let mut row: Vec<Field> = vec![
        ("run_id", report.file.begin.run_id.to_string()),
        ("started_at", report.started_at()),
        ("scenario", scenario.scenario.clone()),
        ("scenario_title", report.scenario_title(&scenario.scenario)),
        ("tool", load.map_or_else(String::new, |s| s.tool.as_str().to_owned())),
        ("entry", report.label(&entry.entry_key)),
        ("server", planned.map_or_else(String::new, |e| e.server.clone())),
        (
            "content_hash",
            planned.map_or_else(String::new, |e| e.content_hash.clone()),
        ),
        ("baseline", yes(report.baseline().key == entry.entry_key)),
        ("trials_valid", entry.trials_valid.to_string()),
        ("trials_invalid", entry.trials_invalid.to_string()),
        ("metric", metric(scenario.metric).to_owned()),
        ("ratio", number(entry.ratio.map(|r| r.estimate))),
        ("ratio_low", number(entry.ratio.map(|r| r.low))),
        ("ratio_high", number(entry.ratio.map(|r| r.high))),
        ("ratio_bound", bound(entry.ratio_bound).to_owned()),
        ("verdict", verdict(entry.verdict).to_owned()),
        ("rank", entry.rank.map_or_else(String::new, |r| r.to_string())),
        ("rank_to", entry.rank_to.map_or_else(String::new, |r| r.to_string())),
        ("bottleneck", limit(entry.limit).to_owned()),
        ("lower_bound", yes(entry.lower_bound)),
    ];
    row.extend(spread(
        [
            "requests_per_s_median",
            "requests_per_s_min",
            "requests_per_s_max",
            "requests_per_s_cv_ratio",
        ],
        entry.requests_per_s,
    ));
    for (p, names) in PERCENTILES {
        row.extend(spread(
            names,
            entry.percentiles.iter().find(|x| x.p == p).and_then(|x| x.us),
        ));
    }
    row.extend(spread(
        [
            "cpu_us_per_request_median",
            "cpu_us_per_request_min",
            "cpu_us_per_request_max",
            "cpu_us_per_request_cv_ratio",
        ],
        entry.cpu_us_per_request,
    ));
    row.extend(spread(
        [
            "rss_peak_bytes_median",
            "rss_peak_bytes_min",
            "rss_peak_bytes_max",
            "rss_peak_bytes_cv_ratio",
        ],
        entry.rss_peak_bytes,
    ));
    row.extend(spread(
        [
            "energy_uj_per_request_median",
            "energy_uj_per_request_min",
            "energy_uj_per_request_max",
            "energy_uj_per_request_cv_ratio",
        ],
        entry.efficiency.energy_uj_per_request,
    ));
    row.push(("not_ranked_because", entry.unranked_reason.clone().unwrap_or_default()));
    row.push(("sentence", entry.sentence.clone()));
    row
}

const PERCENTILES: [(f64, [&str; 4]); 4] = [
    (50.0, ["p50_us_median", "p50_us_min", "p50_us_max", "p50_us_cv_ratio"]),
    (90.0, ["p90_us_median", "p90_us_min", "p90_us_max", "p90_us_cv_ratio"]),
    (99.0, ["p99_us_median", "p99_us_min", "p99_us_max", "p99_us_cv_ratio"]),
    (
        99.9,
        ["p99_9_us_median", "p99_9_us_min", "p99_9_us_max", "p99_9_us_cv_ratio"],
    ),
];

fn spread(names: [&'static str; 4], found: Option<Spread>) -> Vec<Field> {
    let values = [
        found.map(|s| s.median),
        found.map(|s| s.min),
        found.map(|s| s.max),
        found.and_then(|s| s.cv),
    ];
    names.into_iter().zip(values.map(number)).collect()
}

fn number(value: Option<f64>) -> String {
    value
        .filter(|v| v.is_finite())
        .map_or_else(String::new, |v| v.to_string())
}

fn metric(metric: Metric) -> &'static str {
    match metric {
        Metric::RequestsPerS => "requests_per_s",
        Metric::P99Us => "p99_us",
        Metric::CpuUsPerRequest => "cpu_us_per_request",
        Metric::FirstByteP50Us => "first_byte_p50_us",
    }
}

fn verdict(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Faster) => "faster",
        Some(Verdict::Slower) => "slower",
        Some(Verdict::NoDifference) => "no difference shown",
        Some(Verdict::NotComparable) => "not comparable",
        None => "",
    }
}

fn bound(bound: Option<BoundSide>) -> &'static str {
    match bound {
        Some(BoundSide::AtLeast) => "at least",
        Some(BoundSide::AtMost) => "at most",
        None => "",
    }
}

fn limit(limit: Option<Limit>) -> &'static str {
    match limit {
        Some(Limit::ServerBound) => "server",
        Some(Limit::GeneratorBound) => "tool",
        Some(Limit::NothingSaturated) => "none",
        None => "",
    }
}

/// What a spreadsheet would take for a formula gets an apostrophe in front; numbers below zero stay numbers.
fn cell(value: &str) -> String {
    let formula = value.starts_with(['=', '+', '-', '@', '\t', '\r']) && value.parse::<f64>().is_err();
    let value = if formula { format!("'{value}") } else { value.to_owned() };
    if value.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_no_formula_and_no_two_cells() {
        assert_eq!(cell("=1+1"), "'=1+1");
        assert_eq!(cell("@a,b"), "\"'@a,b\"");
        assert_eq!(cell("-1.5"), "-1.5");
        assert_eq!(cell("say \"x\"\n"), "\"say \"\"x\"\"\n\"");
    }

    /// Commas within quotes are no ends of cells.
    fn cells(line: &str) -> Vec<String> {
        let mut cells = vec![String::new()];
        let mut quoted = false;
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                c => cells.last_mut().unwrap().push(c),
            }
        }
        cells
    }

    #[test]
    fn every_row_has_every_column() {
        let text = render(&super::super::testing::report(0.9));
        let lines: Vec<Vec<String>> = text.split_terminator("\r\n").map(cells).collect();
        let [head, rows @ ..] = lines.as_slice() else {
            panic!("{text}");
        };
        assert_eq!(rows.len(), 2);
        assert!(rows.iter().all(|row| row.len() == head.len()));
        let at = |name: &str| head.iter().position(|h| h == name).unwrap();
        let slower = rows.iter().find(|row| row[at("verdict")] == "slower").unwrap();
        assert_eq!(slower[at("metric")], "requests_per_s");
        assert_eq!(
            (slower[at("p50_us_median")].as_str(), slower[at("entry")].as_str()),
            ("", "head")
        );
    }
}
