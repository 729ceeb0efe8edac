//! Why a server could not be built.

use std::path::PathBuf;

use thiserror::Error;

use super::super::content::ContentError;
use crate::state::StateError;

#[derive(Debug, Error)]
pub enum BuildError {
    #[error("{server} cannot be built here: {why}")]
    Unsupported { server: String, why: String },
    #[error("Building {server} failed: `{step}` ended with {how}: {tail} The whole log is {log}.")]
    Failed {
        server: String,
        step: String,
        how: String,
        tail: String,
        log: PathBuf,
    },
    #[error("Building {server} failed: `{step}` could not be started ({source}); {next}.")]
    Spawn {
        server: String,
        step: String,
        source: std::io::Error,
        next: String,
    },
    #[error("Building {server} failed: `{step}` was stopped because it took longer than 30 minutes.")]
    TimedOut { server: String, step: String },
    #[error(
        "Building {server} made no {program}, which its server.toml wants to run; check build.steps and run.command."
    )]
    NoProgram { server: String, program: String },
    #[error("The folder of {0} changed while it was being read; try again when nothing writes to it.")]
    Changed(String),
    #[error("The program of {0} that came with the agent is damaged; install the agent again.")]
    Damaged(String),
    #[error(transparent)]
    Content(#[from] ContentError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error("{path} could not be written ({source}); free some space or choose another folder with --state-dir.")]
    Io { path: PathBuf, source: std::io::Error },
}
