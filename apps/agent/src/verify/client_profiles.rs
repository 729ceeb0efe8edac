//! Who seems to ask. *Right* asks as the scenario's own tool; *conformance* draws a tool for each connection, so that a server
//! cannot know the checks by their head and be right for them alone.

use std::cell::Cell;
use std::net::SocketAddr;

use super::draw::{one_of, rng};
use crate::protocol::spec::ToolName;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// As loadgen's: the host and nothing else.
    Wrk,
    Ab,
    K6,
    Autocannon,
}

const ALL: [Caller; 4] = [Caller::Wrk, Caller::Ab, Caller::K6, Caller::Autocannon];

thread_local! {
    /// Of the connection that this thread opened last: a tool sends one head as long as it lives.
    static LAST: Cell<(Caller, Option<SocketAddr>)> = const { Cell::new((Caller::Wrk, None)) };
}

/// For the connection that is now opened: this tool's head, or a drawn one.
pub fn ask_as(caller: Option<Caller>, server: SocketAddr) {
    let caller = caller.unwrap_or_else(|| one_of(&mut rng(), &ALL));
    LAST.set((caller, Some(server)));
}

impl From<ToolName> for Caller {
    fn from(tool: ToolName) -> Self {
        match tool {
            ToolName::Ab => Self::Ab,
            ToolName::Autocannon => Self::Autocannon,
            ToolName::K6 => Self::K6,
            ToolName::Wrk | ToolName::Loadgen => Self::Wrk,
        }
    }
}

/// What is sent without a body. HTTP/1.0 is what ab speaks, and no other.
pub fn request(method: &str, path: &str, version: &str, headers: &str) -> String {
    let (caller, host) = asking(version);
    caller.request(&host, method, path, version, headers)
}

/// The head of a POST; `framing` is its Content-Length or Transfer-Encoding.
pub fn post(path: &str, version: &str, kind: &str, framing: &str, headers: &str) -> String {
    let (caller, host) = asking(version);
    caller.post(&host, path, version, kind, framing, headers)
}

impl Caller {
    pub fn request(self, host: &str, method: &str, path: &str, version: &str, headers: &str) -> String {
        head(self, host, &format!("{method} {path} {version}"), headers)
    }

    pub fn post(self, host: &str, path: &str, version: &str, kind: &str, framing: &str, headers: &str) -> String {
        let lines = match self {
            Self::Wrk => format!("Content-Type: {kind}\r\n{framing}\r\n{headers}"),
            Self::Autocannon => format!("content-type: {kind}\r\n{framing}\r\n{headers}"),
            Self::K6 => format!("{framing}\r\nContent-Type: {kind}\r\n{headers}"),
            Self::Ab => format!(
                "{headers}{}\r\nContent-type: {kind}\r\n",
                framing.replace("-Length", "-length")
            ),
        };
        head(self, host, &format!("POST {path} {version}"), &lines)
    }
}

/// A handshake on /ws as k6 (which is Go's) or loadgen sends it; `headers` has the lines that a check wants to be other.
pub fn handshake(key: &str, headers: &str) -> String {
    let (caller, host) = asking("HTTP/1.1");
    let starts = |line: &str, name: &str| line.to_ascii_lowercase().starts_with(name);
    let lines = |wanted: &dyn Fn(&str) -> bool| -> String {
        headers.split_inclusive("\r\n").filter(|line| wanted(line)).collect()
    };
    let connection = lines(&|line| starts(line, "connection:"));
    let version = lines(&|line| starts(line, "sec-websocket-version:"));
    let rest = lines(&|line| !starts(line, "connection:") && !starts(line, "sec-websocket-version:"));
    let (upgrade, key) = ("Upgrade: websocket\r\n", format!("Sec-WebSocket-Key: {key}\r\n"));
    let first = format!("GET /ws HTTP/1.1\r\nHost: {host}\r\n");
    match caller {
        Caller::K6 => format!("{first}{K6}{connection}{key}{version}{upgrade}{rest}\r\n"),
        Caller::Wrk => format!("{first}{upgrade}{connection}{version}{key}{rest}\r\n"),
        // What tokio-tungstenite sends: neither ab nor autocannon speaks WebSocket.
        Caller::Ab | Caller::Autocannon => format!("{first}{connection}{upgrade}{version}{key}{rest}\r\n"),
    }
}

const K6: &str = "User-Agent: Grafana k6/1.8.1\r\n";

fn asking(version: &str) -> (Caller, String) {
    let (drawn, server) = LAST.get();
    let caller = if version == "HTTP/1.0" { Caller::Ab } else { drawn };
    (caller, server.map_or("127.0.0.1".to_owned(), |s| s.to_string()))
}

fn head(caller: Caller, host: &str, first: &str, lines: &str) -> String {
    let says_how_long = lines.to_ascii_lowercase().contains("connection:");
    match caller {
        Caller::Wrk => format!("{first}\r\nHost: {host}\r\n{lines}\r\n"),
        Caller::K6 => format!("{first}\r\nHost: {host}\r\n{K6}{lines}\r\n"),
        Caller::Autocannon if says_how_long => format!("{first}\r\nHost: {host}\r\n{lines}\r\n"),
        Caller::Autocannon => format!("{first}\r\nHost: {host}\r\nConnection: keep-alive\r\n{lines}\r\n"),
        Caller::Ab => format!("{first}\r\n{lines}Host: {host}\r\nUser-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(caller: Caller) {
        LAST.set((caller, Some("127.0.0.1:8080".parse().unwrap())));
    }

    /// Recorded from ab 2.3, k6 1.8.1 and autocannon 8, from wrk's and loadgen's sources.
    #[test]
    fn the_heads_are_those_of_the_tools() {
        let get = |caller, version, headers| {
            asks(caller);
            request("GET", "/1k.bin", version, headers)
        };
        assert_eq!(
            get(Caller::Wrk, "HTTP/1.1", ""),
            "GET /1k.bin HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"
        );
        assert_eq!(
            get(Caller::K6, "HTTP/1.1", ""),
            "GET /1k.bin HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: Grafana k6/1.8.1\r\n\r\n"
        );
        assert_eq!(
            get(Caller::Autocannon, "HTTP/1.1", ""),
            "GET /1k.bin HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: keep-alive\r\n\r\n"
        );
        // Whoever was drawn: only ab asks so.
        assert_eq!(
            get(Caller::K6, "HTTP/1.0", "Connection: Keep-Alive\r\n"),
            "GET /1k.bin HTTP/1.0\r\nConnection: Keep-Alive\r\nHost: 127.0.0.1:8080\r\n\
             User-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n"
        );
        asks(Caller::Ab);
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
        asks(Caller::K6);
        assert_eq!(
            handshake("KEY", "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"),
            "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: Grafana k6/1.8.1\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: KEY\r\nSec-WebSocket-Version: 13\r\nUpgrade: websocket\r\n\r\n"
        );
    }

    #[test]
    fn nobody_says_who_verifies_and_each_line_that_a_check_wants_is_there_once() {
        for caller in ALL {
            asks(caller);
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
        assert!(ALL.iter().all(|caller| seen.contains(caller)));
    }
}
