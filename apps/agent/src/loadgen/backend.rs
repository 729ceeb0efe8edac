//! What sends and receives.

use super::plan::BackendName;
use super::shared::LoadShared;
use super::tally::LoadTally;

/// A way to send and receive. `run` is one thread's part, from its first connection to its last response.
pub trait Backend: Send + Sync {
    fn name(&self) -> BackendName;
    fn run(&self, shared: &LoadShared<'_>, thread: usize) -> Result<LoadTally, String>;
}
