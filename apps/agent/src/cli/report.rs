//! `rigmark report`: a result file, a run or a report as Markdown, HTML, CSV or JSON, or as the table that `run` prints.

pub mod cells;
mod cleaned;
mod csv;
mod date;
pub mod escape;
pub mod facts;
mod html;
pub mod load;
mod markdown;
mod needed;
pub mod repeat;
pub mod result_file;
mod snapshot;
#[cfg(test)]
pub mod testing;

use std::path::Path;

use serde_json::json;

use super::args::ReportArgs;
use super::output::SCHEMA_VERSION;
use super::run::{RunToShow, sentences, show_tables};
use super::{CliError, Env, Exit};
use facts::Report;

pub async fn run(args: &ReportArgs, env: &Env) -> Result<Exit, CliError> {
    let forms = [args.md, args.html, args.csv, env.out.is_json()];
    if forms.iter().filter(|form| **form).count() > 1 {
        return Err(CliError::usage(
            "usage",
            "--md, --html, --csv and --json exclude each other; give one of them.",
        ));
    }
    let report = load::load(&args.file, &args.remote).await?;
    let text = match forms {
        [true, ..] => markdown::render(&report),
        [_, true, ..] => html::render(&report),
        [_, _, true, _] => csv::render(&report),
        [.., true] => as_json(&report),
        _ if args.out.is_some() => {
            return Err(CliError::usage(
                "usage",
                "--out needs a format; add --md, --html, --csv or --json.",
            ));
        }
        _ => {
            terminal(&report, env);
            return Ok(Exit::Done);
        }
    };
    match &args.out {
        Some(path) => {
            write(path, &text)?;
            env.out.note(&format!("Written to {}", path.display()));
        }
        None => env.out.raw(&text),
    }
    Ok(Exit::Done)
}

/// As `rigmark run` shows it at its end.
fn terminal(report: &Report, env: &Env) {
    env.out.line(&format!("{}  {}", report.title(), report.started()));
    if let Some(remark) = report.file.incomplete() {
        env.out.line(&remark);
    }
    let shown = RunToShow::of(report.plan(), &report.file.run, &report.summary);
    show_tables(&env.out, &shown);
    // Without a table nothing else says why.
    if !shown.measured {
        sentences(&report.summary).iter().for_each(|line| env.out.line(line));
    }
}

/// The fields of `rigmark run --json`, and where it was measured.
fn as_json(report: &Report) -> String {
    let file = &report.file;
    let value = json!({
        "schema_version": SCHEMA_VERSION,
        "run_id": file.begin.run_id,
        "title": file.begin.spec.title,
        "started_at": report.started_at(),
        "agent_version": file.begin.agent_version,
        "status": file.result.as_ref().map(|r| r.status),
        "error": file.result.as_ref().and_then(|r| r.error.clone()),
        "trials_valid": file.result.as_ref().map(|r| r.trials_valid),
        "trials_invalid": file.result.as_ref().map(|r| r.trials_invalid),
        "environment": file.run.environment,
        "plan": file.run.plan,
        "labels": file.run.labels,
        "trials": file.run.trials,
        "failed_verification": file.run.failed_verification,
        "summary": report.summary,
        "repeat_command": report.repeat(),
    });
    format!("{value}\n")
}

/// Whole or not at all: a report that was there stays until the new one is.
pub fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let failed = |error: std::io::Error| {
        CliError::failed(
            "out",
            format!(
                "{} cannot be written ({error}); check that there is space for it.",
                path.display()
            ),
        )
    };
    // What is no file, such as a pipe, is written to as it is.
    if std::fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        return std::fs::write(path, text).map_err(failed);
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&beside);
        failed(error)
    })
}
