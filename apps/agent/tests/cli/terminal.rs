//! Login, publishing, queueing and waiting, with the real program and an app on loopback.

mod app;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use app::{Always, App, RUN, token};

use crate::support::{Ran, ran, rigmark};

/// Without the proxies, certificates and logins of whoever runs the tests.
fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = rigmark(dir, args);
    command.env("XDG_CONFIG_HOME", dir.join("config"));
    let cleared = [
        "HTTPS_PROXY",
        "HTTP_PROXY",
        "NO_PROXY",
        "RIGMARK_URL",
        "RIGMARK_TOKEN",
        "RIGMARK_WORKSPACE",
    ];
    let jobs = ["GITHUB_ACTIONS", "GITLAB_CI"];
    for name in cleared.into_iter().chain(jobs) {
        command.env_remove(name).env_remove(name.to_lowercase());
    }
    command
}

async fn done(command: Command) -> Ran {
    tokio::task::spawn_blocking(|| ran(command)).await.unwrap()
}

/// As in a CI job: address and token in variables.
fn job(app: &App, dir: &Path, args: &[&str]) -> Command {
    let mut command = command(dir, args);
    command.env("RIGMARK_URL", &app.url).env("RIGMARK_TOKEN", token('a'));
    command
}

async fn with_stdin(mut command: Command, text: String) -> Ran {
    use std::io::Write;
    tokio::task::spawn_blocking(move || {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        child.wait_with_output().unwrap().into()
    })
    .await
    .unwrap()
}

fn quiet(ran: &Ran) {
    for letter in ['a', 'b'] {
        let secret = token(letter);
        assert!(
            !ran.stdout.contains(&secret) && !ran.stderr.contains(&secret),
            "a token was printed"
        );
    }
}

/// A run of a few chunks, in both streams.
fn result_file(dir: &Path, name: &str, lines: usize, ended: bool) -> PathBuf {
    let record = |seq: usize, kind: &str, data: String| {
        format!(r#"{{"v":1,"seq":{seq},"t_us":{seq},"kind":"{kind}","data":{data}}}"#)
    };
    let mut text = vec![
        record(
            0,
            "begin",
            format!(r#"{{"run_id":"{RUN}","attempt_id":"{RUN}","attempt_no":1,"agent_version":"0.1.0"}}"#),
        ),
        record(1, "environment", r#"{"facts":{"hostname":"pi4"}}"#.to_owned()),
    ];
    for n in 0..lines {
        text.push(record(
            2 + n,
            "log",
            format!(r#"{{"line":"{n} {}"}}"#, "x".repeat(60_000)),
        ));
        text.push(record(n, "raw", format!(r#"{{"text":"{n} {}"}}"#, "y".repeat(30_000))));
    }
    if ended {
        text.push(record(2 + lines, "result", r#"{"status":"succeeded"}"#.to_owned()));
    }
    let path = dir.join(name);
    std::fs::write(&path, text.join("\n") + "\n").unwrap();
    path
}

fn journal_of(file: &Path) -> [String; 2] {
    let text = std::fs::read_to_string(file).unwrap();
    let of = |raw: bool| {
        let lines = text.lines().filter(|l| l.contains(r#""kind":"raw""#) == raw);
        lines.map(|l| format!("{l}\n")).collect::<String>()
    };
    [of(false), of(true)]
}

fn assert_whole(app: &App, file: &Path) {
    let state = app.state();
    assert_eq!(state.runs.len(), 1);
    let run = &state.runs[RUN];
    let there = [0, 1].map(|of| {
        run.streams[of]
            .iter()
            .map(|(_, text)| text.as_str())
            .collect::<String>()
    });
    assert!(there == journal_of(file), "what is there is not what is in the file");
    assert!(run.finished.is_some());
}

#[tokio::test]
async fn a_login_by_token_is_kept_used_and_revoked() {
    let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
    let login = command(dir.path(), &["login", "--url", &app.url, "--token", "-"]);
    let logged_in = with_stdin(login, format!("{}\n", token('a'))).await;
    assert_eq!(logged_in.code, Some(0), "{}", logged_in.stderr);
    quiet(&logged_in);
    assert!(logged_in.stdout.contains("as Ada"), "{}", logged_in.stdout);
    let status = done(command(dir.path(), &["login", "--status"])).await;
    assert_eq!(status.code, Some(0), "{}", status.stderr);
    assert!(
        status.stdout.contains("read, queue, publish") && status.stdout.contains("ada"),
        "{}",
        status.stdout
    );
    quiet(&status);
    let out = done(command(dir.path(), &["logout"])).await;
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    assert!(app.state().tokens.is_empty(), "the token is revoked");
    assert!(!dir.path().join("config/rigmark/login.toml").exists());
    let status = done(command(dir.path(), &["login", "--status"])).await;
    assert_eq!(status.code, Some(1));
    assert!(status.stderr.contains("rigmark login"), "{}", status.stderr);
    let again = done(command(dir.path(), &["logout"])).await;
    assert_eq!(
        (again.code, again.stdout.as_str()),
        (Some(0), "You were not logged in.\n")
    );
}

#[tokio::test]
async fn a_login_is_approved_or_denied_in_a_browser() {
    let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
    app.state().pending = 1;
    let logged_in = done(command(dir.path(), &["login", "--url", &app.url])).await;
    assert_eq!(logged_in.code, Some(0), "{}", logged_in.stderr);
    assert!(
        logged_in.stderr.contains("BCDF-GHJK") && logged_in.stderr.contains("http://app.test/device"),
        "{}",
        logged_in.stderr
    );
    quiet(&logged_in);
    app.state().denied = true;
    let denied = done(command(dir.path(), &["login", "--url", &app.url, "--json"])).await;
    assert_eq!(
        (denied.code, denied.json()["error"]["code"].as_str()),
        (Some(1), Some("denied"))
    );
    // The login of before is still there.
    assert!(dir.path().join("config/rigmark/login.toml").exists());
}

#[tokio::test]
async fn a_token_that_is_not_taken_and_one_in_the_arguments() {
    let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
    let in_arguments = done(command(
        dir.path(),
        &["login", "--url", &app.url, "--token", &token('b')],
    ))
    .await;
    assert_eq!(in_arguments.code, Some(2));
    assert!(in_arguments.stderr.contains("--token -"), "{}", in_arguments.stderr);
    quiet(&in_arguments);
    for (text, says) in [
        (token('b'), "expired or revoked"),
        ("rgm_cut".to_owned(), "47 characters"),
    ] {
        let refused = with_stdin(command(dir.path(), &["login", "--url", &app.url, "--token", "-"]), text).await;
        assert_eq!(refused.code, Some(1));
        assert!(refused.stderr.contains(says), "{}", refused.stderr);
        quiet(&refused);
    }
    assert!(!dir.path().join("config").exists(), "nothing half done");
    let file = result_file(dir.path(), "r.jsonl", 1, true);
    let mut foreign = job(&app, dir.path(), &["publish", file.to_str().unwrap()]);
    foreign.env("RIGMARK_TOKEN", token('b'));
    let foreign = done(foreign).await;
    assert_eq!(foreign.code, Some(1));
    assert!(foreign.stderr.contains("RIGMARK_TOKEN"), "{}", foreign.stderr);
    quiet(&foreign);
}

#[tokio::test]
async fn an_address_that_is_wrong_broken_or_silent_is_one_sentence() {
    let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
    let asked = |url: &str| {
        let mut command = command(dir.path(), &["login", "--status", "--json", "--retry-for", "1s"]);
        command.env("RIGMARK_URL", url).env("RIGMARK_TOKEN", token('a'));
        command
    };
    for (always, code, says) in [
        (Always::Page, "not-rigmark", "check the address"),
        (Always::Redirect, "not-rigmark", "https://elsewhere.example/"),
        (Always::Status(500), "internal", "Its log says what."),
        (Always::Never, "unreachable", "no response within 1 s"),
    ] {
        app.state().always = Some(always);
        let refused = done(asked(&app.url)).await;
        let error = refused.json()["error"].clone();
        assert_eq!((refused.code, error["code"].as_str()), (Some(1), Some(code)), "{error}");
        assert!(error["message"].as_str().unwrap().contains(says), "{error}");
    }
    // Nobody listens there.
    let nobody = done(asked("http://127.0.0.1:9")).await;
    assert_eq!(nobody.json()["error"]["code"], "unreachable");
    let plain = done(asked("http://rigmark.example")).await;
    assert_eq!(plain.code, Some(2), "{}", plain.stdout);
}

#[tokio::test]
async fn a_file_is_published_once_however_often_it_is_sent() {
    let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
    let file = result_file(dir.path(), "r.jsonl", 20, true);
    let args = ["publish", file.to_str().unwrap(), "--json"];
    let dry = done(job(&app, dir.path(), &[&args[..], &["--dry-run"]].concat()))
        .await
        .json();
    assert_eq!(
        (dry["workspace"].as_str(), dry["run_id"].as_str(), dry["host"].as_str()),
        (Some("ada"), Some(RUN), Some("pi4"))
    );
    assert!(app.state().runs.is_empty(), "nothing is sent");
    let first = done(job(
        &app,
        dir.path(),
        &[&args[..], &["--report", "--title", "Mine"]].concat(),
    ))
    .await;
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let first = first.json();
    assert_eq!(
        (first["already"].as_bool(), first["report"]["slug"].as_str()),
        (Some(false), Some("r3p0rt"))
    );
    assert_whole(&app, &file);
    assert_eq!(app.state().runs[RUN].head["title"], "Mine");
    let chunks = app.state().log.iter().filter(|l| l.contains("chunks")).count();
    assert!(chunks > 5, "{chunks}");
    let again = done(job(&app, dir.path(), &args)).await;
    assert_eq!((again.code, again.json()["already"].as_bool()), (Some(0), Some(true)));
    assert_eq!(app.state().log.iter().filter(|l| l.contains("chunks")).count(), chunks);
    // The same run, and other content.
    let other = result_file(dir.path(), "other.jsonl", 19, true);
    let refused = done(job(&app, dir.path(), &["publish", other.to_str().unwrap(), "--json"])).await;
    assert_eq!(refused.json()["error"]["code"], "other-content");
}

#[tokio::test]
async fn whatever_the_network_does_the_run_is_there_once_and_whole() {
    for every in [2, 3, 5] {
        let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
        let file = result_file(dir.path(), "r.jsonl", 12, true);
        app.state().fault_every = Some(every);
        let published = done(job(&app, dir.path(), &["publish", file.to_str().unwrap()])).await;
        assert_eq!(published.code, Some(0), "{}", published.stderr);
        assert_whole(&app, &file);
    }
}

#[tokio::test]
async fn half_a_file_and_another_versions_file() {
    let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
    let half = result_file(dir.path(), "half.jsonl", 3, false);
    let refused = done(job(&app, dir.path(), &["publish", half.to_str().unwrap(), "--json"])).await;
    assert_eq!(
        (refused.code, refused.json()["error"]["code"].as_str()),
        (Some(1), Some("half-file"))
    );
    assert!(
        refused.json()["error"]["message"]
            .as_str()
            .unwrap()
            .contains("--partial")
    );
    assert!(app.state().runs.is_empty(), "nothing half done");
    let partial = done(job(
        &app,
        dir.path(),
        &["publish", half.to_str().unwrap(), "--partial", "--json"],
    ))
    .await;
    assert_eq!(partial.json()["state"], "incomplete", "{}", partial.stderr);
    assert_whole(&app, &half);
    for (text, code) in [
        (
            r#"{"v":2,"seq":0,"t_us":0,"kind":"begin","data":{"agent_version":"9.0.0"}}"#,
            "version",
        ),
        ("GET / HTTP/1.1", "no-result-file"),
        ("", "no-result-file"),
    ] {
        let path = dir.path().join("other");
        std::fs::write(&path, text).unwrap();
        let refused = done(job(&app, dir.path(), &["publish", path.to_str().unwrap(), "--json"])).await;
        assert_eq!(
            (refused.code, refused.json()["error"]["code"].as_str()),
            (Some(1), Some(code)),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_workspace_is_named_where_there_are_several() {
    let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
    app.state().workspaces = vec!["ada", "team"];
    let file = result_file(dir.path(), "r.jsonl", 1, true);
    let file = file.to_str().unwrap();
    let which = done(job(&app, dir.path(), &["publish", file])).await;
    assert_eq!(which.code, Some(2));
    assert!(which.stderr.contains("ada, team"), "{}", which.stderr);
    let there = done(job(&app, dir.path(), &["publish", file, "--workspace", "team"])).await;
    assert_eq!(there.code, Some(0), "{}", there.stderr);
    let foreign = done(job(&app, dir.path(), &["publish", file, "--workspace", "theirs"])).await;
    assert_eq!(foreign.code, Some(1));
    assert!(foreign.stderr.contains("no such workspace"), "{}", foreign.stderr);
}

const QUEUE: [&str; 7] = [
    "queue",
    "--host",
    "pi4",
    "--server",
    "new=epoll:workers=4",
    "--scenario",
    "plaintext-wrk",
];

#[tokio::test]
async fn a_run_is_queued_and_waited_for_with_its_verdict() {
    let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
    app.state().states = vec!["queued", "leased", "measuring", "succeeded"];
    app.state().verdict = Some("slower");
    let args = [&QUEUE[..], &["--server", "netty", "--quick", "--seed", "7", "--wait"]].concat();
    let waited = done(job(&app, dir.path(), &args)).await;
    assert_eq!(waited.code, Some(0), "{}", waited.stderr);
    for state in ["queued on pi4", "measuring on pi4", "succeeded on pi4"] {
        assert!(waited.stderr.contains(state), "{}", waited.stderr);
    }
    for part in [
        "81,234",
        "0.970",
        "0.960 to 0.980",
        "slower",
        "epoll is what it is.",
        RUN,
    ] {
        assert!(waited.stdout.contains(part), "{part}: {}", waited.stdout);
    }
    let spec = app.state().queued[0]["spec"].clone();
    assert_eq!(
        spec["entries"][0],
        serde_json::json!({ "label": "new", "server": "epoll", "options": { "workers": 4 } })
    );
    assert_eq!(
        (
            spec["repeats"].as_u64(),
            spec["warmup_s"].as_f64(),
            spec["seed"].as_u64()
        ),
        (Some(5), Some(2.0), Some(7))
    );
    app.state().states = vec!["succeeded"];
    let page = format!("{}/w/ada/runs/{RUN}", app.url);
    let gate = done(job(&app, dir.path(), &["wait", &page, "--fail-on", "slower"])).await;
    assert_eq!(gate.code, Some(3), "{}", gate.stderr);
    app.state().states = vec!["failed"];
    let failed = done(job(&app, dir.path(), &["wait", RUN])).await;
    assert_eq!(failed.code, Some(1));
    assert!(
        failed.stderr.contains("ended as failed. The server did not start."),
        "{}",
        failed.stderr
    );
}

#[tokio::test]
async fn two_commits_of_a_server_are_queued_and_their_records_kept_as_a_file() {
    let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
    app.state().states = vec!["measuring", "succeeded"];
    app.state().verdict = Some("slower");
    let commit = "0123456789abcdef0123456789abcdef01234567";
    let (head, out) = (format!("hello@{commit}:workers=2"), dir.path().join("r.jsonl"));
    let args = [
        &[
            "queue",
            "--host",
            "pi4",
            "--server",
            "base=hello@origin/main",
            "--server",
            &head,
        ],
        &["--scenario", "plaintext-wrk", "--fail-on", "slower"][..],
    ];
    let waits = ["--wait", "--out", out.to_str().unwrap()];
    let waited = done(job(&app, dir.path(), &[&args.concat()[..], &waits].concat())).await;
    assert_eq!(waited.code, Some(3), "{}", waited.stderr);
    assert_eq!(
        app.state().queued[0]["spec"]["entries"],
        serde_json::json!([
            { "label": "base", "server": "hello", "options": {}, "revision": "origin/main" },
            { "label": "hello@0123456789ab workers=2", "server": "hello", "options": { "workers": 2 }, "revision": commit },
        ])
    );
    let expected = app::RECORDS.map(|line| format!("{line}\n")).concat();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), expected);
    assert!(!dir.path().join("r.jsonl.part").exists());
    let early = done(job(&app, dir.path(), &[&args.concat()[..], &waits[1..]].concat())).await;
    assert_eq!(early.code, Some(2));
    assert!(early.stderr.contains("--out needs --wait"), "{}", early.stderr);
    let nowhere = done(job(&app, dir.path(), &["wait", RUN, "--out", "/nowhere/r.jsonl"])).await;
    assert_eq!(nowhere.code, Some(1));
    assert!(nowhere.stderr.contains("could not be written"), "{}", nowhere.stderr);
}

#[tokio::test]
async fn what_the_host_does_not_know_is_said_before_anything_is_queued() {
    let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
    let with = |from: &'static str, to: &'static str| QUEUE.map(|a| if a == from { to } else { a });
    for (args, says) in [
        (with("pi4", "pi5"), "its hosts are pi4"),
        (with("new=epoll:workers=4", "./mine"), "no server \"./mine\""),
        (with("new=epoll:workers=4", "epoll:workers=two"), "no integer"),
        (
            with("new=epoll:workers=4", "new=epoll@main"),
            "The host takes no commit for epoll: ",
        ),
        (with("new=epoll:workers=4", "./mine@main"), "no server \"./mine@main\""),
    ] {
        let refused = done(job(&app, dir.path(), &args)).await;
        assert!(
            refused.code != Some(0) && refused.stderr.contains(says),
            "{}",
            refused.stderr
        );
    }
    assert!(app.state().queued.is_empty());
}

/// Sends SIGINT as soon as the program has said this.
async fn interrupted(mut command: Command, after: &'static str) -> Ran {
    use std::io::{BufRead, BufReader, Read};
    tokio::task::spawn_blocking(move || {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        while !said.contains(after) {
            assert!(stderr.read_line(&mut said).unwrap() > 0, "{said}");
        }
        // SAFETY: it is our own child, which was not waited for yet.
        assert_eq!(unsafe { libc::kill(child.id() as i32, libc::SIGINT) }, 0);
        stderr.read_to_string(&mut said).unwrap();
        let mut stdout = String::new();
        child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        Ran {
            code: child.wait().unwrap().code(),
            stdout,
            stderr: said,
        }
    })
    .await
    .unwrap()
}

#[tokio::test]
async fn an_interrupt_leaves_the_run_alone_unless_it_shall_be_cancelled() {
    let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
    app.state().states = vec!["measuring"];
    let left = interrupted(job(&app, dir.path(), &["wait", RUN]), "measuring on pi4").await;
    assert_eq!((left.code, app.state().cancelled), (Some(130), 0));
    assert!(left.stderr.contains("the run goes on"), "{}", left.stderr);
    let command = job(&app, dir.path(), &["wait", RUN, "--cancel-on-interrupt"]);
    let cancelled = interrupted(command, "measuring on pi4").await;
    assert_eq!(
        (cancelled.code, app.state().cancelled),
        (Some(130), 1),
        "{}",
        cancelled.stderr
    );
}

#[test]
fn completions_know_the_commands() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let printed = ran(command(dir.path(), &["completions", shell]));
        assert_eq!(printed.code, Some(0));
        assert!(
            printed.stdout.contains("publish") && printed.stdout.contains("dry-run"),
            "{shell}"
        );
    }
    let man = ran(command(dir.path(), &["man"]));
    assert!(man.stdout.contains(".TH rigmark 1"), "{}", man.stdout);
}
