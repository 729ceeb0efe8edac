//! What reads the counters, whatever the system.

use std::collections::BTreeMap;

use crate::protocol::journal::{HostCounters, ProcessCounters};

/// What is looked at before and after a window only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edge {
    /// See [`Throttle`](crate::host::throttle::Throttle): flags of a Raspberry Pi, and how often heat slowed cores of an x86.
    pub throttle_flags: Option<u64>,
    pub throttle_count: Option<u64>,
    /// macOS: 0 nominal, 1 moderate, 2 heavy and more.
    pub thermal_pressure: Option<u64>,
    pub governor: Option<String>,
    /// Cumulative time of all cores in interrupts, hard and soft.
    pub interrupts_us: Option<u64>,
    /// Cumulative, of all processor packages, since the sampler was made.
    pub energy_uj: Option<u64>,
}

/// Cumulative counters by the name that they have in `packages/metrics`. What is unknown is not there.
pub type Named = BTreeMap<&'static str, u64>;

pub trait Sampler: Send {
    /// Counters of the process `root` and all its descendants; `None` when it is gone. CPU time never goes back:
    /// what ended children used stays in the sum.
    fn tree(&mut self, root: u32) -> Option<ProcessCounters>;
    /// More counters of the same processes, as the last [`Self::tree`] saw them.
    fn counters(&self, _root: u32) -> Named {
        Named::new()
    }
    /// Takes those of these processes that are not in the tree of `root` into it, and says how many they were.
    fn adopt(&mut self, _root: u32, _pids: &[u32]) -> usize {
        0
    }
    fn host(&mut self) -> HostCounters;
    /// Of an edge, what may be so within a window and over by its end, where files tell it.
    fn glance(&mut self) -> Edge {
        Edge::default()
    }
    /// On systems that tell.
    fn edge(&mut self) -> Edge {
        Edge::default()
    }
}

/// For systems that tell nothing.
pub struct NullSampler;

impl Sampler for NullSampler {
    fn tree(&mut self, _root: u32) -> Option<ProcessCounters> {
        None
    }
    fn host(&mut self) -> HostCounters {
        HostCounters::default()
    }
}
