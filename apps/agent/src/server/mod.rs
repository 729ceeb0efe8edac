//! Servers under test: what their folders say, whether this host can build and run them, and their processes.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::assets::Assets;
use crate::protocol::catalogue::CatalogueServer;
use crate::text::message;

pub mod build;
pub mod content;
pub mod manifest;
pub mod nearest;
mod output_summary;
pub mod placeholder;
pub mod process;
pub mod support;
pub mod toolchain;

pub use content::ContentError;
pub use manifest::{Manifest, ManifestError};

#[derive(Debug, Error)]
pub enum ServerError {
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Content(#[from] ContentError),
    #[error("There is no server {name:?}; {hint}")]
    Unknown { name: String, hint: String },
    #[error("{0} is not a folder; a server is a bundled name or the path of a folder with a server.toml.")]
    NoFolder(PathBuf),
}

/// A server's folder as it is now.
#[derive(Debug, Clone)]
pub struct Server {
    pub folder: PathBuf,
    pub manifest: Manifest,
    pub content_hash: String,
}

impl Server {
    pub fn load(folder: &Path) -> Result<Self, ServerError> {
        let folder = folder
            .canonicalize()
            .ok()
            .filter(|f| f.is_dir())
            .ok_or_else(|| ServerError::NoFolder(folder.to_owned()))?;
        Ok(Self {
            manifest: Manifest::read(&folder)?,
            content_hash: content::content_hash(&folder)?,
            folder,
        })
    }

    /// A bundled name, or a path: what has a `/` in it or starts with a dot.
    pub fn find(assets: &Assets, name_or_path: &str) -> Result<Self, ServerError> {
        if name_or_path.contains('/') || name_or_path.starts_with('.') {
            return Self::load(Path::new(name_or_path));
        }
        let names = names(assets);
        if names.iter().any(|n| n == name_or_path) {
            return Self::load(&assets.servers().join(name_or_path));
        }
        Err(ServerError::Unknown {
            name: name_or_path.to_owned(),
            hint: nearest::hint(name_or_path, names.iter().map(String::as_str)),
        })
    }

    /// Why it cannot be built or run here.
    pub fn missing(&self) -> Option<support::Missing> {
        support::check(&self.manifest.requires, &support::ThisHost)
    }
}

/// Names of the bundled servers, sorted.
pub fn names(assets: &Assets) -> Vec<String> {
    let folders = std::fs::read_dir(assets.servers()).into_iter().flatten().flatten();
    let mut names: Vec<String> = folders
        .filter(|f| f.path().join(manifest::FILE_NAME).is_file())
        .filter_map(|f| f.file_name().into_string().ok())
        .filter(|name| manifest::is_slug(name))
        .collect();
    names.sort();
    names
}

/// Every bundled server, with whether it works here and why not. A folder with a fault in it is in the list with the
/// fault as the reason.
pub fn catalogue(assets: &Assets) -> Vec<CatalogueServer> {
    names(assets)
        .into_iter()
        .map(|name| match Server::load(&assets.servers().join(&name)) {
            Ok(server) => describe(&server),
            Err(error) => broken(name, &error.to_string()),
        })
        .collect()
}

pub fn describe(server: &Server) -> CatalogueServer {
    let manifest = server.manifest.clone();
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
        jit: Some(manifest.jit),
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
