//! `<state>/spool`: a folder an attempt, and what an earlier process left there.

use std::fs::{self, DirBuilder};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::Notify;
use uuid::Uuid;

use super::attempt::{self, AttemptPhase, RunEnd, SpooledAttempt};
use super::error::SpoolError;
use super::lost;
use super::recover;
use super::refused;
use super::segment::sync_dir;
use super::stream::{ChunkSource, StreamId, StreamSpool, StreamStatus};
use crate::journal::{Store, StoreError};
use crate::protocol::journal::{PhaseName, Record, RunStatus};
use crate::protocol::result::Reason;
use crate::protocol::wire::{FinishStreams, StreamName};

/// Room that is given back when the disk gets full, so that the end of the run can still be written.
const RESERVE_BYTES: usize = 256 * 1024;
const RESERVE: &str = "reserve";
/// A folder with this ending is being deleted.
const DONE: &str = "done";

#[derive(Debug)]
pub struct Spool {
    dir: PathBuf,
    refused_dir: PathBuf,
}

/// A folder of an earlier process.
pub enum Leftover {
    /// To be delivered.
    Attempt(Box<AttemptSpool>),
    /// It cannot be delivered, now or at all; the sentence names the folder.
    Unreadable(String),
}

impl Spool {
    pub fn open(state: &Path) -> Result<Self, SpoolError> {
        let spool = Self {
            dir: state.join("spool"),
            refused_dir: state.join(refused::DIR),
        };
        make_dir(&spool.dir)?;
        Ok(spool)
    }

    pub fn create(&self, attempt: SpooledAttempt) -> Result<AttemptSpool, SpoolError> {
        let dir = self.dir.join(attempt.attempt_id.to_string());
        make_dir(&dir)?;
        let write = || {
            reserve(&dir.join(RESERVE))?;
            attempt::write(&dir, &attempt)?;
            sync_dir(&self.dir)
        };
        if let Err(error) = write() {
            let _ = fs::remove_dir_all(&dir);
            return Err(SpoolError::io(&dir)(error));
        }
        let streams =
            StreamName::ALL.map(|stream| StreamSpool::empty(&dir.join(stream.as_str()), id(&attempt, stream)));
        Ok(AttemptSpool::new(dir, self.refused_dir.clone(), attempt, streams))
    }

    /// What earlier processes left, oldest first (ids are UUIDv7).
    pub fn leftovers(&self, host_id: Uuid) -> Result<Vec<Leftover>, SpoolError> {
        let entries = fs::read_dir(&self.dir).map_err(SpoolError::io(&self.dir))?;
        let mut folders: Vec<PathBuf> = entries
            .filter_map(|e| Some(e.ok()?.path()))
            .filter(|p| p.is_dir())
            .collect();
        folders.sort();
        let mut out = Vec::new();
        for dir in folders {
            // One that the disk does not give back is no reason to do nothing more.
            if dir.extension().is_some_and(|e| e == DONE) {
                let removed = fs::remove_dir_all(&dir).map_err(SpoolError::io(&dir));
                out.extend(removed.err().map(|error| Leftover::Unreadable(error.to_string())));
            } else {
                let found = self.leftover(dir, host_id);
                out.extend(found.unwrap_or_else(|error| Some(Leftover::Unreadable(left_alone(&error)))));
            }
        }
        Ok(out)
    }

    fn leftover(&self, dir: PathBuf, host_id: Uuid) -> Result<Option<Leftover>, SpoolError> {
        let stream_dir = |stream: StreamName| dir.join(stream.as_str());
        let header = StreamName::ALL
            .into_iter()
            .find_map(|s| recover::identify(&stream_dir(s)));
        let attempt = match (attempt::read(&dir), header) {
            (Some(attempt), _) => attempt,
            (None, Some(header)) => SpooledAttempt {
                schema: 1,
                run_id: Uuid::nil(),
                attempt_id: header.attempt_id,
                attempt_no: header.attempt_no,
                host_id,
                phase: AttemptPhase::Running,
                ended: None,
            },
            (None, None) if fs::read_dir(&dir).is_ok_and(|mut d| d.next().is_none()) => {
                fs::remove_dir(&dir).map_err(SpoolError::io(&dir))?;
                return Ok(None);
            }
            (None, None) => {
                return Ok(Some(Leftover::Unreadable(format!(
                    "Neither attempt.json nor any segment in {} can be read, so its records cannot be delivered; keep \
                     the folder or delete it.",
                    dir.display()
                ))));
            }
        };
        if attempt.host_id != host_id {
            return Ok(Some(Leftover::Unreadable(format!(
                "{} was written while this machine was enrolled as another host ({}); keep the folder or delete it.",
                dir.display(),
                attempt.host_id
            ))));
        }
        let open = |stream: StreamName| {
            let end = attempt.ended.as_ref().map(|e| e.records[stream as usize]);
            recover::open(&stream_dir(stream), id(&attempt, stream), end)
        };
        let streams = [open(StreamName::Journal)?, open(StreamName::Raw)?];
        let spool = AttemptSpool::new(dir, self.refused_dir.clone(), attempt, streams);
        Ok(Some(Leftover::Attempt(Box::new(spool))))
    }
}

fn left_alone(error: &SpoolError) -> String {
    format!(
        "What an earlier run left is not delivered. {error} The agent tries again when it is started the next time."
    )
}

fn id(attempt: &SpooledAttempt, stream: StreamName) -> StreamId {
    StreamId {
        stream,
        attempt_id: attempt.attempt_id,
        attempt_no: attempt.attempt_no,
    }
}

fn make_dir(dir: &Path) -> Result<(), SpoolError> {
    let mut builder = DirBuilder::new();
    builder
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .map_err(SpoolError::io(dir))
}

/// Takes the space, where the file system can without writing it: an SD card wears out by what is written.
fn reserve(path: &Path) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        // SAFETY: a plain system call; the descriptor is open for as long as `file` lives.
        if unsafe { libc::fallocate(file.as_raw_fd(), 0, 0, RESERVE_BYTES as libc::off_t) } == 0 {
            return Ok(());
        }
    }
    file.write_all(&vec![0; RESERVE_BYTES])
}

/// One attempt on the disk. Shared by the run that writes and the session that sends.
#[derive(Debug)]
pub struct AttemptSpool {
    dir: PathBuf,
    refused_dir: PathBuf,
    inner: Mutex<Inner>,
    /// Woken when a status changed.
    changed: Notify,
}

#[derive(Debug)]
struct Inner {
    attempt: SpooledAttempt,
    streams: [StreamSpool; 2],
    measuring: bool,
    full: Option<String>,
}

impl AttemptSpool {
    fn new(dir: PathBuf, refused_dir: PathBuf, attempt: SpooledAttempt, streams: [StreamSpool; 2]) -> Self {
        Self {
            dir,
            refused_dir,
            inner: Mutex::new(Inner {
                attempt,
                streams,
                measuring: false,
                full: None,
            }),
            changed: Notify::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub fn attempt(&self) -> SpooledAttempt {
        self.lock().attempt.clone()
    }
    pub fn status(&self, stream: StreamName) -> StreamStatus {
        self.lock().streams[stream as usize].status()
    }
    /// Load has begun to run.
    pub fn measuring(&self) -> bool {
        self.lock().measuring
    }
    pub async fn changed(&self) {
        self.changed.notified().await;
    }
    /// The number that the next record of each stream gets.
    pub fn next_records(&self) -> [u64; 2] {
        let inner = self.lock();
        [0, 1].map(|i| inner.streams[i].next_record())
    }

    /// When the last record of the journal was made, while the disk still has one.
    pub fn last_time(&self) -> Option<u64> {
        lost::last_time(&self.dir.join(StreamName::Journal.as_str()))
    }

    pub fn append(&self, stream: StreamName, seq: u64, line: &str) -> Result<(), SpoolError> {
        let mut inner = self.lock();
        let before = inner.streams[stream as usize].status();
        let mut kept = inner.streams[stream as usize].append(seq, line);
        if let Err(error) = &kept
            && error.is_full()
        {
            inner.full.get_or_insert_with(|| error.to_string());
            if fs::remove_file(self.dir.join(RESERVE)).is_ok() {
                kept = inner.streams[stream as usize].append(seq, line);
            }
        }
        if inner.streams[stream as usize].status() != before {
            self.changed.notify_one();
        }
        kept
    }

    /// The run must stop, although everything is kept so far.
    fn warning(&self) -> Option<String> {
        self.lock().full.clone()
    }

    pub fn cut(&self, stream: StreamName) -> Result<(), SpoolError> {
        let mut inner = self.lock();
        let mut done = inner.streams[stream as usize].cut();
        if done.as_ref().is_err_and(SpoolError::is_full) && fs::remove_file(self.dir.join(RESERVE)).is_ok() {
            done = inner.streams[stream as usize].cut();
        }
        done
    }
    pub fn chunk(&self, stream: StreamName, seq: u64) -> Result<ChunkSource, SpoolError> {
        self.lock().streams[stream as usize].chunk(seq)
    }
    pub fn acknowledge(&self, stream: StreamName, next_seq: u64) -> Result<(), SpoolError> {
        self.lock().streams[stream as usize].acknowledge(next_seq)
    }
    pub fn rebase(&self, stream: StreamName, next_seq: u64) -> Result<(), SpoolError> {
        self.lock().streams[stream as usize].rebase(next_seq)
    }
    /// Brings everything written so far to the disk.
    pub fn sync(&self) -> Result<(), SpoolError> {
        let open = self.lock().streams.each_ref().map(StreamSpool::unsynced);
        open.into_iter()
            .flatten()
            .try_for_each(|segment| segment.sync(segment.end()))
    }

    pub fn set_running(&self) -> Result<(), SpoolError> {
        let mut inner = self.lock();
        inner.attempt.phase = AttemptPhase::Running;
        attempt::write(&self.dir, &inner.attempt).map_err(SpoolError::io(&self.dir))
    }

    /// Remembers how the run ended and how many records it had, also where this fails.
    pub fn set_ended(&self, status: RunStatus, error: Option<Reason>, refused: u64) -> Result<(), SpoolError> {
        let records = self.next_records();
        let _ = fs::remove_file(self.dir.join(RESERVE));
        let attempt = {
            let mut inner = self.lock();
            inner.attempt.phase = AttemptPhase::Ended;
            inner.attempt.ended = Some(RunEnd {
                status,
                error,
                records,
                refused,
            });
            inner.attempt.clone()
        };
        // A run is over whatever its disk does: the end is kept here for `finish`, and there for the next agent, which
        // counts what is missing of `records`.
        let synced = self.sync();
        let written = attempt::write(&self.dir, &attempt).map_err(SpoolError::io(&self.dir));
        synced.and(written)
    }

    pub fn totals(&self) -> FinishStreams {
        let inner = self.lock();
        FinishStreams {
            journal: inner.streams[0].totals(),
            raw: inner.streams[1].totals(),
        }
    }
    /// What the control plane has, and how many records it has not.
    pub fn delivered(&self) -> (FinishStreams, u64) {
        let inner = self.lock();
        let [(journal, a), (raw, b)] = [0, 1].map(|i| inner.streams[i].delivered());
        (FinishStreams { journal, raw }, a + b)
    }
    /// Nothing is in it but, at most, how it ended.
    pub fn is_bare(&self) -> bool {
        let [journal, raw] = self.next_records();
        journal <= 1 && raw == 0
    }
    /// Records of a stream that were made and cannot be read back.
    pub fn lost_of(&self, stream: StreamName) -> u64 {
        self.lock().streams[stream as usize].lost()
    }
    /// Records that were made and will never arrive.
    pub fn lost(&self) -> u64 {
        let inner = self.lock();
        let refused = inner.attempt.ended.as_ref().map_or(0, |e| e.refused);
        inner.streams.iter().map(StreamSpool::lost).sum::<u64>() + refused
    }

    /// The control plane has everything, or wants none of it.
    pub fn discard(&self) -> Result<(), SpoolError> {
        let done = self.dir.with_extension(DONE);
        fs::rename(&self.dir, &done)
            .and_then(|()| fs::remove_dir_all(&done))
            .map_err(SpoolError::io(&self.dir))
    }

    /// Keeps what cannot be delivered where nothing will try again, with the reason beside it.
    pub fn set_aside(&self, why: &str) -> Result<PathBuf, SpoolError> {
        let to = self.refused_dir.join(self.lock().attempt.attempt_id.to_string());
        make_dir(&self.refused_dir)?;
        let _ = fs::remove_file(self.dir.join(RESERVE));
        fs::rename(&self.dir, &to)
            .and_then(|()| fs::write(to.join("reason.txt"), format!("{why}\n")))
            .map_err(SpoolError::io(&self.dir))?;
        Ok(to)
    }
}

/// Lets a [`crate::journal::Recorder`] write into the spool.
pub struct SpoolStore(pub Arc<AttemptSpool>);

impl Store for SpoolStore {
    fn keep(&mut self, record: &Record, stream: StreamName, line: &str) -> Result<(), StoreError> {
        use crate::protocol::journal::Event;
        if let Event::Phase(phase) = &record.event
            && matches!(phase.phase, PhaseName::WarmUp | PhaseName::Measure)
        {
            self.0.lock().measuring = true;
        }
        self.0
            .append(stream, record.seq, line)
            .map_err(|error| StoreError(error.to_string()))
    }
    fn warning(&self) -> Option<String> {
        self.0.warning()
    }
}

#[cfg(test)]
#[path = "folder_tests.rs"]
mod tests;
