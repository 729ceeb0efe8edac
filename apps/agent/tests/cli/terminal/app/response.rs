//! What the app responds with.

use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use serde_json::{Value, json};

pub fn broken() -> std::io::Error {
    std::io::Error::other("cut")
}

pub fn page(status: u16, text: &'static str) -> Response<Full<Bytes>> {
    let response = Response::builder().status(status).header("content-type", "text/html");
    response.body(Full::new(Bytes::from(text))).unwrap()
}

pub fn json(status: u16, value: &Value) -> Response<Full<Bytes>> {
    let response = Response::builder()
        .status(status)
        .header("content-type", "application/json");
    response.body(Full::new(Bytes::from(value.to_string()))).unwrap()
}

pub fn problem(status: u16, code: &str, detail: &str) -> (u16, Value) {
    (
        status,
        json!({ "type": "about:blank", "title": code, "status": status, "code": code, "detail": detail }),
    )
}
