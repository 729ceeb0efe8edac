//! What a server's folder is: one hash over every file in it. An entry is known by it, and it names the build.
//!
//! sha256 over, for each file in order of its path: `path NUL mode NUL length NUL bytes`. The mode is `x` or `-`, as in
//! Git, because the other bits depend on the umask of whoever made the clone.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use thiserror::Error;

/// Version control and what builds leave behind. They are not in the hash, so a build never sees them either. Below a folder
/// `vendor` is what others published: a package may have sources in `build`.
pub const IGNORED: [&str; 26] = [
    ".git",
    ".hg",
    ".svn",
    ".jj",
    "build",
    "target",
    "node_modules",
    "__pycache__",
    ".venv",
    "venv",
    ".tox",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".gradle",
    ".build",
    "_build",
    ".stack-work",
    "dist-newstyle",
    ".zig-cache",
    "zig-cache",
    "zig-out",
    ".cache",
    ".DS_Store",
    ".rigmark",
    "rigmark-result",
];
/// A published package may have sources in these.
const PUBLISHED: [&str; 4] = ["build", "target", "_build", ".build"];
const MAX_FILES: usize = 20_000;
const MAX_BYTES: u64 = 256 << 20;

#[derive(Debug, Error)]
pub enum ContentError {
    #[error("{path} could not be read ({source}); check that it is there and readable.")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{0} is a symbolic link; a server's folder must hold files only, so that its hash says what runs.")]
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
}

/// Every file, sorted by path.
pub fn items(folder: &Path) -> Result<Vec<Item>, ContentError> {
    let mut found = Vec::new();
    let mut bytes = 0;
    walk(folder, "", &mut found, &mut bytes)?;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
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
        let target = to.join(&item.path);
        let done = target
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::copy(from.join(&item.path), &target).map(|_| ()));
        done.map_err(|source| ContentError::Io { path: target, source })?;
    }
    Ok(())
}

fn walk(folder: &Path, prefix: &str, found: &mut Vec<Item>, bytes: &mut u64) -> Result<(), ContentError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| ContentError::Io { path, source }
    };
    for entry in std::fs::read_dir(folder).map_err(io(folder))? {
        let entry = entry.map_err(io(folder))?;
        let path = entry.path();
        let name = entry
            .file_name()
            .into_string()
            .map_err(|_| ContentError::Name(path.clone()))?;
        let vendored = prefix.starts_with("vendor/") || prefix.contains("/vendor/");
        let published = vendored && PUBLISHED.contains(&name.as_str());
        if IGNORED.contains(&name.as_str()) && !published {
            continue;
        }
        let meta = std::fs::symlink_metadata(&path).map_err(io(&path))?;
        let relative = format!("{prefix}{name}");
        if meta.is_symlink() {
            return Err(ContentError::Symlink(path));
        } else if meta.is_dir() {
            walk(&path, &format!("{relative}/"), found, bytes)?;
        } else if meta.is_file() {
            *bytes += meta.len();
            found.push(Item {
                path: relative,
                executable: meta.permissions().mode() & 0o100 != 0,
                bytes: meta.len(),
            });
        } else {
            return Err(ContentError::Special(path));
        }
        if found.len() > MAX_FILES || *bytes > MAX_BYTES {
            return Err(ContentError::TooLarge(path));
        }
    }
    Ok(())
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
        for place in ["build", "vendor/rustversion/build"] {
            std::fs::create_dir_all(dir.path().join(place)).unwrap();
            std::fs::write(dir.path().join(place).join("build.rs"), "x").unwrap();
        }
        let paths: Vec<String> = items(dir.path()).unwrap().into_iter().map(|item| item.path).collect();
        assert_eq!(
            paths,
            ["server.toml", "src/main.c", "vendor/rustversion/build/build.rs"]
        );
    }

    #[test]
    fn a_symbolic_link_is_refused() {
        let dir = folder();
        std::os::unix::fs::symlink("/etc/passwd", dir.path().join("link")).unwrap();
        assert!(matches!(content_hash(dir.path()), Err(ContentError::Symlink(_))));
    }

    #[test]
    fn a_copy_has_the_same_hash() {
        let dir = folder();
        let to = tempfile::tempdir().unwrap();
        copy(dir.path(), to.path()).unwrap();
        assert_eq!(content_hash(to.path()).unwrap(), content_hash(dir.path()).unwrap());
    }
}
