//! `server.toml`: what a server's folder says about itself. Strict: an unknown key is an error, and every error names
//! the file and the key.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::placeholder;
use crate::protocol::catalogue::{INTEGER_MOST, NAME_CHARS, ServerOption};
use crate::protocol::journal::MESSAGE_CHARS;
use crate::protocol::spec::Workload;

pub const FILE_NAME: &str = "server.toml";
/// Workers of a server that was not told otherwise.
pub const DEFAULT_WORKERS: i64 = 2;

#[derive(Debug, Error)]
pub enum ManifestError {
    #[error("{path} could not be read ({source}); a server is a folder with a server.toml in it.")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{path}: {key}: {problem}")]
    Wrong {
        path: PathBuf,
        key: String,
        problem: String,
    },
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub schema: u32,
    pub name: String,
    pub title: String,
    pub language: String,
    pub summary: String,
    pub license: String,
    pub workloads: Vec<Workload>,
    /// It compiles while it runs, so its first seconds are slower: the warm-up goes on until its speed is steady.
    #[serde(default)]
    pub jit: bool,
    #[serde(default)]
    pub requires: Requires,
    #[serde(default)]
    pub build: Build,
    pub run: Run,
    #[serde(default)]
    pub options: BTreeMap<String, ServerOption>,
}

/// What the host must have. An empty list demands nothing.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Requires {
    pub os: Vec<String>,
    pub arch: Vec<String>,
    pub commands: Vec<String>,
    pub pkg_config: Vec<String>,
    /// Absolute paths; `*` stands for one name or a part of it, since Debian has a folder for each architecture.
    pub files: Vec<String>,
    /// Packages that bring the above, for the hint.
    pub debian: Vec<String>,
    /// The whole command for Debian 12 and Raspberry Pi OS 12, where what they have under these names is missing or too old.
    pub debian_12: Option<String>,
    pub homebrew: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Build {
    /// Argv arrays, run in order in the server's folder.
    pub steps: Vec<Vec<String>>,
    pub env: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    pub command: Vec<String>,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    pub ready: Ready,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ready {
    pub path: String,
    pub within_s: f64,
}

impl Manifest {
    pub fn read(folder: &Path) -> Result<Self, ManifestError> {
        let path = folder.join(FILE_NAME);
        let text = std::fs::read_to_string(&path).map_err(|source| ManifestError::Read {
            path: path.clone(),
            source,
        })?;
        let folder_name = folder.file_name().map(|n| n.to_string_lossy().into_owned());
        Self::parse(&text, &path, folder_name.as_deref())
    }

    /// `folder` is the name that the manifest must have; `None` where the folder has no name (a test, a root).
    pub fn parse(text: &str, path: &Path, folder: Option<&str>) -> Result<Self, ManifestError> {
        let wrong = |key: String, problem: String| ManifestError::Wrong {
            path: path.to_owned(),
            key,
            problem,
        };
        let deserializer =
            toml::Deserializer::parse(text).map_err(|e| wrong(at_line(text, &e), one_line(e.message())))?;
        let manifest: Manifest = serde_path_to_error::deserialize(deserializer).map_err(|e| {
            let key = match e.path().to_string() {
                // A key that is not there has no place.
                top if top == "." && e.inner().message().starts_with("missing") => "the file".to_owned(),
                top if top == "." => at_line(text, e.inner()),
                key => key,
            };
            wrong(key, one_line(e.inner().message()))
        })?;
        manifest.check(folder).map_err(|(key, problem)| wrong(key, problem))?;
        Ok(manifest)
    }

    /// What types cannot say, and what the control plane would not take: it refuses a whole catalogue for one server.
    /// `Err` is the key and the problem.
    fn check(&self, folder: Option<&str>) -> Result<(), (String, String)> {
        let no = |key: &str, problem: String| Err((key.to_owned(), problem));
        if self.schema != 1 {
            return no(
                "schema",
                format!("{} is not known here; this agent reads schema 1.", self.schema),
            );
        }
        if !is_slug(&self.name) {
            return no(
                "name",
                format!("{:?} is not a name of a-z, 0-9, `.`, `_` and `-`.", self.name),
            );
        }
        if let Some(folder) = folder
            && folder != self.name
        {
            return no(
                "name",
                format!("{:?} is not the folder's name, which is {folder:?}.", self.name),
            );
        }
        for (key, text) in [
            ("title", &self.title),
            ("language", &self.language),
            ("license", &self.license),
        ] {
            if text.trim().is_empty() || too_long(text, NAME_CHARS) {
                return no(key, format!("must have 1 to {NAME_CHARS} characters."));
            }
        }
        if too_long(&self.summary, MESSAGE_CHARS) {
            return no("summary", format!("must have at most {MESSAGE_CHARS} characters."));
        }
        if self.workloads.is_empty() {
            return no("workloads", "names none; a server serves at least one.".into());
        }
        for (i, workload) in self.workloads.iter().enumerate() {
            if self.workloads[..i].contains(workload) {
                return no("workloads", format!("names {} twice.", workload.name()));
            }
        }
        for os in &self.requires.os {
            if !["linux", "macos"].contains(&os.as_str()) {
                return no("requires.os", format!("{os:?} is none of linux and macos."));
            }
        }
        for file in &self.requires.files {
            if !file.starts_with('/') || file.split('/').any(|part| part == ".." || part == ".") {
                return no("requires.files", format!("{file:?} is not an absolute path."));
            }
        }
        for (name, option) in &self.options {
            let key = format!("options.{name}");
            if !is_slug(name) || placeholder::FIXED.contains(&name.as_str()) {
                return no(&key, "is not a name that an option can have.".into());
            }
            if !(option.min <= option.default && option.default <= option.max) {
                return no(
                    &key,
                    format!(
                        "the default {} is not between {} and {}.",
                        option.default, option.min, option.max
                    ),
                );
            }
            if option.min < -INTEGER_MOST || option.max > INTEGER_MOST {
                return no(
                    &key,
                    format!("goes beyond {INTEGER_MOST}, the largest number that is sent."),
                );
            }
        }
        let options: BTreeSet<&str> = self.option_names().collect();
        let in_build: BTreeSet<&str> = options.iter().copied().chain(["build_dir", "server_dir"]).collect();
        let in_run: BTreeSet<&str> = options.iter().copied().chain(placeholder::FIXED).collect();
        for (i, step) in self.build.steps.iter().enumerate() {
            check_argv(&format!("build.steps[{i}]"), step, &in_build)?;
        }
        for (name, value) in &self.build.env {
            placeholder::check(value, &in_build).map_err(|e| (format!("build.env.{name}"), e))?;
        }
        check_argv("run.command", &self.run.command, &in_run)?;
        for (name, value) in &self.run.env {
            placeholder::check(value, &in_run).map_err(|e| (format!("run.env.{name}"), e))?;
        }
        if !self.run.ready.path.starts_with('/') || self.run.ready.path.bytes().any(|b| !(0x21..0x7f).contains(&b)) {
            return no("run.ready.path", "must be a request path that starts with `/`.".into());
        }
        if !(0.1..=300.0).contains(&self.run.ready.within_s) {
            return no("run.ready.within_s", "must be between 0.1 and 300.".into());
        }
        Ok(())
    }

    /// Options that a placeholder may name. Every server can be asked for `{workers}`.
    pub fn option_names(&self) -> impl Iterator<Item = &str> {
        self.options.keys().map(String::as_str).chain(["workers"])
    }

    /// Every option with its value: what was asked for, else the default. `Err` is one sentence.
    pub fn resolve_options(&self, asked: &BTreeMap<String, i64>) -> Result<BTreeMap<String, i64>, String> {
        for (name, value) in asked {
            let Some(option) = self.options.get(name) else {
                let known: Vec<&str> = self.options.keys().map(String::as_str).collect();
                return Err(if known.is_empty() {
                    format!("The server {} has no option {name:?}; it has none at all.", self.name)
                } else {
                    format!(
                        "The server {} has no option {name:?}; it has {}.",
                        self.name,
                        known.join(", ")
                    )
                });
            };
            if *value < option.min || *value > option.max {
                return Err(format!(
                    "The option {name} of {} is {value}, but must be between {} and {}.",
                    self.name, option.min, option.max
                ));
            }
        }
        let value = |(name, option): (&String, &ServerOption)| {
            (name.clone(), asked.get(name).copied().unwrap_or(option.default))
        };
        Ok(self.options.iter().map(value).collect())
    }
}

/// The other side counts UTF-16 units.
fn too_long(text: &str, most: usize) -> bool {
    text.encode_utf16().count() > most
}

fn check_argv(key: &str, argv: &[String], known: &BTreeSet<&str>) -> Result<(), (String, String)> {
    if argv.first().is_none_or(|a| a.is_empty()) {
        return Err((key.to_owned(), "names no program.".to_owned()));
    }
    argv.iter()
        .try_for_each(|a| placeholder::check(a, known))
        .map_err(|e| (key.to_owned(), e))
}

/// As `Slug` of packages/protocol.
pub fn is_slug(text: &str) -> bool {
    let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    text.len() <= 64
        && text.bytes().next().is_some_and(letter)
        && text.bytes().all(|b| letter(b) || b".-_".contains(&b))
}

fn at_line(text: &str, error: &toml::de::Error) -> String {
    match error.span() {
        Some(span) => format!("line {}", text[..span.start.min(text.len())].matches('\n').count() + 1),
        None => "the file".to_owned(),
    }
}

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.ends_with('.') { line } else { format!("{line}.") }
}

#[cfg(test)]
#[path = "manifest_tests.rs"]
mod tests;
