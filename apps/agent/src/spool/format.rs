//! The bytes of a segment; `docs/spool.md` is the text of it. Integers are little-endian.
//!
//! ```text
//! segment = header header frame*            the header is written twice
//! header  = "RMSPOOL1" stream:u8 0:u8*3 attempt_no:u32 attempt_id:[16] number:u32 0:u32 totals   crc32:u32
//! totals  = chunks:u64 records:u64 bytes:u64 lost:u64 digest:[32]
//! frame   = 0xFF kind:u8 length:u32 seq:u64 crc32:u32 payload:[length]
//!           the CRC covers kind, length, seq and payload
//! kind    = 'R': payload is one record as JSON, seq is the record's
//!         | 'L': the same for a record that stands where another was lost
//!         | 'C': payload is records:u32 bytes:u32 sha256:[32] totals, seq is the chunk's;
//!                the chunk is the record frames between the mark before and this one; written twice
//! ```
//!
//! A payload is UTF-8, so 0xFF never stands in one: after damage the next frame is found by looking for it.

use uuid::Uuid;

use crate::journal::RollingDigest;
use crate::protocol::wire::{CHUNK_BYTES, StreamName, StreamTotals};

pub const MAGIC: &[u8; 8] = b"RMSPOOL1";
pub const TOTALS_LEN: usize = 4 * 8 + 32;
pub const HEADER_LEN: usize = 8 + 4 + 4 + 16 + 8 + TOTALS_LEN + 4;
/// Where the frames begin.
pub const FRAMES_AT: usize = 2 * HEADER_LEN;
pub const FRAME_HEAD: usize = 2 + 4 + 8 + 4;
pub const MARK_LEN: usize = 4 + 4 + 32 + TOTALS_LEN;
const RECORD: u8 = b'R';
const LOST: u8 = b'L';
pub const MARK: u8 = b'C';

/// All chunks of a stream so far, taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    pub chunks: u64,
    /// Also the number of the first record that is in no chunk yet.
    pub records: u64,
    pub bytes: u64,
    /// How many of the records only say that another was lost.
    pub lost: u64,
    pub digest: RollingDigest,
}

impl Totals {
    pub fn to_wire(self) -> StreamTotals {
        StreamTotals {
            chunks: self.chunks,
            records: self.records,
            bytes: self.bytes,
            digest: self.digest.hex(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    pub stream: StreamName,
    pub attempt_no: u32,
    pub attempt_id: Uuid,
    pub number: u32,
    /// What the segments before come to.
    pub totals: Totals,
}

/// The end of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    pub records: u32,
    pub bytes: u32,
    pub sha256: [u8; 32],
    /// With this chunk.
    pub totals: Totals,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame<'a> {
    Record { seq: u64, line: &'a str, lost: bool },
    Mark(Mark),
}

/// The bytes are no frame, or end before it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadFrame;

/// Takes little-endian values off the front; the caller has checked the length.
struct ByteReader<'a>(&'a [u8]);
impl<'a> ByteReader<'a> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (head, rest) = self.0.split_at(N);
        self.0 = rest;
        head.try_into().expect("split at N")
    }
    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }
    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }
    fn totals(&mut self) -> Totals {
        Totals {
            chunks: self.u64(),
            records: self.u64(),
            bytes: self.u64(),
            lost: self.u64(),
            digest: RollingDigest::from_bytes(self.bytes()),
        }
    }
}

pub fn put_totals(out: &mut Vec<u8>, t: &Totals) {
    for value in [t.chunks, t.records, t.bytes, t.lost] {
        out.extend_from_slice(&value.to_le_bytes());
    }
    out.extend_from_slice(&t.digest.bytes());
}

/// From the [`TOTALS_LEN`] bytes at the front.
pub fn get_totals(bytes: &[u8]) -> Totals {
    ByteReader(bytes).totals()
}

/// Both copies.
pub fn encode_header(header: &Header) -> Vec<u8> {
    let mut one = Vec::with_capacity(FRAMES_AT);
    one.extend_from_slice(MAGIC);
    one.extend_from_slice(&[header.stream as u8, 0, 0, 0]);
    one.extend_from_slice(&header.attempt_no.to_le_bytes());
    one.extend_from_slice(header.attempt_id.as_bytes());
    one.extend_from_slice(&header.number.to_le_bytes());
    one.extend_from_slice(&[0; 4]);
    put_totals(&mut one, &header.totals);
    one.extend_from_slice(&crc32fast::hash(&one).to_le_bytes());
    one.extend_from_within(..);
    one
}

/// From either copy.
pub fn decode_header(segment: &[u8]) -> Option<Header> {
    [0, HEADER_LEN]
        .into_iter()
        .find_map(|at| decode_one_header(segment.get(at..at + HEADER_LEN)?))
}

fn decode_one_header(bytes: &[u8]) -> Option<Header> {
    let (body, crc) = bytes.split_at(HEADER_LEN - 4);
    if crc32fast::hash(body).to_le_bytes() != crc || !body.starts_with(MAGIC) {
        return None;
    }
    let mut take = ByteReader(&body[MAGIC.len()..]);
    let [stream, ..] = take.bytes::<4>();
    Some(Header {
        stream: StreamName::ALL.into_iter().find(|s| *s as u8 == stream)?,
        attempt_no: take.u32(),
        attempt_id: Uuid::from_bytes(take.bytes()),
        number: take.u32(),
        totals: {
            let _ = take.u32();
            take.totals()
        },
    })
}

pub fn encode_record(seq: u64, line: &str, lost: bool) -> Vec<u8> {
    frame(if lost { LOST } else { RECORD }, seq, line.as_bytes())
}

/// Both copies.
pub fn encode_mark(mark: &Mark) -> Vec<u8> {
    let mut payload = Vec::with_capacity(MARK_LEN);
    payload.extend_from_slice(&mark.records.to_le_bytes());
    payload.extend_from_slice(&mark.bytes.to_le_bytes());
    payload.extend_from_slice(&mark.sha256);
    put_totals(&mut payload, &mark.totals);
    let mut both = frame(MARK, mark.totals.chunks - 1, &payload);
    both.extend_from_within(..);
    both
}

fn frame(kind: u8, seq: u64, payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(FRAME_HEAD + payload.len());
    out.extend_from_slice(&[0xFF, kind]);
    out.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    out.extend_from_slice(&seq.to_le_bytes());
    out.extend_from_slice(&crc(&out[1..14], payload).to_le_bytes());
    out.extend_from_slice(payload);
    out
}

fn crc(head: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(payload);
    hasher.finalize()
}

/// The frame that starts at the front, and how many bytes it has.
pub fn decode_frame(bytes: &[u8]) -> Result<(Frame<'_>, usize), BadFrame> {
    if bytes.len() < FRAME_HEAD || bytes[0] != 0xFF || !matches!(bytes[1], RECORD | LOST | MARK) {
        return Err(BadFrame);
    }
    let mut take = ByteReader(&bytes[2..]);
    let (length, seq, sum) = (take.u32() as usize, take.u64(), take.u32());
    if length > CHUNK_BYTES {
        return Err(BadFrame);
    }
    let payload = bytes.get(FRAME_HEAD..FRAME_HEAD + length).ok_or(BadFrame)?;
    if crc(&bytes[1..14], payload) != sum {
        return Err(BadFrame);
    }
    let frame = if bytes[1] != MARK {
        let line = std::str::from_utf8(payload).map_err(|_| BadFrame)?;
        let lost = bytes[1] == LOST;
        Frame::Record { seq, line, lost }
    } else {
        if length != MARK_LEN {
            return Err(BadFrame);
        }
        let mut take = ByteReader(payload);
        let mark = Mark {
            records: take.u32(),
            bytes: take.u32(),
            sha256: take.bytes(),
            totals: take.totals(),
        };
        if mark.totals.chunks != seq.wrapping_add(1) {
            return Err(BadFrame);
        }
        Frame::Mark(mark)
    };
    Ok((frame, FRAME_HEAD + length))
}
