//! A forge that does not do what it should: one sentence, the right exit code, and nothing written twice.

use crate::comment::{COMMIT, NEXT, command};
use crate::forge::{Fault, Forge};
use crate::recorded;
use crate::support::{Ran, ran};

fn comment(forge: &Forge, more: &[&str]) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    ran(command(dir.path(), forge, &recorded("slower"), COMMIT, more))
}

/// One line on stderr with this in it, exit code 1.
fn refused(said: &Ran, wanted: &str) {
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert_eq!(said.stderr.trim().lines().count(), 1, "{}", said.stderr);
    assert!(said.stderr.contains(wanted), "{wanted}: {}", said.stderr);
}

#[test]
fn each_refusal_says_what_to_do() {
    let cases: [(&str, u16, &str); 6] = [
        (
            "GET /repos/o/r/pulls",
            401,
            "does not accept the token (401); check that RIGMARK_FORGE_TOKEN",
        ),
        ("GET /repos/o/r/pulls", 404, "404: No.); check --repo and --pr"),
        (
            "GET /repos/o/r/issues",
            403,
            "list the comments (403: No.); give it the right to: pull-requests: write",
        ),
        ("POST /repos/o/r/issues", 403, "write the comment (403: No.)"),
        ("POST /repos/o/r/issues", 422, "refused to write the comment (422: No.)"),
        (
            "POST /repos/o/r/check-runs",
            422,
            "The comment is created, the check is not set",
        ),
    ];
    for (request, status, wanted) in cases {
        let forge = Forge::start(COMMIT);
        forge.fail(request, Fault::Answer(status, None));
        refused(&comment(&forge, &[]), wanted);
        let written = usize::from(request.contains("check-runs"));
        assert_eq!(forge.state().comments.len(), written, "{request} {status}");
    }
}

#[test]
fn what_passes_is_tried_again_and_nothing_is_written_twice() {
    let forge = Forge::start(COMMIT);
    forge.fail("GET /repos/o/r/pulls", Fault::Answer(500, Some(0)));
    forge.fail("GET /repos/o/r/issues", Fault::Answer(403, Some(0)));
    forge.fail("POST /repos/o/r/issues", Fault::Lose);
    forge.fail("POST /repos/o/r/check-runs", Fault::Lose);
    let said = comment(&forge, &[]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let state = forge.state();
    assert_eq!(
        (state.comments.len(), state.checks.len()),
        (1, 1),
        "{:?}",
        state.requests
    );
}

#[test]
fn a_forge_that_stays_broken_is_given_up() {
    let forge = Forge::start(COMMIT);
    for _ in 0..4 {
        forge.fail("POST /repos/o/r/issues", Fault::Answer(500, Some(0)));
    }
    refused(
        &comment(&forge, &[]),
        "failed to write the comment (HTTP 500: No.); run the command again later",
    );
    let state = forge.state();
    assert!(state.comments.is_empty() && state.checks.is_empty());
}

#[test]
fn a_long_wait_is_not_waited_for() {
    let forge = Forge::start(COMMIT);
    forge.fail("GET /repos/o/r/pulls", Fault::Answer(429, Some(900)));
    refused(
        &comment(&forge, &[]),
        "asks to wait 900 s before it will show pull request 7, longer than the 60 s",
    );
}

#[test]
fn a_forge_that_never_answers() {
    let forge = Forge::start(COMMIT);
    for _ in 0..4 {
        forge.fail("GET /repos/o/r/pulls", Fault::Hang);
    }
    refused(&comment(&forge, &["--timeout", "100ms"]), "did not respond within");
}

#[test]
fn what_is_no_forge_is_said() {
    let forge = Forge::start(COMMIT);
    forge.fail("GET /repos/o/r/pulls", Fault::Page);
    refused(&comment(&forge, &[]), "sent a response that its API does not document");
}

#[test]
fn a_result_of_another_commit_is_not_written() {
    let forge = Forge::start(NEXT);
    refused(&comment(&forge, &[]), "nothing was written");
    let state = forge.state();
    assert!(state.comments.is_empty() && state.checks.is_empty());
}

#[test]
fn a_file_of_another_version_writes_nothing_and_half_a_file_says_so() {
    let forge = Forge::start(COMMIT);
    let dir = tempfile::tempdir().unwrap();
    let whole = std::fs::read_to_string(recorded("slower")).unwrap();
    let comment = |text: &str| {
        let file = dir.path().join("r.jsonl");
        std::fs::write(&file, text).unwrap();
        ran(command(dir.path(), &forge, &file, COMMIT, &[]))
    };
    let newer = comment(&whole.replacen("\"v\":1", "\"v\":2", 1));
    refused(&newer, "has records of version 2");
    refused(&comment("GET / HTTP/1.1\n"), "is not a result file");
    refused(&comment(&whole[..2_000]), "ends before its run had a plan");
    assert!(forge.state().requests.is_empty());
    let end = whole.find("\"kind\":\"result\"").unwrap();
    let half = comment(&whole[..end]);
    assert_eq!(half.code, Some(0), "{}", half.stderr);
    let state = forge.state();
    let body = &state.comments[0].body;
    assert!(
        body.contains("> The file ends before the run did; what was measured until then is here"),
        "{body}"
    );
}

#[test]
fn what_was_typed_wrong_is_bad_usage() {
    let dir = tempfile::tempdir().unwrap();
    let forge = Forge::start(COMMIT);
    let mut without = command(dir.path(), &forge, &recorded("slower"), COMMIT, &[]);
    without.env_remove("RIGMARK_FORGE_TOKEN");
    let said = ran(without);
    assert_eq!(said.code, Some(2));
    assert!(
        said.stderr.contains("set GITHUB_TOKEN or RIGMARK_FORGE_TOKEN"),
        "{}",
        said.stderr
    );
    for (more, wanted) in [
        (["--key", "a -->"], "a key has up to 60"),
        (
            ["--report", "https://x.example/r/a)b"],
            "is not the address of a report",
        ),
        (["--fail-on", "sooner"], "no rule"),
    ] {
        let said = comment(&forge, &more);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains(wanted), "{}", said.stderr);
    }
    assert!(forge.state().requests.is_empty());
}
