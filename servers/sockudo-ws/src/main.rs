// SPDX-License-Identifier: MIT
//! sockudo-ws as a server under test: `ws-echo`.
//!
//! `options` what it was started with; `serve` connections and their end; `http` the little HTTP before a WebSocket, with
//! `head` to read a request's head; `echo` the workload.

mod echo;
mod head;
mod http;
mod options;
mod serve;

use std::process::ExitCode;

fn main() -> ExitCode {
    match options::read(std::env::args().skip(1)).and_then(|options| serve::run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("sockudo-ws: {sentence}");
            ExitCode::FAILURE
        }
    }
}
