//! `rigmark verify` on real servers, good and bad.

mod support;

use serde_json::Value;
use support::{fixture, run};

/// Ids of the failed checks over all workloads, with the messages.
fn failures(json: &Value) -> Vec<(String, String)> {
    let workloads = json["verified"].as_array().unwrap();
    let checks = workloads.iter().flat_map(|w| w["checks"].as_array().unwrap());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    checks
        .filter(|c| c["status"] == "failed")
        .map(|c| (text(&c["id"]), text(&c["message"])))
        .collect()
}

#[test]
fn the_good_servers_pass_everything_they_claim_and_quickly() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(dir.path(), &["verify", "epoll", "io-uring", "libuv", "nginx", "--json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let json = ran.json();
    assert_eq!(json["schema_version"], 1);
    let verified = json["verified"].as_array().unwrap();
    assert_eq!(verified.len(), 8);
    for one in verified {
        assert_eq!(one["status"], "passed", "{one}");
        assert!(one["elapsed_ms"].as_u64().unwrap() < 5000, "{one}");
    }
}

#[test]
fn each_cheat_is_caught_by_the_name_of_its_check() {
    let dir = tempfile::tempdir().unwrap();
    for (name, check) in [
        ("half-file", "body-10m"),
        ("wrong-length", "body-10m"),
        ("traversal", "outside-root"),
        ("claims-keepalive", "keep-alive"),
        ("cached-list", "fresh-file"),
        ("all-200", "not-found"),
    ] {
        let ran = run(dir.path(), &["verify", &fixture(name), "--json"]);
        assert_eq!(ran.code, Some(1), "{name}: {}{}", ran.stdout, ran.stderr);
        let failures = failures(&ran.json());
        assert!(failures.iter().any(|(id, _)| id == check), "{name}: {failures:?}");
    }
}

#[test]
fn half_a_file_is_said_with_both_byte_counts() {
    let dir = tempfile::tempdir().unwrap();
    let half = fixture("half-file");
    let ran = run(dir.path(), &["verify", &half, "--workload", "static"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stdout
            .contains("10m.bin was cut off: 5242880 of 10485760 bytes arrived."),
        "{}",
        ran.stdout
    );

    let ran = run(dir.path(), &["verify", &half, "--workload", "static", "--json"]);
    let json = ran.json();
    let checks = json["verified"][0]["checks"].as_array().unwrap();
    let check = checks.iter().find(|c| c["id"] == "body-10m").unwrap();
    assert_eq!(
        (&check["expected_bytes"], &check["actual_bytes"]),
        (&10485760.into(), &5242880.into())
    );
}

#[test]
fn one_that_never_gets_ready_is_said_with_the_time_that_it_had() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(
        dir.path(),
        &["verify", &fixture("never-ready"), "--workload", "plaintext"],
    );
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("was not ready after"), "{}", ran.stdout);
}

#[test]
fn a_workload_that_is_not_claimed_is_unsupported() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(dir.path(), &["verify", "epoll", "--workload", "ws-echo", "--json"]);
    assert_eq!(ran.code, Some(77), "{}", ran.stderr);
    assert!(
        ran.json()["error"]["message"]
            .as_str()
            .unwrap()
            .contains("does not claim ws-echo")
    );
}

#[test]
fn an_interrupt_stops_the_server_and_removes_its_files() {
    stopped_by(libc::SIGINT);
}

/// As a service manager does it.
#[test]
fn so_does_a_termination() {
    stopped_by(libc::SIGTERM);
}

fn stopped_by(signal: libc::c_int) {
    use std::process::Stdio;
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state");
    let mut command = support::rigmark(
        dir.path(),
        &["verify", &fixture("never-ready"), "--workload", "plaintext"],
    );
    command
        .env("RIGMARK_STATE", &state)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let work = state.join("work");
    let waits = || {
        support::processes_with("--cheat never-ready")
            .iter()
            .any(|p| p.contains(&state.display().to_string()))
    };
    while !waits() {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // SAFETY: the child is ours and was not waited for.
    unsafe { libc::kill(child.id() as i32, signal) };
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(std::fs::read_dir(&work).unwrap().next().is_none());
    assert!(!waits());
}
