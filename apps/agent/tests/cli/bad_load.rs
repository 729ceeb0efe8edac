//! Scenario files that are wrong, or that no server can satisfy, as a person meets them.

use std::path::Path;

use rigmark::protocol::journal::Event;

use crate::support::{fixture, records, run};

fn write(dir: &Path, name: &str, text: &str) {
    std::fs::write(dir.join(name), text).unwrap();
}

#[test]
fn an_expectation_that_nobody_meets_is_the_first_difference_of_each_and_no_figure() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        "load.toml",
        "title = \"Load\"\ntool = \"loadgen\"\nconnections = 4\nduration = \"300ms\"\nwarmup = \"0s\"\n\
         [[request]]\npath = \"/plaintext\"\nexpect = { status = 299 }\n",
    );
    let server = fixture("faulty-files");
    let (base, head) = (format!("base={server}"), format!("head={server}"));
    let pair = ["run", "--server", &base, "--server", &head, "--scenario", "./load.toml"];
    let more = ["--repeats", "5", "--out", "r.jsonl", "--fail-on", "slower"];
    let ran = run(dir.path(), &[&pair[..], &more].concat());
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert!(all.contains("status 200 came where 299 was expected"), "{all}");
    let records = records(&dir.path().join("r.jsonl"));
    assert!(
        !records
            .iter()
            .any(|r| matches!(&r.event, Event::Trial(t) if t.result.is_some())),
        "{all}"
    );
    assert!(
        matches!(records.last().unwrap().event, Event::Result(_)),
        "the file is whole"
    );
    // What is made of the file says it too.
    let report = run(dir.path(), &["report", "r.jsonl", "--md"]);
    assert_eq!(report.code, Some(0), "{}", report.stderr);
    assert!(report.stdout.contains("299 was expected"), "{}", report.stdout);
}

#[test]
fn a_script_with_a_syntax_error_is_one_sentence_before_anything_is_built() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        "load.toml",
        "title = \"Load\"\ntool = \"k6\"\nconnections = 4\nduration = \"300ms\"\nwarmup = \"0s\"\nscript = \"load.js\"\n\
         [[request]]\npath = \"/plaintext\"\n",
    );
    write(dir.path(), "load.js", "export default function () { http.get( }\n");
    let server = fixture("faulty-files");
    for command in ["run", "plan"] {
        let args = [
            command,
            "--server",
            &server,
            "--scenario",
            "./load.toml",
            "--repeats",
            "1",
        ];
        let more: &[&str] = if command == "run" { &["--out", "r.jsonl"] } else { &[] };
        let ran = run(dir.path(), &[&args[..], more].concat());
        assert!(
            ran.code == Some(1),
            "{command} {:?} {}{}",
            ran.code,
            ran.stdout,
            ran.stderr
        );
        assert!(
            ran.stderr.contains("k6 cannot run load.js: Line 1:"),
            "{command}: {}",
            ran.stderr
        );
        assert_eq!(ran.stderr.trim().lines().count(), 1, "{}", ran.stderr);
    }
    assert!(!dir.path().join("r.jsonl").exists(), "nothing half done");
}
