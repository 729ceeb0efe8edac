//! The requests of a scenario file, as the real tools send them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use rigmark::loadgen::plan::BackendName;
use rigmark::protocol::http::HttpLoad;
use rigmark::protocol::spec::{Scenario, ToolName, Workload};
use rigmark::tool::loadgen::Loadgen;
use rigmark::tool::{self, Tool};
use serde_json::{Value, json};

use super::tools::{assets, closed, load_with, scenario};

/// What came, as `METHOD PATH x-a body`, and how often.
type Seen = Arc<Mutex<BTreeMap<String, usize>>>;

fn serve() -> (u16, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let seen = Seen::default();
    let shared = seen.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let seen = shared.clone();
            std::thread::spawn(move || answer(stream, &seen));
        }
    });
    (port, seen)
}

fn answer(stream: TcpStream, seen: &Seen) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut stream = stream;
    loop {
        let (mut first, mut own, mut length, mut keep) = (String::new(), String::new(), 0, false);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let line = line.trim();
            let lower = line.to_ascii_lowercase();
            if first.is_empty() {
                first = line.rsplit_once(' ')?.0.to_owned();
                keep = lower.ends_with("http/1.1");
            }
            keep |= lower == "connection: keep-alive";
            if let Some(value) = lower.strip_prefix("x-a: ") {
                own = value.to_owned();
            }
            if let Some(value) = lower.strip_prefix("content-length: ") {
                length = value.parse().ok()?;
            }
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let came = format!("{first} {own} {}", String::from_utf8_lossy(&body));
        *seen.lock().unwrap().entry(came).or_default() += 1;
        let word = if keep { "keep-alive" } else { "close" };
        write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: {word}\r\n\r\nok"
        )
        .ok()?;
        if !keep {
            return None;
        }
    }
}

fn own(tool: ToolName, http: Value) -> Scenario {
    let http: HttpLoad = serde_json::from_value(http).unwrap();
    Scenario {
        workload: Workload::Http,
        path: http.requests[0].path.clone(),
        body_bytes: 0,
        http: Some(Box::new(http)),
        ..scenario(tool, closed(true))
    }
}

const GET: &str = "GET /users/7?a=1 1 ";
const PUT: &str = "PUT /users  {\"name\": \"Ada\"}";

fn mix() -> Value {
    json!({ "requests": [
        { "weight": 3, "method": "GET", "path": "/users/7?a=1", "headers": { "x-a": "1" } },
        { "weight": 1, "method": "PUT", "path": "/users", "headers": { "content-type": "application/json" }, "body": "{\"name\": \"Ada\"}" },
    ] })
}

/// Both requests, each as it was written, and by their weights.
fn mixes(tool: &dyn Tool) {
    let (port, seen) = serve();
    let (result, _) = load_with(tool, port, &own(tool.name(), mix()));
    assert_eq!(result.failures.total, 0, "{result:?}");
    let seen = seen.lock().unwrap().clone();
    let kinds: Vec<&str> = seen.keys().map(String::as_str).collect();
    assert_eq!(kinds, [GET, PUT], "{seen:?}");
    let all: usize = seen.values().sum();
    assert!(all as u64 >= result.requests, "{all} {result:?}");
    // Below a round of the order the shares are chance.
    let share = seen[GET] as f64 / all as f64;
    assert!(all < 200 || (0.6..0.9).contains(&share), "{seen:?}");
}

#[test]
fn wrk_mixes_requests_by_their_weights() {
    mixes(&*tool::tool(ToolName::Wrk, &assets()));
}

#[test]
fn autocannon_mixes_requests_by_their_weights() {
    mixes(&*tool::tool(ToolName::Autocannon, &assets()));
}

#[test]
fn k6_mixes_requests_by_their_weights() {
    mixes(&*tool::tool(ToolName::K6, &assets()));
}

#[test]
fn loadgen_mixes_requests_by_their_weights() {
    let backends: &[BackendName] = match cfg!(target_os = "linux") {
        true => &[BackendName::IoUring, BackendName::Tokio],
        false => &[BackendName::Tokio],
    };
    for backend in backends {
        mixes(&Loadgen::at(env!("CARGO_BIN_EXE_rigmark").into(), *backend));
    }
}

#[test]
fn ab_sends_one_request_with_its_headers_and_body() {
    let ab = tool::tool(ToolName::Ab, &assets());
    let Err(why) = ab.supports(&own(ToolName::Ab, mix())) else {
        panic!("it mixes")
    };
    assert!(why.contains("loadgen, wrk, autocannon and k6 mix them"), "{why}");
    for (at, kind) in [(0, GET), (1, PUT)] {
        let mut one = mix();
        one["requests"] = json!([one["requests"][at]]);
        let (port, seen) = serve();
        let (result, _) = load_with(&*ab, port, &own(ToolName::Ab, one));
        assert_eq!(result.failures.total, 0, "{result:?}");
        let seen = seen.lock().unwrap();
        assert_eq!(seen.keys().map(String::as_str).collect::<Vec<_>>(), [kind]);
    }
}

#[test]
fn k6_runs_a_script_of_ones_own_and_refuses_one_that_it_cannot_read() {
    let k6 = tool::tool(ToolName::K6, &assets());
    let with = |text: &str| {
        let mut http = mix();
        http["script"] = json!({ "name": "load.js", "text": text });
        own(ToolName::K6, http)
    };
    let script = "import http from \"k6/http\";\n\
                  export const options = { vus: 1, iterations: 1, thresholds: { \"http_req_duration{status:200}\": [\"max<0.000001\"] } };\n\
                  function setup() { http.get(`${__ENV.BASE_URL}/setup`); return { id: 9 }; }\n\
                  export { setup };\n\
                  export function setupUsers() {}\n\
                  export default function (data) { http.get(`${__ENV.BASE_URL}/own/${data.id}`); }\n";
    let good = with(script);
    k6.check(&good).unwrap();
    let (port, seen) = serve();
    let (result, _) = load_with(&*k6, port, &good);
    assert!(result.requests > 1 && result.failures.total == 0, "{result:?}");
    let seen = seen.lock().unwrap();
    assert_eq!(seen.keys().collect::<Vec<_>>(), ["GET /own/9  ", "GET /setup  "]);
    // What setup requests is no load.
    assert!(result.requests <= seen["GET /own/9  "] as u64, "{seen:?} {result:?}");
    assert_eq!(
        result.thresholds_crossed,
        ["http_req_duration{status:200}: max<0.000001"]
    );
    let refused = k6.check(&with("export default function () { http.get( }")).unwrap_err();
    assert!(refused.starts_with("k6 cannot run load.js: Line 1:"), "{refused}");
}
