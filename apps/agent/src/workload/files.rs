//! The files that the workload `static` serves, made from a seed so that every host has the same bytes and their
//! hashes are known before anything runs.

use std::path::{Path, PathBuf};

use crate::splitmix::SplitMix64;

const SEED: u64 = 0x5249_474D_4152_4B31;

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
        // Each file its own stream: a server that mixes two of equal length up is found out.
        let position = FILES.iter().position(|f| f.name == self.name).unwrap_or_default() as u64;
        let mut rng = SplitMix64::new(SEED ^ position);
        let size = self.bytes as usize;
        if self.name.ends_with(".js") {
            script(&mut rng, size)
        } else {
            random(&mut rng, size)
        }
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
    pub fn create(folder: &Path) -> std::io::Result<Self> {
        let files = Self {
            folder: folder.to_owned(),
            root: folder.join("root"),
            secret: folder.join("secret.txt"),
        };
        std::fs::create_dir_all(&files.root)?;
        for file in FILES {
            std::fs::write(files.root.join(file.name), file.content())?;
        }
        let mut nonce = [0; 16];
        getrandom::fill(&mut nonce).map_err(|e| std::io::Error::other(e.to_string()))?;
        std::fs::write(&files.secret, format!("rigmark-secret-{}\n", hex::encode(nonce)))?;
        Ok(files)
    }

    /// A private folder of the trial, such as the server's or the tool's.
    pub fn subfolder(&self, name: &str) -> std::io::Result<PathBuf> {
        let path = self.folder.join(name);
        std::fs::create_dir_all(&path)?;
        Ok(path)
    }
}

impl Drop for TrialFiles {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
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
