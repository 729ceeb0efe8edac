//! The lines of a result file, each checked for itself.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::error::{FileError, QUOTED};
use crate::protocol::journal::VERSION;
use crate::protocol::wire::{CHUNK_BYTES, StreamName};
use crate::text::plain;

#[derive(Deserialize)]
struct Envelope {
    v: u64,
    seq: u64,
    kind: String,
}

pub(super) struct Line {
    pub number: u64,
    pub stream: StreamName,
    pub seq: u64,
    pub kind: String,
    /// With its line feed.
    pub text: Vec<u8>,
}

pub(super) struct Lines<'a> {
    reader: BufReader<&'a File>,
    path: &'a Path,
    number: u64,
    /// The last line was cut off.
    pub torn: bool,
}

impl<'a> Lines<'a> {
    pub fn new(mut file: &'a File, path: &'a Path) -> io::Result<Self> {
        file.seek(SeekFrom::Start(0))?;
        Ok(Self {
            reader: BufReader::with_capacity(1 << 16, file),
            path,
            number: 0,
            torn: false,
        })
    }

    pub fn next_line(&mut self) -> Result<Option<Line>, FileError> {
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
