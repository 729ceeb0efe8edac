//! What a process left changed that nobody could stop from being killed: the next command puts it back.

use std::path::{Path, PathBuf};

use super::pointer::{forget, pointed};
use super::record::{self, RecordFound, boot_id};
use super::setting::{is_there, undo};
use crate::host::sysroot::SysRoot;

/// What became of a record that a process left behind.
#[derive(Debug, PartialEq, Eq)]
pub enum Recovered {
    PutBack(Vec<String>),
    /// What is still changed, and why.
    Failed(Vec<String>),
    /// This record may not be read: whether its owner lives cannot be told.
    Hidden(PathBuf),
}

impl Recovered {
    pub fn sentence(&self) -> String {
        match self {
            Self::PutBack(names) => format!(
                "An earlier run with --tune was killed; what it had changed is restored: {}.",
                names.join(", ")
            ),
            Self::Failed(why) => format!(
                "An earlier run with --tune was killed, and not everything could be restored ({}); run `sudo rigmark doctor --quick`.",
                why.join("; ")
            ),
            Self::Hidden(path) => format!(
                "Another user's run may have tuned this host: {} cannot be read without root's rights; where that run is over, \
                 `sudo rigmark doctor --quick` puts back what it left.",
                path.display()
            ),
        }
    }
}

/// Puts back what a process that is gone left changed, from the record in `state` or in the folder that was used last. `None`
/// when there is nothing to do: no record, or its owner lives, or the machine was started anew since.
pub fn recover(sys: &SysRoot, state: &Path) -> Option<Recovered> {
    let pointed = pointed(sys);
    let own = recover_in(sys, state, pointed.as_deref() == Some(state));
    own.or_else(|| recover_in(sys, pointed.as_deref().filter(|p| *p != state)?, true))
}

/// `pointed`: the machine says that something is there.
fn recover_in(sys: &SysRoot, folder: &Path, pointed: bool) -> Option<Recovered> {
    let unreadable = |why: String| {
        Some(Recovered::Failed(vec![format!(
            "{}: {why}",
            record::path(folder).display()
        )]))
    };
    let (_held, record) = match record::find(folder) {
        RecordFound::Nothing | RecordFound::Held => return None,
        RecordFound::Hidden => return pointed.then(|| Recovered::Hidden(record::path(folder))),
        RecordFound::Unreadable(why) => return unreadable(why),
        RecordFound::Left(file, record) => (file, record),
    };
    if record.root != sys.path("") {
        return None;
    }
    if record.boot_id != boot_id(sys) {
        forget(sys, folder);
        return None;
    }
    if !record.is_ours() {
        return unreadable("it names what --tune does not set".to_owned());
    }
    let there = record.settings.iter().filter(|s| is_there(sys, &s.file));
    let mut names: Vec<String> = there.map(|s| s.kind.name().to_owned()).collect();
    names.dedup();
    let failed = undo(sys, &record.settings);
    if !failed.is_empty() {
        return Some(Recovered::Failed(failed));
    }
    forget(sys, folder);
    (!names.is_empty()).then_some(Recovered::PutBack(names))
}
