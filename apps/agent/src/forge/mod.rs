//! A code forge, GitHub or GitLab, through its documented API: one comment on a pull request that is kept up to date, and one
//! check on its commit. Everything that a forge answers is untrusted and bounded.

mod access;
mod error;
mod github;
mod gitlab;
mod http;
mod open;
mod patience;
mod sticky;

use async_trait::async_trait;

pub use access::{Access, Kind, Token};
pub use error::ForgeError;
pub use open::open;
pub use patience::Patience;
pub use sticky::{Kept, keep};

/// Comments of a pull request that are looked through, a hundred a page, for the one to update.
const PAGES: u32 = 50;
const PER_PAGE: usize = 100;

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
