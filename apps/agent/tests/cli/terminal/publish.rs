use super::app::{App, RUN};
use super::{assert_whole, done, job, result_file};

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
    app.state().no_reports = true;
    let without = done(job(&app, dir.path(), &[&args[..], &["--report"]].concat())).await;
    assert_eq!(without.code, Some(1), "{}", without.stderr);
    assert_eq!(without.json()["report_error"]["code"], "forbidden");
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
