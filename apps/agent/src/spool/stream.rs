//! One stream of an attempt on the disk: append, cut into chunks, read a chunk back, forget what was acknowledged.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::damaged_stream::DamagedStream;
use super::error::SpoolError;
use super::format::{Frame, Header, Mark, Totals, decode_frame, encode_mark, encode_record};
use super::segment::{self, Segment};
use super::watermark::{Marks, Watermark};
use crate::protocol::wire::{CHUNK_BYTES, StreamName, StreamTotals};

/// A segment is closed at the first mark after this.
pub const SEGMENT_BYTES: u64 = 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamId {
    pub stream: StreamName,
    pub attempt_id: Uuid,
    pub attempt_no: u32,
}

/// What a sender has to know about a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StreamStatus {
    /// The oldest chunk that is still on the disk.
    pub held_from: u64,
    /// Chunks cut so far.
    pub chunks: u64,
    /// Records wait to be cut into a chunk.
    pub pending: bool,
    /// What was sent can no longer be told from this disk alone: [`StreamSpool::rebase`] must be called first.
    pub damaged: bool,
}

/// A chunk as it goes out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    pub seq: u64,
    pub records: u32,
    pub sha256: [u8; 32],
    /// JSON lines, not compressed.
    pub body: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ChunkAt {
    pub number: u32,
    pub start: u64,
    pub end: u64,
    pub mark: Mark,
}

/// The records that are in no chunk yet.
#[derive(Debug, Clone, Default)]
pub(super) struct Open {
    /// From the first record's frame to the end of the last one's.
    pub start: u64,
    pub end: u64,
    pub records: u32,
    pub bytes: u32,
    pub lost: u32,
    pub sha: Sha256,
}

impl Open {
    pub fn push(&mut self, frame: Range<u64>, line: &str, lost: bool) {
        if self.records == 0 {
            self.start = frame.start;
        }
        self.end = frame.end;
        self.records += 1;
        self.lost += u32::from(lost);
        self.bytes += line.len() as u32 + 1;
        self.sha.update(line.as_bytes());
        self.sha.update(b"\n");
    }
}

#[derive(Debug)]
pub struct StreamSpool {
    pub(super) dir: PathBuf,
    pub(super) id: StreamId,
    pub(super) totals: Totals,
    /// Up to the newest chunk that was acknowledged.
    pub(super) delivered: Totals,
    pub(super) open: Open,
    /// Cut and not acknowledged.
    pub(super) chunks: VecDeque<ChunkAt>,
    pub(super) active: Option<Segment>,
    /// Closed ones with the end of their chunks, oldest first.
    pub(super) closed: VecDeque<(u32, u64)>,
    pub(super) next_number: u32,
    /// Made with the first segment.
    pub(super) watermark: Option<Watermark>,
    pub(super) damaged_stream: Option<DamagedStream>,
}

impl StreamSpool {
    pub(super) fn empty(dir: &Path, id: StreamId) -> Self {
        Self {
            dir: dir.to_owned(),
            id,
            totals: Totals::default(),
            delivered: Totals::default(),
            open: Open::default(),
            chunks: VecDeque::new(),
            active: None,
            closed: VecDeque::new(),
            next_number: 0,
            watermark: None,
            damaged_stream: None,
        }
    }

    pub fn status(&self) -> StreamStatus {
        let held_from = self
            .chunks
            .front()
            .map_or(self.totals.chunks, |c| c.mark.totals.chunks - 1);
        StreamStatus {
            held_from,
            chunks: self.totals.chunks,
            pending: self.open.records > 0,
            damaged: self.damaged_stream.is_some(),
        }
    }

    /// The number that the next record must have.
    pub fn next_record(&self) -> u64 {
        let written = self.totals.records + u64::from(self.open.records);
        self.damaged_stream
            .as_ref()
            .map_or(written, |damaged_stream| damaged_stream.end_record)
    }

    /// Records that were written once and are gone; each has another in its place that says so.
    pub fn lost(&self) -> u64 {
        self.totals.lost + u64::from(self.open.lost)
    }

    pub fn totals(&self) -> StreamTotals {
        self.totals.to_wire()
    }

    /// What was acknowledged, and how many records were not.
    pub fn delivered(&self) -> (StreamTotals, u64) {
        let undelivered = self.next_record() - self.delivered.records.min(self.next_record());
        (self.delivered.to_wire(), undelivered)
    }

    pub fn append(&mut self, seq: u64, line: &str) -> Result<(), SpoolError> {
        self.push(seq, line, false)
    }

    pub(super) fn push(&mut self, seq: u64, line: &str, lost: bool) -> Result<(), SpoolError> {
        debug_assert!(seq == self.next_record() && line.len() < CHUNK_BYTES && self.damaged_stream.is_none());
        if self.open.bytes as usize + line.len() + 1 > CHUNK_BYTES {
            self.cut()?;
        }
        let segment = self.active()?;
        let start = segment.end();
        segment.append(&encode_record(seq, line, lost))?;
        let end = segment.end();
        self.open.push(start..end, line, lost);
        Ok(())
    }

    /// Closes the chunk that is being filled, if it has any record. The mark reaches the disk before the chunk is sent.
    pub fn cut(&mut self) -> Result<(), SpoolError> {
        if self.open.records > 0 {
            self.mark()?;
            if self.active.as_ref().is_some_and(|s| s.end() >= SEGMENT_BYTES) {
                self.close_segment()?;
            }
        }
        Ok(())
    }

    fn mark(&mut self) -> Result<(), SpoolError> {
        let sha256: [u8; 32] = self.open.sha.clone().finalize().into();
        let mut totals = self.totals;
        totals.chunks += 1;
        totals.records += u64::from(self.open.records);
        totals.bytes += u64::from(self.open.bytes);
        totals.lost += u64::from(self.open.lost);
        totals.digest.push(&sha256);
        let mark = Mark {
            records: self.open.records,
            bytes: self.open.bytes,
            sha256,
            totals,
        };
        let segment = self.active()?;
        segment.append(&encode_mark(&mark))?;
        let number = segment.number;
        self.chunks.push_back(ChunkAt {
            number,
            start: self.open.start,
            end: self.open.end,
            mark,
        });
        self.totals = totals;
        self.open = Open::default();
        Ok(())
    }

    pub(super) fn close_segment(&mut self) -> Result<(), SpoolError> {
        if let Some(segment) = &self.active {
            segment.sync(segment.end())?;
            self.closed.push_back((segment.number, self.totals.chunks));
            self.active = None;
        }
        Ok(())
    }

    /// Has at least an empty segment, whose header knows the totals.
    pub(super) fn make_segment(&mut self) -> Result<(), SpoolError> {
        self.active().map(|_| ())
    }

    fn active(&mut self) -> Result<&mut Segment, SpoolError> {
        if self.active.is_none() {
            std::fs::create_dir_all(&self.dir).map_err(SpoolError::io(&self.dir))?;
            self.remember()?;
            let header = Header {
                stream: self.id.stream,
                attempt_no: self.id.attempt_no,
                attempt_id: self.id.attempt_id,
                number: self.next_number,
                totals: self.totals,
            };
            self.active = Some(Segment::create(&self.dir, &header)?);
            self.next_number += 1;
        }
        Ok(self.active.as_mut().expect("made above"))
    }

    /// Begins to keep a watermark, if there is none yet.
    pub(super) fn remember(&mut self) -> Result<(), SpoolError> {
        if self.watermark.is_none() {
            let so_far = Marks {
                acknowledged: self.delivered,
                sent: self.delivered,
            };
            self.watermark = Some(Watermark::open(&self.dir, so_far)?);
        }
        Ok(())
    }

    /// What is needed to read a chunk without holding on to the stream.
    pub fn chunk(&self, seq: u64) -> Result<ChunkSource, SpoolError> {
        let first = self.status().held_from;
        let at = seq
            .checked_sub(first)
            .and_then(|i| self.chunks.get(i as usize))
            .ok_or(SpoolError::Damaged {
                path: self.dir.clone(),
                stream: self.id.stream.as_str(),
                seq,
            })?;
        let segment = match &self.active {
            Some(active) if active.number == at.number => active.clone(),
            _ => {
                let path = segment::path(&self.dir, at.number);
                let end = std::fs::metadata(&path).map_err(SpoolError::io(&path))?.len();
                Segment::reopen(&self.dir, at.number, end)?
            }
        };
        Ok(ChunkSource {
            segment,
            at: *at,
            stream: self.id.stream,
            watermark: self.watermark.clone(),
        })
    }

    /// Everything written so far, so that it can be brought to the disk without holding on to the stream.
    pub fn unsynced(&self) -> Option<Segment> {
        self.active.clone()
    }

    /// The control plane has every chunk before `next_seq`. Whole segments go; the newest stays, because its header
    /// and marks are the memory of what was sent.
    pub fn acknowledge(&mut self, next_seq: u64) -> Result<(), SpoolError> {
        while self.chunks.front().is_some_and(|c| c.mark.totals.chunks <= next_seq) {
            self.delivered = self.chunks.pop_front().map_or(self.delivered, |c| c.mark.totals);
        }
        if let Some(watermark) = &self.watermark {
            watermark.acknowledged(self.delivered);
        }
        let mut synced = false;
        while let Some(&(number, end)) = self.closed.front() {
            let newest = self.active.is_none() && self.closed.len() == 1;
            if end > next_seq || newest {
                break;
            }
            // Where the disk does not take it (it may be full, and this is what makes room) the segment goes all the
            // same: the next agent then only asks more of the control plane.
            if let Some(watermark) = &self.watermark
                && !std::mem::replace(&mut synced, true)
            {
                let _ = watermark.sync();
            }
            let path = segment::path(&self.dir, number);
            std::fs::remove_file(&path).map_err(SpoolError::io(&path))?;
            self.closed.pop_front();
        }
        Ok(())
    }
}

#[derive(Debug)]
pub struct ChunkSource {
    segment: Segment,
    at: ChunkAt,
    stream: StreamName,
    watermark: Option<Watermark>,
}

impl ChunkSource {
    /// Brings the chunk and its mark to the disk, notes that it is sent, then reads it back and checks it. Takes as long as the disk takes.
    pub fn read(&self) -> Result<Chunk, SpoolError> {
        self.segment.sync(self.segment.end())?;
        let mark = &self.at.mark;
        if let Some(watermark) = &self.watermark {
            watermark.sent(mark.totals);
        }
        let damaged = || SpoolError::Damaged {
            path: self.segment.path.clone(),
            stream: self.stream.as_str(),
            seq: mark.totals.chunks - 1,
        };
        let bytes = self
            .segment
            .read(self.at.start, self.at.end)
            .map_err(SpoolError::io(&self.segment.path))?;
        let mut body = Vec::with_capacity(mark.bytes as usize);
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (frame, length) = decode_frame(rest).map_err(|_| damaged())?;
            let Frame::Record { line, .. } = frame else {
                return Err(damaged());
            };
            body.extend_from_slice(line.as_bytes());
            body.push(b'\n');
            rest = &rest[length..];
        }
        if <[u8; 32]>::from(Sha256::digest(&body)) != mark.sha256 {
            return Err(damaged());
        }
        Ok(Chunk {
            seq: mark.totals.chunks - 1,
            records: mark.records,
            sha256: mark.sha256,
            body,
        })
    }
}
