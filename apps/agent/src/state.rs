//! Where the agent keeps builds, work folders, the spool and its identity.

use std::fs::File;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
use std::path::{Path, PathBuf};

use thiserror::Error;

#[derive(Debug, Error)]
pub enum StateError {
    #[error("The state folder {path} cannot be used ({source}); make it writable or name another with --state-dir.")]
    Unusable { path: PathBuf, source: std::io::Error },
    #[error("The state folder {} belongs to somebody else; set HOME, or name another folder with --state-dir.", .0.display())]
    Foreign(PathBuf),
}

/// Marks a folder that this agent made: `install.sh --purge` deletes no other.
const MARKER: &str = "rigmark.state";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    root: PathBuf,
}

impl State {
    /// Touches nothing: a folder is made when something is first put there.
    pub fn locate(asked: Option<&Path>) -> Self {
        Self {
            root: absolute(asked.map(Path::to_owned).unwrap_or_else(default_root)),
        }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whoever has no home gets a folder where anybody can make one of that name first: what is in it must not be believed.
    pub fn refuse_foreign(&self) -> Result<(), StateError> {
        if self.root == absolute(shared_root()) && !is_mine_or_absent(&self.root) {
            return Err(StateError::Foreign(self.root.clone()));
        }
        Ok(())
    }

    /// `<state>/<name>`, made (0700) when it is not there.
    pub fn dir(&self, name: &str) -> Result<PathBuf, StateError> {
        let path = self.root.join(name);
        let unusable = |source| StateError::Unusable {
            path: path.clone(),
            source,
        };
        // A folder that has something else in it is somebody's, and is not marked.
        let ours = std::fs::read_dir(&self.root).map_or(true, |mut entries| entries.next().is_none());
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let new = !path.exists();
        builder.create(&path).map_err(unusable)?;
        self.refuse_foreign()?;
        if new && is_root() {
            give_to_owner_of(&self.root, &path);
        }
        // `create` is content with a folder of somebody else's: find out now and not in the middle of a run.
        let probe = path.join(format!(".probe-{}", std::process::id()));
        std::fs::write(&probe, b"")
            .and_then(|()| std::fs::remove_file(&probe))
            .map_err(unusable)?;
        if ours {
            let text = "The state of a Rigmark agent. install.sh --uninstall --purge deletes this folder.\n";
            std::fs::write(self.root.join(MARKER), text).map_err(unusable)?;
        }
        Ok(path)
    }

    /// A place for the files of one piece of work; it is not made yet. What agents that are gone left there is removed.
    pub fn work(&self, name: &str) -> Result<PathBuf, StateError> {
        let work = self.dir("work")?;
        self.sweep();
        Ok(work.join(format!("{}-{name}", std::process::id())))
    }

    /// Removes the work of agents that are gone.
    pub fn sweep(&self) {
        for entry in std::fs::read_dir(self.root.join("work"))
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = entry.file_name().to_string_lossy().into_owned();
            let owner = name.split('-').next().and_then(|pid| pid.parse().ok());
            if owner.is_none_or(is_gone) {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
    }
}

/// Is the process with this id no more?
pub fn is_gone(pid: i32) -> bool {
    // SAFETY: signal 0 only asks whether the process is there.
    let there = unsafe { libc::kill(pid, 0) } == 0;
    // Another user's process is there all the same.
    !there && std::io::Error::last_os_error().raw_os_error() != Some(libc::EPERM)
}

/// `sudo rigmark run` must not lock out the service in whose state it makes the first folder for builds. Where it cannot be
/// given, it stays root's, as in a container whose root may not do that.
fn give_to_owner_of(root: &Path, made: &Path) {
    let give = || {
        let owner = std::fs::metadata(root)?;
        if owner.uid() == 0 {
            return Ok(());
        }
        // The owner may meanwhile have put something else in its place.
        let options = libc::O_DIRECTORY | libc::O_NOFOLLOW;
        let folder = File::options().read(true).custom_flags(options).open(made)?;
        match folder.metadata()?.uid() {
            0 => fchown(&folder, Some(owner.uid()), Some(owner.gid())),
            _ => std::io::Result::Ok(()),
        }
    };
    let _ = give();
}

fn is_root() -> bool {
    euid() == 0
}

fn euid() -> u32 {
    // SAFETY: geteuid cannot fail and touches no memory.
    unsafe { libc::geteuid() }
}

fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

/// A link is nobody's folder.
fn is_mine_or_absent(folder: &Path) -> bool {
    match std::fs::symlink_metadata(folder) {
        Ok(there) => there.is_dir() && there.uid() == euid(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Of a user without a home. On Linux all users share its place, on macOS each has one of their own.
fn shared_root() -> PathBuf {
    std::env::temp_dir().join(format!("rigmark-{}", euid()))
}

fn default_root() -> PathBuf {
    if is_root() {
        // As install.sh has it, so that `sudo rigmark` sees what the service knows.
        return PathBuf::from(if cfg!(target_os = "macos") {
            "/usr/local/var/rigmark"
        } else {
            "/var/lib/rigmark"
        });
    }
    let home = || std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".local/state"));
    std::env::var_os("XDG_STATE_HOME")
        .map(PathBuf::from)
        .filter(|p| p.is_absolute())
        .or_else(home)
        .map_or_else(shared_root, |state| state.join("rigmark"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_made_on_demand_and_an_unusable_one_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let state = State::locate(Some(&dir.path().join("a")));
        assert!(!state.root().exists());
        assert!(state.dir("builds").unwrap().is_dir());
        std::fs::write(dir.path().join("file"), b"").unwrap();
        let error = State::locate(Some(&dir.path().join("file"))).dir("builds").unwrap_err();
        assert!(error.to_string().contains("--state-dir"), "{error}");
    }

    #[test]
    fn a_folder_of_somebody_else_or_a_link_is_not_taken_for_ones_own() {
        let dir = tempfile::tempdir().unwrap();
        let (mine, link) = (dir.path().join("mine"), dir.path().join("link"));
        std::fs::create_dir(&mine).unwrap();
        std::os::unix::fs::symlink(&mine, &link).unwrap();
        assert!(is_mine_or_absent(&mine) && !is_mine_or_absent(&link));
        assert!(is_mine_or_absent(&dir.path().join("absent")));
        if is_root() {
            std::os::unix::fs::chown(&mine, Some(65_534), None).unwrap();
            assert!(!is_mine_or_absent(&mine));
        }
    }

    #[test]
    fn only_a_folder_that_was_empty_is_marked_as_an_agents() {
        let dir = tempfile::tempdir().unwrap();
        let marked = |name: &str| {
            let root = dir.path().join(name);
            State::locate(Some(&root)).dir("spool").unwrap();
            root.join(MARKER).exists()
        };
        std::fs::create_dir(dir.path().join("empty")).unwrap();
        std::fs::create_dir_all(dir.path().join("home/letters")).unwrap();
        assert!(marked("new") && marked("empty") && marked("empty"));
        assert!(!marked("home"));
    }

    #[test]
    fn a_folder_that_root_makes_belongs_to_whom_the_state_belongs() {
        if !is_root() {
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let owner_of = |path: &Path| {
            let there = std::fs::metadata(path).unwrap();
            (there.uid(), there.gid())
        };
        let state = State::locate(Some(dir.path()));
        assert_eq!(owner_of(&state.dir("builds").unwrap()), (0, 0));
        std::os::unix::fs::chown(dir.path(), Some(65_534), Some(65_533)).unwrap();
        assert_eq!(owner_of(&state.dir("runs").unwrap()), (65_534, 65_533));
        // Whoever made it had a reason.
        assert_eq!(owner_of(&state.dir("builds").unwrap()), (0, 0));
    }

    #[test]
    fn what_a_dead_agent_left_is_removed_and_what_a_living_one_uses_stays() {
        let dir = tempfile::tempdir().unwrap();
        let state = State::locate(Some(dir.path()));
        let mut dead = std::process::Command::new("true").spawn().unwrap();
        dead.wait().unwrap();
        let left = dir.path().join(format!("work/{}-old", dead.id()));
        let used = dir.path().join("work/1-used");
        std::fs::create_dir_all(&left).unwrap();
        std::fs::create_dir_all(&used).unwrap();
        let mine = state.work("new").unwrap();
        assert!(!left.exists() && used.exists() && !mine.exists());
        assert!(mine.ends_with(format!("{}-new", std::process::id())));
    }
}
