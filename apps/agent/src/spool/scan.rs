//! Reads what a segment really holds, whatever happened to it.

use super::format::{FRAMES_AT, Frame, Header, MARK, decode_frame, decode_header};

#[derive(Debug)]
pub struct FoundFrame<'a> {
    /// Offset of the frame in the segment.
    pub at: usize,
    pub end: usize,
    pub frame: Frame<'a>,
}

#[derive(Debug)]
pub struct Scan<'a> {
    pub header: Option<Header>,
    pub frames: Vec<FoundFrame<'a>>,
    /// Some bytes between two frames are no frame.
    pub damaged: bool,
    /// The end of the last frame that can be read.
    pub good_end: usize,
    /// How many bytes come after it.
    pub tail: usize,
    /// Those bytes may have been a record.
    pub tail_may_be_record: bool,
}

pub fn scan(segment: &[u8]) -> Scan<'_> {
    let mut out = Scan {
        header: decode_header(segment),
        frames: Vec::new(),
        damaged: false,
        good_end: FRAMES_AT.min(segment.len()),
        tail: 0,
        tail_may_be_record: false,
    };
    let mut at = out.good_end;
    while at < segment.len() {
        match decode_frame(&segment[at..]) {
            Ok((frame, length)) => {
                out.damaged |= at != out.good_end;
                out.frames.push(FoundFrame {
                    at,
                    end: at + length,
                    frame,
                });
                at += length;
                out.good_end = at;
            }
            Err(_) => {
                // The next place where a frame could begin.
                at += 1 + segment[at + 1..]
                    .iter()
                    .position(|b| *b == 0xFF)
                    .unwrap_or(segment.len() - at - 1);
            }
        }
    }
    out.tail = segment.len() - out.good_end;
    out.tail_may_be_record = out.tail > 0 && !segment[out.good_end..].starts_with(&[0xFF, MARK]);
    out
}
