//! A report as one HTML page that loads nothing: the verdict, charts with a table below each, the environment, and how to
//! repeat it. It is whole without its script, which only shows values under the pointer and lets keys walk through them.

mod chart;
mod scale;

use rigmark_stats::summary::ScenarioSummary;

use super::escape::html as text;
use super::facts::Report;
use crate::cli::output::Align;

const STYLE: &str = concat!(
    include_str!("html/tokens.css"),
    include_str!("html/chart.css"),
    include_str!("html/page.css")
);
const SCRIPT: &str = include_str!("html/page.js");

/// Nothing is loaded, sent or framed.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

pub fn render(report: &Report) -> String {
    let title = text(&report.title());
    let scenarios: String = report.summary.scenarios.iter().map(|s| scenario(report, s)).collect();
    let remarks: String = report
        .remarks()
        .iter()
        .map(|r| format!("<p class=\"remark\">{}</p>\n", text(r)))
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<header>\n\
         <p class=\"brand\">Rigmark report<button type=\"button\" id=\"theme\" hidden>Dark</button></p>\n\
         <h1>{title}</h1>\n<p class=\"verdict\">{verdict}</p>\n<p class=\"meta\">{meta}</p>\n{remarks}</header>\n\
         {scenarios}{environment}{repeat}</main>\n\
         <p id=\"tip\" role=\"status\"></p>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        verdict = text(&report.summary.sentence),
        meta = meta(report),
        environment = environment(report),
        repeat = repeat(report),
    )
}

fn meta(report: &Report) -> String {
    let environment = report.environment();
    let of = |name: &str| {
        environment
            .iter()
            .find(|(found, _)| *found == name)
            .map(|(_, value)| text(value))
    };
    let parts = ["Started", "CPU", "System", "Load tools"].into_iter().filter_map(of);
    parts.collect::<Vec<_>>().join(" · ")
}

fn scenario(report: &Report, scenario: &ScenarioSummary) -> String {
    let several = report.summary.scenarios.len() > 1;
    let sentence = if several {
        format!("<p class=\"said\">{}</p>\n", text(&scenario.sentence))
    } else {
        String::new()
    };
    let charts = [
        chart::against_baseline(report, scenario),
        chart::trials(report, scenario),
        chart::latency(report, scenario),
    ];
    let charts: String = charts.into_iter().flatten().collect();
    format!(
        "<section>\n<h2>{}</h2>\n{sentence}<div class=\"charts\">\n{charts}</div>\n{}<p class=\"note\">{}</p>\n</section>\n",
        text(&report.scenario_title(&scenario.scenario)),
        table(report, scenario),
        text(&report.about(scenario)),
    )
}

fn table(report: &Report, scenario: &ScenarioSummary) -> String {
    let columns = report.cells(scenario);
    let class = |align: Align| if align == Align::Right { " class=\"number\"" } else { "" };
    let head: String = columns
        .iter()
        .map(|c| format!("<th scope=\"col\"{}>{}</th>", class(c.align), text(&c.title)))
        .collect();
    let count = columns.first().map_or(0, |c| c.cells.len());
    let row = |at: usize| -> String {
        let cells = columns.iter().enumerate().map(|(column, c)| match column {
            0 => format!("<th scope=\"row\">{}</th>", text(&c.cells[at])),
            _ => format!("<td{}>{}</td>", class(c.align), text(&c.cells[at])),
        });
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = (0..count).map(row).collect();
    format!(
        "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"All figures of {}\">\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n",
        text(&report.scenario_title(&scenario.scenario))
    )
}

fn environment(report: &Report) -> String {
    let row = |(name, value): (&str, String)| format!("<dt>{}</dt><dd>{}</dd>\n", text(name), text(&value));
    let facts: String = report.environment().into_iter().map(row).collect();
    let entry = |(label, server, content): (String, String, String)| {
        format!(
            "<dt>{}</dt><dd><code>{}</code> {}</dd>\n",
            text(&label),
            text(&server),
            text(&content)
        )
    };
    let entries: String = report.entries().into_iter().map(entry).collect();
    format!("<section>\n<h2>Environment</h2>\n<dl>\n{facts}</dl>\n<h2>Servers</h2>\n<dl>\n{entries}</dl>\n</section>\n")
}

fn repeat(report: &Report) -> String {
    let clone = match report.repeats_in_clone() {
        true => " Run it in the top folder of a clone of the servers' repository.",
        false => "",
    };
    let needed = report
        .needed()
        .map(|needed| format!("<p class=\"note\">{}</p>\n", text(&needed)))
        .unwrap_or_default();
    format!(
        "<section>\n<h2>Repeat it</h2>\n<p class=\"note\">The command stops before it builds anything if agent, servers, scenarios or tools differ.{clone}</p>\n{needed}\
         <pre tabindex=\"0\"><code id=\"command\">{}</code></pre>\n<button type=\"button\" id=\"copy\" hidden>Copy</button>\n</section>\n",
        text(&report.repeat())
    )
}
