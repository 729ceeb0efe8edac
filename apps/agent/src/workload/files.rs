//! The files that the workload `static` serves, made from a seed so that every host has the same bytes and their
//! hashes are known before anything runs.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::splitmix::SplitMix64;

const SEED: u64 = 0x5249_474D_4152_4B31;
/// A multiple of the generator's eight bytes, so that pieces go on where the one before ended.
const PIECE_BYTES: usize = 64 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaticFile {
    pub name: &'static str,
    pub bytes: u64,
    pub sha256: &'static str,
    /// Of the check that compares it whole.
    pub check: &'static str,
}

pub const FILES: [StaticFile; 5] = [
    StaticFile {
        name: "1k.bin",
        bytes: 1024,
        sha256: "73ad0ef4107ddce0a15750cf83e8f366caf2ee6fb3b587f1a4f63a75700442f9",
        check: "body-1k",
    },
    StaticFile {
        name: "1m.bin",
        bytes: 1 << 20,
        sha256: "e3271c2617b6326122f1e2b7221e0020e18a7bbcf9a043a7d6625143c2e34cb4",
        check: "body-1m",
    },
    StaticFile {
        name: "10m.bin",
        bytes: 10 << 20,
        sha256: "0396a6e481848cccb841503c5413653cb69ad389fca581981f53eacd306e53bf",
        check: "body-10m",
    },
    StaticFile {
        name: "script.js",
        bytes: 1024,
        sha256: "5a3b47253a86eb0e403bd7a31cb92ca45b9d4855dc2fd89a3feaac56d84a1fc6",
        check: "body-script",
    },
    StaticFile {
        name: "large.js",
        bytes: 280 << 10,
        sha256: "b3bb7c139fbb89ad470ec6a8a454aaf8c2c31a18dcfaaeaa26bb626630c5813d",
        check: "body-large-script",
    },
];

impl StaticFile {
    pub fn path(&self) -> String {
        format!("/{}", self.name)
    }

    pub fn content(&self) -> Vec<u8> {
        self.pieces().collect::<Vec<_>>().concat()
    }

    /// The same, a piece after another: a small host need not hold it whole.
    fn pieces(&self) -> impl Iterator<Item = Vec<u8>> + use<> {
        // Each file its own stream: a server that mixes two of equal length up is found out.
        let position = FILES.iter().position(|f| f.name == self.name).unwrap_or_default() as u64;
        let mut rng = SplitMix64::new(SEED ^ position);
        let is_script = self.name.ends_with(".js");
        let mut rest = self.bytes as usize;
        std::iter::from_fn(move || {
            let size = if is_script { rest } else { rest.min(PIECE_BYTES) };
            rest -= size;
            let piece = |rng: &mut SplitMix64| {
                if is_script {
                    script(rng, size)
                } else {
                    random(rng, size)
                }
            };
            (size > 0).then(|| piece(&mut rng))
        })
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        let mut file = File::create(path)?;
        self.pieces().try_for_each(|piece| file.write_all(&piece))
    }

    /// Has `path` these very bytes, and is it a file of its own?
    fn is_at(&self, path: &Path) -> io::Result<bool> {
        let there = fs::symlink_metadata(path)?;
        if !there.is_file() || there.len() != self.bytes {
            return Ok(false);
        }
        let mut file = File::open(path)?;
        let mut read = Vec::new();
        for piece in self.pieces() {
            read.resize(piece.len(), 0);
            file.read_exact(&mut read)?;
            if read != piece {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

pub fn random(rng: &mut SplitMix64, size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    for eight in bytes.chunks_mut(8) {
        eight.copy_from_slice(&rng.next_u64().to_le_bytes()[..eight.len()]);
    }
    bytes
}

/// A script that runs: declarations, and a comment that fills the last line.
fn script(rng: &mut SplitMix64, size: usize) -> Vec<u8> {
    let mut text = String::with_capacity(size);
    for line in 0.. {
        let next = format!("var v{line} = \"{:016x}\";\n", rng.next_u64());
        if text.len() + next.len() + 3 > size {
            break;
        }
        text.push_str(&next);
    }
    text.push_str("//");
    let mut bytes = text.into_bytes();
    bytes.resize(size - 1, b'.');
    bytes.push(b'\n');
    bytes
}

/// The folders of one trial: `root` is what the server serves, and `secret` lies beside it.
#[derive(Debug)]
pub struct TrialFiles {
    folder: PathBuf,
    pub root: PathBuf,
    pub secret: PathBuf,
}

impl TrialFiles {
    /// Everything is gone again when the value is dropped.
    pub fn create(folder: &Path) -> io::Result<Self> {
        Self::create_with(folder, folder)
    }

    /// `root` and `secret` lie in `kept`, and are there for the next trial of the same entry: 11 MiB for each trial would wear
    /// out an SD card. What its server changed meanwhile is written anew.
    pub fn create_with(folder: &Path, kept: &Path) -> io::Result<Self> {
        let files = Self {
            folder: folder.to_owned(),
            root: kept.join("root"),
            secret: kept.join("secret.txt"),
        };
        if !is_whole(&files.root) {
            match fs::remove_dir_all(&files.root) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => fs::create_dir_all(&files.root)?,
            }
            for file in FILES {
                file.write(&files.root.join(file.name))?;
            }
        }
        let mut nonce = [0; 16];
        getrandom::fill(&mut nonce).map_err(|e| io::Error::other(e.to_string()))?;
        // An earlier server may have put something else in its place: nothing is written through that.
        let _ = fs::remove_file(&files.secret);
        let mut secret = File::create_new(&files.secret)?;
        secret.write_all(format!("rigmark-secret-{}\n", hex::encode(nonce)).as_bytes())?;
        Ok(files)
    }

    /// A private folder of the trial, such as the server's or the tool's.
    pub fn subfolder(&self, name: &str) -> std::io::Result<PathBuf> {
        let path = self.folder.join(name);
        fs::create_dir_all(&path)?;
        Ok(path)
    }
}

/// Has the folder the files and nothing else?
fn is_whole(root: &Path) -> bool {
    let is_folder = fs::symlink_metadata(root).is_ok_and(|there| there.is_dir());
    let alone = || fs::read_dir(root).is_ok_and(|entries| entries.count() == FILES.len());
    let is_there = |file: &StaticFile| file.is_at(&root.join(file.name)).unwrap_or(false);
    is_folder && alone() && FILES.iter().all(is_there)
}

impl Drop for TrialFiles {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn sizes_and_hashes_are_the_stated_ones() {
        for file in FILES {
            let content = file.content();
            assert_eq!(content.len() as u64, file.bytes, "{}", file.name);
            assert_eq!(hex::encode(Sha256::digest(&content)), file.sha256, "{}", file.name);
        }
    }

    #[test]
    fn kept_files_are_written_once_and_again_when_a_server_changed_them() {
        use std::os::unix::fs::{MetadataExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let (kept, root) = (dir.path().join("kept"), dir.path().join("kept/root"));
        let inode = |name: &str| fs::metadata(root.join(name)).unwrap().ino();
        let secrets: Vec<String> = (0..2)
            .map(|trial| {
                let files = TrialFiles::create_with(&dir.path().join(trial.to_string()), &kept).unwrap();
                files.subfolder("server").unwrap();
                fs::read_to_string(&files.secret).unwrap()
            })
            .collect();
        assert_ne!(secrets[0], secrets[1], "each trial has a secret of its own");
        assert!(root.is_dir() && !dir.path().join("1").exists());
        let changes: [&dyn Fn(); 4] = [
            &|| fs::write(root.join("1k.bin"), [7_u8; 1024]).unwrap(),
            &|| fs::write(root.join("more.bin"), b"").unwrap(),
            &|| {
                fs::rename(root.join("1m.bin"), dir.path().join("away")).unwrap();
                symlink(dir.path().join("away"), root.join("1m.bin")).unwrap();
            },
            &|| {
                fs::rename(&root, dir.path().join("elsewhere")).unwrap();
                symlink(dir.path().join("elsewhere"), &root).unwrap();
            },
        ];
        for change in changes {
            let before = inode("10m.bin");
            drop(TrialFiles::create_with(&dir.path().join("same"), &kept).unwrap());
            assert_eq!(inode("10m.bin"), before);
            change();
            drop(TrialFiles::create_with(&dir.path().join("anew"), &kept).unwrap());
            assert!(is_whole(&root));
        }
    }

    #[test]
    fn scripts_are_text_and_end_with_a_line() {
        let script = String::from_utf8(FILES[3].content()).unwrap();
        assert!(script.starts_with("var v0 = \"") && script.ends_with(".\n"), "{script}");
    }

    #[test]
    fn nothing_is_left_behind() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("trial");
        let files = TrialFiles::create(&folder).unwrap();
        assert!(files.root.join("10m.bin").is_file() && files.secret.is_file());
        drop(files);
        assert!(!folder.exists());
    }
}
