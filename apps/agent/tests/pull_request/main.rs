//! From a result file to a pull request: `rigmark report`, `rigmark comment` and the Action's scripts against a forge on
//! loopback, on result files that real runs wrote.

mod action;
#[allow(dead_code)] // The commands of a terminal use the rest.
#[path = "../cli/terminal/app.rs"]
mod app;
mod by_run;
mod comment;
mod faults;
mod forge;
mod report;
mod story;
#[path = "../support/mod.rs"]
mod support;

use std::path::PathBuf;

/// A result file of a real run: `base` and `head` of the same server, whose head was made slower, faster, or not at all.
pub fn recorded(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/pull_request/recorded")
        .join(format!("{name}.jsonl"))
}
