//! `--suite`.

use rigmark::protocol::journal::Event;

use crate::support::{all_measured, checkout, ran, records, rigmark, run, trials};

/// The checkout's servers with these suites and scenarios of its own.
pub fn assets(dir: &std::path::Path, suite: &serde_json::Value) -> std::path::PathBuf {
    let root = dir.join("assets");
    let bundled = checkout().join("packages/scenarios");
    for sub in ["suites", "scenarios"] {
        std::fs::create_dir_all(root.join("scenarios").join(sub)).unwrap();
    }
    std::os::unix::fs::symlink(checkout().join("servers"), root.join("servers")).unwrap();
    for id in ["static-1k-ab", "plaintext-ab", "plaintext-loadgen", "static-1k-k6"] {
        let file = format!("scenarios/{id}.json");
        std::fs::copy(bundled.join(&file), root.join("scenarios").join(&file)).unwrap();
    }
    std::fs::write(root.join("scenarios/suites/mine.json"), suite.to_string()).unwrap();
    root
}

pub fn suite() -> serde_json::Value {
    serde_json::json!({
        "schema": 1, "id": "mine", "title": "Mine", "summary": "", "source": null, "baseline": "two", "repeats": 3,
        "duration_s": 5.0, "published": [], "mended": [],
        "entries": [
            { "label": "one", "server": "epoll", "options": { "workers": 1 } },
            { "label": "two", "server": "epoll", "options": { "workers": 2 } },
            { "label": "never", "server": "not-here", "options": {} },
        ],
        "scenarios": ["plaintext-ab", "static-1k-k6"],
    })
}

#[test]
fn entries_come_with_their_options_and_what_is_missing_is_left_out_and_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let root = assets(dir.path(), &suite());
    let args = [
        "run",
        "--suite",
        "mine",
        "--quick",
        "--repeats",
        "1",
        "--out",
        "r.json",
        "--json",
    ];
    let mut command = rigmark(dir.path(), &args);
    command.env("RIGMARK_ASSETS", &root).env("RIGMARK_K6", "/nowhere/k6");
    let ran = ran(command);
    let records = records(&dir.path().join("r.json"));
    all_measured(&ran, &trials(&records));
    for left_out in ["never is left out: ", "static-1k-k6 is left out: "] {
        assert!(ran.stderr.contains(left_out), "{}", ran.stderr);
    }
    let mut labels = Vec::new();
    for record in &records {
        match &record.event {
            Event::Begin(begin) => {
                let spec = &begin.spec;
                assert_eq!(
                    (spec.suite.as_deref(), spec.baseline.as_deref()),
                    (Some("mine"), Some("two"))
                );
                assert_eq!(spec.entries[0].options["workers"], 1);
                assert_eq!(spec.entries.len(), 2);
                // Typed wins over quick, quick over the suite.
                assert_eq!(
                    (spec.repeats, spec.duration_s, spec.warmup_s),
                    (1, Some(0.8), Some(0.2))
                );
                assert_eq!(spec.scenarios, ["plaintext-ab"]);
            }
            Event::Label(label) if label.code == "left-out" => labels.push(label.message.clone()),
            _ => {}
        }
    }
    assert_eq!(labels.len(), 2, "{labels:?}");
    assert!(labels[0].contains("not part of this installation"), "{labels:?}");
}

#[test]
fn where_nothing_of_a_suite_is_left_it_is_unsupported() {
    let dir = tempfile::tempdir().unwrap();
    let mut only = suite();
    only["scenarios"] = serde_json::json!(["static-1k-k6"]);
    let root = assets(dir.path(), &only);
    let mut command = rigmark(dir.path(), &["run", "--suite", "mine", "--json"]);
    command.env("RIGMARK_ASSETS", &root).env("RIGMARK_K6", "/nowhere/k6");
    let ran = ran(command);
    assert_eq!(ran.code, Some(77), "{}{}", ran.stdout, ran.stderr);
    let message = ran.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(
        message.contains("static-1k-k6 is left out") && message.contains("/nowhere/k6"),
        "{message}"
    );
    // The refusal says it, and nothing beside it does.
    assert!(!ran.stderr.contains("is left out"), "{}", ran.stderr);
}

#[test]
fn servers_that_were_named_take_the_place_of_the_suites() {
    let dir = tempfile::tempdir().unwrap();
    let root = assets(dir.path(), &suite());
    let args = [
        "run",
        "--suite",
        "mine",
        "--server",
        "nginx",
        "--repeats",
        "0",
        "--json",
    ];
    let mut command = rigmark(dir.path(), &args);
    command.env("RIGMARK_ASSETS", &root);
    // The numbers are refused after the names were found, so nothing is measured here.
    let ran = ran(command);
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(!ran.stderr.contains("never is left out"), "{}", ran.stderr);
}

#[test]
fn where_the_baseline_cannot_be_measured_the_run_says_what_stands_in_for_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut of_never = suite();
    of_never["baseline"] = "never".into();
    let root = assets(dir.path(), &of_never);
    let changed = |more: &[&str]| {
        let mut command = rigmark(dir.path(), &[&["plan", "--suite", "mine", "--json"], more].concat());
        command.env("RIGMARK_ASSETS", &root);
        let ran = ran(command);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        let labels = ran.json()["labels"].as_array().unwrap().clone();
        let labels = labels.into_iter().filter(|l| l["code"] == "baseline-changed");
        let said: Vec<String> = labels.map(|l| l["message"].as_str().unwrap().to_owned()).collect();
        assert!(said.iter().all(|text| ran.stderr.contains(text)), "{}", ran.stderr);
        said
    };
    let one = "The suite's baseline never is left out; one is the baseline instead.";
    assert_eq!(changed(&[]), [one]);
    assert_eq!(changed(&["--baseline", "two"]), [one.replace("; one", "; two")]);
    // Named servers take the place of the suite's: nothing of it was left out.
    assert_eq!(
        changed(&["--server", "a=epoll", "--server", "b=epoll:workers=1"]),
        Vec::<String>::new()
    );
}

#[test]
fn suites_say_how_long_they_take_and_what_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let root = assets(dir.path(), &suite());
    let mut command = rigmark(dir.path(), &["suites", "--json"]);
    command.env("RIGMARK_ASSETS", &root).env("RIGMARK_K6", "/nowhere/k6");
    let listed = ran(command).json()["suites"][0].clone();
    assert_eq!(listed["supported"], true);
    assert_eq!(listed["missing_entries"][0]["name"], "never");
    assert_eq!(listed["missing_scenarios"][0]["name"], "static-1k-k6");
    // Two entries, one scenario, three blocks of five seconds and what comes with them.
    let planned_s = listed["planned_s"].as_f64().unwrap();
    assert!((36.0..72.0).contains(&planned_s), "{planned_s}");
    let text = run(dir.path(), &["suites"]).stdout;
    for id in [
        "quick",
        "static-files",
        "keep-alive",
        "websocket",
        "json-sum",
        "epoll-vs-io-uring",
    ] {
        assert!(text.lines().any(|l| l.starts_with(id)), "{text}");
    }
}
