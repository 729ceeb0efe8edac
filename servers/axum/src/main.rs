// SPDX-License-Identifier: MIT
//! axum as a server under test: `plaintext`, `static`, `json-sum`, `upload` and `ws-echo`.
//!
//! `options` what it was started with; `serve` connections and their end; `watched`, `framing`, `strict` what hyper
//! lets through and the contract does not; `routes` which path is whose; `files`, `sum`, `upload`, `echo` a workload each.

mod echo;
mod files;
mod framing;
mod options;
mod routes;
mod serve;
mod strict;
mod sum;
mod upload;
mod watched;

use std::process::ExitCode;

fn main() -> ExitCode {
    match options::read(std::env::args().skip(1)).and_then(|options| serve::run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("axum: {sentence}");
            ExitCode::FAILURE
        }
    }
}
