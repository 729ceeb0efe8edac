//! A build in the cache.

use std::path::{Path, PathBuf};

use super::super::Server;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    pub build_dir: PathBuf,
    pub server_dir: PathBuf,
    pub log: PathBuf,
    /// It was there already.
    pub cached: bool,
}

impl Built {
    /// The copy has the folder's own name, because Makefiles ask for it.
    pub(super) fn at(folder: &Path, server: &Server, cached: bool) -> Self {
        Self {
            build_dir: folder.join("out"),
            server_dir: folder.join("src").join(&server.manifest.name),
            log: folder.join("build.log"),
            cached,
        }
    }
}
