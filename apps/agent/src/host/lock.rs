//! One measurement at a time on a host, whoever starts it.
//!
//! The lock is `flock` on a fixed file, so it ends with its owner however that ends. The file is writable by all:
//! two users must be able to see and take it. It is opened without O_CREAT first, because the kernel's
//! `fs.protected_regular` refuses O_CREAT on another user's file in a sticky folder, even to root.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use thiserror::Error;

/// Shared memory before /tmp: a system service often has a /tmp of its own (`PrivateTmp=`), and then a lock there would
/// not keep `rigmark run` and the service apart. Never `temp_dir()`, which differs from user to user on macOS.
const FOLDERS: [&str; 2] = ["/dev/shm", "/tmp"];
const FILE: &str = "rigmark.lock";
const OWNER_BYTES: u64 = 400;

#[derive(Debug, Error)]
pub enum LockedBy {
    #[error("This host is already measuring: {what}{process}; wait until it has finished, or stop it.", process = pid.map(|p| format!(" (process {p})")).unwrap_or_default())]
    Other { pid: Option<u32>, what: String },
    #[error("The lock file {path} cannot be used ({source}); remove it, or name another with RIGMARK_LOCK.", path = path.display())]
    Unusable { path: PathBuf, source: io::Error },
}

impl LockedBy {
    fn unknown() -> Self {
        Self::Other {
            pid: None,
            what: "another rigmark".to_owned(),
        }
    }
}

/// Held until dropped.
#[derive(Debug)]
pub struct HostLock {
    file: File,
    _awake: Awake,
}

/// Work does not keep a Mac from falling asleep; this does, as long as it is there.
#[derive(Debug)]
struct Awake(Option<Child>);

impl Awake {
    fn begin() -> Self {
        let mut caffeinate = Command::new("/usr/bin/caffeinate");
        caffeinate
            .args(["-i", "-w", &std::process::id().to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Self(if cfg!(target_os = "macos") {
            caffeinate.spawn().ok()
        } else {
            None
        })
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl HostLock {
    /// Never waits. `owner` is what others are told: `rigmark run` or a run's id.
    pub fn acquire(owner: &str) -> Result<Self, LockedBy> {
        Self::acquire_at(&path(), owner)
    }

    /// Blocks in the kernel, so it comes even between two runs that follow each other at once, and costs them nothing.
    /// The thread that is left behind in vain ends with the process, which has nothing else to do.
    pub fn wait(owner: &str, within: Duration) -> Result<Self, LockedBy> {
        let (path, owner) = (path(), owner.to_owned());
        match Self::acquire_at(&path, &owner) {
            Err(LockedBy::Other { .. }) => {}
            result => return result,
        }
        let (tx, rx) = std::sync::mpsc::channel();
        let asked = path.clone();
        std::thread::spawn(move || tx.send(Self::obtain(&asked, &owner, 0)));
        rx.recv_timeout(within)
            .unwrap_or_else(|_| Err(holder_at(&path).unwrap_or_else(LockedBy::unknown)))
    }

    pub fn acquire_at(path: &Path, owner: &str) -> Result<Self, LockedBy> {
        Self::obtain(path, owner, libc::LOCK_NB)
    }

    fn obtain(path: &Path, owner: &str, how: libc::c_int) -> Result<Self, LockedBy> {
        let unusable = |source| LockedBy::Unusable {
            path: path.to_owned(),
            source,
        };
        let mut file = loop {
            let mut file = open(path).map_err(unusable)?;
            if !flock(&file, how).map_err(unusable)? {
                return Err(owner_of(&mut file));
            }
            // A cleaner may have removed the file meanwhile: a lock on what nobody can find locks nothing.
            if is_still_at(&file, path).map_err(unusable)? {
                break file;
            }
        };
        let owner: String = owner.chars().filter(|c| !c.is_control()).take(200).collect();
        let said = format!("{}\n{owner}\n", std::process::id());
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(said.as_bytes()))
            .map_err(unusable)?;
        Ok(Self {
            file,
            _awake: Awake::begin(),
        })
    }
}

impl Drop for HostLock {
    fn drop(&mut self) {
        // The lock goes with the descriptor; only the name of the owner has to be taken back.
        let _ = self.file.set_len(0);
    }
}

/// Who holds the lock now, if anybody does.
pub fn holder() -> Option<LockedBy> {
    holder_at(&path())
}

fn holder_at(path: &Path) -> Option<LockedBy> {
    let mut file = open_existing(path).ok()?;
    match flock(&file, libc::LOCK_NB) {
        Ok(false) => Some(owner_of(&mut file)),
        Ok(true) | Err(_) => None,
    }
}

fn path() -> PathBuf {
    let usual = || {
        let folder = FOLDERS.iter().find(|folder| Path::new(folder).is_dir());
        Path::new(folder.unwrap_or(&"/tmp")).join(FILE)
    };
    std::env::var_os("RIGMARK_LOCK")
        .filter(|v| !v.is_empty())
        .map_or_else(usual, PathBuf::from)
}

/// No symbolic link is followed and nothing but a plain file is used: anybody can put things there.
fn open_existing(path: &Path) -> io::Result<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC;
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(flags)
        .open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("it is not a plain file"))
    }
}

fn open(path: &Path) -> io::Result<File> {
    loop {
        match open_existing(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            opened => return opened,
        }
        let made = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o666)
            .open(path);
        match made {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => {
                // Past the umask.
                file.set_permissions(Permissions::from_mode(0o666))?;
                return Ok(file);
            }
        }
    }
}

fn is_still_at(file: &File, path: &Path) -> io::Result<bool> {
    let held = file.metadata()?;
    match std::fs::symlink_metadata(path) {
        Ok(there) => Ok((there.dev(), there.ino()) == (held.dev(), held.ino())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// False where another has it; waits for it unless told not to (`LOCK_NB`).
fn flock(file: &File, how: libc::c_int) -> io::Result<bool> {
    loop {
        // SAFETY: the descriptor is open for as long as `file` lives.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | how) } == 0 {
            return Ok(true);
        }
        match io::Error::last_os_error() {
            error if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            error if error.kind() == ErrorKind::Interrupted => {}
            error => return Err(error),
        }
    }
}

/// Text of a file that anybody may write: cleaned, and never more than a line.
fn owner_of(file: &mut File) -> LockedBy {
    let mut text = Vec::new();
    let _ = file.take(OWNER_BYTES).read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text);
    let mut lines = text
        .lines()
        .map(|l| l.chars().filter(|c| !c.is_control()).collect::<String>());
    let pid = lines.next().and_then(|l| l.trim().parse().ok());
    let what = lines
        .next()
        .filter(|l| !l.is_empty())
        .unwrap_or_else(|| "another rigmark".to_owned());
    LockedBy::Other { pid, what }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn busy(path: &Path) -> (Option<u32>, String) {
        match HostLock::acquire_at(path, "second") {
            Err(LockedBy::Other { pid, what }) => (pid, what),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn one_at_a_time_and_the_owner_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        assert!(holder_at(&path).is_none());
        let held = HostLock::acquire_at(&path, "rigmark\nrun").unwrap();
        assert_eq!(busy(&path), (Some(std::process::id()), "rigmarkrun".to_owned()));
        assert!(holder_at(&path).is_some());
        drop(held);
        // A child that another test forks at this moment has the file open until it executes its program.
        while holder_at(&path).is_some() {
            std::thread::yield_now();
        }
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o666);
        drop(HostLock::acquire_at(&path, "again").unwrap());
    }

    #[test]
    fn links_folders_and_pipes_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("target");
        std::fs::write(&target, "precious").unwrap();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let pipe = dir.path().join("pipe");
        let name = std::ffi::CString::new(pipe.to_str().unwrap()).unwrap();
        // SAFETY: `name` is a valid C string.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        for odd in [link.as_path(), dir.path(), pipe.as_path()] {
            let error = HostLock::acquire_at(odd, "x").unwrap_err();
            assert!(matches!(error, LockedBy::Unusable { .. }), "{error}");
        }
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious");
    }

    #[test]
    fn an_owner_who_writes_rubbish_is_still_an_owner() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let held = HostLock::acquire_at(&path, "x").unwrap();
        std::fs::write(&path, [0xff; 10_000]).unwrap();
        assert_eq!(busy(&path).0, None);
        drop(held);
    }
}
