//! What the local git is asked. It never fetches, asks nobody for a password, and takes no lock of the repository.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::program::find_command;
use crate::text::plain;

/// What it says of an error, at most, in characters.
const WHY_CHARS: usize = 300;

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
        let is_commit = matches!(commit.len(), 40 | 64) && commit.bytes().all(|b| b.is_ascii_hexdigit());
        is_commit.then(|| commit.to_owned())
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
