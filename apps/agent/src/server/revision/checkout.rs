//! A folder at a commit, written under the agent's state for as long as it is needed. It stands in the work folder, so what a
//! killed command left is removed by the next one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};

use sha2::{Digest, Sha256};

use super::git::{Repository, short};
use crate::protocol::journal::Revision;
use crate::server::manifest::FILE_NAME;
use crate::state::{State, StateError};

/// Submodules within submodules, and no further.
const DEEPEST: usize = 8;

#[derive(Debug)]
pub enum Error {
    State(StateError),
    /// The end of a sentence.
    Failed(String),
}

/// Gone when it is dropped.
#[derive(Debug)]
pub struct Checkout {
    /// The server's folder in it.
    pub folder: PathBuf,
    pub revision: Revision,
    /// The commit has no server.toml; the one of the working tree was put there.
    pub manifest_borrowed: bool,
    place: PathBuf,
}

impl Drop for Checkout {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.place);
    }
}

/// One for each folder, commit and name of it in a process, whoever asks.
static HELD: Mutex<BTreeMap<PathBuf, Weak<Checkout>>> = Mutex::new(BTreeMap::new());

/// `manifest` is the text of a server.toml for a commit that has none.
pub fn of(
    repository: &Repository,
    revision: Revision,
    path: &str,
    manifest: Option<String>,
    state: &State,
) -> Result<Arc<Checkout>, Error> {
    let git_dir = repository.git_dir.display();
    let reference = revision.reference.as_deref().unwrap_or_default();
    let borrowed = manifest.as_deref().unwrap_or_default();
    let key = format!("{git_dir}\0{}\0{reference}\0{path}\0{borrowed}", revision.commit);
    let key = hex::encode(&Sha256::digest(key)[..8]);
    let place = state
        .work(&format!("commit-{}-{key}", short(&revision.commit)))
        .map_err(Error::State)?;
    let mut held = HELD.lock().expect("no holder panics");
    if let Some(there) = held.get(&place).and_then(Weak::upgrade) {
        return Ok(there);
    }
    let tree = place.join("tree");
    let checkout = Checkout {
        folder: tree.join(path),
        revision,
        manifest_borrowed: manifest.is_some(),
        place: place.clone(),
    };
    let io = |e: std::io::Error| Error::Failed(format!("{} could not be written ({e}).", place.display()));
    std::fs::create_dir_all(&tree).map_err(io)?;
    write(repository, &checkout.revision.commit, path, &place, &tree, 0).map_err(Error::Failed)?;
    if let Some(text) = manifest {
        std::fs::write(checkout.folder.join(FILE_NAME), text).map_err(io)?;
    }
    let checkout = Arc::new(checkout);
    held.insert(place, Arc::downgrade(&checkout));
    Ok(checkout)
}

fn write(
    repository: &Repository,
    commit: &str,
    path: &str,
    place: &Path,
    tree: &Path,
    depth: usize,
) -> Result<(), String> {
    let index = place.join(format!("index-{}", uuid::Uuid::now_v7().simple()));
    let submodules = repository
        .write(commit, path, &index, tree)
        .map_err(|why| format!("{why}."))?;
    for (at, commit) in submodules {
        let missing = || {
            format!(
                "the submodule {at} is not here at commit {}; get it with `git submodule update --init {at}`.",
                short(&commit)
            )
        };
        let submodule = repository
            .submodule(&at)
            .filter(|_| depth < DEEPEST)
            .ok_or_else(missing)?;
        submodule.commit(&commit).ok_or_else(missing)?;
        let below = tree.join(&at);
        std::fs::create_dir_all(&below).map_err(|e| format!("{} could not be written ({e}).", below.display()))?;
        write(&submodule, &commit, "", place, &below, depth + 1)?;
    }
    Ok(())
}
