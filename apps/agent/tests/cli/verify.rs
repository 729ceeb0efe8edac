//! `rigmark verify` on real servers, good and bad.

use crate::support::{checkout, faulty, fixture, run};

/// servers/conformance does the same with every bundled server.
#[test]
fn a_good_server_passes_everything_it_claims() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(dir.path(), &["verify", "--strict", "--json", "epoll"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let json = ran.json();
    assert_eq!(json["schema_version"], 1);
    let verified = json["verified"].as_array().unwrap();
    for workload in ["plaintext", "static"] {
        assert!(
            verified
                .iter()
                .any(|v| v["server"] == "epoll" && v["workload"] == workload),
            "{workload}: {verified:?}"
        );
    }
    for one in verified {
        assert_eq!(one["status"], "passed", "{one}");
        assert!(one["elapsed_ms"].is_u64(), "{one}");
    }
}

#[test]
fn an_honest_server_passes_in_every_workload_that_it_claims() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(dir.path(), &["verify", &fixture("faulty-bodies"), "--strict", "--json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let json = ran.json();
    let workloads: Vec<&str> = json["verified"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w["workload"].as_str().unwrap())
        .collect();
    assert_eq!(workloads, ["plaintext", "json-sum", "upload", "ws-echo"]);
    assert_eq!((&json["passed"], &json["failed"]), (&4.into(), &0.into()));
}

#[test]
fn all_verifies_what_this_host_supports_and_names_the_rest_with_a_reason() {
    let dir = tempfile::tempdir().unwrap();
    let assets = dir.path().join("assets");
    for name in ["faulty-bodies", "absent", "other"] {
        let from = std::path::PathBuf::from(fixture("faulty-bodies"));
        let to = assets.join("servers").join(name);
        std::fs::create_dir_all(&to).unwrap();
        for file in std::fs::read_dir(from).unwrap().flatten() {
            std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
        if name == "absent" {
            let path = to.join("server.toml");
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text
                .replace("faulty-bodies", "absent")
                .replace("\"cc\"", "\"no-such-compiler\"");
            std::fs::write(path, text).unwrap();
        }
        if name == "other" {
            // It does not claim what is asked for.
            let path = to.join("server.toml");
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.replace("faulty-bodies", "other").replace("\"json-sum\", ", "");
            std::fs::write(path, text).unwrap();
        }
    }
    let scenarios = assets.join("packages/scenarios/scenarios");
    std::fs::create_dir_all(&scenarios).unwrap();
    let one = crate::support::checkout().join("packages/scenarios/scenarios/sum-64-wrk.json");
    std::fs::copy(one, scenarios.join("sum-64-wrk.json")).unwrap();
    let mut command = crate::support::rigmark(
        dir.path(),
        &["verify", "--all", "--strict", "--workload", "json-sum", "--json"],
    );
    command.env("RIGMARK_ASSETS", &assets);
    let ran = crate::support::ran(command);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let json = ran.json();
    assert_eq!(json["verified"].as_array().unwrap().len(), 1, "{json}");
    assert_eq!(json["verified"][0]["server"], "faulty-bodies");
    let unsupported = &json["unsupported"][0];
    assert_eq!(unsupported["server"], "absent");
    assert!(
        unsupported["reason"].as_str().unwrap().contains("no-such-compiler"),
        "{unsupported}"
    );
    assert!(
        unsupported["fix"].as_str().unwrap().contains("build-essential"),
        "{unsupported}"
    );
}

#[test]
fn half_a_file_is_said_with_both_byte_counts() {
    let dir = tempfile::tempdir().unwrap();
    let half = faulty("half-file") + ",cut=500";
    let ran = run(dir.path(), &["verify", &half, "--scenario", "files-10m-ab"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stdout
            .contains("10m.bin was cut off: 5242880 of 10485760 bytes arrived."),
        "{}",
        ran.stdout
    );

    let ran = run(dir.path(), &["verify", &half, "--scenario", "files-10m-ab", "--json"]);
    let json = ran.json();
    let checks = json["verified"][0]["checks"].as_array().unwrap();
    let check = checks.iter().find(|c| c["id"] == "body").unwrap();
    assert_eq!(
        (&check["expected_bytes"], &check["actual_bytes"]),
        (&10485760.into(), &5242880.into())
    );
}

#[test]
fn one_that_answers_with_another_status_is_said_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let copy = dir.path().join("epoll");
    rigmark::server::content::copy(&checkout().join("servers/epoll"), &copy).unwrap();
    let manifest = copy.join("server.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let ready = text.lines().find(|line| line.starts_with("ready = ")).unwrap();
    std::fs::write(
        &manifest,
        text.replace(ready, "ready = { path = \"/nowhere\", within_s = 2 }"),
    )
    .unwrap();
    let ran = run(dir.path(), &["verify", "./epoll", "--workload", "plaintext"]);
    assert_eq!(ran.code, Some(1));
    let said = "GET /nowhere gets status 404 and not 200";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
}

#[test]
fn one_that_never_gets_ready_is_said_with_the_time_that_it_had() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(
        dir.path(),
        &["verify", &faulty("never-ready"), "--workload", "plaintext"],
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
    let by_scenario = run(dir.path(), &["verify", "epoll", "--scenario", "ws-10b", "--json"]);
    assert_eq!(by_scenario.code, Some(77), "{}", by_scenario.stderr);
    assert_eq!(by_scenario.json()["error"]["code"], "not-claimed");
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
    // It is waited for so long that the signal comes in time on any host.
    let copy = dir.path().join("faulty-files");
    rigmark::server::content::copy(std::path::Path::new(&fixture("faulty-files")), &copy).unwrap();
    let manifest = copy.join("server.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("within_s = 5 ", "within_s = 300 ")).unwrap();
    let server = "./faulty-files:never-ready=1";
    let mut command = crate::support::rigmark(dir.path(), &["verify", server, "--workload", "plaintext"]);
    command
        .env("RIGMARK_STATE", &state)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let work = state.join("work");
    let waits = || {
        crate::support::processes_with("--never-ready 1")
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
