// SPDX-License-Identifier: MIT
//! What the contract asks of a head and hyper does not look at: exactly one `Host`, and a limit that always holds.

use axum::extract::Request;
use axum::http::header::{CONNECTION, HOST};
use axum::http::{StatusCode, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::serve::HEAD_BYTES;

pub async fn check(request: Request, next: Next) -> Response {
    let hosts = request.headers().get_all(HOST).iter().count();
    if hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11) {
        return refused(StatusCode::BAD_REQUEST, "exactly one Host is needed\n");
    }
    if said(&request).max(spread(&request)) > HEAD_BYTES {
        return refused(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "the head is too large\n");
    }
    next.run(request).await
}

fn refused(status: StatusCode, why: &'static str) -> Response {
    (status, [(CONNECTION, "close")], why).into_response()
}

/// Bytes of the names and values, each with its colon and the end of its line. hyper looks at its limit only while a head is
/// not whole: one that comes in a single packet may be nearly twice as long.
fn said(request: &Request) -> usize {
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    let lines = request.headers().iter();
    target
        + lines
            .map(|(name, value)| name.as_str().len() + value.len() + 4)
            .sum::<usize>()
}

/// Bytes from the first value to the end of the last, where they were read: blanks before a value are in no name and no value.
fn spread(request: &Request) -> usize {
    let values = request.headers().values().filter(|value| !value.is_empty());
    let (first, end) = values.fold((usize::MAX, 0), |(first, end), value| {
        let at = value.as_bytes().as_ptr().addr();
        (first.min(at), end.max(at + value.len()))
    });
    end.saturating_sub(first)
}
