//! A process and its descendants, remembered from sample to sample.

use std::collections::BTreeMap;
use std::path::Path;

use super::clock;
use super::counters::CounterValues;
use super::process::{Process, children_by_scan};
use super::reader::{Buffer, Reader, buffer};
use crate::protocol::journal::ProcessCounters;
use crate::sample::Named;

/// So many new processes between two samples are a server's that makes one for each connection.
const MANY_FORKS: u64 = 32;

pub struct Tree {
    root: u32,
    /// Also those whose parent ended, and those that were adopted: what forks away stays in the sum.
    members: BTreeMap<u32, Process>,
    gone_cpu_ns: u64,
    /// Of those; unknown once one ended that was not counted.
    gone: CounterValues,
    /// As the last look saw it.
    counted: CounterValues,
    /// The most that was said, so that it never goes back.
    cpu_ns: u64,
    /// Children came and went of which nobody keeps what they used: from then on the CPU time is unknown.
    unseen: bool,
    loadavg: Option<Reader>,
    last_pid: Option<u64>,
    has_children_files: bool,
    tick_ns: u64,
    page_bytes: u64,
    buffer: Box<Buffer>,
}

impl Tree {
    pub fn new(root: u32) -> Self {
        // SAFETY: sysconf touches no memory of ours.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        Self {
            root,
            members: BTreeMap::new(),
            gone_cpu_ns: 0,
            gone: CounterValues::ZERO,
            counted: CounterValues::UNKNOWN,
            cpu_ns: 0,
            unseen: false,
            loadavg: Reader::open(Path::new("/proc/loadavg")).ok(),
            last_pid: None,
            has_children_files: Path::new("/proc/thread-self/children").exists(),
            tick_ns: clock::tick_ns(),
            page_bytes: u64::try_from(page).unwrap_or(4096),
            buffer: buffer(),
        }
    }

    /// For tests: what a kernel without `children` files makes of it.
    #[cfg(test)]
    pub fn by_scan(root: u32) -> Self {
        Self {
            has_children_files: false,
            ..Self::new(root)
        }
    }

    pub fn is_alive(&self) -> bool {
        Path::new(&format!("/proc/{}", self.root)).exists()
    }

    /// `None` when nothing of the tree is left.
    pub fn sample(&mut self) -> Option<ProcessCounters> {
        self.walk();
        if self.members.values().all(|p| p.stat.ended) {
            self.members.clear();
            return None;
        }
        self.look_for_unseen();
        let sum = |of: fn(&Process) -> u64| self.members.values().map(of).sum::<u64>();
        // What ended between two samples is only in its parent's account, and there in ticks; what was seen ending is
        // known better. The larger of the two has missed less.
        let waited_ns = sum(|p| p.stat.waited_ticks).saturating_mul(self.tick_ns);
        let now = sum(|p| p.cpu_ns) + self.gone_cpu_ns.max(waited_ns);
        self.cpu_ns = self.cpu_ns.max(now);
        self.counted = self
            .members
            .values()
            .map(|p| p.counted)
            .fold(self.gone, CounterValues::plus);
        let page_bytes = self.page_bytes;
        let rss = |p: &Process| p.rss_bytes.unwrap_or(p.stat.rss_pages.saturating_mul(page_bytes));
        let rss_bytes: u64 = self.members.values().map(rss).sum();
        Some(ProcessCounters {
            cpu_us: (!self.unseen).then_some(self.cpu_ns / 1000),
            // A process without memory is none: where it could not be counted it is unknown.
            rss_bytes: Some(rss_bytes).filter(|b| *b > 0),
            processes: Some(sum(|p| u64::from(!p.stat.ended))),
            threads: Some(sum(|p| if p.stat.ended { 0 } else { p.stat.threads })),
            context_switches: self.counted.context_switches(),
        })
    }

    /// Of the last [`Self::sample`].
    pub fn counters(&self) -> Named {
        self.counted.named()
    }

    fn look_for_unseen(&mut self) {
        let last = self.loadavg.as_ref().and_then(|f| last_pid(&f.read(&mut self.buffer)?));
        let forks = last.zip(self.last_pid).map_or(0, |(now, before)| now.abs_diff(before));
        self.last_pid = last;
        self.unseen |= forks >= MANY_FORKS && self.members.values().any(|p| p.ignores_children);
    }

    /// Takes those that are not in the tree into it, and says how many they were. Who `pids` are has to be known before: a
    /// child that is born while they are looked for is none of them.
    pub fn adopt(&mut self, pids: &[u32]) -> usize {
        // Twice, because one may have changed its parent behind the first look.
        self.walk();
        self.walk();
        let mut strangers = 0;
        for pid in pids {
            if self.members.contains_key(pid) {
                continue;
            }
            let Some(process) = Process::open(*pid, &mut self.buffer) else {
                continue;
            };
            strangers += usize::from(!process.stat.ended);
            self.members.insert(*pid, process);
        }
        if strangers > 0 {
            self.walk();
        }
        strangers
    }

    /// Refreshes the members that are known, then finds their children, and theirs.
    fn walk(&mut self) {
        let mut found = vec![self.root];
        let known: Vec<u32> = self.members.keys().copied().collect();
        for pid in &known {
            self.refresh(*pid, &mut found);
        }
        if !self.has_children_files {
            let parents: Vec<u32> = known.into_iter().chain([self.root]).collect();
            found.extend(children_by_scan(&parents, &mut self.buffer));
        }
        while let Some(pid) = found.pop() {
            if self.members.contains_key(&pid) {
                continue;
            }
            if let Some(process) = Process::open(pid, &mut self.buffer) {
                self.members.insert(pid, process);
                self.refresh(pid, &mut found);
            }
        }
    }

    fn refresh(&mut self, pid: u32, found: &mut Vec<u32>) {
        let Some(process) = self.members.get_mut(&pid) else {
            return;
        };
        if process.refresh(&mut self.buffer, found) {
            return;
        }
        if let Some(gone) = self.members.remove(&pid) {
            self.gone_cpu_ns += gone.cpu_ns;
            self.gone = self.gone.plus(gone.counted);
        }
    }
}

/// `0.20 0.18 0.12 1/80 11206`: the process that was made last.
pub fn last_pid(loadavg: &str) -> Option<u64> {
    loadavg.split_ascii_whitespace().nth(4)?.parse().ok()
}
