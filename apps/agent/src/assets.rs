//! Where the bundled servers and scenarios are: installed beside the program, or in a checkout.

use std::path::{Path, PathBuf};

use thiserror::Error;

#[derive(Debug, Error)]
pub enum AssetsError {
    #[error(
        "{0} has no `servers` folder, so it cannot be the assets folder; give the folder that holds `servers` and \
         `scenarios` with --assets or RIGMARK_ASSETS."
    )]
    Wrong(PathBuf),
    #[error(
        "The folder with the servers and scenarios was not found beside this program or above the current folder; \
         name it with --assets or RIGMARK_ASSETS."
    )]
    NotFound,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assets {
    root: PathBuf,
    servers: PathBuf,
    scenarios: PathBuf,
}

impl Assets {
    /// `asked` (flag or environment) is final; otherwise `<exe>/../share/rigmark`, then a checkout above the
    /// executable or the current folder.
    pub fn locate(asked: Option<&Path>) -> Result<Self, AssetsError> {
        if let Some(root) = asked {
            return Self::at(root).ok_or_else(|| AssetsError::Wrong(root.to_owned()));
        }
        let exe = std::env::current_exe().ok().and_then(|e| e.canonicalize().ok());
        let installed = exe
            .as_deref()
            .and_then(|e| e.parent()?.parent().map(|p| p.join("share/rigmark")));
        let above = [exe, std::env::current_dir().ok()];
        installed
            .into_iter()
            .chain(above.iter().flatten().flat_map(|p| p.ancestors().map(Path::to_owned)))
            .find_map(|root| Self::at(&root))
            .ok_or(AssetsError::NotFound)
    }

    /// A release has `servers/` and `scenarios/`; a checkout has `servers/` and `packages/scenarios/`.
    pub fn at(root: &Path) -> Option<Self> {
        let root = root.canonicalize().ok()?;
        let servers = root.join("servers");
        if !servers.is_dir() {
            return None;
        }
        let scenarios = [root.join("packages/scenarios"), root.join("scenarios")]
            .into_iter()
            .find(|p| p.is_dir())?;
        Some(Self {
            root,
            servers,
            scenarios,
        })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }
    /// One folder a server.
    pub fn servers(&self) -> &Path {
        &self.servers
    }
    /// The scenarios package: scenarios, suites and the tool scripts that they need.
    pub fn scenarios(&self) -> &Path {
        &self.scenarios
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_layouts_are_known_and_others_refused() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(Assets::locate(Some(dir.path())), Err(AssetsError::Wrong(_))));
        std::fs::create_dir_all(dir.path().join("servers")).unwrap();
        std::fs::create_dir_all(dir.path().join("scenarios")).unwrap();
        let assets = Assets::locate(Some(dir.path())).unwrap();
        assert!(assets.scenarios().ends_with("scenarios"));
        std::fs::create_dir_all(dir.path().join("packages/scenarios")).unwrap();
        let assets = Assets::locate(Some(dir.path())).unwrap();
        assert!(assets.scenarios().ends_with("packages/scenarios"));
    }
}
