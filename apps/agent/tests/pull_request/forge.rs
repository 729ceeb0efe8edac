//! A forge on loopback: the documented endpoints of GitHub and GitLab that a comment and a check need, with their shapes and
//! status codes. It keeps what it is given, and fails on request.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};

pub const TOKEN: &str = "a-secret-token";
pub const PULL_REQUEST: u64 = 7;
/// More than this a page has not, whatever is asked for.
const PER_PAGE: usize = 100;

#[derive(Clone, Debug)]
pub struct Comment {
    pub id: u64,
    pub author: String,
    pub bot: bool,
    pub body: String,
}

#[derive(Clone, Debug)]
pub struct CheckRun {
    pub id: u64,
    pub name: String,
    pub sha: String,
    pub external_id: String,
    pub conclusion: String,
    pub title: String,
    pub summary: String,
    pub details_url: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Status {
    pub sha: String,
    pub context: String,
    pub state: String,
    pub description: String,
}

pub enum Fault {
    /// This status, with this `Retry-After`.
    Status(u16, Option<u64>),
    /// No response, ever.
    Hang,
    /// It is done, and the response is lost.
    Lose,
    /// A page of a proxy.
    Page,
}

#[derive(Default)]
pub struct State {
    pub head: String,
    pub comments: Vec<Comment>,
    pub checks: Vec<CheckRun>,
    pub statuses: Vec<Status>,
    /// Whose token it is; `None` for that of a workflow.
    pub login: Option<String>,
    /// The token may not make checks.
    pub no_checks: bool,
    /// For requests whose method and path begin so; each is used once.
    pub faults: VecDeque<(&'static str, Fault)>,
    pub requests: Vec<String>,
    next: u64,
}

#[derive(Clone)]
pub struct Forge {
    state: Arc<Mutex<State>>,
    pub url: String,
}

type Reply = (u16, Value);

impl Forge {
    /// Serves on a thread of its own until the test ends.
    pub fn start(head: &str) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = State {
            head: head.to_owned(),
            next: 1_000,
            ..State::default()
        };
        let forge = Self {
            state: Arc::new(Mutex::new(state)),
            url,
        };
        let serving = forge.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(serving.serve(listener));
        });
        forge
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub fn fail(&self, requests: &'static str, fault: Fault) {
        self.state().faults.push_back((requests, fault));
    }

    async fn serve(self, listener: std::net::TcpListener) {
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            let forge = self.clone();
            tokio::spawn(async move {
                let service = service_fn(move |request| forge.clone().answer(request));
                let _ = hyper::server::conn::http1::Builder::new()
                    .serve_connection(TokioIo::new(socket), service)
                    .await;
            });
        }
    }

    async fn answer(self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, std::io::Error> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.map_err(std::io::Error::other)?.to_bytes();
        let target = parts.uri.path_and_query().map_or("/", |p| p.as_str()).to_owned();
        let line = format!("{} {target}", parts.method);
        let header = |name: &str| {
            parts
                .headers
                .get(name)
                .and_then(|v| v.to_str().ok())
                .unwrap_or_default()
                .to_owned()
        };
        let known = header("authorization") == format!("Bearer {TOKEN}") || header("private-token") == TOKEN;
        let fault = {
            let mut state = self.state();
            state.requests.push(line.clone());
            let at = state.faults.iter().position(|(begin, _)| line.starts_with(begin));
            at.and_then(|at| state.faults.remove(at)).map(|(_, fault)| fault)
        };
        let done = || {
            let value = serde_json::from_slice(&body).unwrap_or(Value::Null);
            if known {
                self.state().handle(parts.method.as_str(), &target, &value)
            } else {
                (401, json!({ "message": "Bad credentials" }))
            }
        };
        let reply = |(status, value): Reply, wait: Option<u64>| {
            let mut response = Response::builder()
                .status(status)
                .header("content-type", "application/json; charset=utf-8");
            if let Some(wait) = wait {
                response = response.header("retry-after", wait.to_string());
            }
            Ok(response.body(Full::new(Bytes::from(value.to_string()))).unwrap())
        };
        match fault {
            None => reply(done(), None),
            Some(Fault::Status(status, wait)) => reply((status, json!({ "message": "No." })), wait),
            Some(Fault::Page) => Ok(Response::new(Full::new(Bytes::from("<html>Sign in</html>")))),
            Some(Fault::Lose) => {
                done();
                Err(std::io::Error::other("lost"))
            }
            Some(Fault::Hang) => {
                tokio::time::sleep(Duration::from_secs(3_600)).await;
                Err(std::io::Error::other("hung"))
            }
        }
    }
}

impl State {
    fn id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn handle(&mut self, method: &str, target: &str, body: &Value) -> Reply {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let parameter = |name: &str| {
            query
                .split('&')
                .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
                .map(str::to_owned)
        };
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        let number = PULL_REQUEST.to_string();
        match (method, parts.as_slice()) {
            ("GET", ["user"]) => match &self.login {
                Some(login) => (200, json!({ "login": login, "id": 1, "type": "User" })),
                None => (
                    403,
                    json!({ "message": "Resource not accessible by integration", "documentation_url": "", "status": "403" }),
                ),
            },
            ("GET", ["repos", "o", "r", "pulls", n]) if *n == number => (
                200,
                json!({ "number": PULL_REQUEST, "state": "open", "head": { "sha": self.head, "ref": "topic" } }),
            ),
            ("GET", ["repos", "o", "r", "issues", n, "comments"]) if *n == number => {
                (200, self.page(&parameter, Self::issue_comment))
            }
            ("POST", ["repos", "o", "r", "issues", n, "comments"]) if *n == number => {
                self.write(None, body, Self::issue_comment)
            }
            ("PATCH", ["repos", "o", "r", "issues", "comments", id]) => {
                self.write(id.parse().ok(), body, Self::issue_comment)
            }
            ("GET", ["repos", "o", "r", "commits", sha, "check-runs"]) => {
                let name = parameter("check_name");
                let of = |c: &&CheckRun| c.sha == *sha && name.as_ref().is_none_or(|n| *n == c.name);
                let found: Vec<Value> = self.checks.iter().filter(of).map(check_run).collect();
                (200, json!({ "total_count": found.len(), "check_runs": found }))
            }
            ("POST", ["repos", "o", "r", "check-runs"]) => self.check(None, body),
            ("PATCH", ["repos", "o", "r", "check-runs", id]) => self.check(id.parse().ok(), body),
            ("POST", ["repos", "o", "r", "statuses", sha]) => self.status(sha, body, "context", 201),
            ("GET", ["projects", "o%2Fr", "merge_requests", n]) if *n == number => {
                (200, json!({ "iid": PULL_REQUEST, "sha": self.head, "state": "opened" }))
            }
            ("GET", ["projects", "o%2Fr", "merge_requests", n, "notes"]) if *n == number => {
                (200, self.page(&parameter, Self::note))
            }
            ("POST", ["projects", "o%2Fr", "merge_requests", n, "notes"]) if *n == number => {
                self.write(None, body, Self::note)
            }
            ("PUT", ["projects", "o%2Fr", "merge_requests", n, "notes", id]) if *n == number => {
                self.write(id.parse().ok(), body, Self::note)
            }
            ("POST", ["projects", "o%2Fr", "statuses", sha]) => self.status(sha, body, "name", 201),
            _ => (404, json!({ "message": "Not Found" })),
        }
    }

    fn author(&self) -> (String, bool) {
        match &self.login {
            Some(login) => (login.clone(), false),
            None => ("github-actions[bot]".to_owned(), true),
        }
    }

    fn issue_comment(&self, comment: &Comment) -> Value {
        let kind = if comment.bot { "Bot" } else { "User" };
        json!({
            "id": comment.id, "body": comment.body, "user": { "login": comment.author, "id": 5, "type": kind },
            "html_url": format!("https://github.example/o/r/pull/{PULL_REQUEST}#issuecomment-{}", comment.id),
        })
    }

    fn note(&self, comment: &Comment) -> Value {
        let own = self.login.as_deref() == Some(&comment.author);
        json!({
            "id": comment.id, "body": comment.body, "system": false,
            "author": { "id": if own { 1 } else { 2 }, "username": comment.author },
        })
    }

    fn page(&self, parameter: &dyn Fn(&str) -> Option<String>, shape: fn(&Self, &Comment) -> Value) -> Value {
        let number = |name, other| parameter(name).and_then(|n| n.parse().ok()).unwrap_or(other);
        let per_page: usize = number("per_page", 30).min(PER_PAGE);
        let skipped = (number("page", 1) - 1) * per_page;
        self.comments
            .iter()
            .skip(skipped)
            .take(per_page)
            .map(|comment| shape(self, comment))
            .collect()
    }

    fn write(&mut self, id: Option<u64>, body: &Value, shape: fn(&Self, &Comment) -> Value) -> Reply {
        let text = body["body"].as_str().unwrap_or_default().to_owned();
        if text.is_empty() || text.chars().count() > 65_536 {
            return (
                422,
                json!({ "message": "Validation Failed", "errors": [{ "resource": "IssueComment", "field": "body" }] }),
            );
        }
        let at = match id {
            Some(id) => self.comments.iter().position(|c| c.id == id),
            None => {
                let (author, bot) = self.author();
                let id = self.id();
                self.comments.push(Comment {
                    id,
                    author,
                    bot,
                    body: String::new(),
                });
                Some(self.comments.len() - 1)
            }
        };
        let Some(at) = at else {
            return (404, json!({ "message": "Not Found" }));
        };
        self.comments[at].body = text;
        (if id.is_some() { 200 } else { 201 }, shape(self, &self.comments[at]))
    }

    fn check(&mut self, id: Option<u64>, body: &Value) -> Reply {
        if self.no_checks {
            return (403, json!({ "message": "Resource not accessible by integration" }));
        }
        let text = |pointer: &str| {
            body.pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let conclusions = ["success", "failure", "neutral"];
        if text("/name").is_empty()
            || text("/head_sha").is_empty()
            || !conclusions.contains(&text("/conclusion").as_str())
        {
            return (422, json!({ "message": "Invalid request." }));
        }
        let new = self.id();
        let check = CheckRun {
            id: id.unwrap_or(new),
            name: text("/name"),
            sha: text("/head_sha"),
            external_id: text("/external_id"),
            conclusion: text("/conclusion"),
            title: text("/output/title"),
            summary: text("/output/summary"),
            details_url: body["details_url"].as_str().map(str::to_owned),
        };
        let shown = check_run(&check);
        match id {
            None => self.checks.push(check),
            Some(id) => match self.checks.iter_mut().find(|c| c.id == id) {
                Some(found) => *found = check,
                None => return (404, json!({ "message": "Not Found" })),
            },
        }
        (if id.is_some() { 200 } else { 201 }, shown)
    }

    fn status(&mut self, sha: &str, body: &Value, context: &str, status: u16) -> Reply {
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        if text("description").chars().count() > 255 || text("state").is_empty() {
            return (422, json!({ "message": "Validation Failed" }));
        }
        self.statuses.retain(|s| s.context != text(context) || s.sha != sha);
        self.statuses.push(Status {
            sha: sha.to_owned(),
            context: text(context),
            state: text("state"),
            description: text("description"),
        });
        (status, json!({ "id": self.id(), "state": text("state") }))
    }
}

fn check_run(check: &CheckRun) -> Value {
    json!({
        "id": check.id, "name": check.name, "head_sha": check.sha, "external_id": check.external_id,
        "status": "completed", "conclusion": check.conclusion,
        "output": { "title": check.title, "summary": check.summary },
    })
}
