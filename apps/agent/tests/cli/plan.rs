//! `rigmark plan` and what a seed promises: nothing is started, and of two plans one begins the other.

use crate::support::{Ran, run};
use serde_json::Value;

/// A and B are the same server, so the plan asks nothing of the host but ab and a compiler.
fn planned(more: &[&str]) -> Ran {
    of_seed("7", more)
}

fn of_seed(seed: &str, more: &[&str]) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    let servers = ["plan", "-s", "a=epoll", "-s", "b=epoll:workers=1"];
    let rest = ["-c", "static-1k-ab", "--seed", seed];
    run(dir.path(), &[&servers, &rest[..], more].concat())
}

fn plan(more: &[&str]) -> Value {
    let ran = planned(&[more, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.json()["plan"].clone()
}

fn trials(plan: &Value) -> String {
    plan["trials"].to_string()
}

#[test]
fn two_runs_of_one_seed_have_plans_of_which_one_begins_the_other() {
    let short = trials(&plan(&["--repeats", "3"]));
    let begins = short.strip_suffix(']').unwrap();
    assert!(trials(&plan(&["--repeats", "6"])).starts_with(begins));
    assert!(trials(&plan(&["--repeats", "3", "--precision", "2%"])).starts_with(begins));
    let other = of_seed("8", &["--repeats", "3", "--json"]).json();
    assert!(!trials(&other["plan"]).starts_with(begins));
}

#[test]
fn a_precision_is_in_the_plan_with_its_limit_and_its_looks() {
    let whole = plan(&["--repeats", "5", "--precision", "0.02"]);
    assert_eq!(whole["blocks"]["looks"], serde_json::json!([5, 7, 10, 14, 20]));
    assert_eq!(whole["blocks"]["precision"], 0.02);
    assert_eq!(whole["trials"].as_array().unwrap().len(), 40);
    let cut = plan(&["--repeats", "5", "--precision", "2%", "--max-repeats", "6"]);
    assert_eq!(cut["blocks"]["most"], 6);
}

#[test]
fn a_person_reads_order_blocks_and_seconds() {
    let ran = planned(&[
        "--repeats",
        "5",
        "--precision",
        "2%",
        "--duration",
        "2s",
        "--warmup",
        "1s",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for says in [
        "2 servers × 1 scenario × 5 to 20 blocks = 10 to 40 trials, about 45 s to 3 min 00 s; seed 7",
        "Looked at after 5, 7, 10, 14, 20 blocks: ends when every ratio is known within 2 %",
        "b  epoll nopush=1 workers=1, content ",
        "block 1, static-1k-ab: ",
        "block 20, if needed, static-1k-ab: ",
    ] {
        assert!(ran.stdout.contains(says), "{says}\n{}", ran.stdout);
    }
}

#[test]
fn a_content_that_is_not_the_expected_one_stops_before_anything_is_built() {
    let hash = plan(&["--repeats", "1"])["entries"][0]["content_hash"]
        .as_str()
        .unwrap()
        .to_owned();
    let good = planned(&[
        "--expect",
        &format!("a={hash}"),
        "--expect",
        &format!("b={}", &hash[..12]),
    ]);
    assert_eq!(good.code, Some(0), "{}", good.stderr);
    let other = planned(&["--expect", "b=0123456789ab"]);
    assert_eq!(other.code, Some(1));
    let says = format!("b has the content {} here, and 0123456789ab was expected", &hash[..12]);
    assert!(other.stderr.contains(&says), "{}", other.stderr);
}

#[test]
fn another_agent_and_other_scenarios_stop_it_with_a_sentence_each() {
    let ran = planned(&["--json"]);
    let hash = ran.json()["parameters"].as_str().unwrap().to_owned();
    let version = env!("CARGO_PKG_VERSION");
    let good = planned(&["--expect-agent", version, "--expect-plan", &hash[..12]]);
    assert_eq!(good.code, Some(0), "{}", good.stderr);
    assert!(good.stdout.contains(&hash[..12]), "{}", good.stdout);
    let older = planned(&["--expect-agent=0.0.1"]);
    assert_eq!(older.code, Some(1));
    let says = format!("This is Rigmark {version}, and 0.0.1 was expected; ");
    assert!(older.stderr.contains(&says), "{}", older.stderr);
    let other = planned(&["--expect-plan=0123456789ab"]);
    assert_eq!(other.code, Some(1));
    let says = format!("have the hash {} here, and 0123456789ab was expected; ", &hash[..12]);
    assert!(other.stderr.contains(&says), "{}", other.stderr);
    assert_eq!(planned(&["--expect-plan=soon"]).code, Some(2));
    // Other repeats are the same scenarios; another option is not.
    assert_eq!(planned(&["--repeats=3", "--expect-plan", &hash]).code, Some(0));
    assert_eq!(planned(&["-s", "c=epoll", "--expect-plan", &hash]).code, Some(1));
}

#[test]
fn another_version_of_a_load_tool_stops_it_before_anything_is_built() {
    let loads = |more: &[&str]| planned(&[&["-c", "plaintext-loadgen"], more].concat());
    let is = |backend| format!("--expect-tool=loadgen={} {backend}", env!("CARGO_PKG_VERSION"));
    let found: Vec<Ran> = ["io_uring", "tokio"].map(|b| loads(&[&is(b)])).into();
    // Which back end there is hangs on the host.
    let mut codes: Vec<Option<i32>> = found.iter().map(|ran| ran.code).collect();
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(1)]);
    let other = found.iter().find(|ran| ran.code == Some(1)).unwrap();
    assert!(other.stderr.contains("the same back end"), "{}", other.stderr);

    let other = loads(&["--expect-tool=ab=0.9"]);
    assert_eq!(other.code, Some(1));
    assert!(other.stderr.contains("ab is "), "{}", other.stderr);
    assert!(
        other.stderr.contains(" here, and 0.9 was expected; install "),
        "{}",
        other.stderr
    );
    for wrong in ["ab", "ab="] {
        let ran = loads(&["--expect-tool", wrong]);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains("write it as name=version"), "{}", ran.stderr);
    }
    let none = loads(&["--expect-tool=k6=1.0.0"]);
    assert_eq!(none.code, Some(2));
    let says = "No scenario uses the load tool \"k6\", they use ab, loadgen; ";
    assert!(none.stderr.contains(says), "{}", none.stderr);
}

#[test]
fn a_suite_can_lay_out_what_is_named_and_changes_nothing_of_the_plan() {
    let alone = plan(&["--repeats", "2"]);
    assert_eq!(alone, plan(&["--repeats", "2", "--as-suite", "static-files"]));
    let other = planned(&["--as-suite", "static-filse"]);
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains("did you mean static-files?"), "{}", other.stderr);
}
