// SPDX-License-Identifier: MIT
//! HTTP/1.1 asks for exactly one `Host`; hyper does not look at it.

use axum::extract::Request;
use axum::http::header::{CONNECTION, HOST};
use axum::http::{StatusCode, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

pub async fn check(request: Request, next: Next) -> Response {
    let hosts = request.headers().get_all(HOST).iter().count();
    if hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11) {
        return (
            StatusCode::BAD_REQUEST,
            [(CONNECTION, "close")],
            "exactly one Host is needed\n",
        )
            .into_response();
    }
    next.run(request).await
}
