//! What the local git is asked. It asks nobody for a password and takes no lock of the repository; it fetches only by
//! [`Repository::fetch`].

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::program::find_command;
use crate::text::plain;

/// Where a clone's owner allows that it is fetched from a remote: the name of that remote.
pub const FETCH_KEY: &str = "rigmark.fetch";

/// Digits of a commit that a person reads.
const SHORT: usize = 12;

/// What it says of an error, at most, in characters.
const WHY_CHARS: usize = 300;

/// What is read of what it prints to a remote's question.
const SAID_BYTES: u64 = 1 << 20;

/// A remote that does not answer holds the host for no longer.
const FETCH_MOST: Duration = Duration::from_secs(120);
const FETCH_LOOK: Duration = Duration::from_millis(50);

/// Whatever is asked: no hook runs, not even for an index that is written or a status, and no password is asked for.
const ALWAYS: [&str; 6] = [
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=",
    "-c",
    "core.askPass=",
];

/// Nothing but objects comes into the repository: no branch moves, nothing is tidied up.
const QUIET: [&str; 4] = ["-c", "gc.auto=0", "-c", "maintenance.auto=false"];
const FETCH: [&str; 8] = [
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-prune",
    "--no-recurse-submodules",
    "--no-write-fetch-head",
    "--refmap=",
    "--end-of-options",
];

/// A command that is started from a hook of git is told of that repository by these; another one is meant here.
const OF_A_HOOK: [&str; 8] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
];

#[derive(Debug, Clone)]
pub struct Git(PathBuf);

impl Git {
    pub fn found() -> Option<Self> {
        find_command("git").map(Self)
    }

    fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.0);
        OF_A_HOOK.iter().for_each(|name| {
            command.env_remove(name);
        });
        command
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .arg("-C")
            .arg(folder)
            .args(ALWAYS)
            // Large files are there or they are not.
            .args(["-c", "lfs.url=file:///dev/null"]);
        command
    }

    /// What it prints, without the last line break. `Err` is why it failed, in its own words.
    fn ask<S: AsRef<OsStr>>(&self, folder: &Path, arguments: &[S]) -> Result<String, String> {
        let output = self.command(folder).args(arguments).output();
        text(output.map_err(|e| e.to_string())?)
    }

    pub fn repository(&self, folder: &Path) -> Result<Repository, String> {
        let top = self.ask(folder, &["rev-parse", "--show-toplevel"])?;
        let git_dir = self.ask(folder, &["rev-parse", "--absolute-git-dir"])?;
        Ok(Repository {
            git: self.clone(),
            git_dir: PathBuf::from(git_dir),
            top: PathBuf::from(top),
        })
    }

    pub fn commit_of(&self, folder: &Path) -> Option<String> {
        self.ask(folder, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
            .ok()
    }

    /// Paths under version control, relative to the folder.
    pub fn tracked(&self, folder: &Path) -> Option<BTreeSet<String>> {
        let listed = self
            .ask(folder, &["ls-files", "-z", "--recurse-submodules", "--", "."])
            .ok()?;
        Some(
            listed
                .split('\0')
                .map(str::to_owned)
                .filter(|path| !path.is_empty())
                .collect(),
        )
    }

    /// Where in its repository the folder is; empty for all of it.
    pub fn prefix(&self, folder: &Path) -> Option<String> {
        let said = self.ask(folder, &["rev-parse", "--show-prefix"]).ok()?;
        Some(said.trim_end_matches('\n').trim_end_matches('/').to_owned())
    }

    /// Is a file of the folder another one than in the commit?
    pub fn is_changed(&self, folder: &Path) -> Option<bool> {
        let arguments = ["status", "--porcelain", "--untracked-files=no", "--", "."];
        Some(!self.ask(folder, &arguments).ok()?.is_empty())
    }
}

#[derive(Debug, Clone)]
pub struct Repository {
    git: Git,
    pub git_dir: PathBuf,
    pub top: PathBuf,
}

impl Repository {
    /// Of a folder below the top: `apps/server`; empty for the top itself.
    pub fn path_of(&self, start: &Path, below: &Path) -> String {
        let top = self.top.canonicalize().unwrap_or_else(|_| self.top.clone());
        let path = start.strip_prefix(top).unwrap_or(Path::new("")).join(below);
        path.to_string_lossy().trim_end_matches('/').to_owned()
    }

    pub fn commit(&self, reference: &str) -> Option<String> {
        let wanted = format!("{reference}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted];
        let said = self.git.ask(&self.top, &arguments).ok()?;
        let commit = said.lines().last()?.trim();
        is_commit(commit).then(|| commit.to_owned())
    }

    /// Of the repository's own configuration, which no commit can change.
    pub fn setting(&self, key: &str) -> Option<String> {
        self.git.ask(&self.top, &["config", "--local", "--get", key]).ok()
    }

    pub fn has_remote(&self, name: &str) -> bool {
        let remotes = self.git.ask(&self.top, &["remote"]);
        remotes.is_ok_and(|names| names.lines().any(|one| one == name))
    }

    /// What the remote has under these full names, in their order: the first that it has. `Err` is why it could not be asked.
    pub fn ask_remote(
        &self,
        remote: &str,
        names: &[String],
        stopped: &dyn Fn() -> bool,
    ) -> Result<Option<String>, String> {
        let arguments = ["ls-remote", "--quiet", "--end-of-options", remote];
        let names_asked = names.iter().map(String::as_str);
        let said = self.with_remote(&arguments.into_iter().chain(names_asked).collect::<Vec<_>>(), stopped)?;
        let object = |name: &String| {
            let mut lines = said.lines().filter_map(|line| line.split_once('\t'));
            let (object, _) = lines.find(|(_, found)| found == name)?;
            is_commit(object).then(|| object.to_owned())
        };
        Ok(names.iter().find_map(object))
    }

    /// Brings an object with what belongs to it, and changes nothing else.
    pub fn fetch(&self, remote: &str, object: &str, stopped: &dyn Fn() -> bool) -> Result<(), String> {
        let arguments: Vec<&str> = FETCH.into_iter().chain([remote, object]).collect();
        self.with_remote(&arguments, stopped).map(drop)
    }

    fn with_remote(&self, arguments: &[&str], stopped: &dyn Fn() -> bool) -> Result<String, String> {
        let mut command = self.git.command(&self.top);
        command
            .args(QUIET)
            .args(arguments)
            .env_remove("GIT_ASKPASS")
            .env_remove("SSH_ASKPASS")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // SAFETY: setsid is safe after fork. Without a terminal ssh can ask nobody, and the whole group can be ended.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                Ok(())
            });
        }
        let mut child = command.spawn().map_err(|e| e.to_string())?;
        let group = child.id() as libc::pid_t;
        let until = Instant::now() + FETCH_MOST;
        // In a thread: what fills a pipe would wait for its reader.
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let read = |from: Option<Box<dyn Read + Send>>| {
            std::thread::spawn(move || {
                let mut text = Vec::new();
                if let Some(from) = from {
                    let _ = from.take(SAID_BYTES).read_to_end(&mut text);
                }
                text
            })
        };
        let out = read(out.map(|out| Box::new(out) as Box<dyn Read + Send>));
        let err = read(err.map(|err| Box::new(err) as Box<dyn Read + Send>));
        let ended = loop {
            match child.try_wait() {
                Ok(Some(status)) => break Ok(status),
                Ok(None) if stopped() => break Err("the run was cancelled".to_owned()),
                Ok(None) if Instant::now() > until => {
                    break Err(format!("it took longer than {} s", FETCH_MOST.as_secs()));
                }
                Ok(None) => std::thread::sleep(FETCH_LOOK),
                Err(error) => break Err(error.to_string()),
            }
        };
        // Also what git left behind, such as a transport that went on.
        // SAFETY: kill takes no memory; the group is that of the child, which has its own session.
        unsafe { libc::kill(-group, libc::SIGKILL) };
        let _ = child.wait();
        let (stdout, stderr) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
        text(Output {
            status: ended?,
            stdout,
            stderr,
        })
    }

    /// `tree`, `blob` or `commit`, of a path at a commit; `None` where nothing is.
    pub fn kind(&self, commit: &str, path: &str) -> Option<String> {
        let object = format!("{commit}:{path}");
        self.git.ask(&self.top, &["cat-file", "-t", &object]).ok()
    }

    /// The repository of a submodule, where it is here too.
    pub fn submodule(&self, path: &str) -> Option<Self> {
        let found = self.git.repository(&self.top.join(path)).ok()?;
        (found.git_dir != self.git_dir).then_some(found)
    }

    /// Reads the commit into an index of its own and writes the files below `path` into `tree`, each at its own place.
    /// Returns the submodules there, with their commits. `Err` is why it failed.
    pub fn write(&self, commit: &str, path: &str, index: &Path, tree: &Path) -> Result<Vec<(String, String)>, String> {
        self.with(index, tree, &["read-tree", commit], b"")?;
        let below = if path.is_empty() {
            ".".to_owned()
        } else {
            format!(":(literal){path}")
        };
        let listed = self.with(index, tree, &["ls-files", "-z", "--stage", "--", &below], b"")?;
        let (mut files, mut submodules) = (String::new(), Vec::new());
        for line in listed.split('\0').filter(|line| !line.is_empty()) {
            let Some((what, path)) = line.split_once('\t') else {
                continue;
            };
            match what.strip_prefix("160000 ") {
                Some(rest) => {
                    let commit = rest.split(' ').next().unwrap_or_default();
                    submodules.push((path.to_owned(), commit.to_owned()));
                }
                None => {
                    files.push_str(path);
                    files.push('\0');
                }
            }
        }
        self.with(
            index,
            tree,
            &["checkout-index", "--force", "-z", "--stdin"],
            files.as_bytes(),
        )?;
        Ok(submodules)
    }

    fn with(&self, index: &Path, tree: &Path, arguments: &[&str], input: &[u8]) -> Result<String, String> {
        let mut command = self.git.command(tree);
        command
            .env("GIT_DIR", &self.git_dir)
            .env("GIT_WORK_TREE", tree)
            .env("GIT_INDEX_FILE", index)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| e.to_string())?;
        let mut stdin = child.stdin.take().expect("stdin is piped");
        // In a thread: git may print while it still reads.
        let input = input.to_owned();
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().map_err(|e| e.to_string())?;
        // What it did not read it says itself.
        let _ = writer.join();
        text(output)
    }
}

/// The beginning of a commit.
pub fn short(commit: &str) -> &str {
    &commit[..commit.len().min(SHORT)]
}

/// The whole name of an object.
pub fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit())
}

fn text(output: Output) -> Result<String, String> {
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout)
            .trim_end_matches('\n')
            .to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let first = said
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("it said nothing");
    let first = first.trim_start_matches("fatal: ").trim_start_matches("error: ");
    Err(format!("git: {}", plain(first.trim_end_matches('.'), WHY_CHARS)))
}
