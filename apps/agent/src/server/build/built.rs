//! A build in the cache.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::super::Server;
use super::super::manifest::Manifest;
use crate::program::{at_home, child_path};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    pub build_dir: PathBuf,
    pub server_dir: PathBuf,
    pub log: PathBuf,
    /// It was there already.
    pub cached: bool,
    /// With what version managers choose in the copy in front, where they choose anything.
    pub path: Option<OsString>,
}

impl Built {
    /// The copy has the folder's own name, because Makefiles ask for it.
    pub(super) fn at(folder: &Path, server: &Server, cached: bool) -> Self {
        Self {
            build_dir: folder.join("out"),
            server_dir: folder.join("src").join(&server.manifest.name),
            log: folder.join("build.log"),
            cached,
            path: None,
        }
    }

    /// The steps of the build ask a version manager's stand-ins themselves, in the copy and with their user's home. A server has
    /// another home, so it is asked here for it: once, because that may take a second.
    pub(super) fn with_path(mut self, manifest: &Manifest) -> Self {
        let path = child_path().or_else(|| std::env::var_os("PATH")).unwrap_or_default();
        let names = manifest.requires.commands.iter().chain(manifest.run.command.first());
        self.path = at_home::path_for(&path, names.map(String::as_str), &self.server_dir);
        self
    }
}
