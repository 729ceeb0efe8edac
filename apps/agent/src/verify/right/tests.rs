//! What the tools accept is right, and what a load would meet is not.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

use super::super::report::Checks;
use super::super::test_server::{self, TestRequest, TestResponse};
use super::*;
use crate::parser::recording::scenario;
use crate::protocol::journal::VerifyStatus;
use crate::protocol::spec::{Load, ToolName};

fn plaintext(tool: ToolName, keep_alive: bool) -> Scenario {
    Scenario {
        workload: Workload::Plaintext,
        path: "/plaintext".to_owned(),
        body_bytes: 13,
        load: Load::Closed {
            connections: 8,
            keep_alive,
        },
        ..scenario(tool, None)
    }
}

/// The failed checks, and after how many responses connections end.
fn found(server: SocketAddr, scenario: &Scenario, depth: Depth) -> (Vec<(String, String)>, Option<Closes>) {
    let mut checks = Checks::new(server, Instant::now() + Duration::from_secs(300)).with_tool(scenario.tool);
    let closes = check(&mut checks, scenario, Path::new("/nowhere"), depth, None).closes;
    let failed = checks.done().into_iter().filter(|c| c.status == VerifyStatus::Failed);
    (failed.map(|c| (c.id, c.message.unwrap_or_default())).collect(), closes)
}

/// The same of a server that ends its connections. On a busy host the time for one connection may be over before it ends: then
/// it is asked again.
fn found_ended(server: SocketAddr, scenario: &Scenario) -> (Vec<(String, String)>, Option<Closes>) {
    let mut asked = (0..20).map(|_| found(server, scenario, Depth::Full));
    let ended = asked.find(|(failed, closes)| !failed.is_empty() || closes.is_some());
    ended.unwrap_or_default()
}

fn right(request: &TestRequest) -> TestResponse {
    match request.path.as_str() {
        "/plaintext" => TestResponse::ok("Hello, World!").kept(request.keep),
        _ => TestResponse::not_found().kept(request.keep),
    }
}

#[test]
fn a_right_server_is_right_for_every_tool_kept_or_not() {
    let server = test_server::serve(right);
    for tool in ToolName::ALL {
        for keep_alive in [true, false] {
            for depth in [Depth::Full, Depth::Quick] {
                let found = found(server, &plaintext(tool, keep_alive), depth);
                assert_eq!(found, (vec![], None), "{tool:?} {keep_alive}");
            }
        }
    }
}

/// As Python's `HTTPServer` and WSGI's reference server do it.
#[test]
fn one_that_serves_a_connection_at_a_time_with_a_short_queue_is_right() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    // SAFETY: the descriptor is the listener's; this only makes its queue shorter.
    unsafe { libc::listen(listener.as_raw_fd(), 1) };
    let server = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut request = [0; 1024];
            if stream.read(&mut request).is_ok_and(|bytes| bytes > 0) {
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 13\r\nConnection: close\r\n\r\n";
                let _ = stream.write_all(format!("{head}Hello, World!").as_bytes());
            }
        }
    });
    let mut one_path = plaintext(ToolName::Loadgen, true);
    one_path.load = Load::Closed {
        connections: 4,
        keep_alive: true,
    };
    let (failed, _) = found(server, &one_path, Depth::Quick);
    let failed: Vec<_> = failed.into_iter().filter(|(id, _)| id == "body").collect();
    assert_eq!(failed, []);
}

#[test]
fn chunks_and_a_close_that_is_announced_are_right() {
    let server = test_server::serve(|request| TestResponse {
        chunked: request.version == "HTTP/1.1",
        ..right(request).kept(request.keep && request.number < 20)
    });
    for tool in ToolName::ALL {
        let (failed, closes) = found_ended(server, &plaintext(tool, true));
        assert_eq!(failed, [], "{tool:?}");
        assert_eq!(
            closes,
            Some(Closes {
                after: 20,
                announced: true
            }),
            "{tool:?}"
        );
    }
}

#[test]
fn an_end_that_is_not_announced_is_wrong_where_the_tool_loses_a_request() {
    let server = test_server::serve(|request| TestResponse {
        kept: request.number < 20,
        ..right(request)
    });
    for (tool, loses) in [
        (ToolName::Wrk, true),
        (ToolName::Loadgen, true),
        (ToolName::Ab, true),
        (ToolName::K6, false),
    ] {
        let (failed, closes) = found_ended(server, &plaintext(tool, true));
        if loses {
            assert_eq!(failed.len(), 1, "{tool:?} {failed:?}");
            let expected = "said that it keeps the connection, but closed it after 20 responses";
            assert!(failed[0].1.contains(expected), "{failed:?}");
        } else {
            assert_eq!(
                (failed, closes),
                (
                    vec![],
                    Some(Closes {
                        after: 20,
                        announced: false
                    })
                ),
                "{tool:?}"
            );
        }
    }
}

#[test]
fn a_server_can_be_right_for_wrk_and_wrong_for_ab() {
    let server = test_server::serve(|request| match request.version.as_str() {
        "HTTP/1.0" => TestResponse::ok("Hello").kept(request.keep),
        _ => right(request),
    });
    assert_eq!(found(server, &plaintext(ToolName::Wrk, true), Depth::Quick).0, []);
    let (failed, _) = found(server, &plaintext(ToolName::Ab, true), Depth::Quick);
    let expected = "GET /plaintext as ab sends it got \"Hello\" and not \"Hello, World!\".";
    assert!(failed.iter().any(|(_, message)| message == expected), "{failed:?}");
}

#[test]
fn one_that_keeps_what_it_was_asked_to_close_is_wrong_where_the_tool_waits_or_would_reuse_it() {
    let server = test_server::serve(|request| TestResponse {
        kept: true,
        says_kept: false,
        ..right(request)
    });
    let stays = test_server::serve(|request| right(request).kept(true));
    for (server, tool, wrong) in [
        (server, ToolName::Ab, true),
        (stays, ToolName::Wrk, true),
        (stays, ToolName::K6, false),
        (stays, ToolName::Loadgen, false),
    ] {
        let (failed, _) = found(server, &plaintext(tool, false), Depth::Quick);
        assert_eq!(!failed.is_empty(), wrong, "{tool:?} {failed:?}");
    }
}

#[test]
fn the_same_page_for_every_path_is_wrong_and_one_not_found_page_is_not() {
    let alike = test_server::serve(|request| TestResponse::ok("Hello, World!").kept(request.keep));
    let (failed, _) = found(alike, &plaintext(ToolName::Wrk, true), Depth::Quick);
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(
        failed[0].0 == "unknown-path" && failed[0].1.contains("every path seems to get the same response"),
        "{failed:?}"
    );
    let page = test_server::serve(|request| match request.path.starts_with("/plaintext") {
        true => right(&TestRequest {
            path: "/plaintext".to_owned(),
            ..copy(request)
        }),
        false => TestResponse::ok("an app").kept(request.keep),
    });
    assert_eq!(found(page, &plaintext(ToolName::Wrk, true), Depth::Quick).0, []);
}

fn copy(request: &TestRequest) -> TestRequest {
    TestRequest {
        method: request.method.clone(),
        path: request.path.clone(),
        version: request.version.clone(),
        ..*request
    }
}

/// Samples this many times and returns what the check found.
fn sampled(server: SocketAddr, times: usize) -> (String, Option<String>) {
    let mut checks = Checks::new(server, Instant::now() + Duration::from_secs(300)).with_tool(ToolName::Wrk);
    let mut left = times;
    sample::check(&mut checks, &plaintext(ToolName::Wrk, true), None, |_| {
        left = left.wrapping_sub(1);
        left == usize::MAX
    });
    let check = checks.done().remove(0);
    (check.title, check.message)
}

#[test]
fn what_is_wrong_in_the_middle_of_the_load_is_found_and_a_refusal_is_left_to_the_tool() {
    let title = |seen, wrong| format!("responses during the load are right: {seen} checked, {wrong} wrong");
    assert_eq!(sampled(test_server::serve(right), 10), (title(10, 0), None));
    let busy = test_server::serve(|request| match request.number % 2 {
        0 => TestResponse {
            status: 503,
            ..TestResponse::ok("busy")
        },
        _ => right(request),
    });
    assert_eq!(sampled(busy, 10), (title(5, 0), None));
    let wrong =
        test_server::serve(|request| TestResponse::ok(if request.number > 6 { "Hello" } else { "Hello, World!" }));
    let (expected, message) = sampled(wrong, 10);
    assert_eq!(expected, title(10, 4));
    assert!(message.unwrap().contains(" got \"Hello\""));
}
