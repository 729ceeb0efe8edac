//! What a load is: the requests that are sent, and the right responses.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::message::MessageKind;
use crate::protocol::spec::{LatencyUntil, Load, Payload, Scenario, Workload};
use crate::workload::files::FILES;
use crate::workload::{self, payload};

/// Bodies up to this are compared whole, all of them; of larger ones each 64th and each connection's first.
const ALWAYS_BYTES: usize = 64 << 10;
pub const SAMPLE_EVERY: u64 = 64;
/// A load of at most this many requests keeps every single latency.
const SAMPLES: u64 = 200_000;
const ORDER_PLACES: usize = 4096;
/// A prime.
const STRIDE: u64 = 1031;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackendName {
    IoUring,
    Tokio,
}

impl BackendName {
    pub fn word(self) -> &'static str {
        match self {
            Self::IoUring => "io_uring",
            Self::Tokio => "tokio",
        }
    }
}

/// What `tool::loadgen` hands over: a file, because every user of the host can read a command line.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadJob {
    pub address: SocketAddr,
    pub scenario: Scenario,
    pub duration_s: f64,
    pub timeout_s: u64,
    pub threads: usize,
    /// Nothing else runs on loadgen's cores: wait for the time of a send without sleeping.
    pub spin: bool,
    pub seed: u64,
    pub backend: Option<BackendName>,
    /// The file for every single latency, where a load is small enough to keep them.
    pub samples: Option<PathBuf>,
}

/// A request as it goes out, with what must come back.
#[derive(Debug, Clone, Default)]
pub struct PlannedRequest {
    pub bytes: Vec<u8>,
    /// Where the body begins.
    pub body_at: usize,
    /// Of a right response's body; `None` where nobody knows it.
    pub length: Option<u64>,
    /// The whole body of the right response; `None` for a file that is not one of the agent's.
    pub expected: Option<Vec<u8>>,
}

impl PlannedRequest {
    /// The body to compare the `n`-th response of a connection with; `None` where only its length is checked.
    pub fn compared(&self, n: u64) -> Option<&[u8]> {
        let expected = self.expected.as_deref()?;
        (expected.len() <= ALWAYS_BYTES || n.is_multiple_of(SAMPLE_EVERY)).then_some(expected)
    }
}

pub struct LoadPlan {
    pub job: LoadJob,
    pub threads: usize,
    pub connections: usize,
    pub in_flight: usize,
    pub keep_alive: bool,
    pub first_byte: bool,
    pub timeout_ns: u64,
    pub duration_ns: u64,
    /// Sent in turn, or in [`Self::order`]. Empty for WebSocket.
    pub requests: Vec<PlannedRequest>,
    /// Of requests with weights: which comes after which. Empty for others.
    order: Vec<u32>,
    pub message: Option<MessageKind>,
    pub keeps_samples: bool,
}

impl LoadPlan {
    pub fn new(job: LoadJob) -> Result<Self, String> {
        let scenario = &job.scenario;
        let connections = scenario.load.connections() as usize;
        let keeps_samples = matches!(scenario.load, Load::Count { requests, .. } if requests <= SAMPLES);
        let message = match (scenario.workload, &scenario.payload) {
            (Workload::WsEcho, Some(payload)) => Some(message(payload, job.seed)?),
            _ => None,
        };
        Ok(Self {
            threads: job.threads.clamp(1, connections.max(1)),
            connections,
            in_flight: scenario.in_flight.unwrap_or(1) as usize,
            keep_alive: scenario.load.keep_alive(),
            first_byte: scenario.latency_until == Some(LatencyUntil::FirstByte),
            timeout_ns: job.timeout_s * 1_000_000_000,
            duration_ns: (job.duration_s * 1e9) as u64,
            requests: if message.is_some() { Vec::new() } else { requests(&job) },
            order: match &scenario.http {
                Some(http) => workload::http::order(&http.requests, job.seed, ORDER_PLACES),
                None => Vec::new(),
            },
            message,
            keeps_samples,
            job,
        })
    }

    /// Which request is the `sent`-th of the connection with this number.
    pub fn request_of(&self, number: u64, sent: u64) -> u64 {
        if self.order.is_empty() {
            return (number + sent) % self.requests.len() as u64;
        }
        // Connections begin at places far from each other.
        let place = number.wrapping_mul(STRIDE).wrapping_add(sent) % self.order.len() as u64;
        u64::from(self.order[place as usize])
    }

    /// Every `threads`-th connection is a thread's own.
    pub fn connections_of(&self, thread: usize) -> usize {
        (self.connections + self.threads - 1 - thread) / self.threads
    }

    /// How many messages a WebSocket may send, by its number in the whole run: where a load is a count, each has an equal
    /// share ("C connections with M messages each"), so a slow connection is waited for and not replaced by quick ones.
    /// `None` without such a limit; HTTP requests of a count go to whoever is free, as with ab's `-n`.
    pub fn share_of(&self, number: u64) -> Option<u64> {
        match (&self.message, &self.job.scenario.load) {
            (Some(_), Load::Count { requests, .. }) => Some(part(*requests, self.connections as u64, number)),
            _ => None,
        }
    }

    /// How many of a count are a thread's.
    pub fn count_of(&self, thread: usize, requests: u64) -> u64 {
        if self.message.is_none() {
            return part(requests, self.threads as u64, thread as u64);
        }
        let numbers = (thread..self.connections).step_by(self.threads);
        numbers.filter_map(|number| self.share_of(number as u64)).sum()
    }
}

/// The share of the one with this number when `all` are given out one by one to so many.
fn part(all: u64, among: u64, number: u64) -> u64 {
    (all + among - 1 - number) / among
}

fn message(payload: &Payload, seed: u64) -> Result<MessageKind, String> {
    Ok(match payload {
        Payload::Greeting {} => MessageKind::greeting(),
        Payload::Text { bytes } => MessageKind::text(*bytes as usize, seed),
        Payload::Bytes { bytes } => MessageKind::bytes(*bytes as usize, seed),
        Payload::Numbers { .. } => return Err("A WebSocket scenario cannot send a payload of numbers.".to_owned()),
    })
}

fn requests(job: &LoadJob) -> Vec<PlannedRequest> {
    let scenario = &job.scenario;
    if let Some(http) = &scenario.http {
        let planned = |request| {
            let (bytes, body_at) = workload::http::bytes(request, &job.address.to_string(), scenario.load.keep_alive());
            PlannedRequest {
                bytes,
                body_at,
                length: None,
                expected: None,
            }
        };
        return http.requests.iter().map(planned).collect();
    }
    let connection = if scenario.load.keep_alive() {
        ""
    } else {
        "Connection: close\r\n"
    };
    let (path, host) = (&scenario.path, job.address);
    if let Some(content_type) = payload::content_type(scenario) {
        let post = |body: payload::RequestBody| {
            let length = body.bytes.len();
            let mut bytes = format!(
                "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n{connection}\r\n"
            )
            .into_bytes();
            let body_at = bytes.len();
            bytes.extend(body.bytes);
            PlannedRequest {
                bytes,
                body_at,
                length: Some(body.response.len() as u64),
                expected: Some(body.response),
            }
        };
        return payload::draw(scenario, job.seed).into_iter().map(post).collect();
    }
    let bytes = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{connection}\r\n").into_bytes();
    vec![PlannedRequest {
        body_at: bytes.len(),
        bytes,
        length: Some(scenario.body_bytes),
        expected: known(scenario),
    }]
}

fn known(scenario: &Scenario) -> Option<Vec<u8>> {
    match scenario.workload {
        Workload::Plaintext => Some(b"Hello, World!".to_vec()),
        Workload::Static => FILES.iter().find(|f| f.path() == scenario.path).map(|f| f.content()),
        _ => None,
    }
}
