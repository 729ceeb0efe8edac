//! What a server's folder is: one hash over every file in it. An entry is known by it, and it names the build.
//!
//! sha256 over, for each file in order of its path: `path NUL mode NUL length NUL bytes`. The mode is `x` or `-`, as in
//! Git, because the other bits depend on the umask of whoever made the clone.

use std::fs::Metadata;
use std::io::ErrorKind;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

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
    /// In a folder that a link leads to; it has another path, too.
    pub below_link: bool,
}

/// Every file, sorted by path.
pub fn items(folder: &Path) -> Result<Vec<Item>, ContentError> {
    let top = folder.canonicalize().map_err(|source| ContentError::Io {
        path: folder.to_owned(),
        source,
    })?;
    let mut walk = Walk {
        top,
        found: Vec::new(),
        bytes: 0,
    };
    walk.folder(folder, "", false)?;
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
    /// Without links.
    top: PathBuf,
    found: Vec<Item>,
    bytes: u64,
}

impl Walk {
    fn folder(&mut self, folder: &Path, prefix: &str, below_link: bool) -> Result<(), ContentError> {
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
            if meta.is_dir() {
                self.folder(&path, &format!("{relative}/"), below_link || is_link)?;
            } else if meta.is_file() {
                self.bytes += meta.len();
                self.found.push(Item {
                    path: relative,
                    executable: meta.permissions().mode() & 0o100 != 0,
                    bytes: meta.len(),
                    below_link,
                });
            } else {
                return Err(ContentError::Special(path));
            }
            if self.found.len() > MAX_FILES || self.bytes > MAX_BYTES {
                return Err(ContentError::TooLarge(path));
            }
        }
        Ok(())
    }

    /// What a link leads to counts as if it stood there. `None` where it leads nowhere, as the locks of an editor do.
    fn follow(&self, link: &Path) -> Result<Option<Metadata>, ContentError> {
        let target = match link.canonicalize() {
            Ok(target) => target,
            Err(error) if error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(libc::ELOOP) => {
                return Ok(None);
            }
            Err(source) => return Err(io(link)(source)),
        };
        let around = link.parent().unwrap_or(link).canonicalize().map_err(io(link))?;
        if !target.starts_with(&self.top) || around.starts_with(&target) {
            return Err(ContentError::Symlink(link.to_owned()));
        }
        std::fs::metadata(&target).map(Some).map_err(io(link))
    }
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
            let folder = kind.is_dir() || kind.is_symlink();
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
        let below: Vec<bool> = items(dir.path()).unwrap().iter().map(|item| item.below_link).collect();
        assert_eq!(below, [true, false, false, false]);

        let to = tempfile::tempdir().unwrap();
        copy(dir.path(), to.path()).unwrap();
        assert_eq!(content_hash(to.path()).unwrap(), linked);
        assert!(std::fs::symlink_metadata(to.path().join("main.c")).unwrap().is_file());
        std::fs::write(dir.path().join("src/main.c"), "int mair;").unwrap();
        assert_ne!(content_hash(dir.path()).unwrap(), linked);
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
