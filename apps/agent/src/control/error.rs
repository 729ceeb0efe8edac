//! Why a call did not work, as one sentence: what happened and what to do next.

use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use crate::text::plain;

const SENTENCE_CHARS: usize = 600;
/// Faults of a request that are listed before the rest is left out.
const FAULTS: usize = 3;

/// RFC 9457. Everything in it is somebody else's text.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Problem {
    #[serde(default)]
    pub status: u16,
    #[serde(default)]
    pub code: String,
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub detail: String,
    #[serde(default)]
    pub errors: Vec<Fault>,
    /// Of a chunk that came too early: the one that is waited for.
    #[serde(default)]
    pub next_seq: Option<u64>,
    /// Of a publication that is not whole: the chunks that are not there.
    #[serde(default)]
    pub missing: Option<Value>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Fault {
    #[serde(default)]
    pub path: String,
    #[serde(default)]
    pub detail: String,
}

#[derive(Debug, Clone, PartialEq, Error)]
pub enum ApiError {
    /// The app said no.
    #[error("{}", .0.sentence())]
    Refused(Problem),
    /// It did not respond for as long as we tried, or said that it could not.
    #[error("{0}")]
    Unreachable(String),
    /// Something responded, and it is not Rigmark.
    #[error("{0}")]
    Foreign(String),
}

impl ApiError {
    /// For scripts.
    pub fn code(&self) -> &str {
        match self {
            Self::Refused(problem) if !problem.code.is_empty() => &problem.code,
            Self::Refused(_) => "refused",
            Self::Unreachable(_) => "unreachable",
            Self::Foreign(_) => "not-rigmark",
        }
    }

    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Refused(problem) => Some(problem.status),
            _ => None,
        }
    }
}

impl Problem {
    /// It has other chunks than it said before.
    pub fn is_out_of_step(&self) -> bool {
        self.next_seq.is_some() || self.missing.is_some()
    }

    fn sentence(&self) -> String {
        let said = [&self.detail, &self.title].into_iter().find(|t| !t.trim().is_empty());
        let said = said.map_or_else(
            || format!("The app refused this (HTTP {}).", self.status),
            |t| t.trim().to_owned(),
        );
        let faults = self
            .errors
            .iter()
            .filter(|f| !f.detail.is_empty() && !said.contains(&f.detail));
        let faults: Vec<String> = faults
            .take(FAULTS)
            .map(|f| format!("{}: {}", f.path, f.detail))
            .collect();
        let all = if faults.is_empty() {
            said
        } else {
            format!("{said} {}", faults.join("; "))
        };
        plain(&all, SENTENCE_CHARS)
    }
}

/// What a response that is not 2xx means.
pub fn of_response(base: &str, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> ApiError {
    let location = headers.get(header::LOCATION).and_then(|l| l.to_str().ok());
    if let Some(location) = location.filter(|_| status.is_redirection()) {
        return ApiError::Foreign(plain(
            &format!("{base} redirects to {location}; give the address of the app itself."),
            SENTENCE_CHARS,
        ));
    }
    match serde_json::from_slice::<Problem>(body) {
        Ok(problem) if !(problem.title.is_empty() && problem.detail.is_empty()) => ApiError::Refused(Problem {
            status: status.as_u16(),
            ..problem
        }),
        _ => match of_report(status, body) {
            Some(problem) => ApiError::Refused(problem),
            None if status.is_server_error() => ApiError::Unreachable(format!(
                "{base} responded with HTTP {}, but not in the form of Rigmark; check the app's log or the proxy before it.",
                status.as_u16()
            )),
            None => foreign(base, &format!("HTTP {}", status.as_u16())),
        },
    }
}

#[derive(Deserialize)]
struct OfReport {
    error: Named,
}

#[derive(Deserialize)]
struct Named {
    code: String,
    message: String,
}

/// Reports are no part of the API, and have errors of their own.
fn of_report(status: StatusCode, body: &[u8]) -> Option<Problem> {
    let OfReport { error } = serde_json::from_slice(body).ok()?;
    Some(Problem {
        status: status.as_u16(),
        code: plain(&error.code, SENTENCE_CHARS),
        detail: error.message,
        ..Problem::default()
    })
}

pub fn foreign(base: &str, why: &str) -> ApiError {
    ApiError::Foreign(plain(
        &format!("{base} does not respond as Rigmark does ({why}); check the address."),
        SENTENCE_CHARS,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: u16, body: &str) -> ApiError {
        let status = StatusCode::from_u16(status).unwrap();
        of_response("https://a.example", status, &HeaderMap::new(), body.as_bytes())
    }

    #[test]
    fn a_problem_is_its_detail_and_the_first_faults() {
        let body = r#"{"type":"about:blank","title":"Invalid","status":422,"code":"invalid","detail":"The run cannot be queued.",
            "errors":[{"path":"spec.repeats","detail":"at most 100"},{"path":"host","detail":"unknown"}]}"#;
        let error = of(422, body);
        assert_eq!(
            error.to_string(),
            "The run cannot be queued. spec.repeats: at most 100; host: unknown"
        );
        assert_eq!((error.code(), error.status()), ("invalid", Some(422)));
    }

    #[test]
    fn what_is_not_rigmark_is_named_as_such() {
        assert!(matches!(of(404, "<html>"), ApiError::Foreign(_)));
        assert!(matches!(of(502, "<html>"), ApiError::Unreachable(_)));
        assert!(of(401, r#"{"title":"\u001b[2JNo"}"#).to_string().starts_with("[2JNo"));
        let mut headers = HeaderMap::new();
        headers.insert(header::LOCATION, "https://b.example/".parse().unwrap());
        let error = of_response("http://a.example", StatusCode::MOVED_PERMANENTLY, &headers, b"");
        assert!(error.to_string().contains("https://b.example/"), "{error}");
    }
}
