//! A scenario's own requests, as the scripts read them that the tools run.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::protocol::http::HttpLoad;
use crate::workload::{self, payload};

/// What our scripts for JavaScript read: the requests, and in which order they are sent.
pub fn requests_json(http: &HttpLoad, most_places: usize) -> std::io::Result<String> {
    let requests: Vec<Value> = http
        .requests
        .iter()
        .map(|request| {
            let body = workload::http::has_body(request).then(|| STANDARD.encode(workload::http::body(request)));
            json!({ "method": request.method, "path": request.path, "headers": request.headers, "body_base64": body })
        })
        .collect();
    let order = workload::http::order(&http.requests, payload::seed()?, most_places);
    Ok(json!({ "requests": requests, "order": order }).to_string())
}
