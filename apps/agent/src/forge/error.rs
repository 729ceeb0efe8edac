//! Why a forge did not do what it was asked for: one sentence each, with what to do next.

use std::time::Duration;

use thiserror::Error;

use crate::session::client::ClientError;

/// `what` is what was asked for, such as `write the comment`.
#[derive(Debug, Error)]
pub enum ForgeError {
    #[error(transparent)]
    Address(#[from] ClientError),
    #[error(
        "{forge} could not be reached to {what} ({why}); check --api-url and the network, and run the command again."
    )]
    Unreachable { forge: String, what: String, why: String },
    #[error("{forge} did not respond within {seconds} s when asked to {what}; run the command again later.")]
    Silent { forge: String, what: String, seconds: u64 },
    #[error("{forge} does not accept the token (401); check that {variable} holds a valid token that has not expired.")]
    Unauthorized { forge: String, variable: &'static str },
    #[error("{forge} does not let this token {what} (403{said}); give it the right to: {scope}.")]
    Forbidden {
        forge: String,
        what: String,
        said: String,
        scope: &'static str,
    },
    #[error(
        "{forge} found nothing when asked to {what} (404{said}); check --repo and --pr, and that the token may see the repository."
    )]
    NotFound { forge: String, what: String, said: String },
    #[error("{forge} refused to {what} ({status}{said}); check --repo, --pr and --commit.")]
    Refused {
        forge: String,
        what: String,
        status: u16,
        said: String,
    },
    #[error("{forge} asks to wait {} s before it will {what}, longer than the {} s that this command waits; run it again later.", .wait.as_secs(), .longest.as_secs())]
    Busy {
        forge: String,
        what: String,
        wait: Duration,
        longest: Duration,
    },
    #[error("{forge} failed to {what} (HTTP {status}{said}); run the command again later.")]
    Broken {
        forge: String,
        what: String,
        status: u16,
        said: String,
        wait: Option<Duration>,
    },
    #[error(
        "{forge} sent a response that its API does not document when asked to {what} ({why}); check --forge and --api-url."
    )]
    Undocumented { forge: String, what: String, why: String },
    #[error(
        "The pull request has more than {comments} comments, so the one to update was not found; remove some and run the command again."
    )]
    TooManyComments { comments: usize },
}

impl ForgeError {
    /// Worth another attempt; of a lost answer nobody knows whether it was done.
    pub fn passes(&self) -> bool {
        matches!(
            self,
            Self::Unreachable { .. } | Self::Silent { .. } | Self::Broken { .. }
        )
    }

    /// How long the forge asked to wait.
    pub fn wait(&self) -> Option<Duration> {
        match self {
            Self::Broken { wait, .. } => *wait,
            _ => None,
        }
    }
}
