//! macOS: libproc, which needs no framework and no privilege for one's own processes.
//!
//! Not told without Mach ports or privileges, so `None`: busy time of the host, temperature, frequency.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::{MaybeUninit, size_of};

use super::{Edge, Named, Sampler};
use crate::protocol::journal::{HostCounters, ProcessCounters};

/// libc's own declaration is deprecated in favor of a crate; it is one function.
#[repr(C)]
struct Timebase {
    numer: u32,
    denom: u32,
}

unsafe extern "C" {
    fn mach_timebase_info(info: *mut Timebase) -> libc::c_int;
}

/// What was last seen of a process.
#[derive(Clone, Copy, Default)]
struct Seen {
    cpu_ns: u64,
    switches: u64,
}

#[derive(Default)]
struct Tree {
    members: BTreeMap<u32, Seen>,
    gone: Seen,
    /// As the last look saw it.
    context_switches: Option<u64>,
}

pub struct MacSampler {
    trees: BTreeMap<u32, Tree>,
    /// Nanoseconds for a tick of Mach's clock: 125/3 on Apple silicon, 1 on Intel.
    ns_per_tick: (u64, u64),
}

impl MacSampler {
    pub fn new() -> Self {
        let mut base = Timebase { numer: 1, denom: 1 };
        // SAFETY: `base` is a valid out-parameter.
        unsafe { mach_timebase_info(&mut base) };
        Self {
            trees: BTreeMap::new(),
            ns_per_tick: (u64::from(base.numer), u64::from(base.denom.max(1))),
        }
    }

    fn ns(&self, ticks: u64) -> u64 {
        let (numer, denom) = self.ns_per_tick;
        u64::try_from(u128::from(ticks) * u128::from(numer) / u128::from(denom)).unwrap_or(u64::MAX)
    }
}

impl Default for MacSampler {
    fn default() -> Self {
        Self::new()
    }
}

impl Sampler for MacSampler {
    fn tree(&mut self, root: u32) -> Option<ProcessCounters> {
        let mut tree = self.trees.remove(&root).unwrap_or_default();
        let mut alive = BTreeMap::new();
        let (mut rss, mut threads) = (0u64, 0u64);
        for pid in descendants(root, tree.members.keys().copied()) {
            let Some(task) = task_info(pid) else { continue };
            let before = tree.members.get(&pid).copied().unwrap_or_default();
            let cpu = self.ns(task.pti_total_user.saturating_add(task.pti_total_system));
            // 32 bits that wrap are no worse than a counter that stands still.
            let switches = u64::try_from(task.pti_csw).unwrap_or(0);
            let seen = Seen {
                cpu_ns: cpu.max(before.cpu_ns),
                switches: switches.max(before.switches),
            };
            alive.insert(pid, seen);
            rss = rss.saturating_add(task.pti_resident_size);
            threads += u64::try_from(task.pti_threadnum).unwrap_or(0);
        }
        if alive.is_empty() {
            return None;
        }
        for (_, gone) in tree.members.iter().filter(|(pid, _)| !alive.contains_key(pid)) {
            tree.gone.cpu_ns += gone.cpu_ns;
            tree.gone.switches += gone.switches;
        }
        tree.members = alive;
        let sum = |of: fn(&Seen) -> u64| tree.members.values().map(of).sum::<u64>() + of(&tree.gone);
        let counters = ProcessCounters {
            cpu_us: Some(sum(|s| s.cpu_ns) / 1000),
            rss_bytes: Some(rss),
            processes: Some(tree.members.len() as u64),
            threads: Some(threads),
            context_switches: Some(sum(|s| s.switches)),
        };
        tree.context_switches = counters.context_switches;
        self.trees.insert(root, tree);
        Some(counters)
    }

    fn counters(&self, root: u32) -> Named {
        let switches = self.trees.get(&root).and_then(|tree| tree.context_switches);
        switches.map(|n| ("server_context_switches", n)).into_iter().collect()
    }

    fn edge(&mut self) -> Edge {
        Edge {
            thermal_pressure: crate::host::macos::thermal_pressure(),
            ..Edge::default()
        }
    }

    fn host(&mut self) -> HostCounters {
        let mut loads = [0f64; 1];
        // SAFETY: `loads` has room for the one value that is asked for.
        let got = unsafe { libc::getloadavg(loads.as_mut_ptr(), 1) };
        HostCounters {
            load1: (got == 1 && loads[0].is_finite() && loads[0] >= 0.0).then_some(loads[0]),
            ..HostCounters::default()
        }
    }
}

/// The root, what is known already and all their children.
fn descendants(root: u32, known: impl Iterator<Item = u32>) -> BTreeSet<u32> {
    let mut all: BTreeSet<u32> = known.chain([root]).collect();
    let mut wanted: Vec<u32> = all.iter().copied().collect();
    while let Some(pid) = wanted.pop() {
        for child in children(pid) {
            if all.insert(child) {
                wanted.push(child);
            }
        }
    }
    all
}

fn children(pid: u32) -> Vec<u32> {
    let Ok(pid) = libc::pid_t::try_from(pid) else {
        return Vec::new();
    };
    let mut pids = [0 as libc::pid_t; 1024];
    let bytes = size_of::<[libc::pid_t; 1024]>() as libc::c_int;
    // SAFETY: the buffer is as long as it is said to be.
    let count = unsafe { libc::proc_listchildpids(pid, pids.as_mut_ptr().cast(), bytes) };
    let count = usize::try_from(count).unwrap_or(0).min(pids.len());
    pids[..count]
        .iter()
        .filter_map(|p| u32::try_from(*p).ok().filter(|p| *p > 0))
        .collect()
}

fn task_info(pid: u32) -> Option<libc::proc_taskinfo> {
    let pid = libc::c_int::try_from(pid).ok()?;
    let mut info = MaybeUninit::<libc::proc_taskinfo>::zeroed();
    let bytes = size_of::<libc::proc_taskinfo>() as libc::c_int;
    // SAFETY: `info` has room for the structure that is asked for.
    let got = unsafe { libc::proc_pidinfo(pid, libc::PROC_PIDTASKINFO, 0, info.as_mut_ptr().cast(), bytes) };
    // SAFETY: a full result was written; all its fields are integers.
    (got == bytes).then(|| unsafe { info.assume_init() })
}
