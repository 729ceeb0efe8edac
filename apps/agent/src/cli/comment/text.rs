//! What the comment and the check say. All sentences are those of the statistics; all text of a run is escaped.

use rigmark_stats::gate::{self, Gate, Outcome};
use rigmark_stats::sentence::change::Change;
use rigmark_stats::summary::{EntrySummary, Metric, ScenarioSummary, UnrankedCode, Verdict};

use crate::cli::format;
use crate::cli::report::escape::{code, html_in_markdown, markdown as text};
use crate::cli::report::facts::{Report, compared};
use crate::cli::run::revisions::in_words;
use crate::cli::run::table::verdict as verdict_words;
use crate::forge::Conclusion;

/// Rows before the rest is left to the report.
const ROWS: usize = 20;
/// GitHub takes 65,536 characters, and a character may be four bytes.
const BODY_CHARS: usize = 60_000;
/// Longest title of a check, in characters.
const TITLE_CHARS: usize = 140;

/// What is said of a run, for people and for branch rules.
pub struct CommentText {
    /// With its marker in front.
    pub comment: String,
    pub title: String,
    pub conclusion: Conclusion,
    /// Why the gate is not met.
    pub broken: Option<String>,
    /// A verdict of faster or slower, or wrong responses.
    pub changed: bool,
}

pub struct Settings<'a> {
    pub marker: &'a str,
    pub gate: Option<&'a Gate>,
    pub report_url: Option<&'a str>,
    pub commit: &'a str,
}

/// An entry under a scenario, against the baseline.
struct Row<'a> {
    scenario: &'a ScenarioSummary,
    entry: &'a EntrySummary,
}

pub fn comment_text(report: &Report, settings: &Settings<'_>) -> CommentText {
    let base = &report.baseline().key;
    let outcome = settings.gate.map(|gate| gate.outcome(&report.summary, base));
    let broken = settings
        .gate
        .and_then(|gate| gate.broken(&report.summary, base, |key| report.label(key)));
    CommentText {
        comment: comment(report, settings, broken.as_deref()),
        title: title(report),
        conclusion: match outcome {
            Some(Outcome::Met) => Conclusion::Success,
            Some(Outcome::NotMet) => Conclusion::Failure,
            Some(Outcome::Open) | None => Conclusion::Neutral,
        },
        broken,
        changed: gate::changed(&report.summary, base),
    }
}

fn rows(report: &Report) -> Vec<Row<'_>> {
    let scenarios = report.summary.scenarios.iter();
    let of = |scenario| {
        compared(report, scenario)
            .into_iter()
            .map(move |entry| Row { scenario, entry })
    };
    let mut rows: Vec<Row<'_>> = scenarios.flat_map(of).collect();
    rows.sort_by_key(Row::order);
    rows
}

impl Row<'_> {
    /// What needs to be seen comes first; between equals the order of the run decides.
    fn order(&self) -> u8 {
        match self.entry.verdict {
            _ if self.wrong() => 0,
            Some(Verdict::Slower) => 1,
            Some(Verdict::Faster) => 2,
            Some(Verdict::NotComparable) => 3,
            None => 4,
            Some(Verdict::NoDifference) => 5,
        }
    }

    fn wrong(&self) -> bool {
        self.entry.unranked_code == Some(UnrankedCode::FailedVerification)
    }

    fn change<'a>(&'a self, name: &'a str, baseline: &'a str) -> Change<'a> {
        Change {
            metric: self.scenario.metric,
            entry: self.entry,
            name,
            baseline,
        }
    }

    fn sentence(&self, report: &Report) -> String {
        self.change(
            &report.label(&self.entry.entry_key),
            &report.label(&report.baseline().key),
        )
        .sentence()
    }
}

/// `slower in 1 of 2 scenarios`; of one comparison its sentence.
fn title(report: &Report) -> String {
    let rows = rows(report);
    let line = match rows.as_slice() {
        [] => "There is nothing to compare.".to_owned(),
        [only] => only.sentence(report),
        all => {
            let count = |wanted: &dyn Fn(&Row<'_>) -> bool| all.iter().filter(|row| wanted(row)).count();
            let verdict = |verdict| count(&|row: &Row<'_>| !row.wrong() && row.entry.verdict == Some(verdict));
            let parts = [
                ("wrong responses", count(&|row| row.wrong())),
                ("slower", verdict(Verdict::Slower)),
                ("faster", verdict(Verdict::Faster)),
                ("no difference shown", verdict(Verdict::NoDifference)),
                ("not comparable", verdict(Verdict::NotComparable)),
                ("no verdict", count(&|row| !row.wrong() && row.entry.verdict.is_none())),
            ];
            let said: Vec<String> = parts
                .iter()
                .filter(|(_, n)| *n > 0)
                .map(|(word, n)| format!("{word} in {n}"))
                .collect();
            format!("Of {} comparisons: {}.", all.len(), said.join(", "))
        }
    };
    line.chars().take(TITLE_CHARS).collect()
}

fn comment(report: &Report, settings: &Settings<'_>, broken: Option<&str>) -> String {
    let rows = rows(report);
    let several = report.summary.scenarios.len() > 1;
    let mut lines = vec![settings.marker.to_owned()];
    let mut paragraph = |text: String| lines.extend([text, String::new()]);
    if rows.is_empty() {
        paragraph(format!("**{}**", text(&report.summary.sentence)));
    }
    for row in rows.iter().take(ROWS) {
        let sentence = text(&row.sentence(report));
        let said = match several {
            true => format!(
                "**{}**: {sentence}",
                text(&report.scenario_title(&row.scenario.scenario))
            ),
            false => format!("**{sentence}**"),
        };
        paragraph(said);
    }
    report
        .remarks()
        .iter()
        .for_each(|remark| paragraph(format!("> {}", text(remark))));
    broken.into_iter().for_each(|broken| paragraph(text(broken)));
    if !rows.is_empty() {
        lines.extend(table(report, &rows));
        lines.push(String::new());
    }
    if let Some(url) = settings.report_url {
        lines.extend([
            format!("[![The report's chart]({url}/og.png)]({url})"),
            String::new(),
            format!("[Full report]({url})"),
            String::new(),
        ]);
    }
    lines.push(certainty(report));
    lines.extend([String::new(), background(report, settings)]);
    let body = lines.join("\n");
    match body.char_indices().nth(BODY_CHARS) {
        // The end is folded text; what it lacks is in the result file.
        Some((end, _)) => format!("{}…", &body[..end]),
        None => body,
    }
}

fn table(report: &Report, rows: &[Row<'_>]) -> Vec<String> {
    let pair = report.plan().entries.len() == 2;
    let base = text(&report.label(&report.baseline().key));
    let mut head = vec!["Scenario".to_owned()];
    if !pair {
        head.push("Server".to_owned());
    }
    let other = rows
        .first()
        .filter(|_| pair)
        .map_or("Figure".to_owned(), |row| text(&report.label(&row.entry.entry_key)));
    head.extend([base, other, "Change (95 % interval)".to_owned(), "Verdict".to_owned()]);
    let align = if pair {
        "|:--|--:|--:|--:|:--|"
    } else {
        "|:--|:--|--:|--:|--:|:--|"
    };
    let mut lines = vec![format!("| {} |", head.join(" | ")), align.to_owned()];
    for row in rows.iter().take(ROWS) {
        let baseline = row
            .scenario
            .entries
            .iter()
            .find(|e| e.entry_key == report.baseline().key);
        let name = report.label(&row.entry.entry_key);
        let mut cells = vec![text(&report.scenario_title(&row.scenario.scenario))];
        if !pair {
            cells.push(text(&name));
        }
        let words = match row.entry.verdict {
            _ if row.wrong() => "wrong responses",
            verdict => verdict_words(verdict, row.scenario.metric),
        };
        cells.extend([
            baseline.map_or_else(String::new, |e| figure(row.scenario.metric, e)),
            figure(row.scenario.metric, row.entry),
            row.change(&name, "").cell().unwrap_or_else(|| "–".to_owned()),
            words.to_owned(),
        ]);
        lines.push(format!("| {} |", cells.join(" | ")));
    }
    if rows.len() > ROWS {
        lines.extend([
            String::new(),
            format!("{} more comparisons are in the report.", rows.len() - ROWS),
        ]);
    }
    lines
}

/// The median of what the scenario compares, with its unit.
fn figure(metric: Metric, entry: &EntrySummary) -> String {
    let ms = |us: f64| format!("{} ms", format::significant(us / 1_000.0));
    let percentile = |p: f64| {
        entry
            .percentiles
            .iter()
            .find(|x| x.p == p)
            .and_then(|x| x.us)
            .map(|s| ms(s.median))
    };
    let known = match metric {
        Metric::RequestsPerS => entry.requests_per_s.map(|s| {
            let bound = if entry.lower_bound { "≥ " } else { "" };
            format!("{bound}{} requests/s", format::rate(s.median))
        }),
        Metric::P99Us => percentile(99.0).map(|ms| format!("p99 {ms}")),
        Metric::FirstByteP50Us => percentile(50.0).map(|ms| format!("first byte {ms}")),
        Metric::CpuUsPerRequest => entry
            .cpu_us_per_request
            .map(|s| format!("{} µs CPU/request", format::significant(s.median))),
    };
    known.unwrap_or_else(|| "–".to_owned())
}

/// `Compared: base at commit 0123456789ab (origin/main), head at commit …`; `None` where no commit is known.
fn commits(report: &Report) -> Option<String> {
    let entries = report.plan().entries.iter();
    let known = entries.filter_map(|e| Some((report.label(&e.key), in_words(e.revision.as_ref()?))));
    let parts: Vec<String> = known.map(|(label, at)| format!("{label} at {at}")).collect();
    (!parts.is_empty()).then(|| format!("Compared: {}.", parts.join("; ")))
}

/// How sure it is, what the host did, and where it was measured.
fn certainty(report: &Report) -> String {
    let mut parts: Vec<String> = commits(report).into_iter().collect();
    let blocks: Vec<_> = report
        .summary
        .scenarios
        .iter()
        .filter_map(|s| s.blocks.as_ref())
        .collect();
    if let (Some(counted), Some(measured)) = (
        blocks.iter().map(|b| b.counted).min(),
        blocks.iter().map(|b| b.measured).max(),
    ) {
        parts.push(format!("{counted} of {measured} blocks count."));
    }
    let disturbed: u32 = blocks.iter().map(|b| b.disturbed).sum();
    if disturbed > 0 {
        parts.push(format!("The host disturbed {disturbed}, which were left out."));
    }
    let taken = report
        .file
        .run
        .trials
        .iter()
        .filter_map(|t| t.resources.as_ref()?.host_taken_ratio);
    if let Some(most) = taken.fold(None, |most: Option<f64>, part| Some(most.map_or(part, |m| m.max(part)))) {
        parts.push(format!(
            "Other programs and the hypervisor took at most {} % of the CPU time of a trial.",
            format::significant(most * 100.0)
        ));
    }
    let environment = report.environment();
    let of = |name: &str| {
        environment
            .iter()
            .find(|(found, _)| *found == name)
            .map(|(_, value)| value.as_str())
    };
    let place: Vec<&str> = ["CPU", "System"].into_iter().filter_map(of).collect();
    if !place.is_empty() {
        parts.push(format!("Measured on {}.", place.join("; ")));
    }
    text(&parts.join(" "))
}

/// Folded away, on one line: Markdown goes on behind it.
fn background(report: &Report, settings: &Settings<'_>) -> String {
    let entries = report.entries().into_iter().map(|(label, server, content)| {
        format!(
            "{}: {} ({})",
            html_in_markdown(&label),
            code(&server),
            html_in_markdown(&content)
        )
    });
    let mut items = vec![format!("Commit: {}", code(settings.commit))];
    items.extend(entries);
    items.extend(report.summary.scenarios.iter().map(|s| html_in_markdown(&s.sentence)));
    items.extend(
        report
            .environment()
            .iter()
            .map(|(name, value)| format!("{name}: {}", html_in_markdown(value))),
    );
    items.push(format!("Repeat it: {}", code(&report.repeat())));
    format!(
        "<details><summary>How it was measured</summary><br>{}</details>",
        items.join("<br>")
    )
}
