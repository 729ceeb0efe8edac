//! Every golden example parses, and serializes to the very same JSON value.

use std::path::PathBuf;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{catalogue, facts, journal, result, spec, wire};

fn golden(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../packages/protocol/golden")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Numbers compare by value: JSON does not tell 5 from 5.0.
fn normal(value: Value) -> Value {
    match value {
        Value::Number(n) => serde_json::json!(n.as_f64()),
        Value::Array(a) => a.into_iter().map(normal).collect(),
        Value::Object(o) => o.into_iter().map(|(k, v)| (k, normal(v))).collect(),
        other => other,
    }
}

fn same<T: Serialize + DeserializeOwned>(text: &str) {
    let value: Value = serde_json::from_str(text).unwrap();
    let parsed: T = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e} in {text}"));
    assert_eq!(normal(serde_json::to_value(parsed).unwrap()), normal(value));
}

macro_rules! examples {
    ($($test:ident: $name:literal => $type:ty),* $(,)?) => {$(
        #[test]
        fn $test() { same::<$type>(&golden($name)); }
    )*};
}

examples! {
    run_spec: "run-spec.json" => spec::RunSpec,
    scenario: "scenario.json" => spec::Scenario,
    scenario_http: "scenario-http.json" => spec::Scenario,
    host_facts: "host-facts.json" => facts::HostFacts,
    catalogue_: "catalogue.json" => catalogue::Catalogue,
    enroll_request: "enroll-request.json" => wire::EnrollRequest,
    enroll_response: "enroll-response.json" => wire::EnrollResponse,
    challenge_request: "challenge-request.json" => wire::ChallengeRequest,
    challenge_response: "challenge-response.json" => wire::ChallengeResponse,
    session_request: "session-request.json" => wire::SessionRequest,
    session_response: "session-response.json" => wire::SessionResponse,
    lease_request: "lease-request.json" => wire::LeaseRequest,
    lease_response: "lease-response.json" => wire::LeaseResponse,
    start_request: "start-request.json" => wire::StartRequest,
    start_response: "start-response.json" => wire::StartResponse,
    heartbeat_request: "heartbeat-request.json" => wire::HeartbeatRequest,
    heartbeat_response: "heartbeat-response.json" => wire::HeartbeatResponse,
    chunk_response: "chunk-response.json" => wire::ChunkResponse,
    finish_request: "finish-request.json" => wire::FinishRequest,
    finish_response: "finish-response.json" => wire::FinishResponse,
    wire_error: "wire-error.json" => wire::WireError,
    knee_search: "knee-search.json" => result::KneeSearch,
}

#[test]
fn journal_records() {
    for line in golden("journal.jsonl").lines().chain(golden("raw.jsonl").lines()) {
        same::<journal::Record>(line);
    }
}

#[test]
fn unknown_words_are_refused() {
    let refused = |name: &str| -> Value {
        serde_json::from_str::<Value>(&golden(&format!("refused/{name}.json"))).unwrap()["value"].clone()
    };
    assert!(serde_json::from_value::<spec::RunSpec>(refused("run-spec-command")).is_err());
    assert!(serde_json::from_value::<wire::LeaseResponse>(refused("lease-negative-attempt")).is_err());
    assert!(serde_json::from_value::<wire::HeartbeatResponse>(refused("heartbeat-unknown-command")).is_err());
}
