//! Each cheat is caught by the check that is made for it, in words that name what it did. Where the fault begins is drawn by
//! the cheat at each start.

use crate::support::{faulty, run};
use serde_json::Value;

/// What `rigmark verify` says of the loads of these scenarios.
fn verified(name: &str, scenario: &str, more: &[&str]) -> crate::support::Ran {
    let dir = tempfile::tempdir().unwrap();
    let server = faulty(name);
    let args = ["verify", &server, "--scenario", scenario, "--json"];
    run(dir.path(), &[&args, more].concat())
}

/// The checks of the list that failed.
fn failures(ran: &crate::support::Ran, list: &str) -> Vec<Value> {
    let json = ran.json();
    let checks = json["verified"][0][list].as_array().unwrap();
    checks.iter().filter(|c| c["status"] == "failed").cloned().collect()
}

/// As [`has_failed`] asserts it.
fn says(ran: &crate::support::Ran, list: &str, id: &str, texts: &[&str]) -> bool {
    let failed = failures(ran, list);
    let check = failed.iter().find(|c| c["id"] == id);
    let message = check.and_then(|c| c["message"].as_str());
    message.is_some_and(|message| texts.iter().all(|text| message.contains(text)))
}

fn has_failed(ran: &crate::support::Ran, list: &str, id: &str, texts: &[&str]) {
    let failed = failures(ran, list);
    let check = failed.iter().find(|c| c["id"] == id);
    let message = check
        .unwrap_or_else(|| panic!("not caught by {id}, but by {failed:?}"))
        .get("message")
        .and_then(Value::as_str)
        .unwrap();
    for text in texts {
        assert!(message.contains(text), "{message}");
    }
}

/// This load meets it: the server is wrong for it.
fn caught(name: &str, scenario: &str, id: &str, texts: &[&str]) {
    caught_within(1, name, scenario, id, texts);
}

/// On a quiet host the first one shows it.
const TRIES: u32 = 20;

/// What shows only after many requests: on a busy host verification may not come so far, and the next start draws another number.
/// Or the wrong response is read before any right one, and how many were right is then left out of the sentence.
fn caught_within(tries: u32, name: &str, scenario: &str, id: &str, texts: &[&str]) {
    let ran = (1..tries)
        .map(|_| verified(name, scenario, &[]))
        .find(|ran| says(ran, "checks", id, texts))
        .unwrap_or_else(|| verified(name, scenario, &[]));
    assert_eq!(ran.code, Some(1), "{name}: {}{}", ran.stdout, ran.stderr);
    has_failed(&ran, "checks", id, texts);
}

/// No load meets it: the server counts, and what it breaks is said.
fn does_not_conform(name: &str, scenario: &str, id: &str, texts: &[&str]) {
    for (more, code) in [(&[][..], 0), (&["--strict"][..], 1)] {
        // Pieces that wait for a server without a processor reach it as one: on a busy host the fault may not show at once.
        let ran = (1..TRIES)
            .map(|_| verified(name, scenario, more))
            .find(|ran| failures(ran, "conformance").iter().any(|c| c["id"] == id))
            .unwrap_or_else(|| verified(name, scenario, more));
        assert_eq!(ran.code, Some(code), "{name}: {}{}", ran.stdout, ran.stderr);
        has_failed(&ran, "conformance", id, texts);
    }
}

#[test]
fn a_part_of_a_file() {
    let sentences = ["10m.bin was cut off", "of 10485760 bytes arrived"];
    caught("half-file", "files-10m-ab", "body", &sentences);
}

#[test]
fn a_part_of_a_file_is_no_fault_of_a_load_that_never_asks_for_it() {
    let ran = verified("half-file", "static-1k-ab", &[]);
    let json = ran.json();
    let checks = json["verified"][0]["checks"].as_array().unwrap();
    let body = checks.iter().find(|c| c["id"] == "body").unwrap();
    assert_eq!(body["status"], "passed", "{json}");
}

#[test]
fn a_part_of_a_file_with_the_length_of_the_part() {
    caught("wrong-length", "files-10m-ab", "body", &["10m.bin was cut off"]);
}

#[test]
fn the_right_length_and_wrong_bytes() {
    let sentences = ["10m.bin has wrong bytes: 1 of 10485760 differ"];
    caught("wrong-bytes", "files-10m-ab", "body", &sentences);
}

#[test]
fn files_outside_the_root() {
    let sentences = ["a file from outside the root"];
    does_not_conform("traversal", "static-1k-ab", "outside-root", &sentences);
}

#[test]
fn only_the_files_of_the_start() {
    caught("cached-list", "static-1k-ab", "fresh-file", &["status 404"]);
}

#[test]
fn a_200_for_every_path_that_is_not_there() {
    let sentences = ["the status is 200 and n"];
    does_not_conform("all-200", "static-1k-ab", "not-found", &sentences);
}

#[test]
fn keep_alive_is_promised_and_the_connection_closed() {
    let sentences = ["said that it keeps the connection, but closed it after"];
    for scenario in ["script-wrk", "files-1k-rate", "static-1k-ab"] {
        caught_within(TRIES, "claims-keepalive", scenario, "keep-alive", &sentences);
    }
}

/// It asks again and loses nothing.
#[test]
fn k6_allows_such_an_end_and_it_is_reported() {
    let closes_after = || {
        let ran = verified("closes-late", "static-1k-k6-rate", &[]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        ran.json()["verified"][0]["loads"][0]["closes_after"].as_u64()
    };
    // On a busy host the time for one connection may be over before, and the next start draws another number.
    let after = (0..TRIES).find_map(|_| closes_after()).expect("no end was reported");
    assert!((100..=1000).contains(&after), "{after}");
}

#[test]
fn a_file_that_is_wrong_now_and_then() {
    let sentences = [
        "The response was right for the first",
        "and then wrong",
        "has wrong bytes: 1 of",
    ];
    caught_within(TRIES, "rarely-wrong", "script-wrk", "body", &sentences);
}

#[test]
fn large_files_that_are_whole_only_at_first() {
    // Many connections ask at once. On a busy host a cut response can be read before any whole one: the number of right
    // responses is then left out of the sentence.
    let sentences = ["1m.bin was cut off", "of 1048576 bytes arrived"];
    caught("halves-later", "static-1m-ab", "body", &sentences);
}

#[test]
fn a_limit_on_the_requests_of_a_connection() {
    let sentences = ["said that it keeps the connection, but closed it after"];
    for scenario in ["script-wrk", "reuse-kept-wrk", "static-1k-ab"] {
        caught_within(TRIES, "closes-late", scenario, "keep-alive", &sentences);
    }
}

#[test]
fn no_patience_with_a_request_in_pieces() {
    let sentences = ["in four pieces: the connection was closed before a response came"];
    does_not_conform("impatient", "plaintext-ab", "fragments", &sentences);
}

#[test]
fn a_constant_sum() {
    caught("constant-sum", "sum-64-wrk", "body", &[" got \"sum = ", "and not"]);
}

#[test]
fn right_responses_only_at_first() {
    for scenario in ["sum-64-wrk", "upload-1k"] {
        let sentences = ["The response was right for the first", "and then wrong"];
        caught("right-at-first", scenario, "body", &sentences);
    }
}

#[test]
fn a_stale_response_to_a_later_post() {
    for scenario in ["sum-64-wrk", "upload-1k"] {
        caught("stale-response", scenario, "body", &["a stale response"]);
    }
}

#[test]
fn echoes_in_lower_case() {
    caught("lower-case", "ws-rate", "body", &["came back in lower case"]);
}

#[test]
fn lost_messages() {
    caught(
        "drops-messages",
        "ws-rate",
        "body",
        &["was lost: the next echo is that of the message after it"],
    );
    // Where the last of those under way is the lost one, no later echo tells.
    caught("drops-messages", "ws-16-under-way", "body", &[]);
}
