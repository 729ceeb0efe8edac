//! A report as Markdown: the verdict first, then the tables, the environment and how to repeat it.

use super::cells::Cells;
use super::escape::{code, markdown as text};
use super::facts::Report;
use crate::cli::output::Align;

/// Longer tables say how much they leave out.
const ROWS: usize = 40;

pub fn render(report: &Report) -> String {
    let mut lines = vec![
        format!("# {}", text(&report.title())),
        String::new(),
        format!("**{}**", text(&report.summary.sentence)),
    ];
    for remark in report.remarks() {
        lines.extend([String::new(), format!("> {}", text(&remark))]);
    }
    let several = report.summary.scenarios.len() > 1;
    for scenario in &report.summary.scenarios {
        lines.extend([
            String::new(),
            format!("## {}", text(&report.scenario_title(&scenario.scenario))),
        ]);
        if several {
            lines.extend([String::new(), text(&scenario.sentence)]);
        }
        lines.push(String::new());
        lines.extend(table(&report.cells(scenario)));
        lines.extend([String::new(), text(&report.about(scenario))]);
    }
    lines.extend([
        String::new(),
        "## Environment".to_owned(),
        String::new(),
        "| | |".to_owned(),
        "|:--|:--|".to_owned(),
    ]);
    lines.extend(
        report
            .environment()
            .iter()
            .map(|(name, value)| format!("| {name} | {} |", text(value))),
    );
    lines.extend(report.entries().iter().map(|(label, server, content)| {
        format!(
            "| Entry {} | {} {} |",
            text(label),
            code(server),
            text(&format!("({content})"))
        )
    }));
    lines.extend([
        String::new(),
        "## Repeat it".to_owned(),
        String::new(),
        code(&report.repeat()),
        String::new(),
    ]);
    if let Some(needed) = report.needed() {
        lines.extend([text(&needed), String::new()]);
    }
    lines.join("\n")
}

/// With the columns of the terminal's table.
pub fn table(columns: &[Cells]) -> Vec<String> {
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let align = |c: &Cells| if c.align == Align::Right { "--:" } else { ":--" }.to_owned();
    let count = columns.first().map_or(0, |c| c.cells.len());
    let mut lines = vec![
        row(columns.iter().map(|c| text(&c.title)).collect()),
        format!("|{}|", columns.iter().map(align).collect::<Vec<_>>().join("|")),
    ];
    lines.extend((0..count.min(ROWS)).map(|at| row(columns.iter().map(|c| text(&c.cells[at])).collect())));
    if count > ROWS {
        lines.extend([
            String::new(),
            format!("{} more rows are in the result file.", count - ROWS),
        ]);
    }
    lines
}
