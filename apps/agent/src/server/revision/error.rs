//! Why there is no folder at a commit.

use std::path::PathBuf;

use thiserror::Error;

use super::git::FETCH_KEY;
use crate::fix::with_reason;
use crate::state::StateError;

#[derive(Debug, Error)]
pub enum RevisionError {
    #[error("{}", with_reason(&format!("git is not installed, and {typed} needs it."), Some(fix)))]
    NoGit { typed: String, fix: String },
    #[error(
        "git refuses the repository of {folder}, because it belongs to another user; as the user of the agent, run `git config \
         --global --add safe.directory {folder}`."
    )]
    NotOwned { folder: PathBuf },
    #[error("{folder} is in no git repository that can be used ({why}); name the folder without @{reference}.")]
    NoRepository {
        folder: PathBuf,
        reference: String,
        why: String,
    },
    #[error(
        "The repository of {folder} has no {reference:?}; `git -C {folder} log --oneline --all` shows what it has, and \
         nothing is fetched here."
    )]
    NoReference { folder: PathBuf, reference: String },
    #[error("{folder} does not exist at {reference}, which is commit {commit}; name another commit or another folder.")]
    NoFolder {
        folder: PathBuf,
        reference: String,
        commit: String,
    },
    #[error(
        "{folder} has no server.toml at {reference}, which is commit {commit}, and none now that could be used instead; write \
         one with `rigmark new server`, or name a commit that has one."
    )]
    NoManifest {
        folder: PathBuf,
        reference: String,
        commit: String,
    },
    #[error("{folder} at {reference} could not be checked out: {why}")]
    CheckOut {
        folder: PathBuf,
        reference: String,
        why: String,
    },
    #[error(
        "The clone of {folder} has no {reference:?}, and its owner lets nothing be fetched; on the host, run `git fetch` there, or \
         allow it with `git -C {folder} config {key} origin`.", key = FETCH_KEY
    )]
    NotFetched { folder: PathBuf, reference: String },
    #[error("{reference:?} could not be fetched from {remote} into the clone of {folder}: {why}.")]
    Fetch {
        folder: PathBuf,
        reference: String,
        remote: String,
        why: String,
    },
    #[error(
        "The server {name} is bundled, so it has no commits; name it without @{reference}, or a server that the host's owner has \
         in a git clone."
    )]
    Bundled { name: String, reference: String },
    #[error("At {reference} the server.toml of {name} calls it {found:?}; queue a commit at which it has its name.")]
    Renamed {
        name: String,
        reference: String,
        found: String,
    },
    #[error(transparent)]
    State(#[from] StateError),
}

impl RevisionError {
    pub fn bundled(name: &str, reference: &str) -> Self {
        Self::Bundled {
            name: name.to_owned(),
            reference: reference.to_owned(),
        }
    }
}
