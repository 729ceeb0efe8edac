//! The agent's own generator on both of its back ends, against servers that count for themselves and that cheat.

mod knee;
mod messages;
mod requests;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;

use rigmark::loadgen::plan::BackendName;
use rigmark::protocol::result::ToolResult;
use rigmark::protocol::spec::{Load, Scenario, ToolName, Workload};
use rigmark::tool::loadgen::Loadgen;
use rigmark::tool::output::{HistogramBlob, OutputStream, ProcessExit, ToolOutput};
use rigmark::tool::{Tool, ToolJob};

const CONNECTIONS: u32 = 4;

fn backends() -> Vec<BackendName> {
    let best = rigmark::loadgen::backend(None).name();
    [BackendName::IoUring, BackendName::Tokio]
        .into_iter()
        .filter(|b| *b == best || *b == BackendName::Tokio)
        .collect()
}

/// Each accepted connection in a thread of its own, until the test ends.
fn listen(serve: impl Fn(TcpStream, u64) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let serve = Arc::new(serve);
    std::thread::spawn(move || {
        for (n, stream) in listener.incoming().flatten().enumerate() {
            let serve = serve.clone();
            std::thread::spawn(move || serve(stream, n as u64));
        }
    });
    port
}

/// Answers each request with what `body_for` says for its body and its number on the connection.
fn http(stream: TcpStream, body_for: &dyn Fn(&[u8], u64) -> Vec<u8>) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut stream = stream;
    for number in 0.. {
        let (mut length, mut keep, mut line) = (0, true, String::new());
        loop {
            line.clear();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let lower = line.trim().to_lowercase();
            if let Some(n) = lower.strip_prefix("content-length: ") {
                length = n.parse().ok()?;
            }
            keep &= lower != "connection: close";
            if lower.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let sent = body_for(&body, number);
        let word = if keep { "keep-alive" } else { "close" };
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: {word}\r\n\r\n",
            sent.len()
        );
        stream.write_all(&[head.into_bytes(), sent].concat()).ok()?;
        if !keep {
            return None;
        }
    }
    None
}

fn scenario(workload: Workload, load: Load) -> Scenario {
    Scenario {
        schema: 1,
        id: "test".to_owned(),
        title: "Test".to_owned(),
        summary: String::new(),
        workload,
        tool: ToolName::Loadgen,
        path: if workload == Workload::WsEcho { "/ws" } else { "/1k.bin" }.to_owned(),
        body_bytes: 1024,
        payload: None,
        in_flight: None,
        latency_until: None,
        load,
        duration_s: 0.3,
        warmup_s: 0.0,
        thresholds: None,
        judged_by: None,
        http: None,
    }
}

fn closed(keep_alive: bool) -> Load {
    Load::Closed {
        connections: CONNECTIONS,
        keep_alive,
    }
}

fn count(requests: u64, connections: u32) -> Load {
    Load::Count {
        requests,
        connections,
        keep_alive: true,
    }
}

struct LoadgenRun {
    result: ToolResult,
    histogram: Option<HistogramBlob>,
    files: BTreeMap<String, String>,
}

/// A response is waited for as long as any tool waits, however short the load is: on a busy host none is a failure.
const PATIENCE_S: f64 = 20.0;

fn load(port: u16, scenario: &Scenario, backend: BackendName) -> LoadgenRun {
    load_within(PATIENCE_S, port, scenario, backend)
}

fn load_within(patience_s: f64, port: u16, scenario: &Scenario, backend: BackendName) -> LoadgenRun {
    let tool = Loadgen::at(OsString::from(env!("CARGO_BIN_EXE_rigmark")), backend);
    tool.supports(scenario).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let job = ToolJob {
        scenario,
        address: "127.0.0.1",
        port,
        duration_s: scenario.duration_s,
        patience_s,
        cpus: 2,
        work_dir: dir.path(),
    };
    let command = tool.command(&job).unwrap();
    // No more than a sandboxed tool is given.
    let ended = Command::new(&command.argv[0])
        .args(&command.argv[1..])
        .env_clear()
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let files = |(name, path): (String, std::path::PathBuf)| Some((name, std::fs::read_to_string(path).ok()?));
    let output = ToolOutput {
        exit: ProcessExit::Code(ended.status.code().unwrap()),
        stdout: text(ended.stdout),
        stderr: text(ended.stderr),
        files: command.files.into_iter().filter_map(files).collect(),
    };
    let result = tool
        .parse(scenario, &output)
        .unwrap_or_else(|e| panic!("{e}\n{}\n{}", output.stdout, output.stderr));
    let ticks = output
        .stdout
        .lines()
        .filter_map(|l| tool.progress(OutputStream::Stdout, l));
    assert!(ticks.collect::<Vec<_>>().is_sorted());
    let said = result.tool_version.clone().unwrap();
    assert!(said.ends_with(backend.word()), "{said}");
    LoadgenRun {
        result,
        histogram: tool.histogram(&output),
        files: output.files,
    }
}
