//! Opens a stream that an earlier process left, and fixes it.
//!
//! Most of the time everything is as it was written, or only the end is cut, and sending goes on where it stopped.
//! Otherwise the stream is a [`DamagedStream`]: which chunks the control plane has must be asked first; what it has not is
//! then cut anew from the records that can still be read, and where one is missing another stands that says so.

use std::path::{Path, PathBuf};

use sha2::Digest;

use super::damaged_stream::DamagedStream;
use super::error::SpoolError;
use super::format::{Frame, Header, Totals};
use super::lost;
use super::scan::{Scan, scan};
use super::segment::{self, Segment, sync_dir};
use super::stream::{ChunkAt, Open, StreamId, StreamSpool};
use super::watermark::{self, Marks};

/// What the folder says about whose stream it is, when nothing else does.
pub fn identify(dir: &Path) -> Option<Header> {
    let numbers = segment::list(dir).ok()?;
    numbers
        .into_iter()
        .find_map(|number| super::format::decode_header(&std::fs::read(segment::path(dir, number)).ok()?))
}

/// `end_record`: how many records there were, where the run had ended and that is known.
pub fn open(dir: &Path, id: StreamId, end_record: Option<u64>) -> Result<StreamSpool, SpoolError> {
    settle_swap(dir)?;
    let numbers = segment::list(dir).map_err(SpoolError::io(dir))?;
    let mut segments = Vec::with_capacity(numbers.len());
    for number in &numbers {
        let path = segment::path(dir, *number);
        segments.push((*number, std::fs::read(&path).map_err(SpoolError::io(&path))?));
    }
    let scans: Vec<(u32, Scan<'_>)> = segments.iter().map(|(number, bytes)| (*number, scan(bytes))).collect();
    let mut stream = StreamSpool::empty(dir, id);
    stream.next_number = numbers.last().map_or(0, |n| n + 1);
    let marks = watermark::read(dir);
    if scans.is_empty() {
        // Nothing was ever written, or all of it is gone.
        if end_record.is_some_and(|end| end > 0) || marks.sent.chunks > 0 {
            stream.delivered = marks.acknowledged;
            stream.damaged_stream = Some(damaged_stream(&scans, marks, end_record));
        }
        return Ok(stream);
    }
    let (last_number, last) = scans.last().expect("not empty");
    // A cut end may have had marks of chunks that were sent: ask before anything is cut anew.
    let whole = last.tail == 0
        && rebuild(&mut stream, &scans).is_some()
        && has_all_but_delivered(&stream, marks)
        && end_record.is_none_or(|end| end == stream.next_record());
    if !whole {
        stream = StreamSpool::empty(dir, id);
        stream.next_number = last_number + 1;
        stream.delivered = marks.acknowledged;
        stream.damaged_stream = Some(damaged_stream(&scans, marks, end_record));
        return Ok(stream);
    }
    stream.active = Some(Segment::reopen(dir, *last_number, last.good_end as u64)?);
    stream.remember()?;
    Ok(stream)
}

/// Before the first segment only such chunks are missing as were acknowledged, and after the last none that was sent.
/// A folder of an agent that kept no watermark is asked about as soon as a segment of it is gone.
fn has_all_but_delivered(stream: &StreamSpool, marks: Marks) -> bool {
    stream.delivered.chunks <= marks.acknowledged.chunks && marks.sent.chunks <= stream.totals.chunks
}

/// The state that an undamaged stream had, or `None`.
fn rebuild(stream: &mut StreamSpool, scans: &[(u32, Scan<'_>)]) -> Option<()> {
    stream.totals = scans.first()?.1.header?.totals;
    stream.delivered = stream.totals;
    for (i, (number, scan)) in scans.iter().enumerate() {
        let header = scan.header?;
        if header.totals != stream.totals || header.number != *number {
            return None;
        }
        stream.open = Open::default();
        for found in &scan.frames {
            match found.frame {
                Frame::Record { seq, line, lost } if seq == stream.next_record() => {
                    stream.open.push(found.at as u64..found.end as u64, line, lost);
                }
                Frame::Record { .. } => return None,
                // The second copy.
                Frame::Mark(mark) if mark.totals == stream.totals && stream.open.records == 0 => {}
                Frame::Mark(mark) => {
                    let sha: [u8; 32] = stream.open.sha.clone().finalize().into();
                    let whole = mark.sha256 == sha
                        && mark.records == stream.open.records
                        && mark.totals.chunks == stream.totals.chunks + 1
                        && mark.totals.records == stream.next_record();
                    if !whole {
                        return None;
                    }
                    stream.chunks.push_back(ChunkAt {
                        number: *number,
                        start: stream.open.start,
                        end: stream.open.end,
                        mark,
                    });
                    stream.totals = mark.totals;
                    stream.open = Open::default();
                }
            }
        }
        let last = i + 1 == scans.len();
        if stream.open.records > 0 && (!last || scan.damaged) {
            return None;
        }
        if !last {
            stream.closed.push_back((*number, stream.totals.chunks));
        }
    }
    Some(())
}

fn damaged_stream(scans: &[(u32, Scan<'_>)], marks: Marks, end_record: Option<u64>) -> DamagedStream {
    let mut out = DamagedStream {
        segments: scans.iter().map(|(number, _)| *number).collect(),
        known: vec![Totals::default(), marks.acknowledged, marks.sent],
        end_record: end_record.unwrap_or(0),
    };
    for (i, (_, scan)) in scans.iter().enumerate() {
        out.known.extend(scan.header.map(|h| h.totals));
        let mut last_record = None;
        for found in &scan.frames {
            match found.frame {
                Frame::Record { seq, .. } => last_record = Some(seq),
                Frame::Mark(mark) => out.known.push(mark.totals),
            }
        }
        // A record that was being written, or the last one gone bad, had the next number; a mark had none.
        let torn = i + 1 == scans.len() && scan.tail_may_be_record && end_record.is_none();
        let written = last_record.map_or(0, |seq| seq + 1) + u64::from(torn);
        out.end_record = out.end_record.max(written);
    }
    let marked = out.known.iter().map(|t| t.records).max().unwrap_or(0);
    out.end_record = out.end_record.max(marked);
    out
}

impl StreamSpool {
    /// The control plane waits for chunk `next_seq`: everything from there on is cut anew from what can be read, in a
    /// folder that takes the place of the damaged one.
    pub fn rebase(&mut self, next_seq: u64) -> Result<(), SpoolError> {
        let Some(damaged_stream) = &self.damaged_stream else {
            return Ok(());
        };
        let from = damaged_stream
            .known
            .iter()
            .find(|t| t.chunks == next_seq)
            .copied()
            .ok_or_else(|| SpoolError::Unknown {
                path: self.dir.clone(),
                stream: self.id.stream.as_str(),
                next_seq,
            })?;
        let fresh_dir = sibling(&self.dir, "new");
        let gone = std::fs::remove_dir_all(&fresh_dir);
        if let Err(error) = gone
            && error.kind() != std::io::ErrorKind::NotFound
        {
            return Err(SpoolError::io(&fresh_dir)(error));
        }
        let mut fresh = StreamSpool::empty(&fresh_dir, self.id);
        (fresh.totals, fresh.delivered) = (from, from);
        let mut t_us = 0;
        fresh.next_number = self.next_number;
        for number in &damaged_stream.segments {
            let path = segment::path(&self.dir, *number);
            let bytes = std::fs::read(&path).map_err(SpoolError::io(&path))?;
            for found in scan(&bytes).frames {
                let Frame::Record { seq, line, lost } = found.frame else {
                    continue;
                };
                if seq >= fresh.next_record() {
                    fill(&mut fresh, seq, t_us)?;
                    fresh.push(seq, line, lost)?;
                    t_us = lost::time_of(line).unwrap_or(t_us);
                }
            }
        }
        let end = damaged_stream.end_record.max(fresh.next_record());
        fill(&mut fresh, end, t_us)?;
        // A folder without any segment would have forgotten what was sent.
        fresh.cut()?;
        fresh.make_segment()?;
        fresh.close_segment()?;
        if let Some(watermark) = &fresh.watermark {
            watermark.sync()?;
        }
        drop(fresh);
        let old_dir = sibling(&self.dir, "old");
        let swap = || {
            if self.dir.exists() {
                std::fs::rename(&self.dir, &old_dir)?;
            }
            std::fs::rename(&fresh_dir, &self.dir)?;
            if let Some(parent) = self.dir.parent() {
                sync_dir(parent)?;
            }
            Ok(())
        };
        swap().map_err(SpoolError::io(&self.dir))?;
        *self = open(&self.dir, self.id, Some(end))?;
        Ok(())
    }
}

/// Puts a record that says so in the place of each that is missing before `end`.
fn fill(stream: &mut StreamSpool, end: u64, t_us: u64) -> Result<(), SpoolError> {
    while stream.next_record() < end {
        let seq = stream.next_record();
        stream.push(seq, &lost::in_place_of(stream.id.stream, seq, t_us), true)?;
    }
    Ok(())
}

fn sibling(dir: &Path, suffix: &str) -> PathBuf {
    dir.with_extension(suffix)
}

/// A crash may have come between the renames of [`StreamSpool::rebase`].
fn settle_swap(dir: &Path) -> Result<(), SpoolError> {
    let (old, new) = (sibling(dir, "old"), sibling(dir, "new"));
    let settle = || {
        if !dir.exists() && new.exists() && old.exists() {
            std::fs::rename(&new, dir)?;
        }
        for leftover in [old, new] {
            if leftover.exists() {
                std::fs::remove_dir_all(leftover)?;
            }
        }
        Ok(())
    };
    settle().map_err(SpoolError::io(dir))
}
