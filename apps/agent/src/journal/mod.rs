//! The ordered stream of records that a run is, and the places that it can go.

mod digest;
mod file;
mod memory;
mod recorder;
mod tee;

pub use digest::RollingDigest;
pub use file::FileSink;
pub use memory::MemorySink;
pub use recorder::{Clock, Recorder, Store, StoreError};
pub use tee::Tee;

use crate::protocol::journal::Event;

/// Where records go. The sink numbers them and stamps the monotonic clock at the moment of the call; it keeps order.
/// A sink never drops a record: when it cannot keep one (disk full) it says so at [`Sink::health`], and the runner
/// stops with that sentence.
pub trait Sink: Send + Sync {
    fn append(&self, event: Event);
    /// `Err` with one sentence as soon as a record could not be kept.
    fn health(&self) -> Result<(), String> {
        Ok(())
    }
}
