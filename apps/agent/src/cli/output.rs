//! The only place that prints. Results go to stdout, talk goes to stderr; with `--json` stdout carries exactly one
//! JSON object.

mod column;
mod fold;

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use serde::Serialize;
use serde_json::json;

use super::args::ColorArg;
use super::error::CliError;
pub use column::{Align, Column};

/// Of every JSON object that the command line prints.
pub const SCHEMA_VERSION: u32 = 1;

/// Why a part of the result could not be written. Of the process, which has one stdout.
static UNWRITTEN: OnceLock<io::Error> = OnceLock::new();

/// Terminals with fewer columns get long lines instead of torn words.
const NARROWEST: u16 = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Good,
    Warn,
    Bad,
    Dim,
    Bold,
}

impl Tone {
    fn ansi(self) -> &'static str {
        match self {
            Tone::Good => "\x1b[32m",
            Tone::Warn => "\x1b[33m",
            Tone::Bad => "\x1b[31m",
            Tone::Dim => "\x1b[2m",
            Tone::Bold => "\x1b[1m",
        }
    }
}

pub struct Output {
    json: bool,
}

impl Output {
    pub fn new(json: bool, color: ColorArg) -> Self {
        // `anstream` looks at NO_COLOR, TERM and whether each stream is a terminal; the flag only overrides.
        match color {
            ColorArg::Auto => {}
            ColorArg::Always => anstream::ColorChoice::Always.write_global(),
            ColorArg::Never => anstream::ColorChoice::Never.write_global(),
        }
        Self { json }
    }

    pub fn is_json(&self) -> bool {
        self.json
    }

    /// True when a person is watching: progress may be redrawn.
    pub fn is_live(&self) -> bool {
        !self.json && io::stderr().is_terminal()
    }

    /// The result as one JSON object with `schema_version`. Does nothing without `--json`.
    pub fn object(&self, value: &impl Serialize) {
        if !self.json {
            return;
        }
        // Straight from the value: its fields keep the order that journals write them in.
        let text = serde_json::to_string(value).unwrap_or_default();
        let fields = text.strip_prefix('{').unwrap_or("}");
        let comma = if fields == "}" { "" } else { "," };
        let line = format!("{{\"schema_version\":{SCHEMA_VERSION}{comma}{fields}");
        result_written(line_to(&mut io::stdout().lock(), &line));
    }

    /// A line of the result. Does nothing with `--json`.
    pub fn line(&self, text: &str) {
        if !self.json {
            result_written(line_to(&mut anstream::stdout().lock(), text));
        }
    }

    /// The result as it is, with `--json` too: a report in the form that was asked for.
    pub fn raw(&self, text: &str) {
        let mut stdout = io::stdout().lock();
        result_written(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()));
    }

    /// Talk: for the person, never part of the result.
    pub fn note(&self, text: &str) {
        stderr_line(text);
    }

    pub fn error(&self, error: &CliError) {
        if self.json {
            self.object(&json!({ "error": { "code": error.code, "message": error.message } }));
        } else {
            self.note(&format!("{} {}", paint(Tone::Bad, "error:"), error.message));
        }
    }

    /// Does nothing with `--json`. The columns are `(title, alignment)`; units belong in the titles.
    pub fn table(&self, columns: &[(&str, Align)], rows: &[Vec<String>]) {
        if !self.json {
            self.line(&render_table(columns, rows));
        }
    }

    /// The first group names the rows. Where the terminal is too narrow for all, the table goes on below itself, with the
    /// names again. Does nothing with `--json`.
    pub fn wide_table(&self, groups: Vec<Vec<Column>>) {
        if self.json {
            return;
        }
        for (at, part) in fold::parts(groups, terminal_columns()).into_iter().enumerate() {
            if at > 0 {
                self.line("");
            }
            let columns: Vec<(&str, Align)> = part.iter().map(|c| (c.title, c.align)).collect();
            let count = part.first().map_or(0, |c| c.cells.len());
            let rows: Vec<Vec<String>> = (0..count)
                .map(|row| part.iter().map(|c| c.cells[row].clone()).collect())
                .collect();
            self.table(&columns, &rows);
        }
    }
}

/// Wraps the text in color; `anstream` takes it out again where it does not belong.
pub fn paint(tone: Tone, text: &str) -> String {
    format!("{}{text}\x1b[0m", tone.ansi())
}

/// Columns of the terminal that tables go to; `None` where lines may be as long as they like.
fn terminal_columns() -> Option<u16> {
    // Some pseudo-terminals say that they have no columns at all.
    Table::new().width().filter(|width| *width >= NARROWEST)
}

pub fn render_table(columns: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if terminal_columns().is_some() {
        table.set_content_arrangement(ContentArrangement::Dynamic);
    }
    let cell = |text: &str, align: Align| {
        Cell::new(text).set_alignment(match align {
            Align::Left => CellAlignment::Left,
            Align::Right => CellAlignment::Right,
        })
    };
    table.set_header(columns.iter().map(|(title, align)| cell(title, *align)));
    for row in rows {
        table.add_row(row.iter().zip(columns).map(|(text, (_, align))| cell(text, *align)));
    }
    // A number is never broken; what must give way is text.
    for (column, (_, align)) in table.column_iter_mut().zip(columns) {
        if *align == Align::Right {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table
        .lines()
        .map(|l| l.trim_end().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

fn line_to(to: &mut impl Write, text: &str) -> io::Result<()> {
    writeln!(to, "{text}")?;
    to.flush()
}

/// Remembers that a part of the result is lost. A reader that went away (`rigmark servers | head -1`) has what it wants.
pub fn result_written(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        let _ = UNWRITTEN.set(error);
    }
}

/// Why the result, or a part of it, could not be written.
pub fn unwritten() -> Option<&'static io::Error> {
    UNWRITTEN.get()
}

/// Talk of something that has no [`Output`], such as a sink. Where it cannot be written nobody is there to be told.
pub fn stderr_line(text: &str) {
    let _ = line_to(&mut anstream::stderr().lock(), text);
}

pub fn raw_stderr(text: &str) {
    let _ = line_to(&mut io::stderr().lock(), text);
}
