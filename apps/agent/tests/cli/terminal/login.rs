use super::app::{Always, App, token};
use super::{command, done, job, quiet, result_file, with_stdin};

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
        let mut refused = done(asked(&app.url)).await;
        // What does respond may take more than the second on a busy host.
        for _ in 0..20 {
            if code == "unreachable" || refused.json()["error"]["code"] != "unreachable" {
                break;
            }
            refused = done(asked(&app.url)).await;
        }
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
