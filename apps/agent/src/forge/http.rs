//! JSON over HTTP to a forge: a timeout for each call, a few attempts, bounded responses.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, Uri, header};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::access::{Access, Kind, Token};
use super::error::ForgeError;
use super::patience::{Patience, backoff};
use crate::session::Failure;
use crate::session::client::{Client, Outgoing, Response};
use crate::text::plain;

/// A page of a hundred comments of 65,536 characters, as JSON.
const RESPONSE_BYTES: usize = 64 * 1024 * 1024;
/// Of what a forge says about an error.
const SAID_CHARS: usize = 200;

pub(super) struct Http {
    client: Client,
    kind: Kind,
    /// With its host, for messages.
    forge: String,
    token: Token,
    pub patience: Patience,
}

/// What is asked for, in words for messages, and the right that it takes.
#[derive(Debug, Clone)]
pub(super) struct Purpose {
    pub what: String,
    pub scope: &'static str,
}

impl Http {
    pub fn new(access: &Access) -> Result<Self, ForgeError> {
        let client = Client::new(&access.api_url, access.allow_http)?;
        let uri: Option<Uri> = client.base().parse().ok();
        let host = uri
            .and_then(|uri| uri.authority().map(ToString::to_string))
            .unwrap_or_default();
        Ok(Self {
            client,
            kind: access.kind,
            forge: format!("{} at {host}", access.kind.name()),
            token: access.token.clone(),
            patience: access.patience,
        })
    }

    /// What reads, and what may be written twice: tried again while that may help.
    pub async fn retrying<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        purpose: &Purpose,
    ) -> Result<T, ForgeError> {
        let mut attempt = 0;
        loop {
            let failed = match self.once(method.clone(), path, body, purpose).await {
                Ok(done) => return Ok(done),
                Err(failed) => failed,
            };
            attempt += 1;
            if !failed.passes() || attempt >= self.patience.attempts {
                return Err(failed);
            }
            let wait = failed
                .wait()
                .unwrap_or_else(|| backoff(attempt - 1, self.patience.backoff));
            tokio::time::sleep(wait).await;
        }
    }

    /// One attempt.
    pub async fn once<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        purpose: &Purpose,
    ) -> Result<T, ForgeError> {
        let what = || purpose.what.clone();
        let seconds = self.patience.timeout.as_secs().max(1);
        let silent = || ForgeError::Silent {
            forge: self.forge.clone(),
            what: what(),
            seconds,
        };
        let exchange = self.exchange(method, path, body, purpose);
        let answered = tokio::time::timeout(self.patience.timeout, exchange)
            .await
            .map_err(|_| silent())??;
        if !answered.status.is_success() {
            return Err(self.refusal(answered.status, &answered.headers, &answered.body, purpose));
        }
        serde_json::from_slice(&answered.body).map_err(|error| ForgeError::Undocumented {
            forge: self.forge.clone(),
            what: what(),
            why: plain(&error.to_string(), SAID_CHARS),
        })
    }

    async fn exchange(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        purpose: &Purpose,
    ) -> Result<Response, ForgeError> {
        // Both take the token as a bearer's.
        let headers = match self.kind {
            Kind::GitHub => vec![("x-github-api-version", "2022-11-28".to_owned())],
            Kind::GitLab => Vec::new(),
        };
        let call = Outgoing {
            method,
            path: path.to_owned(),
            body: body.map_or_else(Bytes::new, |body| Bytes::from(body.to_string())),
            headers,
            // Ours ends first, and says it in our words.
            timeout: self.patience.timeout + Duration::from_secs(5),
        };
        let responded = self
            .client
            .respond("/", call, Some(&self.token.secret), RESPONSE_BYTES)
            .await;
        responded.map_err(|failure| ForgeError::Unreachable {
            forge: self.forge.clone(),
            what: purpose.what.clone(),
            why: match failure {
                Failure::Lost(why) | Failure::Proxy(why) | Failure::TooLarge(why) => plain(&why, SAID_CHARS),
                other => format!("{other:?}"),
            },
        })
    }

    fn refusal(&self, status: StatusCode, headers: &HeaderMap, body: &[u8], purpose: &Purpose) -> ForgeError {
        let (forge, what, said) = (self.forge.clone(), purpose.what.clone(), reason_of(body));
        // Both forges limit rates, GitHub with 403 as well; without a time it is the backoff's.
        let wait = retry_after(headers);
        let limited = status == StatusCode::TOO_MANY_REQUESTS || status == StatusCode::FORBIDDEN && wait.is_some();
        if let Some(wait) = wait.filter(|wait| *wait > self.patience.longest_wait) {
            return ForgeError::Busy {
                forge,
                what,
                wait,
                longest: self.patience.longest_wait,
            };
        }
        match status.as_u16() {
            status if limited || status >= 500 => ForgeError::Broken {
                forge,
                what,
                status,
                said,
                wait,
            },
            401 => ForgeError::Unauthorized {
                forge,
                variable: self.token.variable,
            },
            403 => ForgeError::Forbidden {
                forge,
                what,
                said,
                scope: purpose.scope,
            },
            404 => ForgeError::NotFound { forge, what, said },
            status => ForgeError::Refused {
                forge,
                what,
                status,
                said,
            },
        }
    }
}

/// Seconds, as both forges send it. `x-ratelimit-reset` is no help: it is up to an hour away.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?;
    text.trim().parse().ok().map(Duration::from_secs)
}

/// `: Resource not accessible by integration`, from `message`, `error` or `error_description` of the body.
fn reason_of(body: &[u8]) -> String {
    let Ok(value) = serde_json::from_slice::<Value>(body) else {
        return String::new();
    };
    let text = ["message", "error_description", "error"]
        .iter()
        .find_map(|name| match value.get(name)? {
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        });
    text.filter(|t| !t.is_empty())
        .map_or_else(String::new, |t| format!(": {}", plain(&t, SAID_CHARS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_forge_says_is_short_and_plain() {
        assert_eq!(reason_of(br#"{"message":"Not Found"}"#), ": Not Found");
        assert_eq!(
            reason_of(br#"{"message":{"note":["is too long"]}}"#),
            ": {\"note\":[\"is too long\"]}"
        );
        assert_eq!(reason_of(b"<html>"), "");
        assert!(reason_of(format!("{{\"message\":\"{}\"}}", "x".repeat(5_000)).as_bytes()).len() < 210);
    }
}
