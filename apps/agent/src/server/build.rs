//! Builds into a cache that is keyed by what is built and what builds it.
//!
//! `<state>/builds/<hash>` leads to a folder with `src/<name>` (a copy of exactly the files that the hash covers, so nothing
//! else can get into the build), `out` (`{build_dir}`) and `build.log`. The folder stays where it was built, because programs
//! may name their own place (Python's environments do); the link to it appears by one rename, so a build that is in the
//! cache is whole.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio::process::Command;

use super::content::{self, ContentError};
use super::placeholder;
use super::{Server, toolchain};
use crate::program::find_command;
use crate::sandbox::child::{Child, OnLine};
use crate::sandbox::harden;
use crate::state::{State, StateError};
use crate::text::plain;
use crate::tool::output::ProcessExit;

const STEP_LIMIT: Duration = Duration::from_secs(30 * 60);
const LOG_BYTES: usize = 4 << 20;
/// What is still being built, with the number of who does it.
const BUILDING: &str = ".tmp-";
/// Lines of the log that an error repeats.
const TAIL_LINES: usize = 3;
/// The most that an error repeats of them, in characters.
const TAIL_CHARS: usize = 600;

#[derive(Debug, Error)]
pub enum BuildError {
    #[error("{server} cannot be built here: {why}")]
    Unsupported { server: String, why: String },
    #[error("Building {server} failed: `{step}` ended with {how}: {tail} The whole log is {log}.")]
    Failed {
        server: String,
        step: String,
        how: String,
        tail: String,
        log: PathBuf,
    },
    #[error("Building {server} failed: `{step}` could not be started ({source}); install it and try again.")]
    Spawn {
        server: String,
        step: String,
        source: std::io::Error,
    },
    #[error("Building {server} failed: `{step}` was stopped because it took longer than 30 minutes.")]
    TimedOut { server: String, step: String },
    #[error(
        "Building {server} made no {program}, which its server.toml wants to run; check build.steps and run.command."
    )]
    NoProgram { server: String, program: String },
    #[error("The folder of {0} changed while it was being read; try again when nothing writes to it.")]
    Changed(String),
    #[error(transparent)]
    Content(#[from] ContentError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error("{path} could not be written ({source}); free some space or choose another folder with --state-dir.")]
    Io { path: PathBuf, source: std::io::Error },
}

/// A build in the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    pub build_dir: PathBuf,
    pub server_dir: PathBuf,
    pub log: PathBuf,
    /// It was there already.
    pub cached: bool,
}

impl Built {
    /// The copy has the folder's own name, because Makefiles ask for it.
    fn at(folder: &Path, server: &Server, cached: bool) -> Self {
        Self {
            build_dir: folder.join("out"),
            server_dir: folder.join("src").join(&server.manifest.name),
            log: folder.join("build.log"),
            cached,
        }
    }
}

/// `on_line` gets each line that the build prints.
pub async fn build(
    server: &Server,
    options: &BTreeMap<String, i64>,
    state: &State,
    force: bool,
    on_line: OnLine,
) -> Result<Built, BuildError> {
    if let Some(missing) = server.missing() {
        return Err(BuildError::Unsupported {
            server: server.manifest.name.clone(),
            why: crate::fix::said(&missing.reason, missing.fix.as_deref()),
        });
    }
    let builds = state.dir("builds")?;
    let target = builds.join(key(server, options, &toolchain::lines(&server.manifest.requires)));
    if target.is_dir() && !force {
        return Ok(Built::at(&target, server, true));
    }
    sweep(&builds);
    let unfinished = Unfinished::begin(&builds, &target)?;
    let outcome = build_in(&unfinished.folder, server, options, on_line).await;
    if let Err(error) = outcome {
        let kept = keep_log(&builds, &unfinished.folder, &server.manifest.name);
        return Err(match (error, kept) {
            (
                BuildError::Failed {
                    server,
                    step,
                    how,
                    tail,
                    ..
                },
                Some(log),
            ) => BuildError::Failed {
                server,
                step,
                how,
                tail,
                log,
            },
            (other, _) => other,
        });
    }
    if force || !target.is_dir() {
        unfinished.finish(&target).map_err(|source| BuildError::Io {
            path: target.clone(),
            source,
        })?;
    }
    Ok(Built::at(&target, server, false))
}

/// The folder of a build and the link that will lead to it, which has the builder's number until then. Gone when dropped,
/// also when the build was cancelled; somebody else who was faster with the same build has one that is as good.
struct Unfinished {
    folder: PathBuf,
    link: PathBuf,
}

impl Unfinished {
    fn begin(builds: &Path, target: &Path) -> Result<Self, BuildError> {
        let one = uuid::Uuid::now_v7().simple().to_string();
        let hash = target.file_name().unwrap_or_default().to_string_lossy();
        let folder = builds.join(format!("{hash}-{one}"));
        let link = builds.join(format!("{BUILDING}{}-{one}", std::process::id()));
        let io = |source| BuildError::Io {
            path: folder.clone(),
            source,
        };
        std::os::unix::fs::symlink(folder.file_name().unwrap_or_default(), &link).map_err(io)?;
        Ok(Self { folder, link })
    }

    fn finish(mut self, target: &Path) -> std::io::Result<()> {
        let before = std::fs::canonicalize(target).ok();
        // Of an older version: a folder, over which no link can be put.
        if target.is_dir() && !target.is_symlink() {
            std::fs::remove_dir_all(target)?;
        }
        std::fs::rename(&self.link, target)?;
        self.folder = PathBuf::new();
        if let Some(before) = before {
            let _ = std::fs::remove_dir_all(before);
        }
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if self.folder.as_os_str().is_empty() {
            return;
        }
        let _ = std::fs::remove_dir_all(&self.folder);
        let _ = std::fs::remove_file(&self.link);
    }
}

/// A hash over the folder's, the options that the build depends on, and what it is built with.
fn key(server: &Server, options: &BTreeMap<String, i64>, toolchain: &[String]) -> String {
    let build = &server.manifest.build;
    let words = build.steps.iter().flatten().chain(build.env.values());
    let used: BTreeMap<&str, i64> = words
        .flat_map(|word| placeholder::names(word).unwrap_or_default())
        .filter_map(|name| options.get(name).map(|value| (name, *value)))
        .collect();
    let all = serde_json::json!([server.content_hash, used, toolchain]);
    hex::encode(Sha256::digest(all.to_string()))
}

async fn build_in(
    folder: &Path,
    server: &Server,
    options: &BTreeMap<String, i64>,
    on_line: OnLine,
) -> Result<(), BuildError> {
    let built = Built::at(folder, server, false);
    let io = |source| BuildError::Io {
        path: folder.to_owned(),
        source,
    };
    std::fs::create_dir_all(&built.build_dir).map_err(io)?;
    content::copy(&server.folder, &built.server_dir)?;
    if content::content_hash(&built.server_dir)? != server.content_hash {
        return Err(BuildError::Changed(server.manifest.name.clone()));
    }
    let log = Arc::new(Mutex::new(std::fs::File::create(&built.log).map_err(io)?));
    let mut values: BTreeMap<String, String> = options.iter().map(|(k, v)| (k.clone(), v.to_string())).collect();
    values
        .entry("workers".into())
        .or_insert_with(|| super::manifest::DEFAULT_WORKERS.to_string());
    values.insert("build_dir".into(), built.build_dir.display().to_string());
    values.insert("server_dir".into(), built.server_dir.display().to_string());
    for step in &server.manifest.build.steps {
        let argv: Vec<String> = step.iter().map(|word| placeholder::fill(word, &values)).collect();
        run_step(server, &argv, &values, &built, log.clone(), on_line.clone()).await?;
    }
    // Said here, where it can be fixed, and not at each start.
    let program = placeholder::fill(&server.manifest.run.command[0], &values);
    if server.manifest.run.command[0].contains("{build_dir}") && !Path::new(&program).is_file() {
        return Err(BuildError::NoProgram {
            server: server.manifest.name.clone(),
            program: server.manifest.run.command[0].clone(),
        });
    }
    Ok(())
}

async fn run_step(
    server: &Server,
    argv: &[String],
    values: &BTreeMap<String, String>,
    built: &Built,
    log: Arc<Mutex<std::fs::File>>,
    on_line: OnLine,
) -> Result<(), BuildError> {
    let name = || server.manifest.name.clone();
    let step = argv.join(" ");
    let _ = writeln!(log.lock().expect("no writer panics"), "$ {step}");
    let program = find_command(&argv[0]).unwrap_or_else(|| PathBuf::from(&argv[0]));
    let mut command = Command::new(program);
    command
        .args(&argv[1..])
        .current_dir(&built.server_dir)
        .stdin(Stdio::null());
    // A build needs its user's caches and proxies, so the environment stays; the agent's own variables do not.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("RIGMARK_") {
            command.env_remove(name);
        }
    }
    for (name, value) in &server.manifest.build.env {
        command.env(name, placeholder::fill(value, values));
    }
    harden(command.as_std_mut());
    let both: OnLine = Arc::new(move |from, line| {
        let _ = writeln!(log.lock().expect("no writer panics"), "{line}");
        on_line(from, line);
    });
    let mut child = Child::spawn(&mut command, LOG_BYTES, both).map_err(|source| BuildError::Spawn {
        server: name(),
        step: step.clone(),
        source,
    })?;
    let ended = tokio::time::timeout(STEP_LIMIT, child.wait())
        .await
        .map_err(|_| BuildError::TimedOut {
            server: name(),
            step: step.clone(),
        })?;
    let output = child.output().await;
    if ended.exit == ProcessExit::Code(0) {
        return Ok(());
    }
    let said = if output.stderr.is_empty() {
        output.stdout
    } else {
        output.stderr
    };
    Err(BuildError::Failed {
        server: name(),
        step,
        how: super::process::spoken_exit(ended.exit),
        tail: tail(&String::from_utf8_lossy(&said)),
        log: built.log.clone(),
    })
}

/// What matters of a failed build's output: the first lines that say "error", else the last. Fit for a terminal.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let errors: Vec<&str> = lines
        .iter()
        .filter(|l| l.contains("error"))
        .take(TAIL_LINES)
        .copied()
        .collect();
    let chosen = if errors.is_empty() {
        lines[lines.len().saturating_sub(TAIL_LINES)..].to_vec()
    } else {
        errors
    };
    let text = plain(&chosen.join(" / "), TAIL_CHARS);
    if text.is_empty() {
        "it printed nothing.".to_owned()
    } else {
        format!("{text}.")
    }
}

/// The log of a build that failed, kept under the server's name until the next failure.
fn keep_log(builds: &Path, temporary: &Path, name: &str) -> Option<PathBuf> {
    let kept = builds.join(format!("{name}.failed.log"));
    std::fs::rename(temporary.join("build.log"), &kept).ok()?;
    Some(kept)
}

/// What agents that are gone were building.
fn sweep(builds: &Path) {
    for entry in std::fs::read_dir(builds).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let owner = name
            .strip_prefix(BUILDING)
            .and_then(|r| r.split('-').next()?.parse::<i32>().ok());
        if owner.is_some_and(crate::state::is_gone) {
            // Builds run others' commands: a link that leads out of this folder is not followed.
            let folder = std::fs::read_link(entry.path()).ok();
            let name = folder.as_deref().and_then(Path::file_name).map(ToOwned::to_owned);
            let _ = std::fs::remove_dir_all(builds.join(name.unwrap_or(entry.file_name())));
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::Assets;

    #[test]
    fn another_compiler_makes_another_build() {
        let server = Server::find(&Assets::locate(None).unwrap(), "epoll").unwrap();
        let with = |workers: i64, cc: &str| {
            let options = BTreeMap::from([("workers".to_owned(), workers)]);
            key(&server, &options, &[format!("cc {cc}")])
        };
        assert_eq!(with(1, "gcc 13"), with(1, "gcc 13"));
        assert_ne!(with(1, "gcc 13"), with(1, "gcc 14"));
        // The number of workers is no matter of the build.
        assert_eq!(with(1, "gcc 13"), with(2, "gcc 13"));
    }

    /// Scripts that a build installs name the interpreter beside them by its whole path.
    #[tokio::test]
    async fn a_build_stays_where_it_was_built_and_a_forced_one_takes_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("placed");
        std::fs::create_dir(&folder).unwrap();
        let manifest = r#"schema = 1
name = "placed"
title = "Placed"
language = "C"
summary = "Writes down where it was built."
license = "MIT"
workloads = ["plaintext"]
[requires]
os = ["linux", "macos"]
commands = ["sh"]
[build]
steps = [["sh", "-c", "echo {build_dir} > {build_dir}/place"]]
[run]
command = ["{build_dir}/place"]
env = {}
ready = { path = "/plaintext", within_s = 10 }
"#;
        std::fs::write(folder.join("server.toml"), manifest).unwrap();
        let server = Server::find(&Assets::locate(None).unwrap(), &folder.display().to_string()).unwrap();
        let state = State::locate(Some(&dir.path().join("state")));
        let mut places = Vec::new();
        for (force, cached) in [(false, false), (false, true), (true, false)] {
            let quiet: OnLine = Arc::new(|_, _| {});
            let built = build(&server, &BTreeMap::new(), &state, force, quiet).await.unwrap();
            assert_eq!(built.cached, cached);
            let place = std::fs::read_to_string(built.build_dir.join("place")).unwrap();
            let place = PathBuf::from(place.trim());
            assert_eq!(place.canonicalize().unwrap(), built.build_dir.canonicalize().unwrap());
            places.push(place);
        }
        assert!(places[0] == places[1] && !places[0].exists() && places[2].exists());
        // The build and the link to it.
        assert_eq!(std::fs::read_dir(state.dir("builds").unwrap()).unwrap().count(), 2);
    }

    #[test]
    fn what_a_build_printed_moves_no_cursor_and_sets_no_title() {
        let printed = "cc -c x.c\nx.c:1: \u{1b}[1;31merror:\u{1b}[m no \u{1b}]0;owned\u{7}\r\n";
        assert_eq!(tail(printed), "x.c:1: [1;31merror:[m no ]0;owned.");
        assert_eq!(tail("\u{1b}\n"), "it printed nothing.");
    }
}
