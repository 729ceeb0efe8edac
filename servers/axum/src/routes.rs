// SPDX-License-Identifier: MIT
//! Which path is whose. What is no workload's name is a file's.

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn;
use axum::routing::{get, post};

use crate::files::Root;
use crate::{echo, files, strict, sum, upload};

pub fn router(root: Root, read_buffer: usize) -> Router {
    Router::new()
        .route("/plaintext", get(|| async { "Hello, World!" }))
        .route("/json-sum", post(sum::answer))
        .route("/upload", post(upload::answer))
        .route("/ws", get(move |upgrade| echo::upgrade(upgrade, read_buffer)))
        .fallback_service(get(files::answer).with_state(Arc::new(root)))
        .layer(from_fn(strict::check))
}
