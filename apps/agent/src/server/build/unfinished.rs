//! The folder of a build that has not ended, and what is left of one that failed or was cut off.

use std::path::{Path, PathBuf};

use super::BuildError;

/// What is still being built, with the number of who does it.
const BUILDING: &str = ".tmp-";

/// The folder of a build and the link that will lead to it, which has the builder's number until then. Gone when dropped,
/// also when the build was cancelled; somebody else who was faster with the same build has one that is as good.
pub(super) struct Unfinished {
    pub(super) folder: PathBuf,
    link: PathBuf,
}

impl Unfinished {
    pub(super) fn begin(builds: &Path, target: &Path) -> Result<Self, BuildError> {
        let one = uuid::Uuid::now_v7().simple().to_string();
        let hash = target.file_name().unwrap_or_default().to_string_lossy();
        let folder = builds.join(format!("{hash}-{one}"));
        let link = builds.join(format!("{BUILDING}{}-{one}", std::process::id()));
        let io = |source| BuildError::Io {
            path: folder.clone(),
            source,
        };
        std::os::unix::fs::symlink(folder.file_name().unwrap_or_default(), &link).map_err(io)?;
        Ok(Self { folder, link })
    }

    pub(super) fn finish(mut self, target: &Path) -> std::io::Result<()> {
        let before = std::fs::canonicalize(target).ok();
        // Of an older version: a folder, over which no link can be put.
        if target.is_dir() && !target.is_symlink() {
            std::fs::remove_dir_all(target)?;
        }
        std::fs::rename(&self.link, target)?;
        self.folder = PathBuf::new();
        if let Some(before) = before {
            let _ = std::fs::remove_dir_all(before);
        }
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if self.folder.as_os_str().is_empty() {
            return;
        }
        let _ = std::fs::remove_dir_all(&self.folder);
        let _ = std::fs::remove_file(&self.link);
    }
}

/// The log of a build that failed, kept under the server's name until the next failure.
pub(super) fn keep_log(builds: &Path, temporary: &Path, name: &str) -> Option<PathBuf> {
    let kept = builds.join(format!("{name}.failed.log"));
    std::fs::rename(temporary.join("build.log"), &kept).ok()?;
    Some(kept)
}

/// What agents that are gone were building.
pub(super) fn sweep(builds: &Path) {
    for entry in std::fs::read_dir(builds).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let owner = name
            .strip_prefix(BUILDING)
            .and_then(|r| r.split('-').next()?.parse::<i32>().ok());
        if owner.is_some_and(crate::state::is_gone) {
            // Builds run others' commands: a link that leads out of this folder is not followed.
            let folder = std::fs::read_link(entry.path()).ok();
            let name = folder.as_deref().and_then(Path::file_name).map(ToOwned::to_owned);
            let _ = std::fs::remove_dir_all(builds.join(name.unwrap_or(entry.file_name())));
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
