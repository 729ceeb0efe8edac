//! Leads from the machine to the folder whose record says what is changed on it.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::record;
use crate::host::sysroot::SysRoot;

/// Names the folder with the record, so that a command that uses another state folder finds it. Gone with the boot, as the
/// settings are.
pub const POINTER: &str = "run/rigmark-tuned";

pub fn point(sys: &SysRoot, state: &Path) -> std::io::Result<()> {
    let file = sys.path(POINTER);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, state.as_os_str().as_bytes())
}

/// The folder that was used last.
pub fn pointed(sys: &SysRoot) -> Option<PathBuf> {
    let mut bytes = std::fs::read(sys.path(POINTER)).ok()?;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    Some(PathBuf::from(OsString::from_vec(bytes))).filter(|p| p.is_absolute())
}

/// Another folder's pointer is another run's.
pub fn forget(sys: &SysRoot, folder: &Path) {
    let _ = std::fs::remove_file(record::path(folder));
    if pointed(sys).is_some_and(|p| p == folder) {
        let _ = std::fs::remove_file(sys.path(POINTER));
    }
}
