// SPDX-License-Identifier: MIT
//! Which path is whose. What is no workload's name is a file's.

use std::sync::Arc;

use axum::Router;
use axum::http::{Request, Uri};
use axum::middleware::from_fn;
use axum::routing::{get, post};
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use percent_encoding::percent_decode_str;

use crate::files::Root;
use crate::{echo, files, strict, sum, upload};

const NAMES: [&str; 4] = [PLAINTEXT, JSON_SUM, UPLOAD, WS];
const PLAINTEXT: &str = "/plaintext";
const JSON_SUM: &str = "/json-sum";
const UPLOAD: &str = "/upload";
const WS: &str = "/ws";

/// axum's routes, before which the name of a workload is decoded: they compare it as it was sent.
#[derive(Clone)]
pub struct Routes(TowerToHyperService<Router>);

impl Routes {
    pub fn new(root: Root, read_buffer: usize) -> Self {
        let router = Router::new()
            .route(PLAINTEXT, get(|| async { "Hello, World!" }))
            .route(JSON_SUM, post(sum::respond))
            .route(UPLOAD, post(upload::respond))
            .route(WS, get(move |upgrade| echo::upgrade(upgrade, read_buffer)))
            .fallback_service(get(files::respond).with_state(Arc::new(root)))
            .layer(from_fn(strict::check));
        Self(TowerToHyperService::new(router))
    }
}

impl Service<Request<Incoming>> for Routes {
    type Response = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Response;
    type Error = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Error;
    type Future = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Future;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        if let Some(name) = workload(request.uri().path()) {
            *request.uri_mut() = Uri::from_static(name);
        }
        self.0.call(request)
    }
}

/// The workload that an encoded path names. A file's is decoded where it is opened.
fn workload(path: &str) -> Option<&'static str> {
    if !path.contains('%') {
        return None;
    }
    let decoded = percent_decode_str(path).decode_utf8().ok()?;
    NAMES.into_iter().find(|name| *name == decoded)
}
