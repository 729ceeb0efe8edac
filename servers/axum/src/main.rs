// SPDX-License-Identifier: MIT
//! axum as a server under test: `plaintext`, `static`, `json-sum`, `upload` and `ws-echo`.
//!
//! `options` what it was started with; `serve` connections and their end; `routes` which path is whose; `strict` what
//! hyper lets through and the contract does not; `files`, `sum`, `upload`, `echo` a workload each.

mod echo;
mod files;
mod options;
mod routes;
mod serve;
mod strict;
mod sum;
mod upload;

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
