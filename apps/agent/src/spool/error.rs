use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

#[derive(Debug, Error)]
pub enum SpoolError {
    #[error(
        "The disk that holds {0} is full, so the journal of the run cannot be kept; free some space and run again."
    )]
    Full(PathBuf),
    #[error("The spool in {0} cannot be used ({1}); make sure that the agent may write there.")]
    Io(PathBuf, io::Error),
    #[error("Chunk {seq} of the {stream} in {path} cannot be read back as it was written; the disk may be failing.")]
    Damaged {
        path: PathBuf,
        stream: &'static str,
        seq: u64,
    },
    #[error(
        "The control plane has {next_seq} chunks of the {stream} in {path}, and the disk lost the place where the next \
         one begins; what is left can be read with the format in docs/spool.md."
    )]
    Unknown {
        path: PathBuf,
        stream: &'static str,
        next_seq: u64,
    },
}

impl SpoolError {
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |error| match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full(path),
            _ => Self::Io(path, error),
        }
    }
    pub fn is_full(&self) -> bool {
        matches!(self, Self::Full(_))
    }
}
