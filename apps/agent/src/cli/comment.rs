//! `rigmark comment`: one comment on a pull request that is kept up to date, and one check on its commit.

mod subject;
mod text;

use std::time::Duration;

use serde_json::json;

use super::args::{CommentArgs, ForgeArg, OnlyOn};
use super::{CliError, Env, Exit, gate};
use crate::forge::{self, Access, Check, Checked, Forge, ForgeError, Kept, Kind, Patience, Token};
use subject::Subject;
use text::{CommentText, Settings, comment_text};

pub async fn run(args: &CommentArgs, env: &Env) -> Result<Exit, CliError> {
    let variable = |name: &str| {
        std::env::var(name)
            .ok()
            .map(|v| v.trim().to_owned())
            .filter(|v| !v.is_empty())
    };
    let kind = kind(args.forge, &variable);
    if let Some(repo) = &args.repo {
        check_repository(kind, repo)?;
    }
    let typed = args.report.as_deref().map(link).transpose()?;
    let subject = Subject::find(args).await?;
    check_repository(kind, &subject.repo)?;
    let forge = match args.dry_run {
        true => None,
        false => Some(at_head(args, kind, &subject, &variable).await?),
    };
    if args.check_head {
        return Ok(Exit::Done);
    }
    let url = match args.make_report {
        true => made(&subject, env).await,
        false => typed,
    };
    let marker = format!("<!-- rigmark:{} -->", args.key);
    let text = comment_text(
        &subject.report,
        &Settings {
            marker: &marker,
            gate: args.fail_on.as_ref(),
            report_url: url.as_deref(),
            commit: &subject.commit,
        },
    );
    let done = match forge {
        None => {
            env.out.line(&text.comment);
            env.out.line(&format!(
                "\nCheck {}: {} ({})",
                args.check_name,
                text.title,
                word(&text)
            ));
            None
        }
        Some(forge) => Some(publish(args, &*forge, &subject, &marker, &text, url).await?),
    };
    env.out.object(&json!({
        "comment": done.as_ref().map(|d| kept(d.comment)),
        "check": done.as_ref().map(|d| checked(d.check)),
        "conclusion": word(&text),
        "title": text.title,
        "changed": text.changed,
        "gate_not_met": text.broken,
        "body": args.dry_run.then_some(&text.comment),
    }));
    if let Some(done) = &done {
        env.out.line(&format!(
            "Comment {}; {} set to {}: {}",
            kept(done.comment),
            checked(done.check),
            word(&text),
            text.title
        ));
    }
    Ok(gate::exit(text.broken.as_deref(), &env.out))
}

/// A report is an extra: without one the comment is written all the same.
async fn made(subject: &Subject, env: &Env) -> Option<String> {
    let made = subject.make_report().await.and_then(|url| link(&url));
    made.map_err(|error| {
        env.out.note(&format!(
            "No report was made, so the comment has no link to one: {error}"
        ));
    })
    .ok()
}

struct Done {
    comment: Kept,
    check: Checked,
}

fn failed(error: ForgeError) -> CliError {
    CliError::failed("forge", error.to_string())
}

/// The forge, once the measured commit is the head of the pull request. Reads before anything is written, so that most of
/// what can go wrong does so before anything is there.
async fn at_head(
    args: &CommentArgs,
    kind: Kind,
    subject: &Subject,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Box<dyn Forge>, CliError> {
    let forge = forge::open(access(args, kind, &subject.repo, variable)?).map_err(failed)?;
    let head = forge.head_of(subject.pr).await.map_err(failed)?;
    if !head.eq_ignore_ascii_case(&subject.commit) {
        return Err(CliError::failed(
            "head",
            format!(
                "The head of {} {} is not {}, so nothing was written: either newer commits were pushed and have their own result, or the \
                 result belongs to another pull request.",
                subject.repo, subject.pr, subject.commit
            ),
        ));
    }
    Ok(forge)
}

async fn publish(
    args: &CommentArgs,
    forge: &dyn Forge,
    subject: &Subject,
    marker: &str,
    text: &CommentText,
    url: Option<String>,
) -> Result<Done, CliError> {
    let silent = args.only_on == Some(OnlyOn::Change) && !text.changed;
    let comment = forge::keep(forge, subject.pr, marker, &text.comment, silent)
        .await
        .map_err(failed)?;
    let check = Check {
        name: args.check_name.clone(),
        key: format!("rigmark:{}", args.key),
        conclusion: text.conclusion,
        title: text.title.clone(),
        summary: text.comment.clone(),
        url,
    };
    let set = forge.set_check(&subject.commit, &check).await;
    let check = set.map_err(|error| {
        // The comment is right as it is; a second run finds it and makes the check alone.
        CliError::failed(
            "forge",
            format!("The comment is {}, the check is not set: {error}", kept(comment)),
        )
    })?;
    Ok(Done { comment, check })
}

fn kind(asked: Option<ForgeArg>, variable: &dyn Fn(&str) -> Option<String>) -> Kind {
    match asked {
        Some(ForgeArg::Github) => Kind::GitHub,
        Some(ForgeArg::Gitlab) => Kind::GitLab,
        None if variable("GITLAB_CI").is_some() => Kind::GitLab,
        None => Kind::GitHub,
    }
}

/// The token never stands in the arguments, which other users of the host can read.
fn access(
    args: &CommentArgs,
    kind: Kind,
    repository: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Access, CliError> {
    let own = match kind {
        Kind::GitHub => "GITHUB_TOKEN",
        Kind::GitLab => "GITLAB_TOKEN",
    };
    let token = ["RIGMARK_FORGE_TOKEN", own]
        .into_iter()
        .find_map(|name| Some((name, variable(name)?)));
    let (name, secret) = token.ok_or_else(|| {
        CliError::usage(
            "token",
            format!(
                "There is no token for {}; set {own} or RIGMARK_FORGE_TOKEN in the environment.",
                kind.name()
            ),
        )
    })?;
    let (of_job, public) = match kind {
        Kind::GitHub => ("GITHUB_API_URL", "https://api.github.com"),
        Kind::GitLab => ("CI_API_V4_URL", "https://gitlab.com/api/v4"),
    };
    let patience = Patience::default();
    Ok(Access {
        kind,
        api_url: args
            .api_url
            .clone()
            .or_else(|| variable(of_job))
            .unwrap_or_else(|| public.to_owned()),
        repository: repository.to_owned(),
        token: Token { secret, variable: name },
        allow_http: args.allow_http,
        patience: match args.timeout.map(Duration::from_secs_f64) {
            Some(timeout) => Patience {
                timeout,
                backoff: patience.backoff.min(timeout),
                ..patience
            },
            None => patience,
        },
    })
}

/// `owner/name`; on GitLab with as many groups as there are.
fn check_repository(kind: Kind, repository: &str) -> Result<(), CliError> {
    let parts: Vec<&str> = repository.split('/').collect();
    let fits = |part: &&str| {
        let fine = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        !part.is_empty() && part.chars().all(fine) && ![".", ".."].contains(part)
    };
    let most = if kind == Kind::GitHub { 2 } else { 20 };
    if (2..=most).contains(&parts.len()) && parts.iter().all(fits) {
        return Ok(());
    }
    Err(CliError::usage(
        "repo",
        format!(
            "{repository:?} is not a repository of {}; write it like owner/name.",
            kind.name()
        ),
    ))
}

/// An address that can stand in a Markdown link.
fn link(url: &str) -> Result<String, CliError> {
    let usable = crate::session::client::base_of(url, true).ok();
    let usable = usable.filter(|url| {
        url.chars()
            .all(|c| c.is_ascii_graphic() && !"()<>[]\"'`\\|".contains(c))
    });
    usable.ok_or_else(|| {
        CliError::usage(
            "report",
            format!("{url:?} is not the address of a report; it looks like https://rigmark.example.com/r/NAME."),
        )
    })
}

fn word(text: &CommentText) -> &'static str {
    match text.conclusion {
        forge::Conclusion::Success => "success",
        forge::Conclusion::Failure => "failure",
        forge::Conclusion::Neutral => "neutral",
    }
}

fn kept(kept: Kept) -> &'static str {
    match kept {
        Kept::Created => "created",
        Kept::Updated => "updated",
        Kept::Unchanged => "unchanged",
        Kept::Silent => "not needed",
    }
}

fn checked(checked: Checked) -> &'static str {
    match checked {
        Checked::CheckRun => "check run",
        Checked::CommitStatus => "commit status",
    }
}
