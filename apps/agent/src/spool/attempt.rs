//! `attempt.json`: whose records these are and how the run ended, as far as that is known.

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::protocol::journal::RunStatus;
use crate::protocol::result::Reason;

pub const FILE: &str = "attempt.json";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptPhase {
    /// `start` may have been asked, and nothing was spawned.
    Starting,
    Running,
    Ended,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunEnd {
    pub status: RunStatus,
    pub error: Option<Reason>,
    /// Records written to each stream: journal, raw.
    pub records: [u64; 2],
    /// Records that the disk had no room for.
    pub refused: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpooledAttempt {
    pub schema: u32,
    pub run_id: Uuid,
    pub attempt_id: Uuid,
    pub attempt_no: u32,
    pub host_id: Uuid,
    pub phase: AttemptPhase,
    pub ended: Option<RunEnd>,
}

/// `{"crc32":"01234567","attempt":{…}}`: the CRC is of the bytes of the inner object.
pub fn write(dir: &Path, attempt: &SpooledAttempt) -> io::Result<()> {
    let inner = serde_json::to_string(attempt)?;
    let text = format!(
        "{{\"crc32\":\"{:08x}\",\"attempt\":{inner}}}\n",
        crc32fast::hash(inner.as_bytes())
    );
    write_atomically(&dir.join(FILE), text.as_bytes())
}

/// `None` when it is missing or not as it was written.
pub fn read(dir: &Path) -> Option<SpooledAttempt> {
    let text = std::fs::read_to_string(dir.join(FILE)).ok()?;
    let rest = text.strip_prefix("{\"crc32\":\"")?;
    let (crc, rest) = rest.split_at_checked(8)?;
    let inner = rest.strip_prefix("\",\"attempt\":")?.strip_suffix("}\n")?;
    if crc != format!("{:08x}", crc32fast::hash(inner.as_bytes())) {
        return None;
    }
    serde_json::from_str(inner).ok()
}

/// The old content or the new one, whenever the power goes. Readable by its owner only.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    // A file or a link that somebody has put there must not become ours: what is there goes, and ours is new.
    let temporary = path.with_extension("tmp");
    match std::fs::remove_file(&temporary) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let write = || {
        let mut file = options.open(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        let _ = std::fs::remove_file(&temporary);
    })?;
    path.parent().map_or(Ok(()), super::segment::sync_dir)
}
