//! `--tune`: holds the host's settings still for the length of a run, and puts them back.
//!
//! Order: the originals go to disk, then the settings are changed; they are put back, then the record is removed. So at any
//! moment at which the process may be killed, the record has what was there before. Put back by: [`Tuning::end`], its drop
//! (errors, a cancelled run, a panic that unwinds), [`put_back_now`] (a second signal), and [`recover`] at the start of the next
//! command after a kill that nobody can see coming.

mod pointer;
pub mod record;
mod recover;
pub mod setting;
#[cfg(test)]
mod tests;

use std::ffi::CString;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::sysroot::SysRoot;
use crate::protocol::facts::HostTune;
use crate::protocol::journal::Tuned;
use pointer::{POINTER, forget, point, pointed};
use record::{RecordFound, TuneRecord, boot_id};
pub use recover::{Recovered, recover};
pub use setting::HugePages;
use setting::{Kind, Refused, Setting, undo};

/// What is changed now, and how to undo it.
struct Active {
    sys: SysRoot,
    folder: PathBuf,
    settings: Vec<Setting>,
    /// Its lock says that the owner lives.
    _record: File,
}

impl Active {
    /// What could not be put back. Then the record stays, for the next command to try again.
    fn put_back(self) -> Vec<String> {
        let failed = undo(&self.sys, &self.settings);
        if failed.is_empty() {
            forget(&self.sys, &self.folder);
        }
        failed
    }
}

type Shared = Arc<Mutex<Option<Active>>>;

/// For [`put_back_now`]: a process that exits at once drops nothing.
static ALL: Mutex<Vec<Shared>> = Mutex::new(Vec::new());

/// The host is tuned until this is dropped.
pub struct Tuning {
    active: Shared,
    changed: Vec<Setting>,
    refused: Vec<Refused>,
}

impl Tuning {
    /// Sets what can be set. What cannot is in [`Tuning::refused`]; nothing here is an error, since a run without it is worth
    /// having as long as it says so.
    pub fn begin(sys: &SysRoot, state: &Path, huge_pages: HugePages) -> Self {
        let (todo, mut refused) = setting::wanted(sys, huge_pages);
        let all = |why: String| {
            let each = todo.iter().map(|s| s.kind).collect::<std::collections::BTreeSet<_>>();
            each.into_iter()
                .map(move |kind| Refused { kind, why: why.clone() })
                .collect::<Vec<_>>()
        };
        if todo.is_empty() {
            return Self::untouched(refused);
        }
        let file = match keep(sys, state, &todo) {
            Ok(file) => file,
            Err(why) => {
                refused.extend(all(why));
                return Self::untouched(refused);
            }
        };
        // From here on a drop puts back.
        let active: Shared = Arc::new(Mutex::new(Some(Active {
            sys: sys.clone(),
            folder: state.to_owned(),
            settings: todo.clone(),
            _record: file,
        })));
        guarded(&ALL).push(active.clone());
        let mut tuning = Self {
            active,
            changed: Vec::new(),
            refused,
        };
        for setting in todo {
            match setting::set(sys, &setting.file, &setting.during) {
                Ok(()) => tuning.changed.push(setting),
                Err(why) => tuning.refuse(Refused {
                    kind: setting.kind,
                    why,
                }),
            }
        }
        tuning
    }

    fn untouched(refused: Vec<Refused>) -> Self {
        Self {
            active: Shared::default(),
            changed: Vec::new(),
            refused,
        }
    }

    fn refuse(&mut self, refused: Refused) {
        if self.refused.iter().all(|r| r.kind != refused.kind) {
            self.refused.push(refused);
        }
    }

    /// For the run's environment: one line a setting, with all its values where cores differ.
    pub fn tuned(&self) -> Vec<Tuned> {
        let mut all: Vec<Tuned> = Vec::new();
        for setting in &self.changed {
            let name = setting.kind.name();
            match all.iter_mut().find(|t| t.name == name) {
                Some(known) if known.before.split(", ").any(|b| b == setting.before) => {}
                Some(known) => known.before = format!("{}, {}", known.before, setting.before),
                None => all.push(Tuned {
                    name: name.to_owned(),
                    before: setting.before.clone(),
                    during: setting.during.clone(),
                }),
            }
        }
        all
    }

    /// Names and reasons, `turbo: this machine shows …`.
    pub fn refused(&self) -> Vec<String> {
        self.refused
            .iter()
            .map(|r| format!("{}: {}", r.kind.name(), r.why))
            .collect()
    }

    /// Puts everything back now. What could not be is returned, a phrase each.
    pub fn end(self) -> Vec<String> {
        put_back(&self.active)
    }
}

impl Drop for Tuning {
    fn drop(&mut self) {
        put_back(&self.active);
    }
}

/// What could be set now, and what this process has not the rights for. Nothing is changed. A setting that the machine does not
/// have is in neither list.
pub fn within_reach(sys: &SysRoot) -> HostTune {
    let mut reach = HostTune {
        sets: Vec::new(),
        missing: Vec::new(),
    };
    let pointer = sys.path(POINTER);
    let kept = if pointer.exists() {
        Some(pointer.as_path())
    } else {
        pointer.parent()
    };
    if kept.is_some_and(|path| path.exists() && !may_write(path)) {
        let why = format!("nothing can be set: {} cannot be written", pointer.display());
        reach.missing.push(why);
        return reach;
    }
    for kind in [Kind::Governor, Kind::Turbo, Kind::Aslr, Kind::HugePages] {
        let files = kind.files(sys);
        match files.iter().find(|file| !may_write(&sys.path(file))) {
            Some(file) => reach
                .missing
                .push(format!("{}: /{file} cannot be written", kind.name())),
            None if files.is_empty() => {}
            None => reach.sets.push(kind.name().to_owned()),
        }
    }
    reach
}

/// Asks the kernel, which also knows of file systems that are read-only for this process.
fn may_write(path: &Path) -> bool {
    let Ok(path) = CString::new(path.as_os_str().as_bytes()) else {
        return false;
    };
    // SAFETY: the path is a string of C that lives through the call.
    unsafe { libc::faccessat(libc::AT_FDCWD, path.as_ptr(), libc::W_OK, libc::AT_EACCESS) == 0 }
}

/// Puts the originals where the next command finds them. `Err` is a phrase.
fn keep(sys: &SysRoot, state: &Path, settings: &[Setting]) -> Result<File, String> {
    let folders = [Some(state.to_owned()), pointed(sys).filter(|p| p != state)];
    for folder in folders.into_iter().flatten() {
        match record::find(&folder) {
            RecordFound::Nothing => {}
            RecordFound::Held => return Err("another run has set it and has not ended".to_owned()),
            RecordFound::Hidden => {
                return Err(format!(
                    "another user's run may have set it, and {} cannot be read without root's rights",
                    record::path(&folder).display()
                ));
            }
            RecordFound::Left(..) | RecordFound::Unreadable(_) => {
                return Err(format!(
                    "what an earlier run changed could not be restored; see {}",
                    record::path(&folder).display()
                ));
            }
        }
    }
    let record = TuneRecord {
        schema: 1,
        boot_id: boot_id(sys),
        pid: std::process::id(),
        root: sys.path(""),
        settings: settings.to_vec(),
    };
    // Who may not write here may not write the settings either: that is what has to be fixed.
    let why = |error: std::io::Error, otherwise: String| match error.kind() {
        std::io::ErrorKind::PermissionDenied => "it cannot be set without root's rights".to_owned(),
        _ => format!("{otherwise} ({error})"),
    };
    let file = record::write(state, &record).map_err(|e| why(e, "the originals cannot be kept".to_owned()))?;
    point(sys, state).map_err(|error| {
        forget(sys, state);
        let file = sys.path(POINTER);
        let otherwise = format!(
            "{} cannot be written, so no command would find the originals",
            file.display()
        );
        why(error, otherwise)
    })?;
    Ok(file)
}

/// For a process that is about to exit without unwinding.
pub fn put_back_now() {
    let all: Vec<Shared> = guarded(&ALL).drain(..).collect();
    all.iter().for_each(|active| {
        put_back(active);
    });
}

fn put_back(active: &Shared) -> Vec<String> {
    let taken = guarded(active).take();
    guarded(&ALL).retain(|other| !Arc::ptr_eq(other, active));
    taken.map(Active::put_back).unwrap_or_default()
}

/// A panic elsewhere is no reason to leave the host as it is.
fn guarded<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
