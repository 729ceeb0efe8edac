//! A head that answers otherwise than the base is told, with the difference; what the file names may differ.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::report::Checks;
use super::super::test_server::{self, TestRequest, TestResponse};
use super::*;
use crate::parser::recording;
use crate::protocol::journal::VerifyStatus;
use crate::protocol::spec::ToolName;

fn scenario(tool: ToolName, http: Value) -> Scenario {
    Scenario {
        workload: Workload::Http,
        body_bytes: 0,
        http: Some(serde_json::from_value(http).unwrap()),
        ..recording::scenario(tool, None)
    }
}

fn two_requests() -> Value {
    json!({ "requests": [
        { "weight": 9, "method": "GET", "path": "/users/7" },
        { "weight": 1, "method": "POST", "path": "/users", "headers": { "content-type": "text/plain" }, "body": "Ada" },
    ] })
}

fn checks(server: SocketAddr, tool: ToolName) -> Checks {
    Checks::new(server, Instant::now() + Duration::from_secs(300)).with_tool(tool)
}

fn recorded(server: SocketAddr, scenario: &Scenario) -> Arc<Reference> {
    Arc::new(own::record(&checks(server, scenario.tool), scenario, "base").unwrap())
}

/// What the first failed check says.
fn found(server: SocketAddr, scenario: &Scenario, reference: Option<&Arc<Reference>>) -> Option<String> {
    let mut checks = checks(server, scenario.tool);
    check(&mut checks, scenario, Path::new("/nowhere"), Depth::Full, reference);
    let failed = checks.done().into_iter().find(|c| c.status == VerifyStatus::Failed);
    failed.map(|c| c.message.unwrap_or_default())
}

fn user(request: &TestRequest, id: u32) -> TestResponse {
    let body = match request.method.as_str() {
        "POST" => "created".to_owned(),
        _ => format!("{{\"user\": {{\"id\": {id}, \"name\": \"Ada\"}}}}"),
    };
    TestResponse::ok(body)
        .with("content-type", "application/json")
        .kept(request.keep)
}

fn compared(http: Value, head: impl Fn(&TestRequest) -> TestResponse + Send + Sync + 'static) -> Option<String> {
    let scenario = scenario(ToolName::Wrk, http);
    let base = test_server::serve(|request| user(request, 7).with("date", "yesterday").with("server", "base"));
    found(test_server::serve(head), &scenario, Some(&recorded(base, &scenario)))
}

#[test]
fn the_same_answers_are_right_for_every_tool_that_sends_them() {
    for tool in [ToolName::Wrk, ToolName::Autocannon, ToolName::K6, ToolName::Loadgen] {
        let scenario = scenario(tool, two_requests());
        let base = test_server::serve(|request| user(request, 7).with("date", "1"));
        // JSON in another order is the same JSON.
        let head = test_server::serve(|request| match request.method.as_str() {
            "POST" => user(request, 7).with("server", "head"),
            _ => TestResponse::ok(r#"{"user":{"name":"Ada","id":7}}"#)
                .with("Content-Type", "application/json")
                .kept(request.keep),
        });
        assert_eq!(
            found(head, &scenario, Some(&recorded(base, &scenario))),
            None,
            "{tool:?}"
        );
    }
}

#[test]
fn one_field_one_header_and_a_status_are_told() {
    let field = compared(two_requests(), |request| user(request, 8)).unwrap();
    assert!(
        field.contains("GET /users/7 as wrk sends it: the JSON value at /user/id is 8, and 7 from base.")
            && field.contains("same_but_for = { fields = [\"/user/id\"] }"),
        "{field}"
    );
    let header = compared(two_requests(), |request| {
        user(request, 7).with("content-encoding", "br")
    })
    .unwrap();
    assert!(
        header.contains("the header content-encoding is \"br\", and base sends none"),
        "{header}"
    );
    let status = compared(two_requests(), |request| TestResponse {
        status: if request.method == "POST" { 500 } else { 200 },
        ..user(request, 7)
    })
    .unwrap();
    assert!(
        status.contains("POST /users as wrk sends it: status 500 came, and 200 from base"),
        "{status}"
    );
}

#[test]
fn headers_of_another_framework_are_told_and_leave_nobody_out() {
    let scenario = scenario(ToolName::Wrk, two_requests());
    let base = test_server::serve(|request| user(request, 7).with("x-powered-by", "base").with("etag", "1"));
    let count = AtomicUsize::new(0);
    // Another id each time, too.
    let head = test_server::serve(move |request| TestResponse {
        headers: vec![
            ("Content-Type".to_owned(), "Application/JSON;charset=UTF-8".to_owned()),
            (
                "X-Request-Id".to_owned(),
                count.fetch_add(1, Ordering::Relaxed).to_string(),
            ),
        ],
        ..user(request, 7)
    });
    let mut checks = checks(head, scenario.tool);
    let reference = recorded(base, &scenario);
    let seen = check(
        &mut checks,
        &scenario,
        Path::new("/nowhere"),
        Depth::Full,
        Some(&reference),
    );
    assert!(checks.done().iter().all(|c| c.status == VerifyStatus::Passed));
    assert_eq!(
        seen.other_headers.unwrap().told(),
        "The server sends the header x-request-id, which base does not, and does not send the headers etag and x-powered-by."
    );
}

#[test]
fn one_response_in_five_hundred_is_found() {
    let count = AtomicUsize::new(0);
    // Only one at all: while one client asks the same again, the others may have asked five hundred times more. Of the two
    // requests the GET is answered with an id.
    let message = compared(two_requests(), move |request| {
        let wrong = request.method == "GET" && count.fetch_add(1, Ordering::Relaxed) + 1 == 500;
        user(request, if wrong { 8 } else { 7 })
    });
    let message = message.unwrap();
    assert!(
        message.contains("was right for the first") && message.contains("/user/id is 8, and 7 from base"),
        "{message}"
    );
    assert!(
        message.contains("The same request again was answered right 8 times of 8."),
        "{message}"
    );
}

#[test]
fn what_is_named_may_differ() {
    let mut http = two_requests();
    http["same_but_for"] = json!({ "headers": ["x-request-id"], "fields": ["/user/id"] });
    let count = AtomicUsize::new(0);
    let message = compared(http, move |request| {
        let nth = count.fetch_add(1, Ordering::Relaxed);
        user(request, nth as u32).with("x-request-id", &nth.to_string())
    });
    assert_eq!(message, None);
}

#[test]
fn a_head_that_always_answers_something_else_is_told_so() {
    let count = AtomicUsize::new(10);
    let message = compared(two_requests(), move |request| {
        user(request, count.fetch_add(1, Ordering::Relaxed) as u32)
    });
    let message = message.unwrap();
    assert!(message.contains("It changes from response to response."), "{message}");
}

#[test]
fn a_base_whose_own_answers_differ_is_no_reference() {
    let scenario = scenario(ToolName::Wrk, two_requests());
    let count = AtomicUsize::new(0);
    let base = test_server::serve(move |request| user(request, count.fetch_add(1, Ordering::Relaxed) as u32));
    let reference = recorded(base, &scenario);
    let message = found(base, &scenario, Some(&reference)).unwrap();
    assert!(
        message.starts_with(
            "base does not always answer the same, so nobody's responses can be compared with its own. GET /users/7:"
        ) && message.contains("same_but_for = { fields = [\"/user/id\"] }"),
        "{message}"
    );
}

#[test]
fn a_base_that_does_not_know_the_path_is_no_reference() {
    let scenario = scenario(ToolName::Wrk, two_requests());
    let base = test_server::serve(|request| match request.method.as_str() {
        "POST" => user(request, 7),
        _ => TestResponse::not_found().kept(request.keep),
    });
    assert_eq!(
        recorded(base, &scenario).unusable.as_deref(),
        Some(
            "base responds to GET /users/7 with status 404, which load tools count as a failure, so nobody's responses \
             can be compared with its own. Change the request, or make another server the baseline."
        )
    );
}

#[test]
fn an_expectation_is_held_without_a_reference() {
    let expecting = |id: u32| {
        scenario(
            ToolName::Loadgen,
            json!({ "requests": [{
                "weight": 1, "method": "GET", "path": "/users/7", "expect": { "json": { "/user/id": id } },
            }] }),
        )
    };
    assert!(!own::needs_reference(&expecting(7)));
    let server = test_server::serve(|request| user(request, 7));
    assert_eq!(found(server, &expecting(7), None), None);
    assert_eq!(
        found(server, &expecting(9), None).unwrap(),
        "GET /users/7 as loadgen sends it: the JSON value at /user/id is 7 where 9 was expected."
    );
}

#[test]
fn a_204_without_a_length_is_right_and_its_connection_is_used_again() {
    let http =
        json!({ "requests": [{ "weight": 1, "method": "GET", "path": "/users/7", "expect": { "status": 204 } }] });
    for tool in [
        ToolName::Ab,
        ToolName::Wrk,
        ToolName::Autocannon,
        ToolName::K6,
        ToolName::Loadgen,
    ] {
        let server = test_server::serve(|request| {
            TestResponse {
                status: 204,
                ..TestResponse::ok("")
            }
            .kept(request.keep)
        });
        assert_eq!(found(server, &scenario(tool, http.clone()), None), None, "{tool:?}");
    }
}

#[test]
fn a_wrong_response_under_load_is_sampled() {
    let scenario = scenario(ToolName::Wrk, two_requests());
    let base = test_server::serve(|request| user(request, 7));
    let reference = recorded(base, &scenario);
    let head = test_server::serve(|request| user(request, if request.number > 5 { 8 } else { 7 }));
    let mut checks = checks(head, ToolName::Wrk);
    let mut left = 20;
    sample::check(&mut checks, &scenario, Some(&reference), |_| {
        left -= 1;
        left == 0
    });
    let check = checks.done().remove(0);
    assert!(check.message.unwrap().contains("/user/id is 8, and 7 from base"));
}
