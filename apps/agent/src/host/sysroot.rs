//! The kernel's text files, under a root that tests can replace.

use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SysRoot(PathBuf);

/// Puts another root in the machine's place, for tests of what this machine does not have. A run under it carries the label
/// `simulated`.
const REPLACED: &str = "RIGMARK_SYSROOT";

impl SysRoot {
    /// This machine's own, unless `RIGMARK_SYSROOT` names a folder in its place.
    pub fn host() -> Self {
        let replaced = std::env::var_os(REPLACED).filter(|v| !v.is_empty());
        Self(replaced.map_or_else(|| PathBuf::from("/"), PathBuf::from))
    }

    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self(root.into())
    }

    pub fn is_host(&self) -> bool {
        self.0 == Path::new("/")
    }

    /// `path` is written without the leading slash.
    pub fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// Trimmed; `None` when it is not there, not readable or empty. Device-tree strings end with a NUL.
    pub fn text(&self, path: &str) -> Option<String> {
        let bytes = fs::read(self.path(path)).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        (!text.is_empty()).then(|| text.to_owned())
    }

    pub fn number(&self, path: &str) -> Option<i64> {
        self.text(path)?.parse().ok()
    }

    /// What the file of a setting says; of `always [madvise] never` the word in brackets.
    pub fn value(&self, path: &str) -> Option<String> {
        let text = self.text(path)?;
        Some(chosen(&text).unwrap_or(&text).to_owned())
    }

    /// Names in a folder, sorted; empty when there is no such folder.
    pub fn names(&self, path: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(path)) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|e| e.file_name().into_string().ok())
            .collect();
        names.sort();
        names
    }
}

/// The word in brackets.
fn chosen(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('[')?;
    Some(rest.split_once(']')?.0)
}
