use super::super::test_server::{self, TestRequest, TestResponse};
use super::*;

fn pages() -> Vec<Page> {
    let page = |path: &str, bytes: usize| Page {
        path: path.to_owned(),
        body: vec![b'x'; bytes],
    };
    vec![page("/small", 100), page("/large", 2 * SMALL)]
}

fn right(asked: &TestRequest) -> TestResponse {
    let body = pages().into_iter().find(|p| p.path == asked.path).unwrap().body;
    TestResponse::ok(body).kept(asked.keep)
}

#[test]
fn a_server_that_is_right_passes() {
    let checks = test_server::checks(test_server::serve(right));
    assert_eq!(keep_alive(&checks, &pages()), Ok(()));
    assert_eq!(http_1_0(&checks, &pages()[0]), Ok(()));
}

#[test]
fn a_limit_on_requests_that_only_http_1_0_meets_is_found() {
    let server = test_server::serve(|asked| TestResponse {
        kept: asked.version == "HTTP/1.1" || asked.number < 100,
        ..right(asked)
    });
    let checks = test_server::checks(server);
    assert_eq!(keep_alive(&checks, &pages()), Ok(()));
    let said = http_1_0(&checks, &pages()[0]).unwrap_err().message;
    assert!(said.contains("closed it after 100 answers"), "{said}");
}

#[test]
fn a_page_that_is_cut_only_late_on_a_connection_is_found() {
    let server = test_server::serve(|asked| {
        let mut said = right(asked);
        if asked.number > FULL_TURNS && asked.path == "/large" {
            said.body.pop();
        }
        said
    });
    let said = keep_alive(&test_server::checks(server), &pages()).unwrap_err().message;
    let right = said.strip_prefix("The answer was right for the first ").unwrap();
    assert!(right.contains(" requests and then wrong: large was cut off"), "{said}");
}
