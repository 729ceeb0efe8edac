//! A stream of the spool, what was written to it, and the control plane that it is sent to.

use std::io::BufRead;
use std::path::PathBuf;

use proptest::prelude::*;
use tempfile::TempDir;
use uuid::Uuid;

use super::super::error::SpoolError;
use super::super::format::encode_record;
use super::super::stream::{StreamId, StreamSpool};
use super::super::{recover, segment};
use super::control_plane::ControlPlane;
use crate::protocol::wire::StreamName;

pub const ID: StreamId = StreamId {
    stream: StreamName::Journal,
    attempt_id: Uuid::from_u128(7),
    attempt_no: 3,
};

pub struct SpoolUnderTest {
    _tmp: TempDir,
    pub dir: PathBuf,
    pub stream: StreamSpool,
    pub plane: ControlPlane,
    pub written: Vec<String>,
}

impl SpoolUnderTest {
    pub fn new() -> Self {
        let tmp = tempfile::tempdir().unwrap();
        let dir = tmp.path().join("journal");
        Self {
            _tmp: tmp,
            stream: recover::open(&dir, ID, None).unwrap(),
            dir,
            plane: ControlPlane::default(),
            written: Vec::new(),
        }
    }
    pub fn append(&mut self, length: usize) {
        let line = format!("{{\"n\":{},\"x\":\"{}\"}}", self.written.len(), "é".repeat(length / 2));
        self.stream.append(self.stream.next_record(), &line).unwrap();
        self.written.push(line);
    }
    /// Sends the oldest chunk that is not acknowledged.
    pub fn send(&mut self, response_arrives: bool) {
        let status = self.stream.status();
        if status.held_from < status.chunks {
            self.plane
                .put(&self.stream.chunk(status.held_from).unwrap().read().unwrap());
            if response_arrives {
                self.stream.acknowledge(status.held_from + 1).unwrap();
            }
        }
    }
    pub fn crash(&mut self, end: Option<u64>) {
        self.stream = recover::open(&self.dir, ID, end).unwrap();
    }
    pub fn deliver(&mut self) {
        self.stream.cut().unwrap();
        while self.stream.status().held_from < self.stream.status().chunks {
            self.send(true);
        }
    }
    pub fn totals_agree(&self) {
        let totals = self.stream.totals();
        assert_eq!(totals.chunks, self.plane.next_seq());
        assert_eq!(totals.records, self.plane.lines.len() as u64);
        assert_eq!(totals.bytes, self.plane.bytes);
        assert_eq!(totals.digest, self.plane.digest.hex());
    }
    pub fn step(&mut self, step: &SpoolStep) {
        match step {
            SpoolStep::Append(length) => self.append(*length),
            SpoolStep::Cut => self.stream.cut().unwrap(),
            SpoolStep::Send { response_arrives } => self.send(*response_arrives),
            SpoolStep::Crash => self.crash(None),
        }
    }

    pub fn segments(&self) -> Vec<PathBuf> {
        let numbers = segment::list(&self.dir).unwrap();
        numbers.iter().map(|n| segment::path(&self.dir, *n)).collect()
    }

    /// The numbers of the records whose frames are on the disk as they were written.
    pub fn readable(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for path in self.segments() {
            let bytes = std::fs::read(path).unwrap();
            let mut at = 0;
            while at < bytes.len() {
                let seq = bytes
                    .get(at + 6..at + 14)
                    .map(|seq| u64::from_le_bytes(seq.try_into().unwrap()));
                let line = seq.and_then(|seq| Some((seq, self.written.get(seq as usize)?)));
                if let Some((seq, line)) = line
                    && bytes[at..].starts_with(&encode_record(seq, line, false))
                {
                    found.push(seq as usize);
                }
                // On to the next place where a frame may begin; std looks for it quickly in a debug build, too.
                at += 1;
                at += (&bytes[at..]).skip_until(0xFF).unwrap().saturating_sub(1);
            }
        }
        found
    }

    /// Opens what is on the disk, asks what the control plane has and delivers the rest. `Err` says why it cannot.
    pub fn recover(&mut self, end: Option<u64>, crash_again: bool) -> Result<(), &'static str> {
        self.crash(end);
        if crash_again {
            self.crash(end);
        }
        let next_seq = self.plane.next_seq();
        if self.stream.status().damaged {
            match self.stream.rebase(next_seq) {
                Ok(()) => {}
                Err(SpoolError::Unknown { .. }) => return Err("the place where the next chunk begins is gone"),
                Err(other) => panic!("{other}"),
            }
            if crash_again {
                self.crash(end);
            }
        }
        let status = self.stream.status();
        assert!(!status.damaged);
        assert!(status.held_from <= next_seq, "takes for delivered what was not");
        if status.chunks < next_seq {
            return Err("the disk forgot what was sent");
        }
        self.stream.acknowledge(next_seq).unwrap();
        self.deliver();
        Ok(())
    }

    /// Each record was sent under its own number, or something stands there that says it is lost; those that could be
    /// read were sent.
    pub fn all_sent_or_counted(&self, readable: &[usize], ended: bool) {
        let lines = &self.plane.lines;
        let lost = |seq: usize| is_lost(&lines[seq], seq);
        for (seq, line) in lines.iter().enumerate() {
            assert!(self.written.get(seq) == Some(line) || lost(seq), "{seq}: {line:.100}");
        }
        for seq in readable {
            assert_eq!(
                lines.get(*seq),
                Some(&self.written[*seq]),
                "record {seq} is on the disk"
            );
        }
        assert_eq!(
            (0..lines.len()).filter(|seq| lost(*seq)).count() as u64,
            self.stream.lost()
        );
        if ended {
            assert_eq!(lines.len(), self.written.len());
        } else {
            // Without the totals, what was cut off the very end leaves no trace but the torn frame itself.
            assert!(lines.len() <= self.written.len() + 1, "{}", lines.len());
        }
        self.totals_agree();
    }
}

#[derive(Debug, Clone)]
pub enum SpoolStep {
    Append(usize),
    Cut,
    Send { response_arrives: bool },
    Crash,
}

pub fn step() -> impl Strategy<Value = SpoolStep> {
    prop_oneof![
        6 => (0_usize..200).prop_map(SpoolStep::Append),
        1 => (60_000_usize..200_000).prop_map(SpoolStep::Append),
        3 => Just(SpoolStep::Cut),
        3 => any::<bool>().prop_map(|response_arrives| SpoolStep::Send { response_arrives }),
        1 => Just(SpoolStep::Crash),
    ]
}

fn is_lost(line: &str, seq: usize) -> bool {
    line.contains("could not be read back") && line.contains(&format!("\"seq\":{seq},"))
}
