//! Calls of `/api/v1`: bounded, tried again where that does no harm, and refused in one sentence.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, header};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;
use uuid::Uuid;

use super::error::{ApiError, Problem, foreign, of_response};
use super::remote::Remote;
use super::token::Token;
use crate::session::Failure;
use crate::session::client::{Client, ClientError, Outgoing, Response};

const PREFIX: &str = "/api/v1/";
/// Of one try.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The app holds a request with `wait_s` for up to 25 s.
const HELD_TIMEOUT: Duration = Duration::from_secs(40);
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);
/// A `Retry-After` beyond it is not waited for in one go.
const LONGEST_ASKED: Duration = Duration::from_secs(120);
/// Results of the largest run stay below; a report may be as large.
const RESPONSE_BYTES: usize = 32 * 1024 * 1024;

/// One call, ready to be sent.
#[derive(Debug, Clone)]
pub struct Call {
    method: Method,
    /// `/api/v1/`, or `/` for what everybody may read.
    prefix: &'static str,
    path: String,
    body: Bytes,
    headers: Vec<(&'static str, String)>,
    /// Sending it twice is sending it once.
    repeatable: bool,
    held: bool,
}

impl Call {
    pub fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path, Bytes::new(), true)
    }

    /// A GET of what is no part of the API, such as a report.
    pub fn public(path: impl Into<String>) -> Self {
        Self {
            prefix: "/",
            ..Self::get(path)
        }
    }

    /// A GET that the app holds until something happens (`wait_s`).
    pub fn held(path: impl Into<String>) -> Self {
        Self {
            held: true,
            ..Self::get(path)
        }
    }

    pub fn delete(path: impl Into<String>) -> Self {
        Self::new(Method::DELETE, path, Bytes::new(), true)
    }

    /// Sent once: whether it was acted on is not known when the response is lost. See [`Call::once_only`].
    pub fn post(path: impl Into<String>, body: &impl Serialize) -> Self {
        let body = serde_json::to_vec(body).expect("messages are plain data");
        Self::new(Method::POST, path, body.into(), false)
    }

    pub fn put(path: impl Into<String>, body: Bytes, headers: Vec<(&'static str, String)>) -> Self {
        Self {
            headers,
            ..Self::new(Method::PUT, path, body, true)
        }
    }

    /// With an Idempotency-Key: the app acts on it once, however often it is sent.
    pub fn once_only(mut self) -> Self {
        self.headers.push(("idempotency-key", Uuid::now_v7().to_string()));
        self.repeatable()
    }

    /// The app takes the same call twice as one.
    pub fn repeatable(mut self) -> Self {
        self.repeatable = true;
        self
    }

    fn new(method: Method, path: impl Into<String>, body: Bytes, repeatable: bool) -> Self {
        Self {
            method,
            prefix: PREFIX,
            path: path.into(),
            body,
            headers: Vec::new(),
            repeatable,
            held: false,
        }
    }
}

/// Tells a person that something is being tried again.
pub type Note = Box<dyn Fn(&str) + Send + Sync>;

pub struct Api {
    client: Client,
    token: Option<Token>,
    /// What to do about a token that is not taken.
    cure: String,
    patience: Duration,
    note: Note,
}

impl Api {
    /// Calls as `remote` says, tried again for up to `patience`.
    pub fn new(remote: &Remote, allow_http: bool, patience: Duration, note: Note) -> Result<Self, ClientError> {
        Ok(Self {
            client: Client::new(&remote.url, allow_http || remote.allow_http)?,
            token: Some(remote.token.clone()),
            cure: remote.cure(),
            patience,
            note,
        })
    }

    /// For the calls that come before there is a token.
    pub fn without_token(url: &str, allow_http: bool, patience: Duration, note: Note) -> Result<Self, ClientError> {
        Ok(Self {
            client: Client::new(url, allow_http)?,
            token: None,
            cure: String::new(),
            patience,
            note,
        })
    }

    pub fn with_token(mut self, token: Token) -> Self {
        self.token = Some(token);
        self
    }

    /// The app's address, without a slash at its end.
    pub fn base(&self) -> &str {
        self.client.base()
    }

    pub fn patience(&self) -> Duration {
        self.patience
    }

    /// The body of the response as what it should be.
    pub async fn json<T: DeserializeOwned>(&self, call: Call) -> Result<T, ApiError> {
        let response = self.send(call).await?;
        serde_json::from_slice(&response.body)
            .map_err(|e| foreign(self.base(), &format!("a response that is not understood: {e}")))
    }

    /// Any 2xx answer.
    pub async fn send(&self, call: Call) -> Result<Response, ApiError> {
        let begun = Instant::now();
        let mut pause = FIRST_PAUSE;
        let mut told = false;
        loop {
            let failed = match self.attempt(&call).await {
                Ok(response) => return Ok(response),
                Err(failed) => failed,
            };
            let again = failed.unacted || (failed.transient && call.repeatable);
            let next = failed.after.unwrap_or(pause).min(LONGEST_ASKED);
            if !again || begun.elapsed() + next > self.patience {
                return Err(failed.error);
            }
            if !told {
                told = true;
                (self.note)(&format!(
                    "{} Trying again for up to {} s.",
                    failed.error,
                    self.patience.as_secs()
                ));
            }
            tokio::time::sleep(next).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn attempt(&self, call: &Call) -> Result<Response, Failed> {
        let outgoing = Outgoing {
            method: call.method.clone(),
            path: call.path.clone(),
            body: call.body.clone(),
            headers: call.headers.clone(),
            timeout: if call.held {
                HELD_TIMEOUT
            } else {
                TIMEOUT.min(self.patience.max(Duration::from_secs(1)))
            },
        };
        let token = self.token.as_ref().map(Token::secret);
        let base = self.base();
        match self.client.respond(call.prefix, outgoing, token, RESPONSE_BYTES).await {
            Ok(response) if response.status.is_success() => Ok(response),
            Ok(response) => Err(self.refused(&response)),
            Err(Failure::Proxy(sentence) | Failure::TooLarge(sentence)) => {
                Err(Failed::transient(ApiError::Unreachable(sentence)))
            }
            Err(Failure::Lost(why) | Failure::Unreadable(why)) => Err(Failed::transient(ApiError::Unreachable(
                format!("{base} does not respond ({why}); check the address and that the app runs."),
            ))),
            Err(Failure::Refused(detail)) => Err(Failed::permanent(foreign(base, &detail.message))),
        }
    }

    fn refused(&self, response: &Response) -> Failed {
        let Response { status, headers, body } = response;
        let mut error = of_response(self.base(), *status, headers, body);
        if let (ApiError::Refused(problem), StatusCode::UNAUTHORIZED) = (&mut error, *status) {
            *problem = Problem {
                // What follows its first sentence is for whoever writes requests by hand.
                detail: format!("{} {}", first_sentence(&problem.detail), self.cure)
                    .trim()
                    .to_owned(),
                ..problem.clone()
            };
        }
        let limited = *status == StatusCode::TOO_MANY_REQUESTS;
        Failed {
            error,
            unacted: limited,
            transient: limited || status.is_server_error(),
            after: retry_after(headers),
        }
    }
}

struct Failed {
    error: ApiError,
    /// It did nothing, so it may be sent again, whatever it is.
    unacted: bool,
    /// It may go better in a moment.
    transient: bool,
    after: Option<Duration>,
}

impl Failed {
    fn transient(error: ApiError) -> Self {
        Self {
            error,
            unacted: false,
            transient: true,
            after: None,
        }
    }
    fn permanent(error: ApiError) -> Self {
        Self {
            transient: false,
            ..Self::transient(error)
        }
    }
}

fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    text.find(". ").map_or(text, |end| &text[..=end])
}

/// In seconds; a date is for browsers.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds: u64 = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds.max(1)))
}

/// A value within a path or a query.
pub fn encoded(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    text.bytes()
        .map(|b| {
            if plain(b) {
                char::from(b).to_string()
            } else {
                format!("%{b:02X}")
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type_cannot_leave_its_place_in_an_address() {
        assert_eq!(encoded("a/b?c=d&é"), "a%2Fb%3Fc%3Dd%26%C3%A9");
        assert_eq!(encoded("feature~1.0"), "feature~1.0");
    }

    #[test]
    fn only_seconds_are_waited_for() {
        let of = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::RETRY_AFTER, text.parse().unwrap());
            retry_after(&headers)
        };
        assert_eq!(of("7"), Some(Duration::from_secs(7)));
        assert_eq!(of("0"), Some(Duration::from_secs(1)));
        assert_eq!(of("Wed, 21 Oct 2026 07:28:00 GMT"), None);
    }
}
