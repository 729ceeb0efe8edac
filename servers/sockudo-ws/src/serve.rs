// SPDX-License-Identifier: MIT
//! Connections: accepted on a multi-threaded tokio runtime, a task each.

use std::net::SocketAddr;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::http;
use crate::options::Options;

pub fn run(options: &Options) -> Result<(), String> {
    raise_descriptors();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(options.workers)
        .enable_all()
        .build()
        .map_err(|e| format!("the runtime could not be started ({e})."))?;
    let serving = runtime.spawn(accept(options.listen));
    let outcome = runtime.block_on(serving).map_err(|e| e.to_string())?;
    runtime.shutdown_background();
    outcome
}

/// Until SIGTERM. A WebSocket has no end to wait for, so those that are open are cut off.
async fn accept(listen: SocketAddr) -> Result<(), String> {
    let mut terminate = signal(SignalKind::terminate()).map_err(|e| e.to_string())?;
    let listener = TcpListener::bind(listen)
        .await
        .map_err(|e| format!("{listen} could not be listened on ({e}); choose another port."))?;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = terminate.recv() => return Ok(()),
        };
        match accepted {
            Ok((stream, _)) if stream.set_nodelay(true).is_ok() => drop(tokio::spawn(http::serve(stream))),
            Ok(_) => {}
            // No descriptors left, or the client is gone already; those who wait do so in the backlog.
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
}

/// As many descriptors as the host allows: thousands of connections are ordinary here.
fn raise_descriptors() {
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(
        Resource::Nofile,
        Rlimit {
            current: limit.maximum,
            maximum: limit.maximum,
        },
    );
}
