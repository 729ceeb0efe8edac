//! How far a stream was sent, beside its segments: what stood in a segment that is gone, and the place where the next
//! chunk begins, can then be told from what the control plane has.
//!
//! ```text
//! watermark = slot slot                        at 0 and 4096, written in turn: one is whole whenever the power goes
//! slot      = "RMACKED1" turn:u64 acknowledged:totals sent:totals crc32:u32
//! ```
//!
//! It may lag behind: only the control plane says what it has, and each of the totals here is one that was true.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use super::error::SpoolError;
use super::format::{TOTALS_LEN, Totals, get_totals, put_totals};
use super::segment::sync_dir;

pub const FILE: &str = "watermark";
const MAGIC: &[u8; 8] = b"RMACKED1";
const SLOT_LEN: usize = 8 + 8 + 2 * TOTALS_LEN + 4;
/// No disk tears two of its blocks apart that are so far from each other.
const SLOTS_AT: [u64; 2] = [0, 4096];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks {
    /// Chunks that the control plane has. No segment goes before all of its chunks are here, on the disk.
    pub acknowledged: Totals,
    /// With the newest chunk that was sent, whether or not a response came.
    pub sent: Totals,
}

/// Clones share the file, so that whoever waits for the disk needs no lock of the stream.
#[derive(Debug, Clone)]
pub struct Watermark(Arc<Mutex<Inner>>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    file: File,
    turn: u64,
    marks: Marks,
}

/// What a folder remembers; nothing where it never sent anything, or forgot.
pub fn read(dir: &Path) -> Marks {
    newest(&std::fs::read(dir.join(FILE)).unwrap_or_default()).map_or(Marks::default(), |(_, marks)| marks)
}

impl Watermark {
    /// The folder's own, or a new one that says `otherwise`.
    pub fn open(dir: &Path, otherwise: Marks) -> Result<Self, SpoolError> {
        let path = dir.join(FILE);
        let open = || {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false).mode(0o600);
            let file = options.open(&path)?;
            let known = newest(&std::fs::read(&path)?);
            let (turn, marks) = known.unwrap_or((0, otherwise));
            let mut inner = Inner {
                path: path.clone(),
                file,
                turn,
                marks,
            };
            if known.is_none() {
                // Both, so that a disk that is full later has room for what is written over them.
                inner.write()?;
                inner.write()?;
            }
            io::Result::Ok(inner)
        };
        let inner = open().map_err(SpoolError::io(&path))?;
        Ok(Self(Arc::new(Mutex::new(inner))))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Written with the next chunk that is sent, or by [`Self::sync`].
    pub fn acknowledged(&self, totals: Totals) {
        let mut inner = self.lock();
        if totals.chunks > inner.marks.acknowledged.chunks {
            inner.marks.acknowledged = totals;
        }
    }

    /// Called before a chunk is sent, once the disk has it. Not synced: chunks are many and SD cards wear out. Where
    /// the disk does not take it the chunk is sent all the same; only a crash and a lost segment together ask for it.
    pub fn sent(&self, totals: Totals) {
        let mut inner = self.lock();
        // A chunk that is sent again takes nothing back.
        if totals.chunks > inner.marks.sent.chunks {
            inner.marks.sent = totals;
            let _ = inner.write();
        }
    }

    pub fn sync(&self) -> Result<(), SpoolError> {
        let mut inner = self.lock();
        let sync = |inner: &mut Inner| {
            inner.write()?;
            inner.file.sync_data()?;
            inner.path.parent().map_or(Ok(()), sync_dir)
        };
        let done = sync(&mut inner);
        done.map_err(SpoolError::io(&inner.path))
    }
}

impl Inner {
    fn write(&mut self) -> io::Result<()> {
        self.turn += 1;
        let at = SLOTS_AT[(self.turn % 2) as usize];
        self.file.write_all_at(&encode(self.turn, &self.marks), at)
    }
}

fn encode(turn: u64, marks: &Marks) -> Vec<u8> {
    let mut out = Vec::with_capacity(SLOT_LEN);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&turn.to_le_bytes());
    put_totals(&mut out, &marks.acknowledged);
    put_totals(&mut out, &marks.sent);
    out.extend_from_slice(&crc32fast::hash(&out).to_le_bytes());
    out
}

fn newest(bytes: &[u8]) -> Option<(u64, Marks)> {
    let slots = SLOTS_AT.into_iter().filter_map(|at| decode(bytes.get(at as usize..)?));
    slots.max_by_key(|(turn, _)| *turn)
}

fn decode(bytes: &[u8]) -> Option<(u64, Marks)> {
    let (body, rest) = bytes.split_at_checked(SLOT_LEN - 4)?;
    if !rest.starts_with(&crc32fast::hash(body).to_le_bytes()) {
        return None;
    }
    let (turn, totals) = body.strip_prefix(MAGIC)?.split_at(8);
    let (acknowledged, sent) = totals.split_at(TOTALS_LEN);
    let turn = u64::from_le_bytes(turn.try_into().ok()?);
    let (acknowledged, sent) = (get_totals(acknowledged), get_totals(sent));
    Some((turn, Marks { acknowledged, sent }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(chunks: u64) -> Totals {
        Totals {
            chunks,
            ..Totals::default()
        }
    }

    fn marks(acknowledged: u64, sent: u64) -> Marks {
        Marks {
            acknowledged: totals(acknowledged),
            sent: totals(sent),
        }
    }

    #[test]
    fn the_newest_slot_counts_and_the_other_stands_in_for_it() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(read(dir.path()), Marks::default());
        let watermark = Watermark::open(dir.path(), marks(2, 2)).unwrap();
        assert_eq!(read(dir.path()), marks(2, 2));
        for chunk in 3..8 {
            watermark.sent(totals(chunk));
            assert_eq!(read(dir.path()), marks(chunk - 1, chunk));
            watermark.acknowledged(totals(chunk));
        }
        watermark.sync().unwrap();
        assert_eq!(read(dir.path()), marks(7, 7));
        // What is there is kept, and goes on.
        let again = Watermark::open(dir.path(), Marks::default()).unwrap();
        again.sent(totals(8));
        let path = dir.path().join(FILE);
        let whole = std::fs::read(&path).unwrap();
        for at in SLOTS_AT {
            let mut torn = whole.clone();
            torn[at as usize + 20] ^= 1;
            std::fs::write(&path, &torn).unwrap();
            let left = read(dir.path());
            assert!(left == marks(7, 7) || left == marks(7, 8), "{left:?}");
            // The torn slot is the next that is written.
            Watermark::open(dir.path(), Marks::default()).unwrap().sent(totals(9));
            assert_eq!(read(dir.path()), marks(7, 9));
        }
        std::fs::write(&path, b"RMACKED1").unwrap();
        assert_eq!(read(dir.path()), Marks::default());
    }
}
