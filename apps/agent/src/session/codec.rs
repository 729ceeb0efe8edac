//! A [`Request`] as bytes of HTTP, and the response as a [`Reply`]. Pure.

use std::io::Write;
use std::time::Duration;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::client::Outgoing;
use super::event::{AttemptRef, Failure, Reply, Request};
use super::identity::Identity;
use crate::protocol::wire::{self, ChallengeRequest, LeaseRequest, SessionRequest, StartRequest};
use crate::spool::Chunk;

const TIMEOUT: Duration = Duration::from_secs(20);
/// The control plane holds a lease request for up to 25 s.
const LEASE_TIMEOUT: Duration = Duration::from_secs(40);

/// What only the driver has.
pub struct Material<'a> {
    pub identity: &'a Identity,
    pub boot_id: &'a str,
    pub t_us: u64,
    pub facts: Bytes,
    pub catalogue: Bytes,
    pub finish: Option<wire::FinishRequest>,
}

/// Everything but a chunk, whose bytes come from the disk: see [`chunk`].
pub fn outgoing(request: &Request, with: &Material<'_>) -> Result<Outgoing, Failure> {
    let host_id = with.identity.host_id;
    let broken = |why: String| Failure::Lost(why);
    let (method, path, body) = match request {
        Request::Challenge => {
            let body = ChallengeRequest {
                host_id,
                protocol_min: wire::PROTOCOL_MIN,
                protocol_max: wire::PROTOCOL_MAX,
            };
            (Method::POST, "session/challenge".to_owned(), json(&body))
        }
        Request::Session { nonce, protocol } => {
            let body = SessionRequest {
                host_id,
                nonce: nonce.clone(),
                protocol: *protocol,
                signature: with.identity.sign(nonce).map_err(broken)?,
            };
            (Method::POST, "session".to_owned(), json(&body))
        }
        Request::Facts => (Method::PUT, "host/facts".to_owned(), with.facts.clone()),
        Request::Catalogue => (Method::PUT, "host/catalogue".to_owned(), with.catalogue.clone()),
        Request::Lease { request_id, digest } => {
            let body = LeaseRequest {
                request_id: *request_id,
                boot_id: with.boot_id.to_owned(),
                catalogue_digest: digest.clone(),
            };
            (Method::POST, "lease".to_owned(), json(&body))
        }
        Request::Start(at) => {
            let body = StartRequest { attempt_no: at.no };
            (Method::POST, format!("attempts/{}/start", at.id), json(&body))
        }
        Request::Heartbeat(at, state) => {
            let body = wire::HeartbeatRequest {
                attempt_no: at.no,
                state: *state,
                t_us: with.t_us,
            };
            (Method::POST, format!("attempts/{}/heartbeat", at.id), json(&body))
        }
        Request::Finish(at) | Request::Abandon(at, _) => {
            let body = with.finish.as_ref().ok_or_else(|| broken("nothing to finish".into()))?;
            (Method::POST, format!("attempts/{}/finish", at.id), json(body))
        }
        Request::Chunk(..) => return Err(broken("a chunk needs its bytes".into())),
    };
    let lease = matches!(request, Request::Lease { .. });
    Ok(Outgoing {
        method,
        path,
        body,
        headers: Vec::new(),
        timeout: if lease { LEASE_TIMEOUT } else { TIMEOUT },
    })
}

pub fn chunk(at: AttemptRef, stream: wire::StreamName, chunk: &Chunk) -> Outgoing {
    // The fastest level: the cores belong to the benchmark.
    let mut gzip = GzEncoder::new(Vec::with_capacity(chunk.body.len() / 4), Compression::fast());
    gzip.write_all(&chunk.body).expect("a vector takes everything");
    Outgoing {
        method: Method::PUT,
        path: format!("attempts/{}/streams/{}/chunks/{}", at.id, stream.as_str(), chunk.seq),
        body: gzip.finish().expect("a vector takes everything").into(),
        headers: vec![
            ("content-encoding", "gzip".to_owned()),
            (wire::HEADER_SHA256, hex::encode(chunk.sha256)),
            (wire::HEADER_RECORDS, chunk.records.to_string()),
            (wire::HEADER_ATTEMPT_NO, at.no.to_string()),
        ],
        timeout: TIMEOUT,
    }
}

/// The reply and, for a session, its token.
pub fn reply(request: &Request, body: &[u8]) -> Result<(Reply, Option<String>), Failure> {
    let reply = match request {
        Request::Challenge => parse(body).map(|r: wire::ChallengeResponse| Reply::Challenge {
            nonce: r.nonce,
            protocol: r.protocol,
        }),
        Request::Session { .. } => {
            let session: wire::SessionResponse = parse(body)?;
            let expires_in_s = session.expires_in_s;
            return Ok((Reply::Session { expires_in_s }, Some(session.token)));
        }
        Request::Facts | Request::Catalogue => Ok(Reply::Stored),
        Request::Lease { .. } => parse(body).map(|r| Reply::Lease(Box::new(r))),
        Request::Start(_) => parse(body).map(|r: wire::StartResponse| Reply::Started {
            state: r.state,
            heartbeat_s: r.heartbeat_s,
        }),
        Request::Heartbeat(..) => parse(body).map(Reply::Heartbeat),
        Request::Chunk(..) => parse(body).map(|r: wire::ChunkResponse| Reply::Chunk { next_seq: r.next_seq }),
        Request::Finish(_) | Request::Abandon(..) => parse(body).map(|_: wire::FinishResponse| Reply::Finished),
    };
    reply.map(|reply| (reply, None))
}

fn json(value: &impl Serialize) -> Bytes {
    serde_json::to_vec(value).expect("messages are plain data").into()
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(body)
        .map_err(|e| Failure::Lost(format!("a response that does not follow the protocol: {e}")))
}
