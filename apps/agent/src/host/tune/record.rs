//! The originals on disk: written and synchronized before anything is touched, gone when all of it is put back.
//!
//! The owner holds a `flock` on the file for as long as it lives, so whoever gets that lock knows that the owner is gone,
//! however it ended. A child that it had just forked shares the lock until it is another program: where the owner that the
//! record names is gone, the lock is waited for. What the record names is put back only where it is one of the files that `--tune` sets: a file in a folder
//! that others may write cannot make root write elsewhere.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::setting::Setting;
use crate::host::sysroot::SysRoot;

const FILE: &str = "tuned.json";
const MOST_BYTES: u64 = 4 << 20;
/// Of a dead owner's children to be other programs, or dead too, on a host that is busy.
const CHILDREN_TAKE: Duration = Duration::from_secs(3);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneRecord {
    pub schema: u32,
    /// Kernel settings end with the boot; a record of another boot is of no use.
    pub boot_id: String,
    pub pid: u32,
    /// `/`, unless a test put another in its place.
    pub root: PathBuf,
    pub settings: Vec<Setting>,
}

impl TuneRecord {
    /// Only what this program could have set, whether this machine still shows it or not.
    pub fn is_ours(&self) -> bool {
        let known = |s: &Setting| s.kind.is_file(&s.file) && s.before.len() <= 64;
        self.schema == 1 && self.settings.iter().all(known)
    }
}

#[cfg(target_os = "linux")]
pub fn boot_id(sys: &SysRoot) -> String {
    crate::host::linux::boot_id(sys)
}

#[cfg(not(target_os = "linux"))]
pub fn boot_id(_sys: &SysRoot) -> String {
    crate::host::boot_id()
}

pub fn path(folder: &Path) -> PathBuf {
    folder.join(FILE)
}

/// The returned file holds the lock.
pub fn write(folder: &Path, record: &TuneRecord) -> io::Result<File> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let temporary = folder.join(format!("{FILE}.{}", std::process::id()));
    let _ = fs::remove_file(&temporary);
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&temporary)?;
    let text = serde_json::to_string(record).map_err(io::Error::other)?;
    let kept = lock(&file)
        .and_then(|free| {
            if free {
                Ok(())
            } else {
                Err(io::ErrorKind::WouldBlock.into())
            }
        })
        .and_then(|()| file.write_all(text.as_bytes()))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&temporary, path(folder)))
        .and_then(|()| File::open(folder)?.sync_all());
    if let Err(error) = kept {
        let _ = fs::remove_file(&temporary);
        return Err(error);
    }
    Ok(file)
}

pub enum RecordFound {
    Nothing,
    /// Its owner lives.
    Held,
    /// This user may not look.
    Hidden,
    /// Its owner is gone; the file holds the lock now.
    Left(File, TuneRecord),
    /// Neither can be told.
    Unreadable(String),
}

pub fn find(folder: &Path) -> RecordFound {
    let path = path(folder);
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC)
        .open(&path);
    let mut file = match opened {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return RecordFound::Nothing;
        }
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return RecordFound::Hidden,
        Err(error) => return RecordFound::Unreadable(error.to_string()),
    };
    match lock_of_the_gone(&mut file) {
        Ok(true) => {}
        Ok(false) => return RecordFound::Held,
        Err(error) => return RecordFound::Unreadable(error.to_string()),
    }
    // Somebody else may have put all back and removed it meanwhile.
    let same = file.metadata().and_then(|held| {
        let there = fs::symlink_metadata(&path)?;
        Ok(((held.dev(), held.ino()) == (there.dev(), there.ino()), held.uid()))
    });
    // SAFETY: geteuid cannot fail and touches no memory.
    let me = unsafe { libc::geteuid() };
    match same {
        Ok((true, owner)) if owner == me || me != 0 => {}
        Ok((true, owner)) => return RecordFound::Unreadable(format!("it belongs to user {owner}")),
        Ok((false, _)) | Err(_) => return RecordFound::Nothing,
    }
    match read(&mut file) {
        Ok(record) => RecordFound::Left(file, record),
        Err(error) => RecordFound::Unreadable(error.to_string()),
    }
}

fn read(file: &mut File) -> io::Result<TuneRecord> {
    file.rewind()?;
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text)?;
    serde_json::from_slice(text.as_bytes()).map_err(io::Error::other)
}

/// False while the owner lives, or something still holds its lock after all that time.
fn lock_of_the_gone(file: &mut File) -> io::Result<bool> {
    let until = Instant::now() + CHILDREN_TAKE;
    while !lock(file)? {
        // SAFETY: signal 0 is sent to nobody.
        let lives = |pid: i32| unsafe { libc::kill(pid, 0) } == 0 || io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH);
        if read(file).map_or(true, |record| i32::try_from(record.pid).map_or(true, lives)) || Instant::now() >= until {
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(true)
}

fn lock(file: &File) -> io::Result<bool> {
    // SAFETY: the descriptor is open for as long as `file` lives.
    if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
        return Ok(true);
    }
    match io::Error::last_os_error() {
        error if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
        error => Err(error),
    }
}
