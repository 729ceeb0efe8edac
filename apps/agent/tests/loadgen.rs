//! The agent's own generator on both of its back ends, against servers that count for themselves and that cheat.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rigmark::loadgen::plan::BackendName;
use rigmark::protocol::result::ToolResult;
use rigmark::protocol::spec::{LatencyUntil, Load, Payload, Scenario, ToolName, Workload};
use rigmark::tool::loadgen::Loadgen;
use rigmark::tool::{Exit, HistogramBlob, Output, Tool, ToolJob, ToolOutput};
use rigmark::verify::files::FILES;
use tokio_tungstenite::tungstenite::{Message, accept};

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

/// Answers each request with what `answer` says for its body and its number on the connection.
fn http(stream: TcpStream, answer: &dyn Fn(&[u8], u64) -> Vec<u8>) -> Option<()> {
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
        let answer = answer(&body, number);
        let word = if keep { "keep-alive" } else { "close" };
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: {word}\r\n\r\n",
            answer.len()
        );
        stream.write_all(&[head.into_bytes(), answer].concat()).ok()?;
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

struct Ran {
    result: ToolResult,
    histogram: Option<HistogramBlob>,
    files: BTreeMap<String, String>,
}

fn load(port: u16, scenario: &Scenario, backend: BackendName) -> Ran {
    let tool = Loadgen::at(OsString::from(env!("CARGO_BIN_EXE_rigmark")), backend);
    tool.supports(scenario).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let job = ToolJob {
        scenario,
        address: "127.0.0.1",
        port,
        duration_s: scenario.duration_s,
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
        exit: Exit::Code(ended.status.code().unwrap()),
        stdout: text(ended.stdout),
        stderr: text(ended.stderr),
        files: command.files.into_iter().filter_map(files).collect(),
    };
    let result = tool
        .parse(scenario, &output)
        .unwrap_or_else(|e| panic!("{e}\n{}\n{}", output.stdout, output.stderr));
    let ticks = output.stdout.lines().filter_map(|l| tool.progress(Output::Stdout, l));
    assert!(ticks.collect::<Vec<_>>().is_sorted());
    let said = result.tool_version.clone().unwrap();
    assert!(said.ends_with(backend.word()), "{said}");
    Ran {
        result,
        histogram: tool.histogram(&output),
        files: output.files,
    }
}

/// How often, and a server that answers each request with `answer`.
fn counting(answer: impl Fn(&[u8], u64) -> Vec<u8> + Send + Sync + 'static) -> (u16, Arc<[AtomicU64; 2]>) {
    let counts = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
    let shared = counts.clone();
    let port = listen(move |stream, _| {
        shared[1].fetch_add(1, Ordering::Relaxed);
        http(stream, &|body, number| {
            shared[0].fetch_add(1, Ordering::Relaxed);
            answer(body, number)
        });
    });
    (port, counts)
}

fn seen(counts: &[AtomicU64; 2]) -> (u64, u64) {
    (counts[0].load(Ordering::Relaxed), counts[1].load(Ordering::Relaxed))
}

#[test]
fn it_counts_what_the_server_counts() {
    for backend in backends() {
        for keep_alive in [true, false] {
            let (port, counts) = counting(|_, _| FILES[0].content());
            let ran = load(port, &scenario(Workload::Static, closed(keep_alive)), backend);
            let (requests, connections) = seen(&counts);
            let result = &ran.result;
            assert_eq!(result.failures.total, 0, "{backend:?} {result:?}");
            assert!(
                result.requests > 50 && requests >= result.requests,
                "{requests} {result:?}"
            );
            assert!(
                requests <= result.requests + u64::from(CONNECTIONS),
                "{requests} {result:?}"
            );
            assert_eq!(result.duration_us, 300_000);
            assert_eq!(result.connections, Some(connections));
            if keep_alive {
                assert_eq!(connections, u64::from(CONNECTIONS));
            } else {
                assert!(connections >= result.requests);
            }
            assert_eq!(ran.histogram.unwrap().count, result.requests);
            assert_eq!(result.statuses.as_ref().unwrap()["2xx"], result.requests);
        }
    }
}

#[test]
fn a_count_is_exact() {
    for backend in backends() {
        let (port, counts) = counting(|_, _| FILES[0].content());
        let ran = load(port, &scenario(Workload::Static, count(1003, CONNECTIONS)), backend);
        assert_eq!((ran.result.requests, seen(&counts).0), (1003, 1003), "{backend:?}");
        let latency = ran.result.latency.unwrap();
        assert!(latency.mean_ci95_us.unwrap() > 0.0 && latency.outliers.unwrap() < 1003);
    }
}

#[test]
fn a_rate_is_held_and_its_latency_counts_from_the_moment() {
    for backend in backends() {
        // Each 50th answer of a connection takes 100 ms: with one connection the next ones have to wait for it.
        let (port, _) = counting(|_, number| {
            if number % 50 == 49 {
                std::thread::sleep(std::time::Duration::from_millis(100));
            }
            FILES[0].content()
        });
        let rate = |connections| Load::Rate {
            rate_per_s: 200,
            connections,
            keep_alive: true,
        };
        let ran = load(
            port,
            &Scenario {
                duration_s: 1.0,
                ..scenario(Workload::Static, rate(1))
            },
            backend,
        );
        let offered = ran.result.offered.unwrap();
        assert_eq!(offered.requests, 200, "{backend:?}");
        assert!(
            offered.dropped >= 30,
            "{backend:?} {offered:?}: those that waited were late"
        );
        let p90 = ran
            .result
            .latency
            .unwrap()
            .percentiles
            .iter()
            .find(|p| p.p == 90.0)
            .unwrap()
            .us;
        assert!(p90 > 20_000.0, "{backend:?} {p90}: what waited to be sent has waited");
    }
}

#[test]
fn wrong_answers_are_failures_by_kind() {
    for backend in backends() {
        let (port, _) = counting(|_, number| {
            let mut content = FILES[0].content();
            match number {
                5 => content[1000] ^= 1,
                7 => content.truncate(1000),
                _ => {}
            }
            content
        });
        let failures = load(port, &scenario(Workload::Static, count(400, 1)), backend)
            .result
            .failures;
        let kinds = (failures.content, failures.length, failures.total);
        assert_eq!(kinds, (Some(1), Some(1), 2), "{backend:?}");
    }
}

#[test]
fn sums_are_compared_one_by_one() {
    let sum = |body: &[u8]| serde_json::from_slice::<Vec<i64>>(body).unwrap().iter().sum::<i64>();
    for backend in backends() {
        let of = Scenario {
            payload: Some(Payload::Numbers { count: 50 }),
            ..scenario(Workload::JsonSum, count(300, CONNECTIONS))
        };
        let (port, _) = counting(move |body, _| format!("sum = {}", sum(body)).into_bytes());
        assert_eq!(load(port, &of, backend).result.failures.total, 0, "{backend:?}");
        // The answer to the first body for ever.
        let (first, kept) = (std::sync::OnceLock::new(), sum);
        let (port, _) = counting(move |body, _| format!("sum = {}", first.get_or_init(|| kept(body))).into_bytes());
        let failures = load(port, &of, backend).result.failures;
        let wrong = failures.content.unwrap() + failures.length.unwrap();
        assert!(wrong > 200 && wrong == failures.total, "{backend:?} {failures:?}");
    }
}

#[test]
fn the_first_byte_comes_before_the_last() {
    for backend in backends() {
        let port = listen(|mut stream, _| {
            let mut buffer = [0; 4096];
            while stream.read(&mut buffer).is_ok_and(|n| n > 0) {
                let content = FILES[0].content();
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n");
                std::thread::sleep(std::time::Duration::from_millis(20));
                let _ = stream.write_all(&content);
            }
        });
        let last = scenario(Workload::Static, count(5, 1));
        let first = Scenario {
            latency_until: Some(LatencyUntil::FirstByte),
            ..last.clone()
        };
        let min = |s: &Scenario| load(port, s, backend).result.latency.unwrap().min_us.unwrap();
        assert!(min(&first) < 15_000.0, "{backend:?}");
        assert!(min(&last) >= 20_000.0, "{backend:?}");
    }
}

/// A server that echoes what `change` makes of each message; `None` is dropped.
fn echo(change: fn(u64, Message) -> Option<Message>) -> u16 {
    listen(move |stream, _| {
        let _ = stream.set_nodelay(true);
        let Ok(mut socket) = accept(stream) else { return };
        let mut number = 0;
        while let Ok(message) = socket.read() {
            if message.is_close() {
                return;
            }
            number += 1;
            if let Some(message) = change(number, message)
                && socket.send(message).is_err()
            {
                return;
            }
        }
    })
}

fn greetings(load: Load) -> Scenario {
    Scenario {
        payload: Some(Payload::Greeting {}),
        ..scenario(Workload::WsEcho, load)
    }
}

#[test]
fn messages_come_back_and_each_sample_is_kept() {
    let port = echo(|_, message| Some(message));
    for backend in backends() {
        let ran = load(port, &greetings(count(200, 1)), backend);
        assert_eq!(
            (ran.result.requests, ran.result.failures.total),
            (200, 0),
            "{backend:?}"
        );
        let samples: Vec<u64> = ran.files["samples.txt"].lines().map(|l| l.parse().unwrap()).collect();
        assert_eq!(samples.len(), 200);
        let latency = ran.result.latency.unwrap();
        let mean = samples.iter().sum::<u64>() as f64 / 200.0 / 1000.0;
        assert!((latency.mean_us.unwrap() / mean - 1.0).abs() < 0.001);
        for payload in [Payload::Bytes { bytes: 70_000 }, Payload::Text { bytes: 10 }] {
            let many = Scenario {
                payload: Some(payload),
                in_flight: Some(4),
                ..greetings(count(100, 2))
            };
            let result = load(port, &many, backend).result;
            assert_eq!(
                (result.requests, result.failures.total),
                (100, 0),
                "{backend:?} {result:?}"
            );
        }
    }
}

#[test]
fn lost_and_changed_messages_are_failures_by_kind() {
    for backend in backends() {
        let lost = echo(|n, message| (n % 50 != 0).then_some(message));
        let result = load(lost, &greetings(closed(true)), backend).result;
        assert!(
            result.failures.timeout.unwrap() >= u64::from(CONNECTIONS),
            "{backend:?} {result:?}"
        );
        let lower = echo(|_, message| Some(Message::text(message.to_text().unwrap().to_lowercase())));
        let result = load(lower, &greetings(count(100, 2)), backend).result;
        assert_eq!(result.failures.content, Some(100), "{backend:?} {result:?}");
        let short = echo(|n, message| {
            let text = message.to_text().unwrap();
            Some(Message::text(if n == 7 { &text[1..] } else { text }))
        });
        let result = load(short, &greetings(count(100, 1)), backend).result;
        assert_eq!(
            (result.failures.length, result.failures.total),
            (Some(1), 1),
            "{backend:?}"
        );
        let binary = echo(|_, message| Some(Message::binary(message.into_data())));
        let result = load(binary, &greetings(count(50, 1)), backend).result;
        assert_eq!(result.failures.content, Some(50), "{backend:?}");
    }
}
