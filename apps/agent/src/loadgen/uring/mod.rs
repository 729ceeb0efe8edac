//! io_uring (Linux 6.1 or newer): one ring a thread, receives that stay armed and take buffers from a shared ring, and
//! one system call for everything that has come up since the last.

mod arrival;
mod conn;
mod handshake;
mod http;
mod lives;
mod responses;
mod ring;
mod socket;
mod worker;
mod ws;

use super::plan::BackendName;
use super::tally::LoadTally;
use super::{Backend, LoadShared};

pub struct Uring;

/// A kernel may be too old, and many containers forbid it.
pub fn works() -> bool {
    ring::Ring::new(8, 8, 4096).is_ok()
}

impl Backend for Uring {
    fn name(&self) -> BackendName {
        BackendName::IoUring
    }

    fn run(&self, shared: &LoadShared<'_>, thread: usize) -> Result<LoadTally, String> {
        worker::Worker::new(shared, thread)
            .and_then(worker::Worker::run)
            .map_err(|e| format!("io_uring failed ({e}); set RIGMARK_LOADGEN_BACKEND=tokio to do without it."))
    }
}
