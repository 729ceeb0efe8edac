//! Builds that come with the agent, for hosts without the toolchain: `<assets>/prebuilt/NAME` has `prebuilt.json` and `out`,
//! which becomes `{build_dir}`. One counts only for exactly the source beside it, and only whole.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

const FILE_NAME: &str = "prebuilt.json";
const SCHEMA: u32 = 1;

/// Where a build came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Provenance {
    schema: u32,
    /// The content hash of the server's folder that it was built from.
    source: String,
    /// The hash of `out`, made as a content hash.
    out: String,
    /// As Rust names it, such as `x86_64-unknown-linux-gnu`.
    target: String,
    /// Such as `rustc 1.95.0`.
    toolchain: Vec<String>,
    /// The loader that its programs ask the system for; none for static ones and for Java.
    loader: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prebuilt {
    /// What is in it becomes `{build_dir}`.
    pub out: PathBuf,
    pub target: String,
    pub toolchain: Vec<String>,
    /// The hash of `out`.
    pub hash: String,
}

impl Prebuilt {
    /// The one beside the servers' folder for a server's folder with this content; none where it is of another source or for
    /// another system. Whether it is whole is known when it is copied: the catalogue is made often, and programs are large.
    pub fn beside(folder: &Path, source: &str) -> Option<Self> {
        let place = folder.parent()?.parent()?.join("prebuilt").join(folder.file_name()?);
        let text = std::fs::read_to_string(place.join(FILE_NAME)).ok()?;
        let is: Provenance = serde_json::from_str(&text).ok()?;
        let out = place.join("out");
        let fits = is.schema == SCHEMA
            && is.source == source
            && runs_here(&is.target)
            && is.loader.as_ref().is_none_or(|loader| loader.is_file());
        fits.then_some(Self {
            out,
            target: is.target,
            toolchain: is.toolchain,
            hash: is.out,
        })
    }

    /// What it was made with and for, for people.
    pub fn made_with(&self) -> String {
        let made: Vec<&str> = self
            .toolchain
            .iter()
            .map(String::as_str)
            .chain([self.target.as_str()])
            .collect();
        made.join(", ")
    }
}

fn runs_here(target: &str) -> bool {
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let system = if os == "macos" { "-apple-darwin" } else { "-linux-" };
    let processor = if arch == "arm" { "armv7-" } else { arch };
    target.starts_with(processor) && target.contains(system)
}

#[cfg(test)]
#[path = "prebuilt_tests.rs"]
mod tests;
