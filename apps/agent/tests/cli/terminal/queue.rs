use std::process::{Command, Stdio};

use super::app::{App, RECORDS, RUN};
use super::{done, job};
use crate::support::Ran;

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
    // The app ends a run first and writes its verdict then.
    app.state().states = vec!["settling", "settling", "succeeded"];
    let late = done(job(&app, dir.path(), &["wait", RUN, "--fail-on", "slower"])).await;
    assert_eq!(late.code, Some(3), "{}", late.stderr);
    app.state().states = vec!["failed"];
    let failed = done(job(&app, dir.path(), &["wait", RUN])).await;
    assert_eq!(failed.code, Some(1));
    assert!(
        failed
            .stderr
            .contains("did not succeed: failed. The server did not start."),
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
    let expected = RECORDS.map(|line| format!("{line}\n")).concat();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), expected);
    assert!(!dir.path().join("r.jsonl.part").exists());
    let early = done(job(&app, dir.path(), &[&args.concat()[..], &waits[1..]].concat())).await;
    assert_eq!(early.code, Some(2));
    assert!(early.stderr.contains("--out needs --wait"), "{}", early.stderr);
    let alone = [&args.concat()[..], &["--cancel-on-interrupt"]].concat();
    let alone = done(job(&app, dir.path(), &alone)).await;
    assert_eq!(alone.code, Some(2));
    assert!(
        alone.stderr.contains("--cancel-on-interrupt needs --wait"),
        "{}",
        alone.stderr
    );
}

#[tokio::test]
async fn what_becomes_of_the_file_hides_neither_the_results_nor_the_gate() {
    let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
    app.state().states = vec!["succeeded"];
    app.state().verdict = Some("slower");
    let nowhere = ["wait", RUN, "--out", "/nowhere/r.jsonl"];
    let shown = done(job(&app, dir.path(), &nowhere)).await;
    assert_eq!(shown.code, Some(1));
    assert!(shown.stdout.contains("81,234"), "{}", shown.stdout);
    assert!(shown.stderr.contains("could not be written"), "{}", shown.stderr);
    let gate = [&nowhere[..], &["--fail-on", "slower", "--json"]].concat();
    let gate = done(job(&app, dir.path(), &gate)).await;
    assert_eq!(gate.code, Some(3), "{}", gate.stderr);
    assert_eq!(gate.json()["out_error"]["code"], "out");
}

#[tokio::test]
async fn a_pipe_is_written_to_and_stays_one() {
    use std::os::unix::fs::FileTypeExt;
    let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
    app.state().states = vec!["succeeded"];
    app.state().verdict = Some("slower");
    let pipe = dir.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let from = pipe.clone();
    let reader = std::thread::spawn(move || std::fs::read_to_string(from).unwrap());
    let out = pipe.to_str().unwrap();
    let written = done(job(&app, dir.path(), &["wait", RUN, "--out", out])).await;
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
    let expected = RECORDS.map(|line| format!("{line}\n")).concat();
    assert_eq!(reader.join().unwrap(), expected);
}

#[tokio::test]
async fn what_the_host_does_not_know_is_said_before_anything_is_queued() {
    let (dir, app) = (tempfile::tempdir().unwrap(), App::start().await);
    let with = |from: &'static str, to: &'static str| QUEUE.map(|a| if a == from { to } else { a });
    for (args, says) in [
        (with("pi4", "pi5"), "its hosts are pi4"),
        (with("new=epoll:workers=4", "./mine"), "no server \"./mine\""),
        (with("new=epoll:workers=4", "epoll:workers=two"), "not an integer"),
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
    let gate = [&QUEUE[..], &["--repeats", "3", "--fail-on", "slower"]].concat();
    let refused = done(job(&app, dir.path(), &gate)).await;
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("but --repeats is 3"), "{}", refused.stderr);
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
    assert!(left.stderr.contains("the run continues"), "{}", left.stderr);
    let command = job(&app, dir.path(), &["wait", RUN, "--cancel-on-interrupt"]);
    let cancelled = interrupted(command, "measuring on pi4").await;
    assert_eq!(
        (cancelled.code, app.state().cancelled),
        (Some(130), 1),
        "{}",
        cancelled.stderr
    );
    app.state().states = vec!["settling"];
    let command = job(&app, dir.path(), &["wait", RUN, "--cancel-on-interrupt", "--out", "r"]);
    let after = interrupted(command, "succeeded on pi4").await;
    assert_eq!((after.code, app.state().cancelled), (Some(130), 1));
    assert!(after.stderr.contains("its records were not saved"), "{}", after.stderr);
}
