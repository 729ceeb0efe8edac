//! Whose requests the checks send. *Right* sends those of the scenario's tool; *conformance* draws a tool for each connection,
//! so that a server cannot recognize the checks by their head and be right for them alone.

use std::cell::Cell;
use std::net::SocketAddr;

use super::draw::{one_of, rng};
use crate::protocol::http::HttpRequest;
use crate::protocol::spec::ToolName;
use crate::tool;
use crate::tool::profile::{HandshakeLine, RequestHead};
use crate::workload::http::{body, has_body};

thread_local! {
    /// Of the connection that this thread opened last: a tool sends one head as long as it lives.
    static LAST: Cell<(&'static RequestHead, Option<SocketAddr>)> = const { Cell::new((&RequestHead::BARE, None)) };
}

/// Chooses the head for the connection that is opened next: this tool's, or that of a drawn one.
pub fn ask_as(tool: Option<ToolName>, server: SocketAddr) {
    let tool = tool.unwrap_or_else(|| one_of(&mut rng(), &ToolName::ALL));
    LAST.set((&tool::profile(tool).head, Some(server)));
}

/// A request without a body. HTTP/1.0 uses the head of the tool that speaks it, whichever was drawn.
pub fn request(method: &str, path: &str, version: &str, headers: &str) -> String {
    let (head, host) = asking(version);
    request_by(head, &host, method, path, version, headers)
}

/// The head of a POST; `framing` is its Content-Length or Transfer-Encoding.
pub fn post(path: &str, version: &str, kind: &str, framing: &str, headers: &str) -> String {
    let (head, host) = asking(version);
    post_by(head, &host, path, version, kind, framing, headers)
}

pub fn request_by(head: &RequestHead, host: &str, method: &str, path: &str, version: &str, headers: &str) -> String {
    text(head, host, &format!("{method} {path} {version}"), headers)
}

pub fn post_by(
    head: &RequestHead,
    host: &str,
    path: &str,
    version: &str,
    kind: &str,
    framing: &str,
    headers: &str,
) -> String {
    let body = head.body.map(|name| match framing.split_once(':') {
        _ if name.eq_ignore_ascii_case("Content-Type") => format!("{name}: {kind}\r\n"),
        Some((line, value)) if name.eq_ignore_ascii_case(line) => format!("{name}:{value}\r\n"),
        _ => format!("{framing}\r\n"),
    });
    let body = body.concat();
    let lines = if head.host_last {
        format!("{headers}{body}")
    } else {
        format!("{body}{headers}")
    };
    text(head, host, &format!("POST {path} {version}"), &lines)
}

/// One of somebody's own requests, with its body.
pub fn own_by(head: &RequestHead, host: &str, request: &HttpRequest, version: &str, connection: &str) -> Vec<u8> {
    let own_lines = |line: &&str| {
        let name = line.split(':').next().unwrap_or_default();
        !request.headers.keys().any(|key| key.eq_ignore_ascii_case(name))
    };
    let own: String = head.own.split_inclusive("\r\n").filter(own_lines).collect();
    let has_body = has_body(request);
    let body = body(request);
    let line = |name: &str, value: &str| format!("{name}: {value}\r\n");
    let is_kind = |name: &str| has_body && name == "content-type";
    let custom: String = request
        .headers
        .iter()
        .filter(|(name, _)| !is_kind(name))
        .map(|(name, value)| line(name, value))
        .collect();
    let mut framing = String::new();
    if has_body {
        for name in head.body {
            framing += &match name.eq_ignore_ascii_case("content-type") {
                true => request
                    .headers
                    .get("content-type")
                    .map_or(String::new(), |kind| line(name, kind)),
                false => line(name, &body.len().to_string()),
            };
        }
    }
    let (method, path) = (request.method.as_str(), &request.path);
    let keep = match head.says_keep_alive && connection.is_empty() {
        true => "Connection: keep-alive\r\n",
        false => "",
    };
    let text = match head.host_last {
        true => format!("{method} {path} {version}\r\n{connection}{framing}{custom}Host: {host}\r\n{own}\r\n"),
        false => format!("{method} {path} {version}\r\nHost: {host}\r\n{own}{keep}{custom}{framing}{connection}\r\n"),
    };
    [text.into_bytes(), body].concat()
}

/// A handshake on /ws as the drawn tool sends it; `headers` has the lines that a check wants to be other.
pub fn handshake(key: &str, headers: &str) -> String {
    /// What tokio-tungstenite sends: for the tools that speak no WebSocket.
    const TUNGSTENITE: [HandshakeLine; 4] = [
        HandshakeLine::Connection,
        HandshakeLine::Upgrade,
        HandshakeLine::Version,
        HandshakeLine::Key,
    ];
    let (head, host) = asking("HTTP/1.1");
    let starts = |line: &str, name: &str| line.to_ascii_lowercase().starts_with(name);
    let lines = |wanted: &dyn Fn(&str) -> bool| -> String {
        headers.split_inclusive("\r\n").filter(|line| wanted(line)).collect()
    };
    let connection = lines(&|line| starts(line, "connection:"));
    let version = lines(&|line| starts(line, "sec-websocket-version:"));
    let rest = lines(&|line| !starts(line, "connection:") && !starts(line, "sec-websocket-version:"));
    let (own, order) = head.handshake.map_or(("", TUNGSTENITE), |order| (head.own, order));
    let mut text = format!("GET /ws HTTP/1.1\r\nHost: {host}\r\n{own}");
    for line in order {
        match line {
            HandshakeLine::Connection => text += &connection,
            HandshakeLine::Key => text += &format!("Sec-WebSocket-Key: {key}\r\n"),
            HandshakeLine::Upgrade => text += "Upgrade: websocket\r\n",
            HandshakeLine::Version => text += &version,
        }
    }
    text + &rest + "\r\n"
}

fn asking(version: &str) -> (&'static RequestHead, String) {
    let (drawn, server) = LAST.get();
    let speaks_1_0 = || ToolName::ALL.map(tool::profile).into_iter().find(|p| p.http_1_0);
    let head = match version {
        "HTTP/1.0" => speaks_1_0().map_or(drawn, |profile| &profile.head),
        _ => drawn,
    };
    (head, server.map_or("127.0.0.1".to_owned(), |s| s.to_string()))
}

fn text(head: &RequestHead, host: &str, first: &str, lines: &str) -> String {
    let own = head.own;
    if head.host_last {
        return format!("{first}\r\n{lines}Host: {host}\r\n{own}\r\n");
    }
    let says_how_long = lines.to_ascii_lowercase().contains("connection:");
    let keep = match head.says_keep_alive && !says_how_long {
        true => "Connection: keep-alive\r\n",
        false => "",
    };
    format!("{first}\r\nHost: {host}\r\n{own}{keep}{lines}\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(tool: ToolName) {
        ask_as(Some(tool), "127.0.0.1:8080".parse().unwrap());
    }

    /// Recorded from ab 2.3, k6 1.8.1 and autocannon 8, from wrk's and loadgen's sources.
    #[test]
    fn the_heads_are_those_of_the_tools() {
        let get = |tool, version, headers| {
            asks(tool);
            request("GET", "/1k.bin", version, headers)
        };
        assert_eq!(
            get(ToolName::Wrk, "HTTP/1.1", ""),
            "GET /1k.bin HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"
        );
        assert_eq!(
            get(ToolName::K6, "HTTP/1.1", ""),
            "GET /1k.bin HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: Grafana k6/1.8.1\r\n\r\n"
        );
        assert_eq!(
            get(ToolName::Autocannon, "HTTP/1.1", ""),
            "GET /1k.bin HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: keep-alive\r\n\r\n"
        );
        // Whoever was drawn: only ab asks so.
        assert_eq!(
            get(ToolName::K6, "HTTP/1.0", "Connection: Keep-Alive\r\n"),
            "GET /1k.bin HTTP/1.0\r\nConnection: Keep-Alive\r\nHost: 127.0.0.1:8080\r\n\
             User-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n"
        );
        asks(ToolName::Ab);
        assert_eq!(
            post(
                "/json-sum",
                "HTTP/1.0",
                "application/json",
                "Content-Length: 3",
                "Connection: Keep-Alive\r\n"
            ),
            "POST /json-sum HTTP/1.0\r\nConnection: Keep-Alive\r\nContent-length: 3\r\n\
             Content-type: application/json\r\nHost: 127.0.0.1:8080\r\nUser-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n"
        );
        asks(ToolName::K6);
        assert_eq!(
            handshake("KEY", "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"),
            "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: Grafana k6/1.8.1\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: KEY\r\nSec-WebSocket-Version: 13\r\nUpgrade: websocket\r\n\r\n"
        );
    }

    #[test]
    fn no_head_names_rigmark_and_each_line_that_a_check_sets_is_there_once() {
        for tool in ToolName::ALL {
            asks(tool);
            let close = "Connection: close\r\n";
            let texts = [
                request("GET", "/", "HTTP/1.1", close),
                post("/upload", "HTTP/1.1", "text/plain", "Content-Length: 0", close),
                handshake("k", "Connection: Upgrade\r\nSec-WebSocket-Extensions: x\r\n"),
            ];
            for text in texts {
                assert!(!text.to_lowercase().contains("rigmark"), "{text}");
                let count = |name: &str| text.lines().filter(|l| l.starts_with(name)).count();
                assert_eq!((count("Host: 127.0.0.1:8080"), count("Connection:")), (1, 1), "{text}");
                assert!(text.ends_with("\r\n\r\n") && text.matches("\r\n\r\n").count() == 1);
            }
        }
    }

    #[test]
    fn each_tool_has_its_turn() {
        let server = "127.0.0.1:1".parse().unwrap();
        let mut seen = Vec::new();
        for _ in 0..400 {
            ask_as(None, server);
            seen.push(LAST.get().0);
        }
        assert!(
            ToolName::ALL
                .iter()
                .all(|tool| seen.contains(&&tool::profile(*tool).head))
        );
    }
}
