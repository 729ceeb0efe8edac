//! What a comment is about: a result file, or a run of the app, with the pull request that it belongs to.

use std::path::Path;

use serde_json::json;
use uuid::Uuid;

use crate::cli::CliError;
use crate::cli::args::{CommentArgs, RemoteArgs};
use crate::cli::report::facts::Report;
use crate::cli::report::load::{OfApp, load, of_app};
use crate::control::message::{self, Run};
use crate::control::{Api, Call};
use crate::source::Source;
use crate::text::plain;

/// How long an app is tried for, as with every command.
const RETRY_S: f64 = 60.0;
const NAME_CHARS: usize = 200;

pub struct Subject {
    pub report: Report,
    pub repo: String,
    pub pr: u64,
    pub commit: String,
    of_app: Option<(Api, Run)>,
}

impl Subject {
    pub async fn find(args: &CommentArgs) -> Result<Self, CliError> {
        let remote = RemoteArgs {
            allow_http: args.allow_http,
            retry_for: RETRY_S,
        };
        let (report, source, of_app) = match (&args.run, &args.result) {
            (Some(run), _) => {
                let OfApp {
                    api,
                    run,
                    report,
                    source,
                } = of_app(run, &remote).await?;
                over(&run)?;
                (report, source, Some((api, run)))
            }
            (None, Some(file)) => (of_file(file, &remote).await?, None, None),
            (None, None) => unreachable!("one of them is asked for"),
        };
        let source = source.as_ref();
        let repo = source.map(Source::repository_name);
        agrees("repo", args.repo.as_deref(), repo.as_deref())?;
        agrees("commit", args.commit.as_deref(), source.map(|s| s.commit.as_str()))?;
        let of_source = |name: &str| {
            CliError::usage(
                name,
                format!("The run does not say which {name} it is about; give it with --{name}."),
            )
        };
        let commit = args.commit.clone().or_else(|| source.map(|s| s.commit.clone()));
        Ok(Self {
            repo: args.repo.clone().or(repo).ok_or_else(|| of_source("repo"))?,
            commit: commit.ok_or_else(|| of_source("commit"))?,
            pr: args
                .pr
                .or_else(|| source.and_then(|s| s.pull_request))
                .ok_or_else(|| of_source("pr"))?,
            report,
            of_app,
        })
    }

    /// A new report of the run, for everybody who has its link.
    pub async fn make_report(&self) -> Result<String, CliError> {
        let (api, run) = self.of_app.as_ref().expect("a report is made of a run of the app");
        let body = json!({ "run_ids": [run.id] });
        let call = Call::post(format!("workspaces/{}/reports", run.workspace), &body).once_only();
        Ok(api.json::<message::Report>(call).await?.url)
    }
}

/// A run of the app is given with `--run`: a result says nothing of who may read it.
async fn of_file(file: &Path, remote: &RemoteArgs) -> Result<Report, CliError> {
    let typed = file.to_string_lossy();
    if !file.exists() && (typed.contains("://") || typed.parse::<Uuid>().is_ok()) {
        return Err(CliError::usage(
            "result",
            "--result takes a file; give the id or the address of a run with --run.",
        ));
    }
    load(file, remote).await
}

fn over(run: &Run) -> Result<(), CliError> {
    if run.is_over() {
        return Ok(());
    }
    Err(CliError::failed(
        "not-over",
        format!(
            "The run is {}, so nothing was written; wait for its end with `rigmark wait {}`, then run this again.",
            plain(&run.state, NAME_CHARS).replace('_', " "),
            run.id
        ),
    ))
}

/// What was typed must not be about another commit than the one that was measured.
fn agrees(name: &str, typed: Option<&str>, recorded: Option<&str>) -> Result<(), CliError> {
    match typed.zip(recorded) {
        Some((typed, recorded)) if !typed.eq_ignore_ascii_case(recorded) => Err(CliError::failed(
            "other-source",
            format!(
                "The run measured another {name} ({}) than {typed}, so nothing was written; give the run that belongs to it.",
                plain(recorded, NAME_CHARS)
            ),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_another_commit_is_refused() {
        assert!(agrees("repo", Some("O/r"), Some("o/R")).is_ok());
        assert!(agrees("repo", None, Some("o/r")).is_ok() && agrees("repo", Some("o/r"), None).is_ok());
        let other = agrees("commit", Some("aa"), Some("bb")).unwrap_err();
        assert!(
            other.message.contains("(bb) than aa, so nothing was written"),
            "{other}"
        );
    }
}
