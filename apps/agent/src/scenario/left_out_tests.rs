use super::*;
use crate::protocol::catalogue::{Catalogue, CatalogueServer};

fn golden(name: &str) -> serde_json::Value {
    let text = match name {
        "suite" => include_str!("../../../../packages/protocol/golden/suite.json"),
        "spec" => include_str!("../../../../packages/protocol/golden/run-spec.json"),
        _ => include_str!("../../../../packages/protocol/golden/catalogue.json"),
    };
    serde_json::from_str(text).unwrap()
}

fn entry(label: &str, server: &str, options: &[(&str, i64)]) -> EntrySpec {
    EntrySpec {
        label: label.into(),
        server: server.into(),
        revision: None,
        options: options
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect(),
    }
}

/// go is the baseline; epoll is there twice, with its own two workers and with four.
fn suite() -> Suite {
    let mut suite: Suite = serde_json::from_value(golden("suite")).unwrap();
    suite.entries = vec![
        entry("go", "go", &[]),
        entry("epoll", "epoll", &[]),
        entry("epoll with four", "epoll", &[("workers", 4)]),
        entry("netty", "netty", &[]),
    ];
    suite.baseline = "go".into();
    suite.scenarios = vec!["static-1k-ab".into(), "static-1k-k6-rate".into(), "json-sum-wrk".into()];
    suite
}

fn spec(entries: Vec<EntrySpec>, scenarios: &[&str]) -> RunSpec {
    let mut spec: RunSpec = serde_json::from_value(golden("spec")).unwrap();
    spec.baseline = None;
    spec.entries = entries;
    spec.scenarios = scenarios.iter().map(|id| (*id).to_owned()).collect();
    spec
}

/// A host without go and without k6.
fn obstacles() -> Obstacles {
    let mut catalogue: Catalogue = serde_json::from_value(golden("catalogue")).unwrap();
    let epoll = catalogue.servers.remove(0);
    let named = |name: &str| CatalogueServer {
        name: name.into(),
        ..epoll.clone()
    };
    let go = CatalogueServer {
        supported: false,
        reason: Some("go is not installed.".into()),
        fix: Some("apt-get install golang-go".into()),
        ..named("go")
    };
    Obstacles {
        servers: vec![go, named("netty"), epoll],
        scenarios: catalogue.scenarios,
    }
}

fn of_code(code: &str, spec: &RunSpec) -> Vec<String> {
    let labels = labels(&suite(), spec, &obstacles());
    assert!(labels.iter().all(|l| l.entry_key.is_none()));
    let found = labels.into_iter().filter(|l| l.code == code);
    found.map(|l| l.message).collect()
}

fn said(spec: &RunSpec) -> Vec<String> {
    of_code("left-out", spec)
}

const ALL: [&str; 3] = ["static-1k-ab", "static-1k-k6-rate", "json-sum-wrk"];

#[test]
fn what_the_host_cannot_do_has_its_reason_and_the_rest_was_not_chosen() {
    // As the form sends them: every option with its value.
    let chosen = vec![entry("epoll", "epoll", &[("workers", 2)])];
    let said = said(&spec(chosen, &["static-1k-ab"]));
    let [go, four, netty, k6, wrk] = said.as_slice() else {
        panic!("{said:?}")
    };
    assert!(
        go.starts_with("go is left out: go is not installed.") && go.contains("golang-go"),
        "{go}"
    );
    assert_eq!(four, "epoll with four is left out: It was not chosen for this run.");
    assert_eq!(netty, "netty is left out: It was not chosen for this run.");
    assert!(
        k6.starts_with("static-1k-k6-rate is left out: k6 is not installed."),
        "{k6}"
    );
    assert_eq!(wrk, "json-sum-wrk is left out: It was not chosen for this run.");
}

#[test]
fn a_new_label_or_other_options_leave_nothing_out_and_another_server_under_the_label_does() {
    let chosen = |epoll| {
        vec![
            entry("go", "go", &[]),
            epoll,
            entry("epoll with four", "epoll", &[("workers", 4)]),
            entry("netty", "netty", &[]),
        ]
    };
    let renamed = entry("mine", "epoll", &[("workers", 2)]);
    let tuned = entry("epoll", "epoll", &[("workers", 8)]);
    for epoll in [renamed, tuned] {
        assert_eq!(said(&spec(chosen(epoll), &ALL)), Vec::<String>::new());
    }
    let other = entry("epoll", "netty", &[("workers", 2)]);
    assert_eq!(
        said(&spec(chosen(other), &ALL)),
        ["epoll is left out: It was not chosen for this run."]
    );
}

#[test]
fn where_the_baseline_is_left_out_the_one_instead_is_named() {
    let changed = |spec: &RunSpec| of_code("baseline-changed", spec);
    let (epoll, netty) = (entry("epoll", "epoll", &[]), entry("netty", "netty", &[]));
    let mut without = spec(vec![epoll.clone(), netty.clone()], &ALL);
    let now = "The suite's baseline go is left out; epoll is the baseline instead.";
    assert_eq!(changed(&without), [now]);
    without.baseline = Some("netty".into());
    assert_eq!(changed(&without), [now.replace("epoll", "netty")]);
    // Alone it is compared with nothing.
    assert_eq!(changed(&spec(vec![epoll.clone()], &ALL)), Vec::<String>::new());
    // It takes part: what else it was compared with was a choice.
    let mut chosen = spec(vec![entry("go", "go", &[]), netty], &ALL);
    chosen.baseline = Some("netty".into());
    assert_eq!(changed(&chosen), Vec::<String>::new());
}

#[test]
fn without_a_suite_of_that_name_there_is_nothing_to_compare_with() {
    let assets = Assets::at(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    let mut own = spec(vec![entry("epoll", "epoll", &[])], &["static-1k-ab"]);
    for suite in [None, Some("not-here".to_owned())] {
        own.suite = suite;
        assert_eq!(on_this_host(&own, &assets, |_, _| {}), Vec::new());
    }
    own.suite = Some("quick".into());
    assert!(!on_this_host(&own, &assets, |_, _| {}).is_empty());
}
