//! What a scenario's tool sends, and how many of these requests are sent to verify a server.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use super::super::client_profiles::{own_by, post_by, request_by};
use super::depth::Depth;
use super::own_request::OwnRequest;
use crate::protocol::spec::{Payload, Scenario, ToolName, Workload};
use crate::splitmix::SplitMix64;
use crate::tool;
use crate::tool::profile::Resends;
use crate::workload;
use crate::workload::files::FILES;
use crate::workload::payload::{self, RequestBody};

/// Connections that are open at once at most: a thread of the verifier each.
const MOST_CONNECTIONS: usize = 128;
/// Of somebody's own requests, beside those on one connection.
const OWN_REQUESTS: usize = 2_500;

pub struct LoadRequests<'a> {
    pub scenario: &'a Scenario,
    pub tool: ToolName,
    host: String,
    pub keep_alive: bool,
    /// Requests that are sent without waiting; more than one only where the load pipelines.
    pub together: usize,
    /// Requests of somebody's own scenario, in place of all of the following.
    pub own: Vec<Arc<OwnRequest>>,
    /// Of a POST.
    content_type: Option<&'static str>,
    /// The one right body of a GET; `None` where the file is not one of ours.
    page: Option<Arc<Vec<u8>>>,
}

/// One request, with what must come back.
pub struct LoadRequest {
    pub method: &'static str,
    pub path: String,
    pub bytes: Vec<u8>,
    pub right: Expected,
}

#[derive(Clone)]
pub enum Expected {
    Body(Arc<Vec<u8>>),
    Length(u64),
    /// As the file says, or as another server answers.
    Own(Arc<OwnRequest>),
}

impl Expected {
    pub fn len(&self) -> u64 {
        match self {
            Self::Body(body) => body.len() as u64,
            Self::Length(length) => *length,
            Self::Own(_) => 0,
        }
    }
}

impl From<Vec<u8>> for Expected {
    fn from(body: Vec<u8>) -> Self {
        Self::Body(Arc::new(body))
    }
}

impl<'a> LoadRequests<'a> {
    pub fn of(scenario: &'a Scenario, server: SocketAddr) -> Self {
        Self::with(scenario, server, Vec::new())
    }

    pub fn with(scenario: &'a Scenario, server: SocketAddr, own: Vec<Arc<OwnRequest>>) -> Self {
        let page = match scenario.workload {
            Workload::Plaintext => Some(b"Hello, World!".to_vec()),
            Workload::Static => FILES.iter().find(|f| f.path() == scenario.path).map(|f| f.content()),
            _ => None,
        };
        Self {
            scenario,
            tool: scenario.tool,
            host: server.to_string(),
            keep_alive: scenario.load.keep_alive(),
            together: scenario.in_flight.unwrap_or(1).max(1) as usize,
            own,
            content_type: payload::content_type(scenario),
            page: page.map(Arc::new),
        }
    }

    pub fn is_post(&self) -> bool {
        self.content_type.is_some() || self.own.iter().any(|own| !own.request.method.is_safe())
    }

    /// Are there bodies that are drawn, each with a response of its own?
    pub fn draws_bodies(&self) -> bool {
        self.content_type.is_some()
    }

    /// That one of somebody's own requests.
    pub fn own_request(&self, index: usize) -> LoadRequest {
        let own = &self.own[index];
        let (version, connection) = self.version_and_connection();
        LoadRequest {
            method: own.request.method.as_str(),
            path: own.request.path.clone(),
            bytes: own_by(
                &tool::profile(self.tool).head,
                &self.host,
                &own.request,
                version,
                connection,
            ),
            right: Expected::Own(own.clone()),
        }
    }

    fn version_and_connection(&self) -> (&'static str, &'static str) {
        match (tool::profile(self.tool).http_1_0, self.keep_alive) {
            (true, true) => ("HTTP/1.0", "Connection: Keep-Alive\r\n"),
            (true, false) => ("HTTP/1.0", ""),
            (false, true) => ("HTTP/1.1", ""),
            (false, false) => ("HTTP/1.1", "Connection: close\r\n"),
        }
    }

    /// The next one of the load. Each body is newly drawn, so a remembered response is wrong.
    pub fn next(&self, rng: &mut SplitMix64) -> LoadRequest {
        if let (false, Some(http)) = (self.own.is_empty(), &self.scenario.http) {
            return self.own_request(workload::http::draw(&http.requests, rng));
        }
        self.next_at(&self.scenario.path, rng)
    }

    /// The same for another path.
    pub fn next_at(&self, path: &str, rng: &mut SplitMix64) -> LoadRequest {
        let body = payload::one(self.scenario, rng);
        let right = match (&body, &self.page) {
            (Some(body), _) => body.response.clone().into(),
            (None, Some(page)) => Expected::Body(page.clone()),
            (None, None) => Expected::Length(self.scenario.body_bytes),
        };
        self.ask(path, body.as_ref(), right)
    }

    pub fn ask(&self, path: &str, body: Option<&RequestBody>, right: Expected) -> LoadRequest {
        let profile = tool::profile(self.tool);
        let (version, connection) = self.version_and_connection();
        let bytes = match (self.content_type, body) {
            (Some(kind), Some(body)) => {
                let length = format!("Content-Length: {}", body.bytes.len());
                let mut bytes =
                    post_by(&profile.head, &self.host, path, version, kind, &length, connection).into_bytes();
                bytes.extend_from_slice(&body.bytes);
                bytes
            }
            _ => request_by(&profile.head, &self.host, "GET", path, version, connection).into_bytes(),
        };
        LoadRequest {
            method: if self.content_type.is_some() { "POST" } else { "GET" },
            path: path.to_owned(),
            bytes,
            right,
        }
    }

    /// Does the tool send a request again when a reused connection ends before the response began? It counts nothing then.
    pub fn retries(&self) -> bool {
        match tool::profile(self.tool).resends {
            Resends::Gets => !self.is_post(),
            Resends::Never => false,
        }
    }

    /// Bytes of a request and its response.
    pub fn exchange_bytes(&self) -> u64 {
        let own = self
            .own
            .iter()
            .map(|own| workload::http::body(&own.request).len() as u64);
        if let Some(largest) = own.max() {
            return largest + 1;
        }
        let sent = match self.scenario.payload {
            Some(Payload::Bytes { bytes } | Payload::Text { bytes }) => bytes,
            Some(Payload::Numbers { count }) => u64::from(count) * 8,
            Some(Payload::Greeting {}) | None => 0,
        };
        sent + self.scenario.body_bytes.max(1)
    }

    /// "GET /1k.bin as ab sends it".
    pub fn name(&self) -> String {
        let method = if self.is_post() { "POST" } else { "GET" };
        format!("{method} {} as {} sends it", self.scenario.path, self.tool.as_str())
    }
}

/// How many requests are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    pub connections: usize,
    /// Over all connections together, at least one on each.
    pub requests: usize,
    /// On one connection: beyond the limits of 100 (Apache, Tomcat) and 1,000 (nginx) that servers have unless told otherwise.
    pub in_a_row: usize,
    /// How long a slow server is asked over all connections, and on one.
    pub within: Duration,
    pub in_a_row_within: Duration,
    pub unknown_paths: usize,
    pub fresh_files: usize,
}

impl Effort {
    pub fn of(load: &LoadRequests<'_>, depth: Depth) -> Self {
        let (most_bytes, requests, connections, in_a_row, [all_ms, one_ms], unknown_paths, fresh_files) = match depth {
            Depth::Full => (48 << 20, 400, MOST_CONNECTIONS, 1_100, [3_000, 1_000], 4, 2),
            Depth::Quick => (4 << 20, 24, 8, 30, [100, 50], 1, 1),
        };
        // So many that one wrong response in 500 is found before any load with more than 99 %: (1 - 1/500)^2500 < 0.01. A slow
        // server is asked less.
        let own = !load.own.is_empty();
        let (requests, [all_ms, one_ms]) = match (own, depth) {
            (true, Depth::Full) => (OWN_REQUESTS, [10_000, 3_000]),
            (true, Depth::Quick) => (OWN_REQUESTS / 10, [1_000, 100]),
            (false, _) => (requests, [all_ms, one_ms]),
        };
        // A large response a few times, a small one often.
        let affordable = usize::try_from(most_bytes / load.exchange_bytes())
            .unwrap_or(usize::MAX)
            .max(1);
        let requests = requests.min(affordable);
        Self {
            connections: (load.scenario.load.connections() as usize)
                .min(connections)
                .min(requests)
                .max(1),
            requests,
            in_a_row: in_a_row.min(affordable),
            within: Duration::from_millis(all_ms),
            in_a_row_within: Duration::from_millis(one_ms),
            unknown_paths,
            fresh_files,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::recording::scenario;

    #[test]
    fn a_large_response_is_requested_a_few_times_and_a_small_one_often() {
        let of = |bytes, depth| {
            let scenario = Scenario {
                body_bytes: bytes,
                ..scenario(ToolName::Wrk, None)
            };
            Effort::of(&LoadRequests::of(&scenario, "127.0.0.1:1".parse().unwrap()), depth)
        };
        let (small, large) = (of(13, Depth::Full), of(10 << 20, Depth::Full));
        assert!(small.requests >= 300 && small.in_a_row > 1_000, "{small:?}");
        assert!(large.requests == 4 && large.connections <= 4, "{large:?}");
        let huge = of(1 << 30, Depth::Quick);
        assert_eq!((huge.requests, huge.connections, huge.in_a_row), (1, 1, 1));
        assert!(of(13, Depth::Quick).requests < 50);
    }
}
