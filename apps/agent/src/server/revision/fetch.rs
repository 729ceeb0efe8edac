//! A commit for a run that was queued: the clone's own, or fetched from the one remote that its owner named for that.
//!
//! The owner allows it in the clone's own configuration, `git config rigmark.fetch origin`. No commit can change that file, so no
//! pull request can.

use std::path::Path;

use super::error::RevisionError;
use super::git::{FETCH_KEY, Repository, is_commit};

/// A commit by its name is fetched where it is not there. A branch of the remote (`origin/main`) is asked for each time, since
/// what the clone remembers of it is old. What else has a name here is what it is here.
pub fn commit(
    repository: &Repository,
    folder: &Path,
    reference: &str,
    stopped: &dyn Fn() -> bool,
) -> Result<String, RevisionError> {
    let here = repository.commit(reference);
    let Some(remote) = repository.setting(FETCH_KEY).filter(|name| !name.is_empty()) else {
        return here.ok_or_else(|| RevisionError::NotFetched {
            folder: folder.to_owned(),
            reference: reference.to_owned(),
        });
    };
    let failed = |why: String| RevisionError::Fetch {
        folder: folder.to_owned(),
        reference: reference.to_owned(),
        remote: remote.clone(),
        why,
    };
    let names = match (reference.strip_prefix(&format!("{remote}/")), here) {
        (Some(branch), _) => vec![format!("refs/heads/{branch}")],
        (None, Some(commit)) => return Ok(commit),
        (None, None) if reference.starts_with("refs/") => vec![reference.to_owned()],
        (None, None) => ["refs/heads/", "refs/tags/", "refs/"]
            .map(|start| format!("{start}{reference}"))
            .to_vec(),
    };
    if !repository.has_remote(&remote) {
        return Err(failed(format!(
            "it has no remote of that name; set {FETCH_KEY} to one of `git remote`"
        )));
    }
    let object = if is_commit(reference) {
        reference.to_owned()
    } else {
        let found = repository.ask_remote(&remote, &names, stopped).map_err(failed)?;
        found.ok_or_else(|| failed("it has no such branch, tag or pull request".to_owned()))?
    };
    if let Some(commit) = repository.commit(&object) {
        return Ok(commit);
    }
    repository.fetch(&remote, &object, stopped).map_err(failed)?;
    repository
        .commit(&object)
        .ok_or_else(|| failed("what came is no commit".to_owned()))
}
