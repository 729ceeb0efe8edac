//! `rigmark publish`: brings the run of a result file into a workspace. What was cut off goes on where it stopped.

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::args::PublishArgs;
use super::output::{Tone, paint};
use super::{CliError, Env, Exit, format, remote};
use crate::control::message::Report;
use crate::control::publish::{PublishError, Published, Wanted, publish};
use crate::control::result_file::{FileError, ResultFile};
use crate::control::{Api, Call};
use crate::protocol::wire::StreamName;
use crate::source;
use crate::text::plain;

const TITLE_CHARS: usize = 120;
const URL_CHARS: usize = 500;

pub async fn run(args: &PublishArgs, env: &Env) -> Result<Exit, CliError> {
    let said = "Interrupted. Run the same command again to continue where it stopped.";
    remote::until_interrupted(env, run_to_end(args, env), said).await
}

async fn run_to_end(args: &PublishArgs, env: &Env) -> Result<Exit, CliError> {
    let title = args.title.as_deref().map(str::trim);
    if title.is_some_and(|t| t.is_empty() || t.chars().count() > TITLE_CHARS) {
        return Err(CliError::usage(
            "title",
            format!("A title has 1 to {TITLE_CHARS} characters."),
        ));
    }
    let file = ResultFile::open(&args.file)?;
    let path = args.file.display();
    if file.ending.is_none() && !args.partial {
        return Err(CliError::failed(
            "half-file",
            format!(
                "{path} ends before its run did: the run was killed or still goes on, or the file was cut off. Publish what is \
                 there with --partial; the run is then marked incomplete."
            ),
        ));
    }
    let (api, _) = remote::api(&args.remote)?;
    let workspace = remote::workspace(&api, &args.workspace).await?;
    if args.dry_run {
        tell(env, &api, &workspace, &file, args);
        return Ok(Exit::Done);
    }
    let bar = bar(env, &file);
    // The code that this job is about. A checkout says nothing of a file that may be of last week.
    let source = std::env::current_dir().ok().and_then(|here| source::of_this_job(&here));
    let wanted = Wanted {
        workspace: &workspace,
        title,
        source: source.as_ref(),
        partial: args.partial && file.ending.is_none(),
    };
    let done = publish(&api, &file, &wanted, &|bytes| bar.set_position(bytes)).await;
    bar.finish_and_clear();
    let done = done.map_err(|error| refused(error, &file))?;
    // What was published stays so, whatever becomes of the report.
    let report = match args.report {
        true => Some(report(&api, &workspace, &done).await),
        false => None,
    };
    show(env, &file, &done, report.as_ref());
    Ok(match report {
        Some(Err(_)) => Exit::Failed,
        _ => Exit::Done,
    })
}

async fn report(api: &Api, workspace: &str, done: &Published) -> Result<Report, CliError> {
    let body = json!({ "run_ids": [done.publication.id] });
    let call = Call::post(format!("workspaces/{workspace}/reports"), &body).once_only();
    Ok(api.json(call).await?)
}

fn show(env: &Env, file: &ResultFile, done: &Published, report: Option<&Result<Report, CliError>>) {
    let Published {
        publication,
        already,
        sent,
        kept,
    } = done;
    let failed = report.and_then(|r| r.as_ref().err());
    let report = report.and_then(|r| r.as_ref().ok());
    env.out.object(&json!({
        "run_id": publication.id,
        "state": publication.state,
        "url": publication.url,
        "already": already,
        "chunks": { "sent": sent, "kept": kept },
        "report": report,
        "report_error": failed.map(|error| json!({ "code": error.code, "message": error.message })),
    }));
    let url = plain(&publication.url, URL_CHARS);
    env.out.line(&match already {
        true => format!("This run was already published: {url}"),
        false => format!("Published ({}): {url}", count(file.trials, "trial")),
    });
    if publication.state == "incomplete" {
        env.out
            .note("The file ends before its run did, so the run is marked incomplete.");
    }
    if let Some(report) = report {
        env.out.line(&format!("Report: {}", plain(&report.url, URL_CHARS)));
    }
    if let Some(error) = failed {
        env.out.note(&format!(
            "{} No report was made: {}",
            paint(Tone::Bad, "error:"),
            error.message
        ));
    }
}

fn tell(env: &Env, api: &Api, workspace: &str, file: &ResultFile, args: &PublishArgs) {
    let hostname = file
        .facts
        .as_ref()
        .and_then(|f| f.get("hostname")?.as_str())
        .unwrap_or("unknown");
    let hostname = plain(hostname, 80);
    let chunks: u64 = StreamName::ALL.into_iter().map(|s| file.chunks_of(s)).sum();
    env.out.object(&json!({
        "dry_run": true,
        "url": api.base(),
        "workspace": workspace,
        "run_id": file.run_id,
        "host": hostname,
        "agent_version": file.agent_version,
        "trials": file.trials,
        "bytes": file.bytes,
        "chunks": chunks,
        "status": file.ending,
        "report": args.report,
    }));
    env.out.line(&format!(
        "Would publish the run {} ({}, made on {hostname} by rigmark {}) to the workspace {workspace} at {}.",
        file.run_id,
        count(file.trials, "trial"),
        file.agent_version,
        api.base()
    ));
    env.out.line(&format!(
        "Would send {} MB in {}, before compression: every record of the file, with this machine's facts and the tools' output.",
        format::significant(file.bytes as f64 / 1e6),
        count(usize::try_from(chunks).unwrap_or(usize::MAX), "chunk")
    ));
    if args.report {
        env.out
            .line("Would make a report of it, which anybody with its link can read.");
    }
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn bar(env: &Env, file: &ResultFile) -> ProgressBar {
    if !env.out.is_live() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(file.bytes);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {bytes} of {total_bytes}") {
        bar.set_style(style);
    }
    bar
}

/// The app does not know a record: both sides' versions are what to look at.
fn refused(error: PublishError, file: &ResultFile) -> CliError {
    match error {
        PublishError::Api(error) if matches!(error.status(), Some(400 | 422)) => CliError::failed(
            error.code(),
            format!(
                "The app refused a record of this file, which rigmark {} wrote. Update the app if it is older than that. \
                 It says: {error}",
                file.agent_version
            ),
        ),
        PublishError::Api(error) if error.status().is_none() => CliError::failed(
            error.code(),
            format!("{error} Run the same command again to continue where it stopped."),
        ),
        PublishError::Api(error) => error.into(),
        PublishError::File(error) => error.into(),
        PublishError::Other(_) => CliError::failed("other-content", error.to_string()),
        PublishError::Changed => CliError::failed("changed", error.to_string()),
    }
}

impl From<FileError> for CliError {
    fn from(error: FileError) -> Self {
        let code = match error {
            FileError::Io(..) => "file",
            FileError::Empty(_) | FileError::NotOurs(_) => "no-result-file",
            FileError::Version { .. } => "version",
            FileError::Line { .. } | FileError::Long { .. } | FileError::Gap { .. } => "damaged",
        };
        Self::failed(code, error.to_string())
    }
}
