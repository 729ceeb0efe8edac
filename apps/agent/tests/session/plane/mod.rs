//! A small control plane in this process: it keeps the promises of docs/protocol.md, and breaks the network on request.

mod attempt;
pub mod script;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rigmark::protocol::journal::{Record, RunStatus};
use rigmark::protocol::result::Reason;
use rigmark::protocol::spec::{EntrySpec, RunSpec};
use rigmark::protocol::wire::Lease;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use uuid::Uuid;

/// What may happen to a request, in percent.
#[derive(Clone, Copy, Default)]
pub struct Faults {
    /// Never arrives.
    pub drop_before: u64,
    /// Is done, and the response never arrives.
    pub drop_after: u64,
    /// Arrives twice.
    pub duplicate: u64,
    /// 500 in the protocol's words.
    pub error: u64,
    /// An error page of a proxy.
    pub proxy: u64,
    pub delay_ms: u64,
    /// The session is forgotten.
    pub expire: u64,
}

#[derive(Default)]
pub struct State {
    pub faults: Faults,
    /// Every connection is closed at once.
    pub partition: bool,
    pub revoked: bool,
    pub cancel: bool,
    /// From this chunk on the journal is not taken.
    pub refuse_from: Option<usize>,
    /// It is a proxy in between that does not take it, as too large.
    pub refused_by_proxy: bool,
    pub queue: Vec<Uuid>,
    pub attempts: BTreeMap<Uuid, TestAttempt>,
    pub leases: BTreeMap<String, Uuid>,
    pub requests: BTreeMap<String, u32>,
    pub log: Vec<String>,
    digest: Option<String>,
    token: u64,
    random: u64,
}

#[derive(Default)]
pub struct TestAttempt {
    pub no: u32,
    pub started: bool,
    pub beats: u32,
    pub streams: [Vec<Chunk>; 2],
    pub finished: Option<(RunStatus, Option<Reason>, u64)>,
}

pub struct Chunk {
    sha: String,
    pub body: String,
}

impl TestAttempt {
    pub fn records(&self, stream: usize) -> Vec<Record> {
        let lines = self.streams[stream].iter().flat_map(|c| c.body.lines());
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[derive(Clone)]
pub struct TestControlPlane {
    state: Arc<Mutex<State>>,
    pub url: String,
}

enum PlannedResponse {
    Status(u16, Value),
    /// Of a proxy.
    Page(u16),
    Hang,
}

impl TestControlPlane {
    pub async fn start(seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State {
            random: seed,
            ..State::default()
        }));
        let plane = Self { state, url };
        let serving = plane.clone();
        tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let plane = serving.clone();
                if plane.state().partition {
                    continue;
                }
                tokio::spawn(async move {
                    let service = service_fn(move |request| plane.clone().serve(request));
                    let _ = hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(socket), service)
                        .await;
                });
            }
        });
        plane
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Waits until it is so; panics with the plane's log when it never is.
    pub async fn until(&self, what: &str, mut is_so: impl FnMut(&State) -> bool) {
        let end = Instant::now() + Duration::from_secs(240);
        while !is_so(&self.state()) {
            assert!(Instant::now() < end, "never: {what}; {:#?}", self.state().log);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn serve(self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Gone> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.map_err(|_| Gone)?.to_bytes();
        let (faults, partition) = {
            let state = self.state();
            (state.faults, state.partition)
        };
        if partition {
            return Err(Gone);
        }
        let lot = |percent: u64| self.state().chance(percent);
        if faults.delay_ms > 0 {
            let ms = self.state().draw() % faults.delay_ms;
            tokio::time::sleep(Duration::from_millis(ms)).await;
        }
        if lot(faults.drop_before) {
            return Err(Gone);
        }
        if lot(faults.expire) {
            self.state().token += 1;
        }
        if lot(faults.error) {
            return Ok(answer(
                500,
                json!({"error": {"code": "internal", "message": "Try again."}}),
            ));
        }
        let mut fate = self.state().handle(&parts, &body);
        if lot(faults.duplicate) {
            fate = self.state().handle(&parts, &body);
        }
        if lot(faults.drop_after) || self.state().partition {
            return Err(Gone);
        }
        if lot(faults.proxy) {
            fate = PlannedResponse::Page(502);
        }
        Ok(match fate {
            PlannedResponse::Status(status, value) => answer(status, value),
            PlannedResponse::Page(status) => answer_text(status, "<html>Not here</html>".into()),
            PlannedResponse::Hang => {
                // A long poll, as short as a test wants it.
                tokio::time::sleep(Duration::from_millis(100)).await;
                answer(200, json!({"lease": null, "catalogue_wanted": false}))
            }
        })
    }
}

#[derive(Debug)]
pub struct Gone;
impl std::fmt::Display for Gone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("gone")
    }
}
impl std::error::Error for Gone {}
impl From<Infallible> for Gone {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

fn answer(status: u16, value: Value) -> Response<Full<Bytes>> {
    answer_text(status, value.to_string())
}

fn answer_text(status: u16, text: String) -> Response<Full<Bytes>> {
    Response::builder().status(status).body(Full::new(text.into())).unwrap()
}

fn refuse(status: u16, code: &str, more: Value) -> PlannedResponse {
    let mut error = json!({"code": code, "message": format!("Refused: {code}.")});
    error
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().cloned().unwrap_or_default());
    PlannedResponse::Status(status, json!({ "error": error }))
}

impl State {
    fn draw(&mut self) -> u64 {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.random >> 33
    }
    fn chance(&mut self, percent: u64) -> bool {
        self.draw() % 100 < percent
    }

    pub fn queue_run(&mut self) -> Uuid {
        let id = Uuid::now_v7();
        self.queue.push(id);
        id
    }

    pub fn finished(&self) -> usize {
        self.attempts.values().filter(|a| a.finished.is_some()).count()
    }

    fn handle(&mut self, parts: &hyper::http::request::Parts, body: &Bytes) -> PlannedResponse {
        let path = parts.uri.path().strip_prefix("/api/agent/v1/").expect("one prefix");
        let call: Vec<&str> = path.split('/').collect();
        self.log.push(format!("{} {path}", parts.method));
        *self.requests.entry(call[0].to_owned()).or_default() += 1;
        let json: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
        let nonce = "n".repeat(43);
        match call.as_slice() {
            ["session", "challenge"] => return PlannedResponse::Status(200, json!({"nonce": nonce, "protocol": 1})),
            ["session"] => {
                if self.revoked {
                    return refuse(403, "revoked", Value::Null);
                }
                assert_eq!(json["signature"].as_str().unwrap().len(), 86);
                self.token += 1;
                return PlannedResponse::Status(
                    200,
                    json!({"token": format!("rgms_{}", self.token), "expires_in_s": 3600}),
                );
            }
            _ => {}
        }
        let token = parts.headers.get("authorization").and_then(|h| h.to_str().ok());
        if self.revoked {
            return refuse(403, "revoked", Value::Null);
        }
        if token != Some(&format!("Bearer rgms_{}", self.token)) {
            return refuse(401, "unauthenticated", Value::Null);
        }
        match call.as_slice() {
            ["host", what] => {
                assert!(json.is_object(), "{what}");
                self.digest = None;
                PlannedResponse::Status(200, json!({}))
            }
            ["lease"] => self.lease(&json),
            ["attempts", id, rest @ ..] => {
                let id: Uuid = id.parse().unwrap();
                let cancel = self.cancel;
                if let ["streams", "journal", "chunks", seq] = rest
                    && self
                        .refuse_from
                        .is_some_and(|from| seq.parse::<usize>().unwrap() >= from)
                {
                    return match self.refused_by_proxy {
                        true => PlannedResponse::Page(413),
                        false => refuse(400, "invalid", Value::Null),
                    };
                }
                match self.attempts.get_mut(&id) {
                    Some(attempt) => attempt.handle(rest, &json, body, parts, cancel),
                    None => refuse(404, "not_found", Value::Null),
                }
            }
            other => panic!("{other:?}"),
        }
    }

    fn lease(&mut self, json: &Value) -> PlannedResponse {
        let request = json["request_id"].as_str().unwrap().to_owned();
        self.digest
            .get_or_insert_with(|| json["catalogue_digest"].as_str().unwrap().to_owned());
        let busy = self.attempts.values().any(|a| a.finished.is_none());
        if !self.leases.contains_key(&request) && !busy && !self.queue.is_empty() {
            let id = self.queue.remove(0);
            self.leases.insert(request.clone(), id);
            let no = 1;
            self.attempts.insert(
                id,
                TestAttempt {
                    no,
                    ..TestAttempt::default()
                },
            );
        }
        let Some(id) = self.leases.get(&request) else {
            return PlannedResponse::Hang;
        };
        let lease = Lease {
            run_id: Uuid::from_u128(9),
            attempt_id: *id,
            attempt_no: self.attempts[id].no,
            spec: RunSpec {
                schema: 1,
                title: "test".into(),
                entries: vec![EntrySpec {
                    label: "epoll".into(),
                    server: "epoll".into(),
                    options: BTreeMap::new(),
                    revision: None,
                }],
                scenarios: vec!["static-1k-ab".into()],
                repeats: 1,
                duration_s: None,
                warmup_s: None,
                baseline: None,
                seed: 1,
                suite: None,
                slice_s: None,
                precision: None,
                max_repeats: None,
                time_limit_s: None,
                tune: None,
            },
            lease_s: 60,
            heartbeat_s: 0.2,
            control_plane_same_host: true,
        };
        PlannedResponse::Status(200, json!({"lease": lease, "catalogue_wanted": false}))
    }
}
