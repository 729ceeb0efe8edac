//! `server.toml`: what a server's folder says about itself. Strict: an unknown key is an error, and every error names
//! the file, the place in it and the key.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::placeholder;
use crate::protocol::catalogue::{INTEGER_MOST, NAME_CHARS, ServerOption};
use crate::protocol::journal::MESSAGE_CHARS;
use crate::protocol::spec::Workload;
use crate::toml_position::{self, Position};

pub const FILE_NAME: &str = "server.toml";
/// Workers of a server that was not told otherwise.
pub const DEFAULT_WORKERS: i64 = 2;
/// Seconds until a server must be ready that does not say for itself.
pub const READY_WITHIN_S: f64 = 10.0;

#[derive(Debug, Error)]
pub enum ManifestError {
    #[error(
        "{path} could not be read ({source}); a server is a folder with a server.toml in it, which `rigmark new server` writes."
    )]
    Read { path: PathBuf, source: std::io::Error },
    /// `key` is empty where the problem is of the whole file, or of what is no TOML.
    #[error("{}:{position}: {}{problem}", .path.display(), prefix(.key))]
    Wrong {
        path: PathBuf,
        position: Position,
        key: String,
        problem: String,
    },
}

fn prefix(key: &str) -> String {
    if key.is_empty() {
        String::new()
    } else {
        format!("{key}: ")
    }
}

/// How a server is built and started.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "server.toml"))]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of this format.
    #[cfg_attr(test, schemars(range(min = 1, max = 1)))]
    pub schema: u32,
    /// What the server is called on the command line: the folder's name.
    #[cfg_attr(test, schemars(regex(pattern = r"^[a-z0-9][a-z0-9._-]{0,63}$")))]
    pub name: String,
    /// What it is called in tables and charts.
    #[cfg_attr(test, schemars(length(min = 1, max = NAME_CHARS)))]
    pub title: String,
    #[cfg_attr(test, schemars(length(min = 1, max = NAME_CHARS)))]
    pub language: String,
    /// One line.
    #[cfg_attr(test, schemars(length(max = MESSAGE_CHARS)))]
    pub summary: String,
    /// Such as MIT; an SPDX identifier where there is one.
    #[cfg_attr(test, schemars(length(min = 1, max = NAME_CHARS)))]
    pub license: String,
    /// The contracts that it answers. A server that knows none is loaded by scenarios that say themselves what they send.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("uniqueItems" = true)))]
    pub workloads: Vec<Workload>,
    /// It compiles while it runs, so its first seconds are slower: the warm-up goes on until its speed is steady.
    #[serde(default)]
    pub jit: bool,
    #[serde(default)]
    pub requires: Requires,
    /// What a host needs to run a build that comes with the agent, made elsewhere. Of bundled servers only; without it none comes.
    #[serde(default)]
    pub prebuilt: Option<Requires>,
    #[serde(default)]
    pub build: Build,
    pub run: Run,
    /// Numbers that a run may set; `{NAME}` in a command or a variable is filled in.
    #[serde(default)]
    pub options: BTreeMap<String, ServerOption>,
}

/// What the host must have. An empty list demands nothing.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Requires {
    #[cfg_attr(test, schemars(inner(regex(pattern = r"^(linux|macos)$"))))]
    pub os: Vec<String>,
    /// Such as x86_64 and aarch64.
    pub arch: Vec<String>,
    /// Programs that must be found.
    pub commands: Vec<String>,
    /// Libraries that pkg-config must know.
    pub pkg_config: Vec<String>,
    /// Absolute paths; `*` stands for one name or a part of it, since Debian has a folder for each architecture.
    pub files: Vec<String>,
    /// Packages that bring the above, for the hint.
    pub debian: Vec<String>,
    /// The whole command for Debian 12 and Raspberry Pi OS 12, where what they have under these names is missing or too old.
    pub debian_12: Option<String>,
    pub homebrew: Vec<String>,
    /// The whole command for macOS, where more is to be done than `brew install`.
    pub macos: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Build {
    /// Argv arrays, run in order in a copy of the server's folder. What they make goes to `{build_dir}`.
    #[cfg_attr(test, schemars(inner(length(min = 1))))]
    pub steps: Vec<Vec<String>>,
    pub env: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// An argv array, never a line for a shell. `{port}`, `{address}`, `{build_dir}`, `{server_dir}`, `{work_dir}`, `{root}` and
    /// options are filled in.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub command: Vec<String>,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Where it always listens on the same port: that one. Without it each start gets a free one.
    #[serde(default)]
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub port: Option<u16>,
    #[serde(default)]
    pub ready: Ready,
}

/// When it may be loaded.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Ready {
    /// GET of it returns 200. Without one, any response to GET / is enough.
    #[cfg_attr(test, schemars(regex(pattern = r"^/[!-~]*$")))]
    pub path: Option<String>,
    /// Seconds, 0.1 to 300.
    #[cfg_attr(test, schemars(range(min = 0.1, max = 300.0)))]
    pub within_s: f64,
}

impl Default for Ready {
    fn default() -> Self {
        Self {
            path: None,
            within_s: READY_WITHIN_S,
        }
    }
}

impl Ready {
    /// What is asked for.
    pub fn target(&self) -> &str {
        self.path.as_deref().unwrap_or("/")
    }
}

impl Manifest {
    /// Whether it compiles while it runs, also where it does not say so: any Java server does.
    pub fn compiles_while_running(&self) -> bool {
        self.jit || self.requires.commands.iter().any(|c| c == "java")
    }

    /// `name` is the folder's name, where the manifest must have the same.
    pub fn read(folder: &Path, name: Option<&str>) -> Result<Self, ManifestError> {
        let path = folder.join(FILE_NAME);
        let text = std::fs::read_to_string(&path).map_err(|source| ManifestError::Read {
            path: path.clone(),
            source,
        })?;
        Self::parse(&text, &path, name)
    }

    /// `folder` is the name that the manifest must have; `None` where it may have any.
    pub fn parse(text: &str, path: &Path, folder: Option<&str>) -> Result<Self, ManifestError> {
        let wrong = |position: Option<Position>, key: String, problem: String| ManifestError::Wrong {
            path: path.to_owned(),
            position: position.unwrap_or(toml_position::FILE),
            key,
            problem,
        };
        let of_error = |e: &toml::de::Error| toml_position::of_error(text, e);
        let deserializer =
            toml::Deserializer::parse(text).map_err(|e| wrong(of_error(&e), String::new(), one_line(e.message())))?;
        let manifest: Manifest = serde_path_to_error::deserialize(deserializer).map_err(|e| {
            let key = Some(e.path().to_string()).filter(|key| key != ".").unwrap_or_default();
            let position = of_error(e.inner()).or_else(|| toml_position::of_key(text, &key));
            wrong(position, key, one_line(e.inner().message()))
        })?;
        manifest
            .check(folder)
            .map_err(|(key, problem)| wrong(toml_position::of_key(text, &key), key, problem))?;
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
        for (i, workload) in self.workloads.iter().enumerate() {
            if self.workloads[..i].contains(workload) {
                return no(&format!("workloads[{i}]"), format!("names {} twice.", workload.name()));
            }
        }
        for (i, os) in self.requires.os.iter().enumerate() {
            if !["linux", "macos"].contains(&os.as_str()) {
                return no(
                    &format!("requires.os[{i}]"),
                    format!("{os:?} is neither linux nor macos."),
                );
            }
        }
        for (i, file) in self.requires.files.iter().enumerate() {
            if !file.starts_with('/') || file.split('/').any(|part| part == ".." || part == ".") {
                return no(
                    &format!("requires.files[{i}]"),
                    format!("{file:?} is not an absolute path."),
                );
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
        if self.run.port == Some(0) {
            return no("run.port", "must be between 1 and 65535.".into());
        }
        let path = self.run.ready.target();
        if !path.starts_with('/') || path.bytes().any(|b| !(0x21..0x7f).contains(&b)) {
            return no("run.ready.path", "must be a request path that starts with `/`.".into());
        }
        if !(0.1..=300.0).contains(&self.run.ready.within_s) {
            return no("run.ready.within_s", "must be between 0.1 and 300.".into());
        }
        Ok(())
    }

    /// Is it told at which port to listen, or does it always know?
    pub fn uses_port(&self) -> bool {
        self.run.port.is_some() || self.is_told("{port}")
    }

    /// Is it told how many workers it is to have? One that is not takes what it gets.
    pub fn uses_workers(&self) -> bool {
        self.is_told("{workers}")
    }

    fn is_told(&self, placeholder: &str) -> bool {
        let words = self.run.command.iter().chain(self.run.env.values());
        words.into_iter().any(|word| word.contains(placeholder))
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
    for (i, word) in argv.iter().enumerate() {
        placeholder::check(word, known).map_err(|e| (format!("{key}[{i}]"), e))?;
    }
    Ok(())
}

/// As `Slug` of packages/protocol.
pub fn is_slug(text: &str) -> bool {
    let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    text.len() <= 64
        && text.bytes().next().is_some_and(letter)
        && text.bytes().all(|b| letter(b) || b".-_".contains(&b))
}

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.ends_with('.') { line } else { format!("{line}.") }
}

#[cfg(test)]
#[path = "manifest_tests.rs"]
mod tests;
