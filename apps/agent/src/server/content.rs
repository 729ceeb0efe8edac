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
/// With folders.
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
    /// Path of the link that leads to the folder that it is in; its own path has no link otherwise, or is one.
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
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("src")).unwrap();
        std::fs::write(dir.path().join("src/main.c"), "int main;").unwrap();
        std::fs::write(dir.path().join("server.toml"), "x").unwrap();
        dir
    }

    #[test]
    fn the_hash_is_the_stated_one() {
        let dir = folder();
        let expected = Sha256::digest(b"server.toml\0-\x001\0xsrc/main.c\0-\x009\0int main;");
        assert_eq!(content_hash(dir.path()).unwrap(), hex::encode(expected));
    }

    #[test]
    fn bytes_names_and_the_executable_bit_change_it_and_build_folders_do_not() {
        let dir = folder();
        std::fs::write(dir.path().join("Cargo.toml"), "x").unwrap();
        let before = content_hash(dir.path()).unwrap();
        std::fs::create_dir(dir.path().join("target")).unwrap();
        std::fs::write(dir.path().join("target/out"), "o").unwrap();
        assert_eq!(content_hash(dir.path()).unwrap(), before);

        let file = dir.path().join("src/main.c");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        let executable = content_hash(dir.path()).unwrap();
        assert_ne!(executable, before);
        std::fs::write(&file, "int mair;").unwrap();
        assert_ne!(content_hash(dir.path()).unwrap(), executable);
    }

    #[test]
    fn what_was_vendored_is_there_whole() {
        let dir = folder();
        for package in ["", "vendor/rustversion"] {
            let package = dir.path().join(package);
            std::fs::create_dir_all(package.join("build")).unwrap();
            std::fs::write(package.join("build/build.rs"), "x").unwrap();
            std::fs::write(package.join("Cargo.toml"), "x").unwrap();
        }
        assert_eq!(
            paths(&dir),
            [
                "Cargo.toml",
                "server.toml",
                "src/main.c",
                "vendor/rustversion/Cargo.toml",
                "vendor/rustversion/build/build.rs"
            ]
        );
    }

    fn paths(dir: &tempfile::TempDir) -> Vec<String> {
        items(dir.path()).unwrap().into_iter().map(|item| item.path).collect()
    }

    #[test]
    fn a_folder_named_build_is_left_out_only_beside_a_build_file() {
        let dir = folder();
        for place in ["build", "src/build", "src/target"] {
            std::fs::create_dir(dir.path().join(place)).unwrap();
            std::fs::write(dir.path().join(place).join("one.c"), "x").unwrap();
        }
        let sources = ["server.toml", "src/build/one.c", "src/main.c", "src/target/one.c"];
        assert_eq!(paths(&dir), [&["build/one.c"][..], &sources].concat());
        std::fs::write(dir.path().join("Makefile"), "x").unwrap();
        assert_eq!(paths(&dir), [&["Makefile"][..], &sources].concat());
        // Of .NET, whose projects have any name.
        std::fs::create_dir(dir.path().join("bin")).unwrap();
        std::fs::write(dir.path().join("bin/tool"), "x").unwrap();
        assert!(paths(&dir).contains(&"bin/tool".to_owned()));
        std::fs::write(dir.path().join("api.csproj"), "x").unwrap();
        assert!(!paths(&dir).contains(&"bin/tool".to_owned()));
        std::fs::remove_file(dir.path().join("api.csproj")).unwrap();
        std::fs::remove_dir_all(dir.path().join("bin")).unwrap();
        // As a script of this name.
        std::fs::remove_dir_all(dir.path().join("build")).unwrap();
        std::fs::write(dir.path().join("build"), "x").unwrap();
        assert_eq!(paths(&dir), [&["Makefile", "build"][..], &sources].concat());
    }

    #[test]
    fn what_tools_leave_behind_is_no_part_of_it() {
        let dir = folder();
        let before = paths(&dir);
        let at = |name: &str| dir.path().join(name);
        std::os::unix::fs::symlink("/nix/store/x", at("result")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("run.sock")).unwrap();
        for name in ["env", ".direnv", ".next"] {
            std::fs::create_dir(at(name)).unwrap();
            std::fs::write(at(name).join("pyvenv.cfg"), "x").unwrap();
        }
        assert_eq!(paths(&dir), before);
        // Sources may have these names.
        std::fs::remove_file(at("result")).unwrap();
        std::fs::rename(at("env/pyvenv.cfg"), at("env/a.rs")).unwrap();
        std::fs::write(at("result"), "x").unwrap();
        assert_eq!(paths(&dir), ["env/a.rs", "result", "server.toml", "src/main.c"]);
    }

    #[test]
    fn a_link_counts_as_what_it_leads_to_within_the_folder() {
        let dir = folder();
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, dir.path().join(name)).unwrap();
        link("src/main.c", "main.c");
        link("src", "again");
        link("of-nothing", ".#main.c");
        link("round", "round");
        assert_eq!(paths(&dir), ["again/main.c", "main.c", "server.toml", "src/main.c"]);
        let linked = content_hash(dir.path()).unwrap();
        let links: Vec<Option<String>> = items(dir.path()).unwrap().into_iter().map(|item| item.link).collect();
        assert_eq!(links, [Some("again".to_owned()), None, None, None]);

        let to = tempfile::tempdir().unwrap();
        copy(dir.path(), to.path()).unwrap();
        assert_eq!(content_hash(to.path()).unwrap(), linked);
        assert!(std::fs::symlink_metadata(to.path().join("main.c")).unwrap().is_file());
        std::fs::write(dir.path().join("src/main.c"), "int mair;").unwrap();
        assert_ne!(content_hash(dir.path()).unwrap(), linked);
    }

    #[test]
    fn a_link_to_what_is_not_copied_leads_nowhere() {
        let dir = folder();
        let before = paths(&dir);
        for made in ["node_modules", "target"] {
            std::fs::create_dir(dir.path().join(made)).unwrap();
            std::fs::write(dir.path().join(made).join("tool"), "x").unwrap();
            std::os::unix::fs::symlink(format!("../{made}/tool"), dir.path().join(format!("src/{made}-tool"))).unwrap();
        }
        std::fs::write(dir.path().join("Cargo.toml"), "x").unwrap();
        assert_eq!(paths(&dir), [&["Cargo.toml".to_owned()][..], &before].concat());
        // A program of this name is no folder of builds.
        std::os::unix::fs::symlink("src/main.c", dir.path().join("build")).unwrap();
        assert!(paths(&dir).contains(&"build".to_owned()));
    }

    #[test]
    fn links_to_each_other_are_refused_and_many_of_them_are_too_large() {
        let dir = folder();
        for (name, to) in [("a", "b"), ("b", "a")] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
            std::os::unix::fs::symlink(format!("../{to}"), dir.path().join(name).join("x")).unwrap();
        }
        assert!(matches!(items(dir.path()), Err(ContentError::Symlink(_))));
        let dir = folder();
        for level in 0..30 {
            let at = dir.path().join(format!("l{level}"));
            std::fs::create_dir(&at).unwrap();
            for name in ["p", "q"] {
                std::os::unix::fs::symlink(format!("../l{}", level + 1), at.join(name)).unwrap();
            }
        }
        std::fs::create_dir(dir.path().join("l30")).unwrap();
        assert!(matches!(items(dir.path()), Err(ContentError::TooLarge(_))));
    }

    #[test]
    fn a_link_out_of_the_folder_or_around_itself_is_refused() {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("AGENTS.md"), "x").unwrap();
        for to in [
            outside.path().join("AGENTS.md"),
            "..".into(),
            "../src".into(),
            ".".into(),
            "../../gone".into(),
        ] {
            let dir = folder();
            std::os::unix::fs::symlink(&to, dir.path().join("src/link")).unwrap();
            let refused = content_hash(dir.path()).unwrap_err();
            assert!(matches!(refused, ContentError::Symlink(_)), "{to:?}: {refused}");
            assert!(refused.to_string().contains("replace the link by a copy"), "{refused}");
        }
    }

    #[test]
    fn a_copy_has_the_same_hash() {
        let dir = folder();
        let to = tempfile::tempdir().unwrap();
        copy(dir.path(), to.path()).unwrap();
        assert_eq!(content_hash(to.path()).unwrap(), content_hash(dir.path()).unwrap());
    }
}
