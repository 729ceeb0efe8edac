//! Why a file cannot be published.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::protocol::journal::VERSION;
use crate::protocol::wire::{CHUNK_BYTES, StreamName};

/// Characters of a foreign text that a message shows.
pub const QUOTED: usize = 100;

#[derive(Debug, Error)]
pub enum FileError {
    #[error("{0} cannot be read ({1}).")]
    Io(PathBuf, io::Error),
    #[error("{0} is empty; name a file that `rigmark run --out` wrote.")]
    Empty(PathBuf),
    #[error(
        "{0} is not a result file: its first line does not begin a run. Name a file that `rigmark run --out` wrote."
    )]
    NotOurs(PathBuf),
    #[error(
        "{path} was written by another version of Rigmark{by}: line {line} has version {found}, this one reads {VERSION}. Publish it with that version."
    )]
    Version {
        path: PathBuf,
        line: u64,
        found: u64,
        by: String,
    },
    #[error("Line {line} of {path} is not a record ({why}); the file was damaged or changed.")]
    Line { path: PathBuf, line: u64, why: String },
    #[error("Line {line} of {path} is longer than the {CHUNK_BYTES} bytes that a record may have.")]
    Long { path: PathBuf, line: u64 },
    #[error("Line {line} of {path} has the number {found} in its {}, but {expected} was expected: lines are missing or were changed.", .stream.as_str())]
    Gap {
        path: PathBuf,
        line: u64,
        stream: StreamName,
        found: u64,
        expected: u64,
    },
}
