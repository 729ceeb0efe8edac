//! A server's folder at a commit of the local repository that it is in, and which commit a folder is at. Asks the local git.
//! Nothing is fetched unless the repository's owner allowed it and a run was queued ([`fetch`]); no branch, no file and no index
//! of the repository is ever changed.

mod checkout;
mod error;
mod fetch;
mod git;
#[cfg(test)]
mod tests;

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::content;
use super::manifest::FILE_NAME;
use crate::program;
use crate::protocol::journal::Revision;
use crate::state::State;
pub use checkout::Checkout;
pub use error::RevisionError;
pub use git::short;
use git::{Git, Repository};

/// `PATH@REF` in its two parts, where the text as a whole is no path: a folder's name may have an `@` in it. Of several places
/// the last one counts that has a folder before it.
pub fn split(text: &str) -> Option<(&str, &str)> {
    if Path::new(text).exists() {
        return None;
    }
    let cuts: Vec<(&str, &str)> = text
        .match_indices('@')
        .map(|(at, _)| (&text[..at], &text[at + 1..]))
        .filter(|(folder, reference)| !folder.is_empty() && is_reference(reference))
        .collect();
    let there = cuts.iter().rev().find(|(folder, _)| Path::new(folder).is_dir());
    there.or(cuts.first()).copied()
}

/// Whether it could be one: what git never takes is read as something else.
fn is_reference(text: &str) -> bool {
    let odd = |c: char| c.is_control() || " :?*[\\".contains(c);
    !text.is_empty() && !text.starts_with('-') && !text.contains("/.") && !text.contains(odd)
}

/// The folder at that commit, in a place of its own that is gone when the last holder is. Nothing is fetched.
pub fn check_out(folder: &Path, reference: &str, state: &State) -> Result<Arc<Checkout>, RevisionError> {
    at(folder, reference, state, &|repository, start| {
        repository.commit(reference).ok_or_else(|| RevisionError::NoReference {
            folder: start.to_owned(),
            reference: reference.to_owned(),
        })
    })
}

/// The same for a run that was queued elsewhere: what is not there is fetched, where the clone's owner allowed that. Ends soon
/// after `stopped` turns true.
pub fn check_out_queued(
    folder: &Path,
    reference: &str,
    state: &State,
    stopped: &dyn Fn() -> bool,
) -> Result<Arc<Checkout>, RevisionError> {
    at(folder, reference, state, &|repository, start| {
        fetch::commit(repository, start, reference, stopped)
    })
}

type Find<'a> = dyn Fn(&Repository, &Path) -> Result<String, RevisionError> + 'a;

fn at(folder: &Path, reference: &str, state: &State, find: &Find<'_>) -> Result<Arc<Checkout>, RevisionError> {
    let Some(git) = Git::found() else {
        return Err(RevisionError::NoGit {
            typed: format!("{}@{reference}", folder.display()),
            fix: program::install("git", "git"),
        });
    };
    let lexical = without_dots(folder);
    // The folder itself may be gone by now.
    let (start, below) = existing(&lexical);
    let repository = git.repository(&start).map_err(|why| {
        if why.contains("dubious ownership") {
            return RevisionError::NotOwned { folder: start.clone() };
        }
        RevisionError::NoRepository {
            folder: folder.to_owned(),
            reference: reference.to_owned(),
            why,
        }
    })?;
    let path = repository.path_of(&start, &below);
    let commit = find(&repository, &start)?;
    let named = |path: &str, kind: &str| repository.kind(&commit, path).as_deref() == Some(kind);
    let (of, at) = (folder.to_owned(), reference.to_owned());
    if !named(&path, "tree") {
        return Err(RevisionError::NoFolder {
            folder: of,
            reference: at,
            commit: short(&commit).to_owned(),
        });
    }
    let manifest = if path.is_empty() {
        FILE_NAME.to_owned()
    } else {
        format!("{path}/{FILE_NAME}")
    };
    let borrowed = match named(&manifest, "blob") {
        true => None,
        // The change that adds the file has no base with one.
        false => Some(manifest_now(folder).ok_or_else(|| RevisionError::NoManifest {
            folder: of.clone(),
            reference: at.clone(),
            commit: short(&commit).to_owned(),
        })?),
    };
    let revision = Revision {
        commit,
        reference: Some(at.clone()),
        dirty: false,
        folder: folder_name(&path),
    };
    checkout::of(&repository, revision, &path, borrowed, state).map_err(|error| match error {
        checkout::Error::State(error) => RevisionError::State(error),
        checkout::Error::Failed(why) => RevisionError::CheckOut {
            folder: of,
            reference: at,
            why,
        },
    })
}

/// The text of the working tree's server.toml. Of no link: it may lead out of the folder.
fn manifest_now(folder: &Path) -> Option<String> {
    let path = folder.join(FILE_NAME);
    let is_file = std::fs::symlink_metadata(&path).is_ok_and(|m| m.is_file());
    is_file.then(|| std::fs::read_to_string(path).ok())?
}

/// Has the folder commits that a run may name: is any of it under version control?
pub fn has_commits(folder: &Path) -> bool {
    let tracked = || {
        let git = Git::found()?;
        git.commit_of(folder)?;
        git.tracked(folder)
    };
    tracked().is_some_and(|tracked| !tracked.is_empty())
}

/// Which commit a folder is at. `None` where git is not here, the folder is in no repository, or none of it is under version
/// control.
pub fn of_folder(folder: &Path) -> Option<Revision> {
    let git = Git::found()?;
    let commit = git.commit_of(folder)?;
    let tracked = git.tracked(folder)?;
    let items = content::items(folder).ok()?;
    if !items.iter().any(|item| tracked.contains(&item.path)) {
        return None;
    }
    // What git ignores is content of the server all the same. Of a linked folder git knows the link, and the folder itself.
    let untracked = items
        .iter()
        .any(|item| !tracked.contains(item.link.as_ref().unwrap_or(&item.path)));
    Some(Revision {
        commit,
        reference: None,
        dirty: untracked || git.is_changed(folder)?,
        folder: folder_name(&git.prefix(folder)?),
    })
}

/// As a plan has it; `None` where it is no name that can be shown.
fn folder_name(path: &str) -> Option<String> {
    let name = if path.is_empty() { "." } else { path };
    let shown = name.chars().count() <= MOST_FOLDER_CHARS && !name.contains(char::is_control);
    shown.then(|| name.to_owned())
}
/// A name's, in the protocol.
const MOST_FOLDER_CHARS: usize = 200;

/// Absolute, and without `.` and `..`, which a folder that does not exist cannot resolve.
fn without_dots(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut clean = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::CurDir => {}
            // `a/link/..` is not `a`: what exists is resolved as the kernel does it.
            Component::ParentDir => {
                clean = clean.canonicalize().unwrap_or(clean);
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// The nearest folder above that exists, resolved, and what is missing below it.
fn existing(path: &Path) -> (PathBuf, PathBuf) {
    let found = path.ancestors().find(|p| p.is_dir()).unwrap_or(Path::new("/"));
    let below = path.strip_prefix(found).unwrap_or(Path::new("")).to_owned();
    (found.canonicalize().unwrap_or_else(|_| found.to_owned()), below)
}
