//! A small app on loopback that answers the documented endpoints of `/api/v1`, and misbehaves on request.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;

// Named, because another test program includes this file from elsewhere.
#[path = "app/publications.rs"]
mod publications;
#[path = "app/response.rs"]
mod response;
use publications::Published;
use response::{broken, page, problem};

pub const RUN: &str = "0198b7a6-0000-7000-8000-000000000001";
const HOST: &str = "0198b7a6-0000-7000-8000-0000000000aa";

/// Of the queued run.
pub const RECORDS: [&str; 2] = [r#"{"kind":"begin"}"#, r#"{"kind":"result"}"#];

pub fn token(letter: char) -> String {
    format!("rgm_{}", letter.to_string().repeat(43))
}

#[derive(Default)]
pub struct State {
    /// Tokens that it takes.
    pub tokens: Vec<String>,
    pub workspaces: Vec<&'static str>,
    pub runs: BTreeMap<String, Published>,
    /// States of the queued run, one a question; the last one stays. `settling`: it succeeded and has no verdict yet.
    pub states: Vec<&'static str>,
    pub verdict: Option<&'static str>,
    /// Of the run, where the app hands it out.
    pub snapshot: Option<Value>,
    /// What anybody may read, by name.
    pub reports: BTreeMap<String, Value>,
    pub queued: Vec<Value>,
    pub cancelled: u32,
    /// Questions until a login is approved.
    pub pending: u32,
    pub denied: bool,
    /// Makes no reports.
    pub no_reports: bool,
    /// `METHOD path` of each request that was done.
    pub log: Vec<String>,
    /// Breaks every n-th request: before it is done, after it, or with a 503.
    pub fault_every: Option<u32>,
    /// What everything is answered with.
    pub always: Option<Always>,
    requests: u32,
}

#[derive(Clone, Copy)]
pub enum Always {
    Status(u16),
    Page,
    Redirect,
    Never,
}

#[derive(Clone)]
pub struct App {
    state: Arc<Mutex<State>>,
    pub url: String,
}

type Sent = Option<(u16, Value)>;

impl App {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = State {
            tokens: vec![token('a')],
            workspaces: vec!["ada"],
            ..State::default()
        };
        let app = Self {
            state: Arc::new(Mutex::new(state)),
            url,
        };
        let serving = app.clone();
        tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let app = serving.clone();
                tokio::spawn(async move {
                    let service = service_fn(move |request| app.clone().serve(request));
                    let http = hyper::server::conn::http1::Builder::new();
                    let _ = http.serve_connection(TokioIo::new(socket), service).await;
                });
            }
        });
        app
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    async fn serve(self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, std::io::Error> {
        let (head, body) = request.into_parts();
        let Ok(body) = body.collect().await else {
            return Err(broken());
        };
        let body = body.to_bytes();
        let path = head.uri.path_and_query().unwrap().to_string();
        let always = self.state().always;
        match always {
            Some(Always::Status(status)) => {
                let problem = json!({ "title": "Something broke on the server", "status": status, "code": "internal", "detail": "Its log says what." });
                return Ok(response::json(status, &problem));
            }
            Some(Always::Page) => return Ok(page(404, "<html>Not here</html>")),
            Some(Always::Redirect) => {
                let mut response = page(308, "");
                response
                    .headers_mut()
                    .insert("location", "https://elsewhere.example/".parse().unwrap());
                return Ok(response);
            }
            Some(Always::Never) => std::future::pending().await,
            None => {}
        }
        let fault = {
            let mut state = self.state();
            state.requests += 1;
            let (n, every) = (state.requests, state.fault_every);
            every.filter(|every| n % every == 0).map(|every| (n / every) % 3)
        };
        match fault {
            Some(0) => return Err(broken()),
            Some(1) => return Ok(page(503, "<html>Bad gateway</html>")),
            _ => {}
        }
        let authorization = head
            .headers
            .get("authorization")
            .and_then(|h| h.to_str().ok())
            .map(str::to_owned);
        let key = head.headers.get("idempotency-key").is_some();
        let header = |name: &str| {
            head.headers
                .get(name)
                .and_then(|h| h.to_str().ok())
                .unwrap_or_default()
                .to_owned()
        };
        let asked = AppRequest {
            method: head.method.to_string(),
            path: path.trim_start_matches("/api/v1/").to_owned(),
            token: authorization.and_then(|a| a.strip_prefix("Bearer ").map(str::to_owned)),
            body,
            sha256: header("x-rigmark-sha256"),
            key,
        };
        let (status, value) = self
            .state()
            .answer(&asked)
            .unwrap_or_else(|| problem(404, "not_found", "There is no such thing."));
        if fault == Some(2) {
            return Err(broken());
        }
        Ok(response::json(status, &value))
    }
}

struct AppRequest {
    method: String,
    path: String,
    token: Option<String>,
    body: Bytes,
    sha256: String,
    key: bool,
}

impl State {
    fn answer(&mut self, asked: &AppRequest) -> Sent {
        self.log.push(format!("{} {}", asked.method, asked.path));
        let body = || serde_json::from_slice::<Value>(&asked.body).unwrap_or_default();
        if asked.method == "POST" && asked.path == "device" {
            return Some((
                200,
                json!({
                    "device_code": "d3v1ce", "user_code": "BCDF-GHJK", "verification_url": "http://app.test/device?code=BCDF-GHJK",
                    "interval_s": 1, "expires_in_s": 600,
                }),
            ));
        }
        if asked.path == "device/token" {
            if self.denied {
                return Some(problem(410, "gone", "The login was denied."));
            }
            if self.pending > 0 {
                self.pending -= 1;
                return Some((202, json!({ "status": "pending" })));
            }
            return Some((
                200,
                json!({ "token": token('a'), "person": { "name": "Ada", "email": "ada@example.org" } }),
            ));
        }
        if let Some(slug) = asked.path.strip_prefix("/r/").and_then(|r| r.strip_suffix(".json")) {
            assert!(asked.token.is_none(), "a report is read without a token");
            let gone =
                || json!({ "error": { "code": "not_found", "message": "This report is gone: its owner revoked it." } });
            let found = self.reports.get(slug).cloned();
            return Some(found.map_or_else(|| (404, gone()), |report| (200, report)));
        }
        if !asked.token.as_ref().is_some_and(|t| self.tokens.contains(t)) {
            return Some(problem(401, "unauthorized", "This token is expired or revoked."));
        }
        let parts: Vec<&str> = asked.path.split(['/', '?']).collect();
        match (asked.method.as_str(), parts.as_slice()) {
            ("GET", ["me"]) => {
                let workspaces: Vec<Value> = self
                    .workspaces
                    .iter()
                    .map(|w| json!({ "slug": w, "name": w }))
                    .collect();
                Some((
                    200,
                    json!({
                        "token": { "id": RUN, "name": "laptop", "scopes": ["read", "queue", "publish"], "expires_at": null },
                        "person": { "name": "Ada", "email": "ada@example.org" }, "workspaces": workspaces,
                    }),
                ))
            }
            ("DELETE", ["me", "token"]) => {
                self.tokens.retain(|t| Some(t) != asked.token.as_ref());
                Some((204, Value::Null))
            }
            (_, ["workspaces", slug, ..]) if !self.workspaces.contains(slug) => Some(problem(
                404,
                "not_found",
                "There is no such workspace, or you do not belong to it.",
            )),
            ("POST", ["workspaces", _, "publications"]) => self.publication(body()),
            ("PUT", ["workspaces", _, "publications", id, "streams", stream, "chunks", seq]) => {
                self.chunk(id, usize::from(*stream == "raw"), seq.parse().unwrap(), asked)
            }
            ("POST", ["workspaces", _, "publications", id, "finish"]) => self.finish(id, body()),
            ("POST", ["workspaces", _, "reports"]) if self.no_reports => {
                Some(problem(403, "forbidden", "The token lacks the scope queue."))
            }
            ("POST", ["workspaces", _, "reports"]) => Some((
                201,
                json!({ "slug": "r3p0rt", "url": "http://app.test/r/r3p0rt", "title": "t" }),
            )),
            ("GET", ["workspaces", _, "hosts", ..]) => Some((
                200,
                json!({ "items": [
                    { "id": HOST, "name": "pi4", "kind": "agent", "online": true },
                    { "id": RUN, "name": "pi4", "kind": "published", "online": false },
                ], "next_cursor": null }),
            )),
            ("GET", ["hosts", HOST, "catalogue"]) => Some((
                200,
                json!({ "servers": [
                    { "name": "epoll" }, { "name": "hello", "revisions": true }, { "name": "netty", "jit": true },
                ], "scenarios": [], "tools": [], "suites": [] }),
            )),
            ("POST", ["workspaces", _, "runs"]) => {
                assert!(asked.key, "a run is queued once, however often it is asked for");
                self.queued.push(body());
                Some((201, self.run("queued")))
            }
            // Two pages of a line each.
            ("GET", ["runs", RUN, "journal", rest @ ..]) => Some((
                200,
                match rest {
                    ["cursor=c1"] => json!({ "items": RECORDS[1..], "next_cursor": null }),
                    _ => json!({ "items": RECORDS[..1], "next_cursor": "c1" }),
                },
            )),
            ("GET", ["runs", RUN]) | ("GET", ["runs", RUN, _]) if !["results", "snapshot"].contains(parts.last()?) => {
                let state = if self.states.len() > 1 {
                    self.states.remove(0)
                } else {
                    self.states[0]
                };
                Some((200, self.run(state)))
            }
            ("GET", ["runs", RUN, "snapshot"]) => self.snapshot.clone().map(|snapshot| (200, snapshot)),
            ("GET", ["runs", RUN, "results"]) => Some((200, self.results())),
            ("POST", ["runs", RUN, "cancel"]) => {
                self.cancelled += 1;
                Some((202, self.run("cancelling")))
            }
            _ => None,
        }
    }

    fn run(&self, state: &str) -> Value {
        let verdict = self.verdict.filter(|_| state == "succeeded").map(|verdict| {
            json!({ "sentence": "epoll is what it is.", "scenarios": [{
                "scenario": "plaintext-wrk", "title": "Plain text, wrk",
                "entries": [
                    { "label": "nginx", "verdict": null, "ratio": null, "low": null, "high": null },
                    { "label": "epoll", "verdict": verdict, "ratio": 0.97, "low": 0.96, "high": 0.98 },
                ] }] })
        });
        let state = if state == "settling" { "succeeded" } else { state };
        json!({
            "id": RUN, "workspace": "ada", "title": "epoll", "state": state, "host": { "id": HOST, "name": "pi4" },
            "url": format!("http://app.test/w/ada/runs/{RUN}"), "published_by": null,
            "failure": (state == "failed").then_some("The server did not start."), "verdict": verdict,
        })
    }

    fn results(&self) -> Value {
        let entry = |label: &str, verdict: Option<&str>, rate: f64| {
            json!({
                "label": label, "server": label, "baseline": verdict.is_none(), "rank": null, "rank_to": null, "verdict": verdict,
                "ratio": verdict.map(|_| 0.97), "low": verdict.map(|_| 0.96), "high": verdict.map(|_| 0.98), "lower_bound": false,
                "unranked": null, "trials_valid": 5, "trials_invalid": 0,
                "requests_per_s": { "n": 5, "median": rate, "min": rate - 100.0, "max": rate + 100.0, "cv": 0.01 },
                "cpu_us_per_request": null, "percentiles": [],
            })
        };
        json!({ "run": RUN, "state": "succeeded", "sentence": "epoll is what it is.", "scenarios": [{
            "scenario": "plaintext-wrk", "title": "Plain text, wrk", "tool": "wrk", "metric": "requests_per_s",
            "sentence": "epoll is what it is.",
            "entries": [entry("nginx", None, 81_234.0), entry("epoll", self.verdict, 78_800.0)],
        }] })
    }
}
