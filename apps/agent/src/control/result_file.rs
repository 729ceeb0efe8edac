//! A file of `rigmark run --out` as it is published: checked line by line, and cut into the same chunks each time.

mod cutter;
mod error;
mod lines;

use std::fs::File;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use crate::journal::RollingDigest;
use crate::protocol::journal::RunStatus;
use crate::protocol::wire::{StreamName, StreamTotals};
use crate::text::plain;
use cutter::{Cut, Cutter};
pub use error::FileError;
use error::QUOTED;
use lines::{Line, Lines};

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

#[cfg(test)]
#[path = "result_file_tests.rs"]
mod tests;
