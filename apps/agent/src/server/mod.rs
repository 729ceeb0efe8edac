//! Servers under test: what their folders say, whether this host can build and run them, and their processes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::assets::Assets;
use crate::protocol::catalogue::CatalogueServer;
use crate::protocol::journal::Revision;
use crate::state::State;
use crate::text::message;

pub mod build;
pub mod content;
pub mod exit;
pub mod failure;
pub mod known;
pub mod launch;
mod listening;
pub mod manifest;
pub mod nearest;
mod output_summary;
pub mod placeholder;
pub mod prebuilt;
pub mod process;
pub mod revision;
pub mod support;
pub mod toolchain;
mod unstarted;

pub use content::ContentError;
pub use manifest::{Manifest, ManifestError};
pub use prebuilt::Prebuilt;
pub use revision::RevisionError;

#[derive(Debug, Error)]
pub enum ServerError {
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Content(#[from] ContentError),
    #[error(transparent)]
    Revision(#[from] RevisionError),
    #[error("There is no server {name:?}; {hint}")]
    Unknown { name: String, hint: String },
    #[error(
        "{0} is not a folder; a server is a name of `rigmark servers`, or the path of a folder with a server.toml \
         (PATH@REF for the folder at a commit)."
    )]
    NoFolder(PathBuf),
}

/// A server's folder as it is now, or as it was at a commit.
#[derive(Debug, Clone)]
pub struct Server {
    pub folder: PathBuf,
    pub manifest: Manifest,
    pub content_hash: String,
    /// Where it was named by a path and is in a git repository.
    pub revision: Option<Revision>,
    /// Its commit has no server.toml, so it is built and run with the one of the working tree.
    pub manifest_borrowed: bool,
    /// A build of exactly this folder that came with the agent.
    prebuilt: Option<Prebuilt>,
    /// By the host's owner.
    builds_forbidden: bool,
    /// What holds a folder that was checked out for this server alone: it is there for as long as the server is known.
    _checkout: Option<Arc<revision::Checkout>>,
}

impl Server {
    /// One that is known by its folder's name.
    pub fn load(folder: &Path) -> Result<Self, ServerError> {
        let name = folder.file_name().map(|n| n.to_string_lossy().into_owned());
        let mut server = Self::read(folder, name.as_deref())?;
        if server.manifest.prebuilt.is_some() {
            server.prebuilt = Prebuilt::beside(&server.folder, &server.content_hash);
        }
        Ok(server)
    }

    /// `name` is what the manifest must say; `None` for a folder that was named by its path, since a clone may have any name.
    fn read(folder: &Path, name: Option<&str>) -> Result<Self, ServerError> {
        let folder = folder
            .canonicalize()
            .ok()
            .filter(|f| f.is_dir())
            .ok_or_else(|| ServerError::NoFolder(folder.to_owned()))?;
        Ok(Self {
            manifest: Manifest::read(&folder, name)?,
            content_hash: content::content_hash(&folder)?,
            folder,
            revision: None,
            manifest_borrowed: false,
            prebuilt: None,
            builds_forbidden: false,
            _checkout: None,
        })
    }

    /// By its name, bundled or the owner's, or by a path: what has a `/` in it or starts with a dot.
    pub fn find(assets: &Assets, name_or_path: &str) -> Result<Self, ServerError> {
        if name_or_path.contains('/') || name_or_path.starts_with('.') {
            return Self::read(Path::new(name_or_path), None);
        }
        let known = known::all(assets);
        if let Some(known) = known.iter().find(|known| known.name == name_or_path) {
            return Ok(Self::load(&known.folder)?.allowed_by(assets));
        }
        Err(ServerError::Unknown {
            name: name_or_path.to_owned(),
            hint: nearest::hint(name_or_path, known.iter().map(|known| known.name.as_str())),
        })
    }

    /// As a person types it: a name, a path, or `PATH@REF`, the folder at a commit of the repository that it is in. Asks git.
    pub fn from_argument(assets: &Assets, state: &State, text: &str) -> Result<Self, ServerError> {
        if let Some((folder, reference)) = revision::split(text) {
            if let Some(known) = known_at(assets, folder) {
                if !known.owned {
                    return Err(RevisionError::bundled(folder, reference).into());
                }
                let checkout = revision::check_out(&known.folder, reference, state)?;
                return Self::of(checkout)?.called(folder, reference);
            }
            return Self::of(revision::check_out(Path::new(folder), reference, state)?);
        }
        let mut server = Self::find(assets, text)?;
        if !names(assets).iter().any(|name| name == text) {
            server.revision = revision::of_folder(&server.folder);
        }
        Ok(server)
    }

    /// One that a queued run names with a commit: of the host's owner, and at the commit it is still called so. Asks git, which
    /// may fetch; ends soon after `stopped` turns true.
    pub fn queued(
        assets: &Assets,
        state: &State,
        name: &str,
        reference: &str,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Self, ServerError> {
        let known = known::all(assets);
        let Some(found) = known.iter().find(|known| known.name == name) else {
            return Err(ServerError::Unknown {
                name: name.to_owned(),
                hint: nearest::hint(name, known.iter().map(|known| known.name.as_str())),
            });
        };
        if !found.owned {
            return Err(RevisionError::bundled(name, reference).into());
        }
        let checkout = revision::check_out_queued(&found.folder, reference, state, stopped)?;
        Ok(Self::of(checkout)?.called(name, reference)?.allowed_by(assets))
    }

    fn allowed_by(self, assets: &Assets) -> Self {
        Self {
            builds_forbidden: assets.builds_forbidden(),
            ..self
        }
    }

    fn of(checkout: Arc<revision::Checkout>) -> Result<Self, ServerError> {
        Ok(Self {
            revision: Some(checkout.revision.clone()),
            manifest_borrowed: checkout.manifest_borrowed,
            _checkout: Some(checkout.clone()),
            ..Self::read(&checkout.folder, None)?
        })
    }

    /// Results are kept by the server's name, and a commit must not choose another one.
    fn called(self, name: &str, reference: &str) -> Result<Self, ServerError> {
        if self.manifest.name == name {
            return Ok(self);
        }
        Err(RevisionError::Renamed {
            name: name.to_owned(),
            reference: reference.to_owned(),
            found: self.manifest.name,
        }
        .into())
    }

    /// Why it can neither be built here nor run as it came with the agent.
    pub fn missing(&self) -> Option<support::Missing> {
        let missing = self.unbuildable()?;
        match (&self.prebuilt, &self.manifest.prebuilt) {
            (Some(_), Some(to_run)) => support::check(to_run, &support::ThisHost),
            _ => Some(missing),
        }
    }

    /// The build that came with the agent, where this host has no toolchain for its own or its owner forbids builds.
    pub fn prebuilt_used(&self) -> Option<&Prebuilt> {
        let prebuilt = self.prebuilt.as_ref()?;
        self.unbuildable().map(|_| prebuilt)
    }

    fn unbuildable(&self) -> Option<support::Missing> {
        if self.builds_forbidden && !self.manifest.build.steps.is_empty() {
            return Some(support::Missing {
                reason: BUILDS_FORBIDDEN.to_owned(),
                fix: None,
            });
        }
        support::check(&self.manifest.requires, &support::ThisHost)
    }
}

const BUILDS_FORBIDDEN: &str = "The owner of this host forbids builds, and the server did not come prebuilt.";

/// The server of that name, where no folder here is meant.
fn known_at(assets: &Assets, name: &str) -> Option<known::Known> {
    let known = || known::all(assets).into_iter().find(|known| known.name == name);
    (manifest::is_slug(name) && !Path::new(name).exists()).then(known)?
}

/// Does `NAME@REF` name a server here, whatever the reference?
pub fn has_at_commit(assets: &Assets, text: &str) -> bool {
    revision::split(text).is_some_and(|(folder, _)| Path::new(folder).is_dir() || known_at(assets, folder).is_some())
}

/// Names of the bundled servers and of the owner's, sorted.
pub fn names(assets: &Assets) -> Vec<String> {
    known::all(assets).into_iter().map(|known| known.name).collect()
}

/// Every server that this host knows by name, with whether it works here and why not. A folder with a fault in it is in the
/// list with the fault as the reason.
pub fn catalogue(assets: &Assets) -> Vec<CatalogueServer> {
    known::all(assets)
        .into_iter()
        .map(|known| match Server::load(&known.folder) {
            Ok(server) => CatalogueServer {
                revisions: (known.owned && revision::has_commits(&known.folder)).then_some(true),
                ..describe(&server.allowed_by(assets))
            },
            Err(error) => broken(known.name, &error.to_string()),
        })
        .collect()
}

pub fn describe(server: &Server) -> CatalogueServer {
    let manifest = server.manifest.clone();
    let jit = manifest.compiles_while_running();
    let (reason, fix) = server.missing().map(|m| (Some(m.reason), m.fix)).unwrap_or_default();
    let [reason, fix] = [reason, fix].map(|text| text.as_deref().map(message));
    CatalogueServer {
        name: manifest.name,
        title: manifest.title,
        language: manifest.language,
        summary: manifest.summary,
        license: manifest.license,
        workloads: manifest.workloads,
        options: manifest.options,
        content_hash: server.content_hash.clone(),
        jit: Some(jit),
        revisions: None,
        supported: reason.is_none(),
        reason,
        fix,
    }
}

fn broken(name: String, error: &str) -> CatalogueServer {
    use sha2::Digest;
    CatalogueServer {
        title: name.clone(),
        language: String::new(),
        summary: String::new(),
        license: String::new(),
        workloads: Vec::new(),
        options: Default::default(),
        // It has none; a hash of the fault changes when the fault does, which is what the catalogue's digest needs.
        content_hash: hex::encode(sha2::Sha256::digest(error.as_bytes())),
        jit: None,
        revisions: None,
        supported: false,
        reason: Some(message(error)),
        fix: None,
        name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::journal::MESSAGE_CHARS;

    #[test]
    fn why_a_server_is_not_here_is_as_long_as_the_protocol_takes_it() {
        let mut server = Server::find(&Assets::locate(None).unwrap(), "epoll").unwrap();
        let requires = &mut server.manifest.requires;
        requires.os.clear();
        requires.commands = vec!["😀".repeat(MESSAGE_CHARS)];
        let packages = vec!["😀".repeat(MESSAGE_CHARS)];
        (requires.debian, requires.homebrew) = (packages.clone(), packages);
        let described = describe(&server);
        let length = |text: Option<String>| text.unwrap().encode_utf16().count();
        assert!(!described.supported);
        assert!(length(described.reason) <= MESSAGE_CHARS);
        assert!(length(described.fix) <= MESSAGE_CHARS);
    }
}
