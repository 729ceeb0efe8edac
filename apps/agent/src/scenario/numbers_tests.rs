use super::*;
use crate::parser::recording;
use crate::protocol::spec::ToolName;

fn known() -> Vec<Scenario> {
    let closed = Scenario {
        id: "files-1k-ab".into(),
        title: "1 KB file, ab, 100 connections".into(),
        load: Load::Closed {
            connections: 100,
            keep_alive: true,
        },
        duration_s: 10.0,
        ..recording::scenario(ToolName::Ab, None)
    };
    let rate = Scenario {
        id: "plaintext-cpu".into(),
        title: "Plaintext, loadgen, CPU a request at 10,000 a second".into(),
        ..recording::scenario(ToolName::Loadgen, Some(10_000))
    };
    let under_way = Scenario {
        id: "ws".into(),
        title: "Greeting, loadgen, 100 connections with 16 under way each".into(),
        load: closed.load.clone(),
        in_flight: Some(16),
        ..recording::scenario(ToolName::Loadgen, None)
    };
    vec![closed, rate, under_way]
}

/// Id and title.
fn set(reference: &str) -> (String, String) {
    let scenario = resolve(reference, &known()).unwrap().unwrap();
    (scenario.id, scenario.title)
}

fn refused(reference: &str) -> String {
    resolve(reference, &known()).unwrap_err()
}

#[test]
fn each_set_of_numbers_has_one_id_and_a_title_that_is_true() {
    let cases = [
        ("files-1k-ab", "files-1k-ab", "1 KB file, ab, 100 connections"),
        (
            "files-1k-ab:connections=200",
            "files-1k-ab:connections=200",
            "1 KB file, ab, 200 connections",
        ),
        (
            "files-1k-ab:duration=500ms,connections=1",
            "files-1k-ab:connections=1,duration=0.5s",
            "1 KB file, ab, 1 connection, 0.5 s",
        ),
        // What is its own is no other number.
        (
            "files-1k-ab:connections=100,duration=10",
            "files-1k-ab",
            "1 KB file, ab, 100 connections",
        ),
        (
            "plaintext-cpu:rate=5000",
            "plaintext-cpu:rate=5000",
            "Plaintext, loadgen, CPU a request at 5,000 a second",
        ),
        (
            "plaintext-cpu:rate=500,in_flight=4",
            "plaintext-cpu:in_flight=4,rate=500",
            "Plaintext, loadgen, CPU a request at 500 a second, 4 under way each",
        ),
        (
            "ws:in_flight=2,connections=50",
            "ws:connections=50,in_flight=2",
            "Greeting, loadgen, 50 connections with 2 under way each",
        ),
    ];
    for (typed, id, title) in cases {
        assert_eq!(set(typed), (id.to_owned(), title.to_owned()), "{typed}");
        // The canonical one means itself.
        assert_eq!(set(id).0, id);
    }
    let scenario = resolve("files-1k-ab:duration=2m,connections=7", &known())
        .unwrap()
        .unwrap();
    assert_eq!((scenario.load.connections(), scenario.duration_s), (7, 120.0));
    assert_eq!(resolve("nothing:connections=7", &known()), Ok(None));
}

#[test]
fn what_cannot_be_set_is_said_with_what_can() {
    for (typed, expected) in [
        (
            "files-1k-ab:rate=5",
            "no fixed rate; what may be set is connections, duration, in_flight.",
        ),
        (
            "files-1k-ab:threads=5",
            "no number \"threads\" to set; what may be set is",
        ),
        ("files-1k-ab:connections=0", "a whole number from 1 to 10000"),
        ("files-1k-ab:connections=2e3", "a whole number from 1 to 10000"),
        ("files-1k-ab:connections", "NAME=NUMBER"),
        ("files-1k-ab:", "NAME=NUMBER"),
        ("files-1k-ab:connections=1,connections=2", "sets connections twice"),
        ("files-1k-ab:duration=0", "200ms to 3600s"),
        ("files-1k-ab:duration=nan", "200ms to 3600s"),
        ("plaintext-cpu:rate=1000001", "a whole number from 1 to 1000000"),
    ] {
        let message = refused(typed);
        assert!(
            message.starts_with("The scenario ") && message.contains(expected),
            "{typed}: {message}"
        );
    }
}

#[test]
fn a_duration_of_its_own_is_seen() {
    assert!(sets_duration("a:duration=5s") && sets_duration("a:connections=5,duration=5s"));
    assert!(!sets_duration("a") && !sets_duration("a:connections=5"));
}
