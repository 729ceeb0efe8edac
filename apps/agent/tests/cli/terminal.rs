//! Login, publishing, queueing and waiting, with the real program and an app on loopback.

mod app;
mod login;
mod publish;
mod queue;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use app::{App, RUN, token};

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
