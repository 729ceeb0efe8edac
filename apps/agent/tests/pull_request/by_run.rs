//! A run of the app, or a report, in the place of a result file. The run is the recording `slower` as the app hands it out
//! (`packages/api/test/snapshot.test.ts` makes it), so all that is said of the file has to be said of the run.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::action::Runner;
use crate::app::{App, RUN, token};
use crate::comment::{COMMIT, NEXT};
use crate::forge::{Forge, PULL_REQUEST, TOKEN};
use crate::recorded;
use crate::support::{Ran, ran, rigmark};

const SNAPSHOT: &str = include_str!("../../../../packages/protocol/golden/run-snapshot.json");

fn snapshot(commit: &str) -> Value {
    let mut snapshot: Value = serde_json::from_str(SNAPSHOT).unwrap();
    snapshot["source"] = json!({
        "repository": "o/r", "commit": commit, "branch": "topic", "pull_request": PULL_REQUEST, "base_commit": null, "dirty": false,
    });
    snapshot
}

fn report(runs: &[Value]) -> Value {
    json!({ "report": 1, "slug": "abc", "title": "t", "created_at": "2026-11-25T00:00:00Z", "rigmark_version": "0.1.0", "runs": runs })
}

async fn app() -> App {
    let app = App::start().await;
    app.state().states = vec!["succeeded"];
    app.state().snapshot = Some(snapshot(COMMIT));
    app
}

fn command(app: &App, dir: &Path, args: &[&str]) -> Command {
    let mut command = rigmark(dir, args);
    for name in [
        "HTTP_PROXY",
        "http_proxy",
        "GITLAB_CI",
        "GITHUB_API_URL",
        "GITHUB_TOKEN",
    ] {
        command.env_remove(name);
    }
    command.env("RIGMARK_FORGE_TOKEN", TOKEN);
    command.env("RIGMARK_URL", &app.url).env("RIGMARK_TOKEN", token('a'));
    command
}

async fn done(command: Command) -> Ran {
    tokio::task::spawn_blocking(|| ran(command)).await.unwrap()
}

async fn said(app: &App, args: &[&str]) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    done(command(app, dir.path(), args)).await
}

/// One sentence, and this exit code.
fn refused(ran: &Ran, code: i32, wanted: &str) {
    assert_eq!(ran.code, Some(code), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stderr.trim().lines().count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains(wanted), "{wanted}: {}", ran.stderr);
    assert!(ran.stdout.is_empty(), "{}", ran.stdout);
}

fn file() -> String {
    recorded("slower").display().to_string()
}

#[tokio::test]
async fn every_form_of_a_run_is_that_of_its_file() {
    let app = app().await;
    app.state()
        .reports
        .insert("abc".to_owned(), report(&[snapshot(COMMIT)]));
    let address = format!("{}/r/abc", app.url);
    for form in [&["--md"][..], &["--html"], &["--csv"], &[]] {
        let of_file = said(&app, &[&["report", &file()], form].concat()).await;
        for place in [RUN, &address] {
            let of_app = said(&app, &[&["report", place], form].concat()).await;
            assert_eq!(of_app.code, Some(0), "{}", of_app.stderr);
            assert!(
                of_file.stdout == of_app.stdout,
                "{form:?} {place}\n{}\n{}",
                of_file.stdout,
                of_app.stdout
            );
        }
    }
    let json = said(&app, &["report", RUN, "--json"]).await.json();
    let of_file = said(&app, &["report", &file(), "--json"]).await.json();
    for field in ["run_id", "title", "status", "trials_valid", "summary", "repeat_command"] {
        assert_eq!(json[field], of_file[field], "{field}");
    }
}

#[tokio::test]
async fn a_comment_of_a_run_is_that_of_its_file_on_the_pull_request_of_the_run() {
    let (app, forge) = (app().await, Forge::start(COMMIT));
    let page = format!("{}/w/ada/runs/{RUN}", app.url);
    let gate = ["--fail-on", "slower:3%", "--api-url", &forge.url, "--json"];
    let by_run = said(&app, &[&["comment", "--run", &page], &gate[..]].concat()).await;
    assert_eq!(by_run.code, Some(3), "{}", by_run.stderr);
    assert_eq!(by_run.json()["comment"], "created");
    let check = forge.state().checks[0].clone();
    assert_eq!((check.sha.as_str(), check.conclusion.as_str()), (COMMIT, "failure"));
    let (file, pr) = (file(), PULL_REQUEST.to_string());
    let of = ["--repo", "o/r", "--pr", &pr, "--commit", COMMIT];
    let by_file = said(&app, &[&["comment", "--result", &file], &of[..], &gate].concat()).await;
    assert_eq!(
        (by_file.code, by_file.json()["comment"].as_str()),
        (Some(3), Some("unchanged")),
        "{}",
        by_file.stderr
    );
    let with_report = said(&app, &[&["comment", "--run", RUN, "--make-report"], &gate[..]].concat()).await;
    assert_eq!(with_report.json()["comment"], "updated", "{}", with_report.stderr);
    assert!(
        forge.state().comments[0]
            .body
            .contains("[Full report](http://app.test/r/r3p0rt)")
    );
    assert_eq!(forge.state().comments.len(), 1);
}

#[tokio::test]
async fn a_run_that_does_not_belong_there_or_is_not_over_writes_nothing() {
    let (app, forge) = (app().await, Forge::start(COMMIT));
    let comment = |more: &[&str]| {
        let args = [
            &["comment", "--run", RUN, "--make-report", "--api-url", &forge.url],
            more,
        ]
        .concat();
        let args: Vec<String> = args.into_iter().map(str::to_owned).collect();
        let app = app.clone();
        async move { said(&app, &args.iter().map(String::as_str).collect::<Vec<_>>()).await }
    };
    refused(&comment(&["--commit", NEXT]).await, 1, "measured another commit");
    refused(
        &comment(&["--repo", "o/other"]).await,
        1,
        "measured another repo (o/r) than o/other",
    );
    app.state().snapshot = Some(snapshot(NEXT));
    refused(&comment(&[]).await, 1, "nothing was written: either newer commits");
    app.state().states = vec!["measuring"];
    refused(
        &comment(&[]).await,
        1,
        &format!("The run is measuring, so nothing was written; wait for its end with `rigmark wait {RUN}`"),
    );
    app.state().states = vec!["succeeded"];
    app.state().snapshot.as_mut().unwrap()["source"] = Value::Null;
    refused(
        &comment(&[]).await,
        2,
        "The run does not say which repo it is about; give it with --repo.",
    );
    assert!(forge.state().comments.is_empty() && forge.state().checks.is_empty());
    assert!(
        !app.state().log.iter().any(|l| l.ends_with("/reports")),
        "no report is made"
    );
}

#[tokio::test]
async fn files_runs_and_reports_are_compared_with_each_other() {
    let app = app().await;
    let mut other = snapshot(COMMIT);
    other["environment"]["facts"]["cpu_model"] = "Cortex-A76".into();
    app.state()
        .reports
        .insert("abc".to_owned(), report(&[other, snapshot(COMMIT)]));
    let two = format!("{}/r/abc", app.url);
    let file = file();
    let own = said(&app, &["compare", &file, RUN]).await;
    assert_eq!(own.code, Some(0), "{}", own.stderr);
    assert!(
        own.stdout.contains("the same environment") && own.stdout.contains("1.000"),
        "{}",
        own.stdout
    );
    refused(
        &said(&app, &["compare", RUN, &two]).await,
        2,
        "holds 2 runs; add #1 to #2 to its address to choose one",
    );
    let elsewhere = said(&app, &["compare", RUN, &format!("{two}#1"), "--json"])
        .await
        .json();
    assert_eq!(elsewhere["same_environment"], false, "{elsewhere}");
    assert_eq!(elsewhere["scenarios"][0]["entries"][1]["ratio_of_medians"], Value::Null);
    let same = said(&app, &["compare", &format!("{two}#2"), &file, "--json"])
        .await
        .json();
    assert_eq!(same["scenarios"][0]["entries"][1]["ratio_of_medians"], 1.0, "{same}");
}

#[tokio::test]
async fn what_cannot_be_read_is_one_sentence() {
    let app = app().await;
    let file = file();
    let at = |slug: &str| format!("{}/r/{slug}", app.url);
    let unknown = RUN.replace('1', "2");
    for (place, code, wanted) in [
        (unknown.as_str(), 1, "There is no such thing."),
        (&at("gone"), 1, "This report is gone: its owner revoked it."),
        (
            "https://elsewhere.example/w/ada/runs/0198b7a6-0000-7000-8000-000000000001",
            2,
            "you are logged in at",
        ),
        ("https://elsewhere.example/", 2, "is not a file, a run or a report"),
        ("nothing.jsonl", 1, "name a file that `rigmark run --out` wrote"),
    ] {
        refused(&said(&app, &["compare", &file, place]).await, code, wanted);
    }
    for (name, value, wanted) in [
        ("other", json!([1]), "is not a report"),
        ("newer", json!({ "report": 2, "runs": [{}] }), "has version 2"),
        (
            "odd",
            report(&[json!({ "run_id": RUN })]),
            "is not in a form that Rigmark",
        ),
    ] {
        app.state().reports.insert(name.to_owned(), value);
        refused(&said(&app, &["compare", &file, &at(name)]).await, 1, wanted);
    }
    let mut early = snapshot(COMMIT);
    early["summary"] = Value::Null;
    early["gaps"] = json!(["The run was not over when this report was made.\u{1b}[2J"]);
    app.state().snapshot = Some(early);
    refused(
        &said(&app, &["report", RUN, "--md"]).await,
        1,
        "has no results. The run was not over when this report was made.[2J",
    );
    app.state().snapshot = None;
    refused(
        &said(&app, &["report", RUN, "--md"]).await,
        1,
        "is older than this Rigmark and does not hand out runs",
    );
    app.state().tokens.clear();
    refused(
        &said(&app, &["compare", &file, RUN]).await,
        1,
        "This token is expired or revoked.",
    );
    let dir = tempfile::tempdir().unwrap();
    let mut out = command(&app, dir.path(), &["compare", &file, RUN]);
    out.env_remove("RIGMARK_URL").env_remove("RIGMARK_TOKEN");
    refused(&done(out).await, 1, "You are not logged in");
}

#[tokio::test]
async fn the_action_comments_on_a_run_that_it_was_handed() {
    let (app, forge) = (app().await, Forge::start(COMMIT));
    let runner = std::sync::Arc::new(Runner::new());
    runner.measures();
    std::fs::create_dir_all(runner.path("repository/rigmark-result")).unwrap();
    let comment = |id: &str, token: String| {
        std::fs::write(runner.path("repository/rigmark-result/run"), id).unwrap();
        let (runner, forge, url) = (runner.clone(), forge.clone(), app.url.clone());
        let script = move || {
            let more = [("RIGMARK_URL", url.as_str()), ("RIGMARK_TOKEN", token.as_str())];
            runner.comment_with(&forge, COMMIT, &more)
        };
        async { tokio::task::spawn_blocking(script).await.unwrap() }
    };
    for (lie, wanted) in [
        ("", "does not say which run"),
        ("../me", "does not say which run"),
        ("0198b7a6-0000-7000-8000-000000000001?x", "does not say which run"),
        ("--allow-http", "does not say which run"),
        (
            "0198b7a6-0000-7000-8000-000000000001\n0198b7a6",
            "does not say which run",
        ),
        (&RUN.replace('1', "2"), "There is no such thing."),
    ] {
        let said = comment(lie, token('a')).await;
        assert_eq!(said.code, Some(1), "{lie:?}: {}", said.stderr);
        assert!(said.stderr.contains(wanted), "{lie:?}: {}", said.stderr);
    }
    let without = comment(RUN, String::new()).await;
    assert_eq!(without.code, Some(2), "{}", without.stderr);
    // A run that says nothing of its code could be any of the workspace: it is written nowhere.
    app.state().snapshot.as_mut().unwrap()["source"] = Value::Null;
    let any = comment(RUN, token('a')).await;
    assert_eq!(any.code, Some(2), "{}", any.stderr);
    assert!(any.stderr.contains("does not say which pr"), "{}", any.stderr);
    assert!(forge.state().comments.is_empty() && forge.state().checks.is_empty());
    // A job sends the address of its repository; the action gives the name.
    let mut of_job = snapshot(COMMIT);
    of_job["source"]["repository"] = "https://forge.example/o/r".into();
    app.state().snapshot = Some(of_job);
    // The file of a run that a host of the workspace made is there too: the run is in the app and is not published again.
    std::fs::copy(file(), runner.path("repository/rigmark-result/result.jsonl")).unwrap();
    let slower = comment(&format!("{RUN}\n"), token('a')).await;
    assert_eq!(slower.code, Some(3), "{}", slower.stderr);
    assert!(forge.state().comments[0].body.contains("slower than base"));
    assert!(forge.state().comments[0].body.contains("(http://app.test/r/r3p0rt)"));
    assert!(!app.state().log.iter().any(|l| l.contains("publications")));
    // Without a token the file alone is read.
    std::fs::write(
        runner.path("repository/rigmark-result/pull-request"),
        format!("{PULL_REQUEST}\n"),
    )
    .unwrap();
    let by_file = comment(RUN, String::new()).await;
    assert_eq!(by_file.code, Some(3), "{}", by_file.stderr);
    assert!(!forge.state().comments[0].body.contains("Full report"));
}
