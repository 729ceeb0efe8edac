//! Cumulative counters, read about once a second while a trial runs. What the kernel does not tell is `None`.

use crate::protocol::journal::{HostCounters, ProcessCounters};

pub trait Sampler: Send {
    /// Counters of the process `root` and all its descendants; `None` when it is gone. CPU time never goes back:
    /// what ended children used stays in the sum.
    fn tree(&mut self, root: u32) -> Option<ProcessCounters>;
    fn host(&mut self) -> HostCounters;
}
