//! Each cheat is caught by the check that is made for it, in words that name what it did. Where the fault begins is drawn by
//! the cheat at each start.

mod support;

use serde_json::Value;
use support::{fixture, run};

/// Fails unless each text occurs in the message of the failed check with that id.
fn caught(name: &str, workload: &str, id: &str, texts: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(
        dir.path(),
        &["verify", &fixture(name), "--workload", workload, "--json"],
    );
    assert_eq!(ran.code, Some(1), "{name}: {}{}", ran.stdout, ran.stderr);
    let json = ran.json();
    let checks = json["verified"][0]["checks"].as_array().unwrap();
    let failed: Vec<&Value> = checks.iter().filter(|c| c["status"] == "failed").collect();
    let check = failed.iter().find(|c| c["id"] == id);
    let message = check
        .unwrap_or_else(|| panic!("{name}: not caught by {id}, but by {failed:?}"))
        .get("message")
        .and_then(Value::as_str)
        .unwrap();
    for text in texts {
        assert!(message.contains(text), "{name}: {message}");
    }
}

#[test]
fn a_part_of_a_file() {
    caught(
        "half-file",
        "static",
        "body-10m",
        &["10m.bin was cut off", "of 10485760 bytes arrived"],
    );
}

#[test]
fn a_part_of_a_file_with_the_length_of_the_part() {
    caught("wrong-length", "static", "body-10m", &["10m.bin was cut off"]);
}

#[test]
fn the_right_length_and_wrong_bytes() {
    caught(
        "wrong-bytes",
        "static",
        "body-10m",
        &["10m.bin has wrong bytes: 1 of 10485760 differ"],
    );
}

#[test]
fn files_outside_the_root() {
    caught("traversal", "static", "outside-root", &["a file from outside the root"]);
}

#[test]
fn only_the_files_of_the_start() {
    caught("cached-list", "static", "fresh-file", &["the status is 404"]);
}

#[test]
fn a_200_for_every_path() {
    caught("all-200", "static", "not-found", &["the status is 200 and not 404"]);
}

#[test]
fn keep_alive_is_said_and_the_connection_closed() {
    let said = ["said that it keeps the connection, but closed it after"];
    caught("claims-keepalive", "static", "keep-alive", &said);
}

#[test]
fn a_file_that_is_wrong_now_and_then() {
    let said = [
        "The answer was right for the first",
        "and then wrong",
        "has wrong bytes: 1 of",
    ];
    caught("rarely-wrong", "static", "lasting", &said);
}

#[test]
fn large_files_that_are_whole_only_at_first() {
    let said = ["The answer was right for the first", "was cut off"];
    caught("halves-later", "static", "body-again", &said);
}

#[test]
fn a_limit_on_the_requests_of_a_connection() {
    let said = ["said that it keeps the connection, but closed it after"];
    caught("closes-late", "static", "keep-alive", &said);
    caught("closes-late", "plaintext", "keep-alive", &said);
}

#[test]
fn no_patience_with_a_request_in_pieces() {
    let said = ["in four pieces: the connection was closed before an answer came"];
    caught("impatient", "plaintext", "fragments", &said);
}

#[test]
fn a_constant_sum() {
    caught(
        "constant-sum",
        "json-sum",
        "sum-varies",
        &["Five arrays with different sums were all answered with", "a constant"],
    );
}

#[test]
fn right_sums_only_at_first() {
    caught(
        "right-at-first",
        "json-sum",
        "lasting",
        &["The sum was right for the first", "and then wrong"],
    );
}

#[test]
fn right_hashes_only_at_first() {
    caught(
        "right-at-first",
        "upload",
        "lasting",
        &["The hash was right for the first", "and then wrong"],
    );
}

#[test]
fn a_stale_answer_to_a_later_post() {
    caught(
        "stale-answer",
        "json-sum",
        "fresh-answer",
        &["was answered with the sum of POST", "a stale answer"],
    );
    caught(
        "stale-answer",
        "upload",
        "fresh-answer",
        &["was answered with the hash of POST", "a stale answer"],
    );
}

#[test]
fn echoes_in_lower_case() {
    caught("lower-case", "ws-echo", "echo", &["came back in lower case"]);
}

#[test]
fn lost_messages() {
    caught(
        "drops-messages",
        "ws-echo",
        "burst",
        &["of a burst of", "was lost: the next echo is that of message"],
    );
}
