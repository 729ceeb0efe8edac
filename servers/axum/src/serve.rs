// SPDX-License-Identifier: MIT
//! Connections: accepted on a multi-threaded tokio runtime, each driven by hyper's HTTP/1 with axum's router inside.
//! hyper is used directly, because `axum::serve` does not reach the settings that the contract needs.

use std::pin::pin;
use std::time::Duration;

use hyper::server::conn::http1::{Builder, UpgradeableConnection};
use hyper_util::rt::TokioIo;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::files::Root;
use crate::options::Options;
use crate::routes::Routes;

/// A head that is larger gets 431. hyper bounds what it holds of a response by the same number.
pub const HEAD_BYTES: usize = 32 * 1024;
const DRAIN: Duration = Duration::from_secs(3);

pub fn run(options: &Options) -> Result<(), String> {
    let root = Root::open(&options.root)?;
    raise_descriptors();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(options.workers)
        .enable_all()
        .build()
        .map_err(|e| format!("the runtime could not be started ({e})."))?;
    let routes = Routes::new(root, options.read_buffer);
    let listen = options.listen;
    // On a worker, so that the main thread is not one more.
    let outcome = runtime.block_on(async move {
        let serving = tokio::spawn(async move {
            let listener = TcpListener::bind(listen)
                .await
                .map_err(|e| format!("{listen} could not be listened on ({e}); choose another port."))?;
            accept(listener, routes).await
        });
        serving.await.map_err(|e| e.to_string())?
    });
    // WebSockets and clients that do not read have no claim on more time.
    runtime.shutdown_background();
    outcome
}

async fn accept(listener: TcpListener, routes: Routes) -> Result<(), String> {
    let mut terminate = signal(SignalKind::terminate()).map_err(|e| e.to_string())?;
    let mut http = Builder::new();
    http.half_close(true).max_buf_size(HEAD_BYTES);
    let (ending, watcher) = watch::channel(());
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // No descriptors left, or the client is gone already; those who wait do so in the backlog.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                    continue;
                }
            },
            _ = terminate.recv() => break,
        };
        if stream.set_nodelay(true).is_err() {
            continue;
        }
        let connection = http
            .serve_connection(TokioIo::new(stream), routes.clone())
            .with_upgrades();
        tokio::spawn(drive(connection, watcher.clone()));
    }
    drop((listener, watcher));
    let _ = ending.send(());
    // Closed when the last connection has let go of its watcher.
    let _ = tokio::time::timeout(DRAIN, ending.closed()).await;
    Ok(())
}

type Connection = UpgradeableConnection<TokioIo<TcpStream>, Routes>;

/// To its end, or to the end of the response under way once the server is ending.
async fn drive(connection: Connection, mut ending: watch::Receiver<()>) {
    let mut connection = pin!(connection);
    tokio::select! {
        biased;
        _ = connection.as_mut() => return,
        _ = ending.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
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
