//! Servers as their own documentation has them are right for the loads that they can answer, whatever else they do. Those that need
//! nothing but a program that may be here; `servers/conformance/byo` has more.

use crate::support::{checkout, run};

/// Skipped where its program is not.
fn right(program: &str, name: &str, scenarios: &[&str]) {
    let asked = std::process::Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .output();
    if !asked.is_ok_and(|said| said.status.success()) {
        eprintln!("{program} is not here.");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let server = checkout().join("servers/conformance/byo").join(name);
    let server = server.display().to_string();
    let mut args = vec!["verify", server.as_str(), "--json"];
    scenarios
        .iter()
        .for_each(|scenario| args.extend(["--scenario", scenario]));
    let ran = run(dir.path(), &args);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let one = &ran.json()["verified"][0];
    assert_eq!(
        (&one["right"], &one["conforms"]),
        (&true.into(), &false.into()),
        "{one}"
    );
    assert!(!one["conformance"].as_array().unwrap().is_empty());
}

/// Its responses are chunked, and those to ab end with the connection.
#[test]
fn nodes_own_server() {
    right(
        "node",
        "node-http",
        &["plaintext-ab", "reuse-kept-wrk", "plaintext-loadgen"],
    );
}

/// It speaks HTTP/1.0 and closes each connection; with few connections, as its queue has room for five.
#[test]
fn pythons_own_server() {
    right("python3", "python-http-server", &["files-1k-first-byte", "script-wrk"]);
}

/// It says `Connection: close` and has no HEAD.
#[test]
fn the_server_of_busybox() {
    right(
        "busybox",
        "busybox-httpd",
        &["static-1k-ab", "script-wrk", "files-1k-first-byte"],
    );
}
