//! Linux: /proc and /sys, with descriptors and buffers kept open from one sample to the next.
//!
//! A sample of a server with a few processes and a dozen threads costs some hundred microseconds: the agent shares the
//! machine with what it measures. `./rig bench overhead` shows the cost.

mod clock;
mod counters;
mod energy;
mod host;
mod process;
mod reader;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::HashMap;

use super::{Edge, Named, Sampler};
use crate::host::sensor;
use crate::host::sysroot::SysRoot;
use crate::host::throttle::Throttle;
use crate::protocol::journal::{HostCounters, ProcessCounters};

use energy::Energy;
use host::HostSampler;
use tree::Tree;

/// Trees that were asked for and are gone are forgotten when there are more than this.
const MOST_TREES: usize = 16;

pub struct LinuxSampler {
    trees: HashMap<u32, Tree>,
    host: HostSampler,
    throttle: Throttle,
    /// `None` where there is none, and from a look that failed on.
    energy: Option<Energy>,
    sys: SysRoot,
}

impl LinuxSampler {
    /// `sys` is where the host's counters are; processes are always this machine's.
    pub fn new(sys: SysRoot) -> Self {
        Self {
            trees: HashMap::new(),
            host: HostSampler::new(&sys),
            throttle: Throttle::find(&sys),
            energy: Energy::find(&sys),
            sys,
        }
    }
}

impl LinuxSampler {
    fn known(&mut self, root: u32) -> &mut Tree {
        self.trees.entry(root).or_insert_with(|| Tree::new(root))
    }

    fn energy_uj(&mut self) -> Option<u64> {
        let now = self.energy.as_mut()?.uj();
        if now.is_none() {
            self.energy = None;
        }
        now
    }
}

impl Sampler for LinuxSampler {
    fn tree(&mut self, root: u32) -> Option<ProcessCounters> {
        if self.trees.len() > MOST_TREES {
            self.trees.retain(|pid, tree| *pid == root || tree.is_alive());
        }
        let tree = self.known(root);
        let counters = tree.sample();
        if counters.is_none() {
            // The number may come back as another process.
            self.trees.remove(&root);
        }
        counters
    }

    fn counters(&self, root: u32) -> Named {
        self.trees.get(&root).map(Tree::counters).unwrap_or_default()
    }

    fn adopt(&mut self, root: u32, pids: &[u32]) -> usize {
        self.known(root).adopt(pids)
    }

    fn host(&mut self) -> HostCounters {
        if !self.energy.as_mut().is_none_or(Energy::keep_up) {
            self.energy = None;
        }
        self.host.sample()
    }

    fn glance(&mut self) -> Edge {
        Edge {
            throttle_flags: self.throttle.flags_in_file(),
            governor: sensor::governor(&self.sys),
            ..Edge::default()
        }
    }

    fn edge(&mut self) -> Edge {
        Edge {
            throttle_flags: self.throttle.flags(),
            throttle_count: self.throttle.count(),
            thermal_pressure: None,
            governor: sensor::governor(&self.sys),
            interrupts_us: self.host.interrupts_us(),
            energy_uj: self.energy_uj(),
        }
    }
}
