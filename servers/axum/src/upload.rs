// SPDX-License-Identifier: MIT
//! Workload `upload`: the body is hashed as it arrives and never held.

use axum::body::Body;
use axum::http::StatusCode;
use futures_util::StreamExt;
use sha2::{Digest, Sha256};

pub async fn respond(body: Body) -> Result<String, StatusCode> {
    let mut hash = Sha256::new();
    let mut parts = body.into_data_stream();
    while let Some(part) = parts.next().await {
        // It broke off: whoever sent it is gone or sent no chunks.
        hash.update(part.map_err(|_| StatusCode::BAD_REQUEST)?);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
