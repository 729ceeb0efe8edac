//! The comment and the check, as a workflow calls for them.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::forge::{Comment, Forge, PULL_REQUEST, TOKEN};
use crate::recorded;
use crate::support::{Ran, ran, rigmark};

pub const COMMIT: &str = "1234567890abcdef1234567890abcdef12345678";
pub const NEXT: &str = "abcdef1234567890abcdef1234567890abcdef12";

/// `rigmark comment` about a recorded run.
pub fn command(dir: &Path, forge: &Forge, result: &Path, commit: &str, more: &[&str]) -> Command {
    let pr = PULL_REQUEST.to_string();
    let result = result.display().to_string();
    let base = [
        "comment",
        "--result",
        &result,
        "--repo",
        "o/r",
        "--pr",
        &pr,
        "--commit",
        commit,
        "--api-url",
        &forge.url,
    ];
    let mut command = rigmark(dir, &[&base, more].concat());
    for name in [
        "GITLAB_CI",
        "GITHUB_API_URL",
        "GITHUB_TOKEN",
        "GITLAB_TOKEN",
        "CI_API_V4_URL",
    ] {
        command.env_remove(name);
    }
    command.env("RIGMARK_FORGE_TOKEN", TOKEN);
    command
}

fn comment(forge: &Forge, name: &str, commit: &str, more: &[&str]) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    forge.state().head = commit.to_owned();
    ran(command(dir.path(), forge, &recorded(name), commit, more))
}

#[test]
fn slower_then_mended_in_the_same_comment_and_a_check_for_each_commit() {
    let forge = Forge::start(COMMIT);
    let gate = [
        "--fail-on",
        "slower:3%",
        "--only-on",
        "change",
        "--report",
        "https://rigmark.example/r/abc",
        "--json",
    ];
    let slower = comment(&forge, "slower", COMMIT, &gate);
    assert_eq!(slower.code, Some(3), "{}{}", slower.stdout, slower.stderr);
    let said: Value = slower.json();
    assert_eq!(
        (said["comment"].as_str(), said["check"].as_str()),
        (Some("created"), Some("check run"))
    );
    {
        let state = forge.state();
        let body = &state.comments[0].body;
        assert!(body.starts_with("<!-- rigmark:default -->\n"), "{body}");
        assert!(
            body.contains("head is ") && body.contains(" slower than base (95 % interval "),
            "{body}"
        );
        assert!(body.contains("--fail-on slower:3% failed"), "{body}");
        assert!(body.contains("[Full report](https://rigmark.example/r/abc)"), "{body}");
        assert!(body.contains("(https://rigmark.example/r/abc/og.png)"), "{body}");
        assert!(body.contains("<details>") && body.contains("rigmark run"), "{body}");
        let check = &state.checks[0];
        assert_eq!(
            (check.conclusion.as_str(), check.name.as_str(), check.sha.as_str()),
            ("failure", "rigmark", COMMIT)
        );
        assert_eq!(check.details_url.as_deref(), Some("https://rigmark.example/r/abc"));
    }
    // The same again changes nothing.
    assert_eq!(comment(&forge, "slower", COMMIT, &gate).json()["comment"], "unchanged");
    assert_eq!(forge.state().checks.len(), 1);
    // The mended commit turns the comment, though nothing differs any more.
    let mended = comment(&forge, "same", NEXT, &gate);
    assert_eq!(
        (mended.code, &mended.json()["comment"]),
        (Some(0), &Value::from("updated")),
        "{}",
        mended.stderr
    );
    let state = forge.state();
    assert_eq!(state.comments.len(), 1);
    assert!(
        state.comments[0]
            .body
            .contains("No difference was shown between head and base"),
        "{}",
        state.comments[0].body
    );
    let checks: Vec<(&str, &str)> = state
        .checks
        .iter()
        .map(|c| (c.sha.as_str(), c.conclusion.as_str()))
        .collect();
    assert_eq!(checks, [(COMMIT, "failure"), (NEXT, "success")]);
}

#[test]
fn silent_while_nothing_changed_and_the_check_is_there_all_the_same() {
    let forge = Forge::start(COMMIT);
    let same = comment(&forge, "same", COMMIT, &["--only-on", "change", "--json"]);
    assert_eq!(
        (same.code, &same.json()["comment"]),
        (Some(0), &Value::from("not needed")),
        "{}",
        same.stderr
    );
    let state = forge.state();
    assert!(state.comments.is_empty());
    assert_eq!(state.checks[0].conclusion, "neutral");
}

#[test]
fn faster_passes_a_gate_and_is_said() {
    let forge = Forge::start(COMMIT);
    let faster = comment(
        &forge,
        "faster",
        COMMIT,
        &["--fail-on", "slower", "--only-on", "change"],
    );
    assert_eq!(faster.code, Some(0), "{}", faster.stderr);
    let state = forge.state();
    assert!(
        state.comments[0].body.contains(" faster than base"),
        "{}",
        state.comments[0].body
    );
    assert_eq!(state.checks[0].conclusion, "success");
}

#[test]
fn a_marker_in_somebody_elses_comment_is_left_alone() {
    let forge = Forge::start(COMMIT);
    let other = |id: u64, author: &str, bot: bool, body: &str| Comment {
        id,
        author: author.to_owned(),
        bot,
        body: body.to_owned(),
    };
    forge.state().comments = vec![
        other(1, "mallory", false, "<!-- rigmark:default -->\nmine"),
        other(2, "github-actions[bot]", true, "about <!-- rigmark:default --> markers"),
        other(3, "github-actions[bot]", true, "<!-- rigmark:arm64 -->\nof another job"),
    ];
    assert_eq!(comment(&forge, "slower", COMMIT, &[]).code, Some(0));
    let state = forge.state();
    assert_eq!(state.comments.len(), 4);
    assert_eq!(state.comments[0].body, "<!-- rigmark:default -->\nmine");
}

#[test]
fn its_own_comment_is_found_on_a_later_page() {
    let forge = Forge::start(COMMIT);
    forge.state().login = Some("perf-bot".to_owned());
    let filler = |id: u64| Comment {
        id,
        author: "somebody".to_owned(),
        bot: false,
        body: "Hello.".to_owned(),
    };
    forge.state().comments = (1..=230).map(filler).collect();
    let own = Comment {
        id: 231,
        author: "Perf-Bot".to_owned(),
        bot: false,
        body: "<!-- rigmark:default -->\nold".to_owned(),
    };
    forge.state().comments.push(own);
    assert_eq!(
        comment(&forge, "slower", COMMIT, &["--json"]).json()["comment"],
        "updated"
    );
    assert_eq!(forge.state().comments.len(), 231);
}

#[test]
fn a_token_without_the_right_to_make_checks_sets_a_status() {
    let forge = Forge::start(COMMIT);
    forge.state().no_checks = true;
    let said = comment(&forge, "slower", COMMIT, &["--fail-on", "slower", "--json"]);
    assert_eq!(
        (said.code, &said.json()["check"]),
        (Some(3), &Value::from("commit status")),
        "{}",
        said.stderr
    );
    let state = forge.state();
    let status = &state.statuses[0];
    assert_eq!(
        (status.state.as_str(), status.context.as_str(), status.sha.as_str()),
        ("failure", "rigmark", COMMIT)
    );
    assert!(status.description.chars().count() <= 140, "{}", status.description);
}

#[test]
fn gitlab_has_notes_and_statuses() {
    let forge = Forge::start(COMMIT);
    forge.state().login = Some("project_1_bot".to_owned());
    let gitlab = ["--forge", "gitlab", "--fail-on", "slower:3%", "--json"];
    let slower = comment(&forge, "slower", COMMIT, &gitlab);
    assert_eq!(
        (slower.code, &slower.json()["comment"]),
        (Some(3), &Value::from("created")),
        "{}",
        slower.stderr
    );
    assert_eq!(forge.state().statuses[0].state, "failed");
    let mended = comment(&forge, "same", COMMIT, &gitlab);
    assert_eq!(
        (mended.code, &mended.json()["comment"]),
        (Some(0), &Value::from("updated")),
        "{}",
        mended.stderr
    );
    let state = forge.state();
    assert_eq!((state.comments.len(), state.statuses.len()), (1, 1));
    assert_eq!(state.statuses[0].state, "success");
}

#[test]
fn labels_of_a_stranger_stay_text() {
    let forge = Forge::start(COMMIT);
    let dir = tempfile::tempdir().unwrap();
    let evil = r#"a|b @everyone #1 <img src=x> [x](https://evil.example) <!-- --> </details>"#;
    let text = std::fs::read_to_string(recorded("slower")).unwrap();
    let quoted = serde_json::to_string(evil).unwrap();
    let result = dir.path().join("evil.jsonl");
    std::fs::write(
        &result,
        text.replace("\"label\":\"head\"", &format!("\"label\":{quoted}")),
    )
    .unwrap();
    let said = ran(command(dir.path(), &forge, &result, COMMIT, &[]));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let state = forge.state();
    let body = &state.comments[0].body;
    let visible = body.replace("<!-- rigmark:default -->", "");
    for forbidden in [
        "@everyone",
        "#1 ",
        "<img",
        "](https://evil",
        "https://evil",
        "<!--",
        "| @",
        "a|b",
    ] {
        assert!(!visible.contains(forbidden), "{forbidden}: {body}");
    }
    assert_eq!(visible.matches("</details>").count(), 1, "{body}");
}

#[test]
fn a_dry_run_prints_and_needs_no_token_and_no_forge() {
    let dir = tempfile::tempdir().unwrap();
    let forge = Forge::start(COMMIT);
    let mut dry = command(
        dir.path(),
        &forge,
        &recorded("slower"),
        COMMIT,
        &["--dry-run", "--fail-on", "slower:3%"],
    );
    dry.env_remove("RIGMARK_FORGE_TOKEN");
    let dry = ran(dry);
    assert_eq!(dry.code, Some(3));
    assert!(dry.stdout.starts_with("<!-- rigmark:default -->"), "{}", dry.stdout);
    assert!(dry.stdout.contains("Check rigmark: head is "), "{}", dry.stdout);
    assert!(forge.state().requests.is_empty());
}

#[test]
fn the_head_can_be_asked_for_alone() {
    let forge = Forge::start(COMMIT);
    let asked = comment(&forge, "slower", COMMIT, &["--check-head"]);
    assert_eq!(asked.code, Some(0), "{}", asked.stderr);
    let dir = tempfile::tempdir().unwrap();
    let other = ran(command(
        dir.path(),
        &forge,
        &recorded("slower"),
        NEXT,
        &["--check-head"],
    ));
    assert_eq!(other.code, Some(1));
    assert!(other.stderr.contains("so nothing was written"), "{}", other.stderr);
    assert!(forge.state().comments.is_empty() && forge.state().checks.is_empty());
}
