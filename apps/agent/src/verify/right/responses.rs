//! Responses to somebody's own requests, in a form in which two servers' can be compared: status, what says what the body is,
//! and the body, without what the scenario names. JSON is compared as JSON, every other body byte for byte.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::headers::{self, NormalHeaders};
use super::normal_json::normal;
use crate::protocol::http::SameButFor;

/// Of all bodies together, kept for the message about a difference.
const KEPT_BYTES: usize = 256 << 10;

/// A response in its normal form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NormalResponse {
    pub status: u16,
    pub headers: NormalHeaders,
    pub(super) json: bool,
    /// Of the body in its normal form.
    pub(super) sha256: String,
    pub(super) bytes: usize,
    /// Its beginning, as base64.
    start: String,
}

/// What the others' responses are compared with: request by request, in the order of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Of the entry whose they are.
    pub label: String,
    /// `None` where the file says what is right.
    pub responses: Vec<Option<NormalResponse>>,
    /// Why nothing can be compared with them.
    pub unusable: Option<String>,
}

/// What came.
pub struct Came<'a> {
    pub status: u16,
    pub headers: &'a [(String, String)],
    pub body: &'a [u8],
}

impl NormalResponse {
    /// `of` is how many requests share the space for bodies.
    pub fn of(came: &Came<'_>, same: &SameButFor, of: usize) -> Self {
        Self::keeping(came, same, KEPT_BYTES / of.max(1))
    }

    pub(super) fn keeping(came: &Came<'_>, same: &SameButFor, kept: usize) -> Self {
        let json = json_of(came).map(|value| normal(value, &same.fields).to_string().into_bytes());
        let body = json.as_deref().unwrap_or(came.body);
        Self {
            status: came.status,
            headers: headers::normal(came.headers, &same.headers),
            json: json.is_some(),
            sha256: hex::encode(Sha256::digest(body)),
            bytes: body.len(),
            start: STANDARD.encode(&body[..body.len().min(kept)]),
        }
    }

    pub(super) fn start(&self) -> Vec<u8> {
        STANDARD.decode(&self.start).unwrap_or_default()
    }

    pub(super) fn is_whole(&self, start: &[u8]) -> bool {
        start.len() == self.bytes
    }
}

/// Where the response says that it is JSON, or looks like it, and is.
fn json_of(came: &Came<'_>) -> Option<Value> {
    let kind = came
        .headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(headers::CONTENT_TYPE));
    let says_so = kind.is_some_and(|(_, value)| value.to_ascii_lowercase().contains("json"));
    let looks_so = matches!(came.body.trim_ascii_start().first(), Some(b'{' | b'['));
    (says_so || looks_so)
        .then(|| serde_json::from_slice(came.body).ok())
        .flatten()
}
