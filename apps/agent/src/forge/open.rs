//! The forge of a kind.

use super::access::{Access, Kind};
use super::http::Http;
use super::{Forge, ForgeError, github, gitlab};

/// # Errors
/// [`ForgeError::Address`] for an address that is none, or plain HTTP to another machine.
pub fn open(access: Access) -> Result<Box<dyn Forge>, ForgeError> {
    let kind = access.kind;
    let http = Http::new(&access)?;
    Ok(match kind {
        Kind::GitHub => Box::new(github::GitHub::new(http, access.repository)),
        Kind::GitLab => Box::new(gitlab::GitLab::new(http, &access.repository)),
    })
}
