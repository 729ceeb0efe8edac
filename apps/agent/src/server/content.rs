//! What a server's folder is: one hash over every file in it. An entry is known by it, and it names the build.
//!
//! sha256 over, for each file in order of its path: `path NUL mode NUL length NUL bytes`. The mode is `x` or `-`, as in
//! Git, because the other bits depend on the umask of whoever made the clone.

use std::fs::Metadata;
use std::io::ErrorKind;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};
use thiserror::Error;

/// Version control and what tools leave behind, whatever it is. It is not in the hash, so a build never sees it either.
pub const IGNORED: [&str; 25] = [
    ".git",
    ".hg",
    ".svn",
    ".jj",
    "node_modules",
    "__pycache__",
    ".venv",
    "venv",
    ".tox",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".gradle",
    ".stack-work",
    "dist-newstyle",
    ".zig-cache",
    "zig-cache",
    "zig-out",
    ".cache",
    ".direnv",
    ".devenv",
    ".next",
    ".DS_Store",
    ".rigmark",
    "rigmark-result",
];
/// Folders that builds leave behind; elsewhere they may hold sources.
pub const BUILT: [&str; 4] = ["build", "target", "_build", ".build"];
/// Those of .NET, beside its projects, which have any name.
const BUILT_BY_DOTNET: [&str; 2] = ["bin", "obj"];
/// What has such a folder made beside it.
const BUILD_FILES: [&str; 33] = [
    "Cargo.toml",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "build.xml",
    "build.sbt",
    "project.clj",
    "deps.edn",
    "package.json",
    "CMakeLists.txt",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "meson.build",
    "build.ninja",
    "configure",
    "configure.ac",
    "premake5.lua",
    "xmake.lua",
    "go.mod",
    "mix.exs",
    "rebar.config",
    "gleam.toml",
    "Package.swift",
    "dune-project",
    "dune-workspace",
    "pubspec.yaml",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "build.zig",
];
const MAX_FILES: usize = 20_000;
/// Files, folders and links together.
const MAX_ENTRIES: usize = 2 * MAX_FILES;
const MAX_BYTES: u64 = 256 << 20;

#[derive(Debug, Error)]
pub enum ContentError {
    #[error("{path} could not be read ({source}); check that it is there and readable.")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{path} could not be written ({source}); free some space or choose another folder with --state-dir.")]
    Write { path: PathBuf, source: std::io::Error },
    #[error(
        "{0} is a symbolic link that leads out of the server's folder, or to a folder around it; the folder's hash must say what runs: replace the link by a copy, or move it out of the folder."
    )]
    Symlink(PathBuf),
    #[error("{0} is neither a file nor a folder, so it cannot be part of a server.")]
    Special(PathBuf),
    #[error("{0} has a name that is not UTF-8, so it cannot be part of a server.")]
    Name(PathBuf),
    #[error("{0} is too large for a server's folder (at most 20000 files and 256 MiB); keep data elsewhere.")]
    TooLarge(PathBuf),
}

/// One file of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Relative, with `/` on every system.
    pub path: String,
    pub executable: bool,
    pub bytes: u64,
    /// The link to a folder through which it was reached; `None` for what stands in the folder itself.
    pub link: Option<String>,
}

/// Every file, sorted by path.
pub fn items(folder: &Path) -> Result<Vec<Item>, ContentError> {
    let top = folder.canonicalize().map_err(|source| ContentError::Io {
        path: folder.to_owned(),
        source,
    })?;
    let mut walk = Walk {
        top,
        open: Vec::new(),
        found: Vec::new(),
        bytes: 0,
        entries: 0,
    };
    walk.folder(folder, "", None)?;
    walk.found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(walk.found)
}

/// The hash in lower-case hexadecimal.
pub fn content_hash(folder: &Path) -> Result<String, ContentError> {
    let mut hash = Sha256::new();
    for item in items(folder)? {
        let path = folder.join(&item.path);
        let bytes = std::fs::read(&path).map_err(|source| ContentError::Io { path, source })?;
        let mode = if item.executable { "x" } else { "-" };
        hash.update(format!("{}\0{mode}\0{}\0", item.path, bytes.len()));
        hash.update(&bytes);
    }
    Ok(hex::encode(hash.finalize()))
}

/// Copies exactly what the hash covers.
pub fn copy(from: &Path, to: &Path) -> Result<(), ContentError> {
    for item in items(from)? {
        let (path, target) = (from.join(&item.path), to.join(&item.path));
        let done = target
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::copy(&path, &target).map(|_| ()));
        // Copying does not say which of the two failed.
        done.map_err(|source| match std::fs::File::open(&path) {
            Ok(_) => ContentError::Write { path: target, source },
            Err(source) => ContentError::Io { path, source },
        })?;
    }
    Ok(())
}

struct Walk {
    /// Without links, as all that follow.
    top: PathBuf,
    /// The folders that are being read, each in the one before.
    open: Vec<PathBuf>,
    found: Vec<Item>,
    bytes: u64,
    entries: usize,
}

impl Walk {
    fn folder(&mut self, folder: &Path, prefix: &str, link: Option<&str>) -> Result<(), ContentError> {
        self.open.push(folder.canonicalize().map_err(io(folder))?);
        for entry in std::fs::read_dir(folder).map_err(io(folder))? {
            let entry = entry.map_err(io(folder))?;
            let path = entry.path();
            let name = entry
                .file_name()
                .into_string()
                .map_err(|_| ContentError::Name(path.clone()))?;
            if IGNORED.contains(&name.as_str()) {
                continue;
            }
            let meta = std::fs::symlink_metadata(&path).map_err(io(&path))?;
            if is_made(&path, &name, &meta, prefix) {
                continue;
            }
            let is_link = meta.is_symlink();
            let Some(meta) = (if is_link { self.follow(&path)? } else { Some(meta) }) else {
                continue;
            };
            let relative = format!("{prefix}{name}");
            // Links to folders with links to folders are many paths to few files.
            self.entries += 1;
            if meta.is_dir() && self.entries <= MAX_ENTRIES {
                let link = link.or(is_link.then_some(&relative));
                self.folder(&path, &format!("{relative}/"), link)?;
            } else if meta.is_file() {
                self.bytes += meta.len();
                self.found.push(Item {
                    path: relative,
                    executable: meta.permissions().mode() & 0o100 != 0,
                    bytes: meta.len(),
                    link: link.map(str::to_owned),
                });
            } else if !meta.is_dir() {
                return Err(ContentError::Special(path));
            }
            if self.found.len() > MAX_FILES || self.bytes > MAX_BYTES || self.entries > MAX_ENTRIES {
                return Err(ContentError::TooLarge(path));
            }
        }
        self.open.pop();
        Ok(())
    }

    /// What a link leads to counts as if it stood there. `None` where that is nothing, as with the locks of an editor, or
    /// nothing that is copied.
    fn follow(&self, link: &Path) -> Result<Option<Metadata>, ContentError> {
        let refused = || ContentError::Symlink(link.to_owned());
        let target = match link.canonicalize() {
            Ok(target) => target,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // It may be there where this folder is not alone.
                let around = link.parent().unwrap_or(link).canonicalize().map_err(io(link))?;
                let target = lexical(&around.join(std::fs::read_link(link).map_err(io(link))?));
                return if target.starts_with(&self.top) {
                    Ok(None)
                } else {
                    Err(refused())
                };
            }
            Err(error) if error.raw_os_error() == Some(libc::ELOOP) => return Ok(None),
            Err(source) => return Err(io(link)(source)),
        };
        let Ok(below) = target.strip_prefix(&self.top) else {
            return Err(refused());
        };
        if self.open.iter().any(|open| open.starts_with(&target)) {
            return Err(refused());
        }
        if self.leaves_out(below) {
            return Ok(None);
        }
        std::fs::metadata(&target).map(Some).map_err(io(link))
    }

    /// Is it, or is a folder that it is in, none of what is copied? The path is below the top and has no links.
    fn leaves_out(&self, below: &Path) -> bool {
        below.ancestors().any(|part| {
            let Some(name) = part.file_name().and_then(|name| name.to_str()) else {
                return false;
            };
            let path = self.top.join(part);
            let prefix = part
                .parent()
                .map(|parent| format!("{}/", parent.display()))
                .unwrap_or_default();
            let made = std::fs::symlink_metadata(&path).is_ok_and(|meta| is_made(&path, name, &meta, &prefix));
            IGNORED.contains(&name) || made
        })
    }
}

/// Without `.` and `..`, of a path in which nothing is a link.
fn lexical(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(clean.pop()),
            other => clean.push(other),
        }
    }
    clean
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> ContentError {
    let path = path.to_owned();
    move |source| ContentError::Io { path, source }
}

/// Is it no source, although others of this name may be? A socket and a pipe have nothing to copy.
fn is_made(path: &Path, name: &str, meta: &std::fs::Metadata, prefix: &str) -> bool {
    let kind = meta.file_type();
    // A published package has its build file too, and may have sources in `build`.
    let vendored = prefix.starts_with("vendor/") || prefix.contains("/vendor/");
    match name {
        _ if kind.is_socket() || kind.is_fifo() => true,
        // A link of Nix to what it built.
        "result" => kind.is_symlink(),
        "env" => path.join("pyvenv.cfg").is_file(),
        _ => {
            let folder = kind.is_dir() || (kind.is_symlink() && !path.is_file());
            let beside = |is_made_by: fn(&Path) -> bool| path.parent().is_some_and(is_made_by);
            let built = BUILT.contains(&name) && beside(has_build_file);
            let by_dotnet = BUILT_BY_DOTNET.contains(&name) && beside(has_dotnet_project);
            folder && !vendored && (built || by_dotnet)
        }
    }
}

fn has_build_file(folder: &Path) -> bool {
    BUILD_FILES.iter().any(|name| folder.join(name).is_file())
}

fn has_dotnet_project(folder: &Path) -> bool {
    let is_project = |path: PathBuf| {
        path.extension()
            .is_some_and(|ending| ending == "csproj" || ending == "fsproj")
    };
    let mut entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.any(|entry| is_project(entry.path()))
}

#[cfg(test)]
#[path = "content_tests.rs"]
mod tests;
