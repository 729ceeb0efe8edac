//! A code forge, GitHub or GitLab, through its documented API: one comment on a pull request that is kept up to date, and one
//! check on its commit. Everything that a forge answers is untrusted and bounded.

mod error;
mod github;
mod gitlab;
mod http;
mod sticky;

use std::time::Duration;

use async_trait::async_trait;

pub use self::http::{Patience, Token};
pub use error::ForgeError;
pub use sticky::{Kept, keep};

/// Comments of a pull request that are looked through, a hundred a page, for the one to update.
const PAGES: u32 = 50;
const PER_PAGE: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    GitHub,
    GitLab,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::GitHub => "GitHub",
            Self::GitLab => "GitLab",
        }
    }
}

/// A comment of our own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    pub id: u64,
    pub body: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// The gate is met.
    Success,
    /// It is not.
    Failure,
    /// There is no gate, or no verdict to hold it to.
    Neutral,
}

/// What stands beside a commit.
#[derive(Debug, Clone)]
pub struct Check {
    /// Branch rules match it exactly.
    pub name: String,
    /// Tells our own check from others of the same name.
    pub key: String,
    pub conclusion: Conclusion,
    pub title: String,
    /// Markdown.
    pub summary: String,
    pub url: Option<String>,
}

/// What the check became.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    CheckRun,
    /// What every token may set that may write to the repository.
    CommitStatus,
}

#[async_trait]
pub trait Forge: Send + Sync {
    /// The commit that the pull request proposes, in hexadecimal.
    async fn head_of(&self, pull_request: u64) -> Result<String, ForgeError>;

    /// Our own comment that begins with `marker`.
    async fn find_comment(&self, pull_request: u64, marker: &str) -> Result<Option<Comment>, ForgeError>;

    async fn create_comment(&self, pull_request: u64, body: &str) -> Result<(), ForgeError>;

    async fn update_comment(&self, pull_request: u64, id: u64, body: &str) -> Result<(), ForgeError>;

    /// Sets the check on the commit, in the place of the one that is there.
    async fn set_check(&self, commit: &str, check: &Check) -> Result<Checked, ForgeError>;

    fn patience(&self) -> Patience;
}

/// Where the forge is, and what may be done there.
pub struct Access {
    pub kind: Kind,
    /// `https://api.github.com`, `https://gitlab.com/api/v4`, or that of an own installation.
    pub api_url: String,
    pub repository: String,
    pub token: Token,
    pub allow_http: bool,
    pub patience: Patience,
}

/// # Errors
/// [`ForgeError::Address`] for an address that is none, or plain HTTP to another machine.
pub fn open(access: Access) -> Result<Box<dyn Forge>, ForgeError> {
    let kind = access.kind;
    let http = self::http::Http::new(&access)?;
    Ok(match kind {
        Kind::GitHub => Box::new(github::GitHub::new(http, access.repository)),
        Kind::GitLab => Box::new(gitlab::GitLab::new(http, &access.repository)),
    })
}

/// Seconds between attempts, where the forge names none: 1, 2, 4…
fn backoff(attempt: u32, first: Duration) -> Duration {
    first.saturating_mul(1 << attempt.min(6))
}
