//! The receiving end.

use sha2::{Digest, Sha256};

use super::super::stream::Chunk;
use crate::journal::RollingDigest;

/// Takes chunks in order, once.
#[derive(Default)]
pub struct ControlPlane {
    shas: Vec<[u8; 32]>,
    pub lines: Vec<String>,
    pub bytes: u64,
    pub digest: RollingDigest,
}

impl ControlPlane {
    pub fn put(&mut self, chunk: &Chunk) {
        let sha: [u8; 32] = Sha256::digest(&chunk.body).into();
        assert_eq!(sha, chunk.sha256);
        assert!(chunk.body.len() <= 256 * 1024);
        if let Some(known) = self.shas.get(chunk.seq as usize) {
            assert_eq!(*known, sha, "chunk {} was sent with two contents", chunk.seq);
            return;
        }
        assert_eq!(chunk.seq as usize, self.shas.len());
        let text = std::str::from_utf8(&chunk.body).unwrap();
        assert_eq!(text.lines().count(), chunk.records as usize);
        self.lines.extend(text.lines().map(str::to_owned));
        self.bytes += chunk.body.len() as u64;
        self.digest.push(&sha);
        self.shas.push(sha);
    }
    /// Without those that stand for lost ones.
    pub fn kept(&self) -> Vec<String> {
        let lost = |line: &&String| !line.contains("could not be read back");
        self.lines.iter().filter(lost).cloned().collect()
    }
    pub fn next_seq(&self) -> u64 {
        self.shas.len() as u64
    }
}
