//! The real tools, each under the command line that its adapter makes, against a server that counts for itself.
//! A tool that is not installed fails its test with the act that installs it: `./rig test` brings all of them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rigmark::assets::Assets;
use rigmark::protocol::result::ToolResult;
use rigmark::protocol::spec::{Load, Scenario, ToolName, Workload};
use rigmark::tool::output::{OutputStream, ProcessExit, ToolOutput};
use rigmark::tool::{self, Tool, ToolJob};

const BODY: [u8; 1024] = [b'x'; 1024];
const CONNECTIONS: u32 = 4;

#[derive(Default)]
struct Counts {
    requests: AtomicU64,
    connections: AtomicU64,
}

/// Answers every request with 1 KB and keeps the connection where it is asked to. Ends with the test.
fn serve() -> (u16, Arc<Counts>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let counts = Arc::new(Counts::default());
    let shared = counts.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let counts = shared.clone();
            counts.connections.fetch_add(1, Ordering::Relaxed);
            std::thread::spawn(move || answer(stream, &counts));
        }
    });
    (port, counts)
}

fn answer(stream: TcpStream, counts: &Counts) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut stream = stream;
    loop {
        let (mut keep, mut line) = (false, String::new());
        loop {
            line.clear();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let lower = line.trim().to_lowercase();
            keep |= lower.ends_with("http/1.1") || lower == "connection: keep-alive";
            keep &= lower != "connection: close";
            if lower.is_empty() {
                break;
            }
        }
        counts.requests.fetch_add(1, Ordering::Relaxed);
        let word = if keep { "keep-alive" } else { "close" };
        let mut bytes = format!("HTTP/1.1 200 OK\r\nContent-Length: 1024\r\nConnection: {word}\r\n\r\n").into_bytes();
        bytes.extend(BODY);
        stream.write_all(&bytes).ok()?;
        if !keep {
            return None;
        }
    }
}

pub fn scenario(tool: ToolName, load: Load) -> Scenario {
    Scenario {
        schema: 1,
        id: "test".to_owned(),
        title: "Test".to_owned(),
        summary: String::new(),
        workload: Workload::Static,
        tool,
        path: "/1k.bin".to_owned(),
        body_bytes: 1024,
        payload: None,
        in_flight: None,
        latency_until: None,
        load,
        duration_s: 1.0,
        warmup_s: 0.0,
        thresholds: None,
        judged_by: None,
        http: None,
    }
}

pub fn closed(keep_alive: bool) -> Load {
    Load::Closed {
        connections: CONNECTIONS,
        keep_alive,
    }
}

pub fn assets() -> Assets {
    Assets::at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// Runs the tool for the scenario's duration; also what it said while it ran.
fn load(port: u16, scenario: &Scenario) -> (ToolResult, Vec<u64>) {
    load_with(&*tool::tool(scenario.tool, &assets()), port, scenario)
}

pub fn load_with(tool: &dyn Tool, port: u16, scenario: &Scenario) -> (ToolResult, Vec<u64>) {
    let probe = tool.probe();
    assert!(
        probe.supported,
        "{} To fix it: {}",
        probe.reason.unwrap(),
        probe.fix.unwrap()
    );
    tool.supports(scenario).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let job = ToolJob {
        scenario,
        address: "127.0.0.1",
        port,
        duration_s: scenario.duration_s,
        // As long as any tool waits for a response: on a busy host a second may go by without one.
        patience_s: 20.0,
        cpus: 2,
        work_dir: dir.path(),
    };
    let command = tool.command(&job).unwrap();
    // No more than a sandboxed tool is given.
    let ended = Command::new(&command.argv[0])
        .args(&command.argv[1..])
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", dir.path())
        .envs(command.env)
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let files = |(name, path): (String, _)| Some((name, std::fs::read_to_string::<std::path::PathBuf>(path).ok()?));
    let output = ToolOutput {
        exit: match (ended.status.code(), ended.status.signal()) {
            (Some(code), _) => ProcessExit::Code(code),
            (None, signal) => ProcessExit::Signal(signal.unwrap()),
        },
        stdout: text(ended.stdout),
        stderr: text(ended.stderr),
        files: command.files.into_iter().filter_map(files).collect::<BTreeMap<_, _>>(),
    };
    let progress = output
        .stdout
        .lines()
        .filter_map(|l| tool.progress(OutputStream::Stdout, l))
        .collect();
    let result = tool
        .parse(scenario, &output)
        .unwrap_or_else(|e| panic!("{e}\n{}\n{}", output.stdout, output.stderr));
    (result, progress)
}

fn check(tool: ToolName, keep_alive: bool) {
    let speaks = tool::tool(tool, &assets()).has_progress();
    let duration_s = if tool == ToolName::Ab { 1.0 } else { 2.5 };
    // The tools speak about once a second: a busy machine may keep the first word back until a short window is over.
    if spoke(tool, keep_alive, duration_s) != speaks {
        assert_eq!(spoke(tool, keep_alive, 20.0), speaks);
    }
}

/// Checks all else, and returns whether the tool said how far it was.
fn spoke(tool: ToolName, keep_alive: bool, duration_s: f64) -> bool {
    let (port, counts) = serve();
    let scenario = Scenario {
        duration_s,
        ..scenario(tool, closed(keep_alive))
    };
    let (result, progress) = load(port, &scenario);
    assert_eq!(result.failures.total, 0, "{result:?}");
    assert!(result.requests > 0, "{result:?}");
    let asked_us = (duration_s * 1e6) as u64;
    assert!(result.duration_us >= asked_us * 9 / 10, "{result:?}");
    assert!(result.bytes_received.unwrap() >= result.requests * 1024);
    // What was under way at the end is the server's and not the tool's.
    let answered = counts.requests.load(Ordering::Relaxed);
    assert!(answered >= result.requests, "{answered} {result:?}");
    assert!(
        answered <= result.requests + 4 * u64::from(CONNECTIONS),
        "{answered} {result:?}"
    );
    let connections = counts.connections.load(Ordering::Relaxed);
    if keep_alive {
        assert!(connections <= 4 * u64::from(CONNECTIONS), "{connections} connections");
    } else {
        assert!(connections >= result.requests, "{connections} connections");
    }
    assert!(progress.is_sorted() && progress.iter().all(|n| *n <= answered));
    !progress.is_empty()
}

#[test]
fn ab_counts_what_the_server_counts() {
    check(ToolName::Ab, true);
}

#[test]
fn ab_makes_a_connection_for_each_request() {
    check(ToolName::Ab, false);
}

#[test]
fn wrk_counts_what_the_server_counts() {
    check(ToolName::Wrk, true);
}

#[test]
fn wrk_makes_a_connection_for_each_request() {
    check(ToolName::Wrk, false);
}

#[test]
fn autocannon_counts_what_the_server_counts() {
    check(ToolName::Autocannon, true);
}

#[test]
fn h2load_counts_what_the_server_counts() {
    check(ToolName::H2load, true);
}

#[test]
fn k6_counts_what_the_server_counts() {
    check(ToolName::K6, true);
}

#[test]
fn k6_makes_a_connection_for_each_request() {
    check(ToolName::K6, false);
}

#[test]
fn k6_holds_a_rate_and_its_thresholds() {
    let (port, _) = serve();
    let mut scenario = scenario(
        ToolName::K6,
        Load::Rate {
            rate_per_s: 100,
            connections: CONNECTIONS,
            keep_alive: true,
        },
    );
    scenario.thresholds = Some(vec![
        "http_req_duration: p(99)<0.000001".to_owned(),
        "http_req_duration{expected_response:true}: p(99)<0.000001".to_owned(),
        "http_req_failed: rate<0.001".to_owned(),
    ]);
    let (result, _) = load(port, &scenario);
    let offered = result.offered.unwrap();
    assert_eq!(offered.rate_per_s, 100.0);
    // On a busy host k6's second takes longer: then it begins more than a hundred requests, or drops some.
    assert!((1..=200).contains(&offered.requests), "{offered:?}");
    assert_eq!(
        result.thresholds_crossed,
        [
            "http_req_duration: p(99)<0.000001",
            "http_req_duration{expected_response:true}: p(99)<0.000001"
        ]
    );
}
