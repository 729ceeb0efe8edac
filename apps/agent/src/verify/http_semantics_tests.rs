use super::super::test_server::{self, TestRequest, TestResponse};
use super::*;

fn pages() -> Vec<Page> {
    let page = |path: &str, bytes: usize| Page {
        path: path.to_owned(),
        body: vec![b'x'; bytes],
    };
    vec![page("/small", 100), page("/large", 2 * SMALL)]
}

fn right(request: &TestRequest) -> TestResponse {
    let body = pages().into_iter().find(|p| p.path == request.path).unwrap().body;
    TestResponse::ok(body).kept(request.keep)
}

#[test]
fn a_server_that_is_right_passes() {
    let checks = test_server::checks(test_server::serve(right));
    assert_eq!(keep_alive(&checks, &pages()), Ok(()));
    assert_eq!(http_1_0(&checks, &pages()[0]), Ok(()));
}

#[test]
fn a_limit_on_requests_that_only_http_1_0_meets_is_found() {
    let server = test_server::serve(|request| TestResponse {
        kept: request.version == "HTTP/1.1" || request.number < 100,
        ..right(request)
    });
    let checks = test_server::checks(server);
    assert_eq!(keep_alive(&checks, &pages()), Ok(()));
    let message = http_1_0(&checks, &pages()[0]).unwrap_err().message;
    assert!(message.contains("closed it after 100 responses"), "{message}");
}

#[test]
fn a_page_that_is_cut_only_late_on_a_connection_is_found() {
    let server = test_server::serve(|request| {
        let mut response = right(request);
        if request.number > FULL_TURNS && request.path == "/large" {
            response.body.pop();
        }
        response
    });
    let message = keep_alive(&test_server::checks(server), &pages()).unwrap_err().message;
    let right = message.strip_prefix("The response was right for the first ").unwrap();
    assert!(
        right.contains(" requests and then wrong: large was cut off"),
        "{message}"
    );
}
