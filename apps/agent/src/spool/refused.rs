//! What could not be delivered, and lies in the state until its owner copies or deletes it.

use std::path::{Path, PathBuf};

use serde::Serialize;

/// `<state>/refused/<attempt id>`
pub const DIR: &str = "refused";

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SetAside {
    pub path: PathBuf,
    pub runs: usize,
    pub bytes: u64,
}

/// `None` where nothing was set aside, or the state cannot be read by who asks.
pub fn set_aside(state: &Path) -> Option<SetAside> {
    let path = state.join(DIR);
    let runs = std::fs::read_dir(&path).ok()?.flatten().count();
    let bytes = size_of(&path);
    (runs > 0).then_some(SetAside { path, runs, bytes })
}

fn size_of(dir: &Path) -> u64 {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(about) if about.is_dir() => size_of(&entry.path()),
        Ok(about) => about.len(),
        Err(_) => 0,
    });
    sizes.sum()
}
