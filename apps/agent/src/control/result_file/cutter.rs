//! A file's lines as the chunks that are sent.

use sha2::{Digest, Sha256};

use crate::protocol::wire::{CHUNK_BYTES, StreamName};

/// Cuts where the next line would not fit any more. Where it cuts is part of what the app keeps: another cut would make it
/// refuse the rest of a publication that was begun.
#[derive(Default)]
pub(super) struct Cutter {
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

pub(super) struct Cut {
    pub stream: StreamName,
    pub seq: u64,
    pub records: u64,
    pub bytes: u64,
    pub sha256: [u8; 32],
    pub body: Vec<u8>,
}

impl Cutter {
    pub fn with_bytes() -> Self {
        Self {
            keep: true,
            ..Self::default()
        }
    }

    pub fn push(&mut self, stream: StreamName, line: &[u8], cuts: &mut Vec<Cut>) {
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

    pub fn finish(&mut self, cuts: &mut Vec<Cut>) {
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
