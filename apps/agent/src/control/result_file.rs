//! A file of `rigmark run --out` as it is published: checked line by line, and cut into the same chunks each time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use thiserror::Error;
use uuid::Uuid;

use crate::journal::RollingDigest;
use crate::protocol::journal::{RunStatus, VERSION};
use crate::protocol::wire::{CHUNK_BYTES, StreamName, StreamTotals};
use crate::text::plain;

const QUOTED: usize = 100;

#[derive(Debug, Error)]
pub enum FileError {
    #[error("{0} cannot be read ({1}).")]
    Io(PathBuf, io::Error),
    #[error("{0} is empty; name a file that `rigmark run --out` wrote.")]
    Empty(PathBuf),
    #[error(
        "{0} is no result file: its first line is not the beginning of a run. Name a file that `rigmark run --out` wrote."
    )]
    NotOurs(PathBuf),
    #[error(
        "{path} was written by another version of Rigmark{by}: line {line} has version {found}, this one reads {VERSION}. Publish it with that version."
    )]
    Version {
        path: PathBuf,
        line: u64,
        found: u64,
        by: String,
    },
    #[error("Line {line} of {path} is not a record ({why}); the file was damaged or changed.")]
    Line { path: PathBuf, line: u64, why: String },
    #[error("Line {line} of {path} is longer than the {CHUNK_BYTES} bytes that a record may have.")]
    Long { path: PathBuf, line: u64 },
    #[error("Line {line} of {path} has number {found} in its {}, expected is {expected}: lines are missing or were changed.", .stream.as_str())]
    Gap {
        path: PathBuf,
        line: u64,
        stream: StreamName,
        found: u64,
        expected: u64,
    },
}

/// What the file says of itself, read once from its beginning to its end.
#[derive(Debug)]
pub struct ResultFile {
    file: File,
    path: PathBuf,
    pub bytes: u64,
    pub run_id: Uuid,
    pub agent_version: String,
    /// Data of the first record, as it is.
    pub begin: Value,
    /// Of the environment record.
    pub facts: Option<Value>,
    pub trials: usize,
    /// Of the last record; `None` when the run was killed or the file was cut off.
    pub ending: Option<RunStatus>,
    /// Its last line has no end, and is not sent.
    pub torn: bool,
    digests: [Vec<RollingDigest>; 2],
    totals: [Totals; 2],
}

#[derive(Debug, Clone, Copy, Default)]
struct Totals {
    chunks: u64,
    records: u64,
    bytes: u64,
}

/// Whole records of one stream, as many as fit.
#[derive(Debug, Clone)]
pub struct FileChunk {
    pub stream: StreamName,
    pub seq: u64,
    pub records: u64,
    pub sha256: [u8; 32],
    pub body: Bytes,
}

#[derive(Deserialize)]
struct Envelope {
    v: u64,
    seq: u64,
    kind: String,
}

#[derive(Deserialize)]
struct WithData {
    data: Value,
}

#[derive(Deserialize)]
struct Beginning {
    run_id: Uuid,
    agent_version: String,
}

impl ResultFile {
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let io = |error| FileError::Io(path.to_owned(), error);
        let file = File::open(path).map_err(io)?;
        let mut lines = Lines::new(&file, path).map_err(io)?;
        let mut cutter = Cutter::default();
        let mut chunks = Vec::new();
        let mut found = Found::default();
        while let Some(line) = lines.next_line()? {
            found.take(path, &line)?;
            cutter.push(line.stream, &line.text, &mut chunks);
        }
        cutter.finish(&mut chunks);
        let (run_id, agent_version, begin) = found.begin.ok_or_else(|| FileError::Empty(path.to_owned()))?;
        let mut digests = [vec![RollingDigest::new()], vec![RollingDigest::new()]];
        let mut totals = [Totals::default(); 2];
        for chunk in &chunks {
            let at = chunk.stream as usize;
            let mut digest = *digests[at].last().expect("there is the empty one");
            digest.push(&chunk.sha256);
            digests[at].push(digest);
            totals[at].chunks += 1;
            totals[at].records += chunk.records;
            totals[at].bytes += chunk.bytes;
        }
        Ok(Self {
            path: path.to_owned(),
            bytes: totals.iter().map(|t| t.bytes).sum(),
            run_id,
            agent_version,
            begin,
            facts: found.facts,
            trials: found.trials,
            ending: found.ending,
            torn: lines.torn,
            digests,
            totals,
            file,
        })
    }

    pub fn chunks_of(&self, stream: StreamName) -> u64 {
        self.totals[stream as usize].chunks
    }

    /// Whether the first `next_seq` chunks of this file have this digest.
    pub fn begins_with(&self, stream: StreamName, next_seq: u64, digest: &str) -> bool {
        let of = &self.digests[stream as usize];
        usize::try_from(next_seq).is_ok_and(|n| of.get(n).is_some_and(|d| d.hex() == digest))
    }

    /// Whether the chunk is what it was when the file was opened.
    pub fn has(&self, chunk: &FileChunk) -> bool {
        let of = &self.digests[chunk.stream as usize];
        let at = usize::try_from(chunk.seq).unwrap_or(usize::MAX);
        let (Some(before), Some(after)) = (of.get(at), of.get(at.saturating_add(1))) else {
            return false;
        };
        let mut digest = *before;
        digest.push(&chunk.sha256);
        digest == *after
    }

    pub fn totals(&self, stream: StreamName) -> StreamTotals {
        let Totals { chunks, records, bytes } = self.totals[stream as usize];
        let digest = self.digests[stream as usize]
            .last()
            .expect("there is the empty one")
            .hex();
        StreamTotals {
            chunks,
            records,
            bytes,
            digest,
        }
    }

    /// The chunks again, with their bytes, in the order in which they are full.
    pub fn chunks(&self) -> Result<Chunks<'_>, FileError> {
        let lines = Lines::new(&self.file, &self.path).map_err(|e| FileError::Io(self.path.clone(), e))?;
        Ok(Chunks {
            lines,
            cutter: Cutter::with_bytes(),
            ready: Vec::new(),
            ended: false,
        })
    }
}

#[derive(Default)]
struct Found {
    begin: Option<(Uuid, String, Value)>,
    facts: Option<Value>,
    trials: usize,
    ending: Option<RunStatus>,
    next: [u64; 2],
}

impl Found {
    fn take(&mut self, path: &Path, line: &Line) -> Result<(), FileError> {
        let damaged = |why: &str| FileError::Line {
            path: path.to_owned(),
            line: line.number,
            why: plain(why, QUOTED),
        };
        let expected = &mut self.next[line.stream as usize];
        if line.seq != *expected {
            return Err(FileError::Gap {
                path: path.to_owned(),
                line: line.number,
                stream: line.stream,
                found: line.seq,
                expected: *expected,
            });
        }
        *expected += 1;
        let data = || {
            serde_json::from_slice::<WithData>(&line.text)
                .map(|l| l.data)
                .map_err(|e| damaged(&e.to_string()))
        };
        if self.begin.is_none() && line.kind != "begin" {
            return Err(FileError::NotOurs(path.to_owned()));
        }
        match line.kind.as_str() {
            "begin" if self.begin.is_none() => {
                let data = data()?;
                let Beginning { run_id, agent_version } =
                    Beginning::deserialize(&data).map_err(|_| FileError::NotOurs(path.to_owned()))?;
                self.begin = Some((run_id, plain(&agent_version, QUOTED), data));
            }
            "environment" => self.facts = data()?.get_mut("facts").map(Value::take),
            "trial" => self.trials += 1,
            "result" => {
                let status = data()?.get_mut("status").map(Value::take).unwrap_or_default();
                self.ending = Some(RunStatus::deserialize(&status).map_err(|e| damaged(&e.to_string()))?);
            }
            _ => {}
        }
        Ok(())
    }
}

pub struct Chunks<'a> {
    lines: Lines<'a>,
    cutter: Cutter,
    ready: Vec<Cut>,
    ended: bool,
}

impl Chunks<'_> {
    pub fn next_chunk(&mut self) -> Result<Option<FileChunk>, FileError> {
        while self.ready.is_empty() && !self.ended {
            match self.lines.next_line()? {
                Some(line) => self.cutter.push(line.stream, &line.text, &mut self.ready),
                None => {
                    self.cutter.finish(&mut self.ready);
                    self.ended = true;
                }
            }
        }
        if self.ready.is_empty() {
            return Ok(None);
        }
        let cut = self.ready.remove(0);
        Ok(Some(FileChunk {
            stream: cut.stream,
            seq: cut.seq,
            records: cut.records,
            sha256: cut.sha256,
            body: cut.body.into(),
        }))
    }
}

struct Line {
    number: u64,
    stream: StreamName,
    seq: u64,
    kind: String,
    /// With its line feed.
    text: Vec<u8>,
}

struct Lines<'a> {
    reader: BufReader<&'a File>,
    path: &'a Path,
    number: u64,
    torn: bool,
}

impl<'a> Lines<'a> {
    fn new(mut file: &'a File, path: &'a Path) -> io::Result<Self> {
        file.seek(SeekFrom::Start(0))?;
        Ok(Self {
            reader: BufReader::with_capacity(1 << 16, file),
            path,
            number: 0,
            torn: false,
        })
    }

    fn next_line(&mut self) -> Result<Option<Line>, FileError> {
        let mut text = Vec::new();
        let most = CHUNK_BYTES as u64 + 1;
        (&mut self.reader)
            .take(most)
            .read_until(b'\n', &mut text)
            .map_err(|e| FileError::Io(self.path.to_owned(), e))?;
        if text.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        let path = || self.path.to_owned();
        let ended = text.last() == Some(&b'\n');
        if text.len() > CHUNK_BYTES {
            return Err(if self.number == 1 {
                FileError::NotOurs(path())
            } else {
                FileError::Long {
                    path: path(),
                    line: self.number,
                }
            });
        }
        let envelope: Envelope = match serde_json::from_slice(&text) {
            Ok(envelope) => envelope,
            // The program was killed while it wrote, or the file was cut: what is before counts.
            Err(_) if !ended && self.number > 1 => {
                self.torn = true;
                return Ok(None);
            }
            Err(_) if self.number == 1 => return Err(FileError::NotOurs(path())),
            Err(error) => {
                return Err(FileError::Line {
                    path: path(),
                    line: self.number,
                    why: plain(&error.to_string(), QUOTED),
                });
            }
        };
        if envelope.v != u64::from(VERSION) {
            return Err(FileError::Version {
                path: path(),
                line: self.number,
                found: envelope.v,
                by: written_by(&text),
            });
        }
        if !ended {
            text.push(b'\n');
        }
        Ok(Some(Line {
            number: self.number,
            stream: if envelope.kind == "raw" {
                StreamName::Raw
            } else {
                StreamName::Journal
            },
            seq: envelope.seq,
            kind: envelope.kind,
            text,
        }))
    }
}

/// ` (0.9.0)`, where the line says it.
fn written_by(line: &[u8]) -> String {
    let said = serde_json::from_slice::<Value>(line).ok();
    let version = said.as_ref().and_then(|v| v.pointer("/data/agent_version")?.as_str());
    version.map_or_else(String::new, |v| format!(" ({})", plain(v, QUOTED)))
}

/// Cuts where the next line would not fit any more. Where it cuts is part of what the app keeps: another cut would make it
/// refuse the rest of a publication that was begun.
#[derive(Default)]
struct Cutter {
    keep: bool,
    streams: [Open; 2],
}

#[derive(Default)]
struct Open {
    seq: u64,
    records: u64,
    length: usize,
    hasher: Sha256,
    body: Vec<u8>,
}

struct Cut {
    stream: StreamName,
    seq: u64,
    records: u64,
    bytes: u64,
    sha256: [u8; 32],
    body: Vec<u8>,
}

impl Cutter {
    fn with_bytes() -> Self {
        Self {
            keep: true,
            ..Self::default()
        }
    }

    fn push(&mut self, stream: StreamName, line: &[u8], cuts: &mut Vec<Cut>) {
        let open = &mut self.streams[stream as usize];
        if open.length + line.len() > CHUNK_BYTES {
            cuts.extend(open.cut(stream));
        }
        open.records += 1;
        open.length += line.len();
        open.hasher.update(line);
        if self.keep {
            open.body.extend_from_slice(line);
        }
    }

    fn finish(&mut self, cuts: &mut Vec<Cut>) {
        for stream in StreamName::ALL {
            cuts.extend(self.streams[stream as usize].cut(stream));
        }
    }
}

impl Open {
    fn cut(&mut self, stream: StreamName) -> Option<Cut> {
        if self.records == 0 {
            return None;
        }
        let next = Self {
            seq: self.seq + 1,
            ..Self::default()
        };
        let done = std::mem::replace(self, next);
        Some(Cut {
            stream,
            seq: done.seq,
            records: done.records,
            bytes: done.length as u64,
            sha256: done.hasher.finalize().into(),
            body: done.body,
        })
    }
}

#[cfg(test)]
#[path = "result_file_tests.rs"]
mod tests;
