//! What stands in the place of a record that could not be read back, so that numbers keep having no gap.

use std::path::Path;

use serde::Deserialize;
use uuid::Uuid;

use super::format::Frame;
use super::scan::scan;
use super::segment;
use crate::protocol::journal::{Event, Level, Log, LogSource, Raw, Record, VERSION};
use crate::protocol::wire::StreamName;

pub fn in_place_of(stream: StreamName, seq: u64, t_us: u64) -> String {
    let line = format!(
        "Record {seq} of the {} could not be read back from the disk and is lost.",
        stream.as_str()
    );
    let event = match stream {
        StreamName::Journal => Event::Log(Log {
            source: LogSource::Agent,
            level: Level::Error,
            entry_key: None,
            trial_id: None,
            line,
        }),
        StreamName::Raw => Event::Raw(Raw {
            trial_id: Uuid::nil(),
            name: "lost".to_owned(),
            part: 0,
            text: line,
            truncated: true,
        }),
    };
    let record = Record {
        v: VERSION,
        seq,
        t_us,
        event,
    };
    serde_json::to_string(&record).expect("messages are plain data")
}

/// When the last record was made that a stream still has on the disk.
pub fn last_time(dir: &Path) -> Option<u64> {
    let of_segment = |number: u32| {
        let bytes = std::fs::read(segment::path(dir, number)).ok()?;
        let frames = scan(&bytes).frames;
        frames.iter().rev().find_map(|found| match found.frame {
            Frame::Record { line, .. } => time_of(line),
            Frame::Mark(_) => None,
        })
    };
    segment::list(dir).ok()?.into_iter().rev().find_map(of_segment)
}

/// When a record was made: what stands after it has no better time.
pub fn time_of(line: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct Stamp {
        t_us: u64,
    }
    serde_json::from_str::<Stamp>(line).ok().map(|s| s.t_us)
}
