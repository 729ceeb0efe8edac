//! The sampler of a Mac: who is asked for what.

use std::collections::BTreeMap;
use std::path::Path;

use super::host::CpuTime;
use super::mach::Mach;
use super::power::Power;
use super::tree::Tree;
use crate::host::macos::thermal_pressure;
use crate::protocol::journal::{HostCounters, ProcessCounters};
use crate::sample::{Edge, Named, Sampler};

const POWERMETRICS: &str = "/usr/bin/powermetrics";
/// Samples come when they are asked for. One that it makes by itself, after ten minutes, ends it where nobody reads any more.
/// Only an Intel Mac has the sensors of the second sampler, and is asked for them each second.
const ARGUMENTS: [&str; 6] = if cfg!(target_arch = "x86_64") {
    ["--samplers", "cpu_power,smc", "-i", "1000", "-b", "1"]
} else {
    ["--samplers", "cpu_power", "-i", "600000", "-b", "1"]
};
/// Trees that were asked for and are gone are forgotten when there are more than this.
const MOST_TREES: usize = 16;

/// Started at the first edge, so that a look at the load alone starts nothing.
enum Energy {
    NotAsked,
    Counted(Power),
    Unknown,
}

pub struct MacSampler {
    mach: Mach,
    trees: BTreeMap<u32, Tree>,
    cpu: CpuTime,
    energy: Energy,
}

impl MacSampler {
    pub fn new() -> Self {
        Self {
            mach: Mach::new(),
            trees: BTreeMap::new(),
            cpu: CpuTime::default(),
            energy: Energy::NotAsked,
        }
    }

    /// From a look that failed on it is unknown: a sample that is missing would be a part that is missing.
    fn energy_uj(&mut self) -> Option<u64> {
        if matches!(self.energy, Energy::NotAsked) {
            // SAFETY: geteuid cannot fail and touches no memory.
            let as_root = unsafe { libc::geteuid() } == 0;
            let start = || Power::start(Path::new(POWERMETRICS), &ARGUMENTS, libc::SIGINFO);
            self.energy = as_root.then(start).flatten().map_or(Energy::Unknown, Energy::Counted);
        }
        let Energy::Counted(power) = &mut self.energy else {
            return None;
        };
        let now = power.energy_uj();
        if now.is_none() {
            self.energy = Energy::Unknown;
        }
        now
    }
}

impl Default for MacSampler {
    fn default() -> Self {
        Self::new()
    }
}

impl Sampler for MacSampler {
    fn tree(&mut self, root: u32) -> Option<ProcessCounters> {
        if self.trees.len() > MOST_TREES {
            let mach = &self.mach;
            self.trees
                .retain(|pid, tree| *pid == root || tree.sample(mach).is_some());
        }
        let tree = self.trees.entry(root).or_insert_with(|| Tree::new(root));
        let counters = tree.sample(&self.mach);
        if counters.is_none() {
            // The number may come back as another process.
            self.trees.remove(&root);
        }
        counters
    }

    fn counters(&self, root: u32) -> Named {
        let switches = self.trees.get(&root).and_then(Tree::switches);
        switches.map(|n| ("server_context_switches", n)).into_iter().collect()
    }

    fn adopt(&mut self, root: u32, pids: &[u32]) -> usize {
        let tree = self.trees.entry(root).or_insert_with(|| Tree::new(root));
        tree.adopt(&self.mach, pids)
    }

    fn host(&mut self) -> HostCounters {
        let mut loads = [0f64; 1];
        // SAFETY: `loads` has room for the one value that is asked for.
        let got = unsafe { libc::getloadavg(loads.as_mut_ptr(), 1) };
        let (busy, total) = self.mach.cpu_ticks().map(|ticks| self.cpu.add(ticks)).unzip();
        let temperature = match &self.energy {
            Energy::Counted(power) => power.temperature_millic(),
            Energy::NotAsked | Energy::Unknown => None,
        };
        HostCounters {
            cpu_busy_us: busy,
            cpu_total_us: total,
            load1: (got == 1 && loads[0].is_finite() && loads[0] >= 0.0).then_some(loads[0]),
            memory_available_bytes: self.mach.memory_available_bytes(),
            temperature_millic: temperature,
            ..HostCounters::default()
        }
    }

    fn edge(&mut self) -> Edge {
        Edge {
            thermal_pressure: thermal_pressure(),
            energy_uj: self.energy_uj(),
            ..Edge::default()
        }
    }
}
