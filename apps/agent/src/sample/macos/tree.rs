//! A process and its descendants, remembered from sample to sample. Who they are and what they use is asked of the system, so
//! this is tested without a Mac.

use std::collections::BTreeMap;

use crate::protocol::journal::ProcessCounters;

/// What the system says of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// In ticks of Mach's clock. A number that comes back with another beginning is another process.
    pub began: u64,
    pub cpu_ns: u64,
    /// Of its children that ended and were waited for, and of theirs.
    pub waited_ns: u64,
    /// `None` when it ended and nobody has waited for it yet.
    pub alive: Option<Alive>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alive {
    pub rss_bytes: u64,
    pub threads: u64,
    pub switches: u64,
}

pub trait Processes {
    /// `None` when there is no such process, or it is not ours to look at.
    fn task(&self, pid: u32) -> Option<Task>;
    fn children(&self, pid: u32) -> Vec<u32>;
}

#[derive(Debug, Clone, Copy)]
struct Member {
    task: Task,
    /// As last seen while it lived.
    switches: u64,
}

pub struct Tree {
    root: u32,
    /// Also those whose parent ended, and those that were adopted: what forks away stays in the sum.
    members: BTreeMap<u32, Member>,
    gone_cpu_ns: u64,
    gone_switches: u64,
    /// The most that was said, so that it never goes back.
    cpu_ns: u64,
    /// As the last look saw it.
    switches: Option<u64>,
}

impl Tree {
    pub fn new(root: u32) -> Self {
        Self {
            root,
            members: BTreeMap::new(),
            gone_cpu_ns: 0,
            gone_switches: 0,
            cpu_ns: 0,
            switches: None,
        }
    }

    /// `None` when nothing of the tree is left.
    pub fn sample(&mut self, system: &dyn Processes) -> Option<ProcessCounters> {
        self.walk(system);
        if self.members.values().all(|m| m.task.alive.is_none()) {
            self.members.clear();
            self.switches = None;
            return None;
        }
        let sum = |of: fn(&Member) -> u64| self.members.values().map(of).sum::<u64>();
        let alive = || self.members.values().filter_map(|m| m.task.alive);
        // What ended between two looks is only in its parent's account; what was seen ending may be in nobody's. The larger of
        // the two has missed less.
        let ended_ns = self.gone_cpu_ns.max(sum(|m| m.task.waited_ns));
        self.cpu_ns = self.cpu_ns.max(sum(|m| m.task.cpu_ns) + ended_ns);
        self.switches = Some(sum(|m| m.switches) + self.gone_switches);
        Some(ProcessCounters {
            cpu_us: Some(self.cpu_ns / 1000),
            // A process without memory is none: where it could not be counted it is unknown.
            rss_bytes: Some(alive().map(|a| a.rss_bytes).sum()).filter(|b| *b > 0),
            processes: Some(alive().count() as u64),
            threads: Some(alive().map(|a| a.threads).sum()),
            context_switches: self.switches,
        })
    }

    /// Of the last [`Self::sample`].
    pub fn switches(&self) -> Option<u64> {
        self.switches
    }

    /// Takes those that are not in the tree into it, and says how many of them live.
    pub fn adopt(&mut self, system: &dyn Processes, pids: &[u32]) -> usize {
        self.walk(system);
        let mut strangers = 0;
        for pid in pids {
            if self.members.contains_key(pid) {
                continue;
            }
            if let Some(task) = system.task(*pid).filter(|task| task.alive.is_some()) {
                self.members.insert(*pid, Member::new(task, None));
                strangers += 1;
            }
        }
        if strangers > 0 {
            self.walk(system);
        }
        strangers
    }

    /// The root, what is known already, and all their children.
    fn walk(&mut self, system: &dyn Processes) {
        let mut now: BTreeMap<u32, Member> = BTreeMap::new();
        let mut wanted: Vec<u32> = self.members.keys().copied().chain([self.root]).collect();
        while let Some(pid) = wanted.pop() {
            if now.contains_key(&pid) {
                continue;
            }
            let before = self.members.get(&pid);
            let same = |task: &Task| before.is_none_or(|known| known.task.began == task.began);
            let Some(task) = system.task(pid).filter(same) else {
                continue;
            };
            now.insert(pid, Member::new(task, before));
            wanted.extend(system.children(pid));
        }
        for (_, gone) in self.members.iter().filter(|(pid, _)| !now.contains_key(pid)) {
            self.gone_cpu_ns += gone.task.cpu_ns;
            self.gone_switches += gone.switches;
        }
        self.members = now;
    }
}

impl Member {
    /// Counters of a process never go back.
    fn new(mut task: Task, before: Option<&Self>) -> Self {
        let switches = before.map_or(0, |known| known.switches);
        task.cpu_ns = task.cpu_ns.max(before.map_or(0, |known| known.task.cpu_ns));
        Self {
            task,
            switches: task.alive.map_or(switches, |alive| alive.switches.max(switches)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Fake {
        tasks: BTreeMap<u32, Task>,
        children: BTreeMap<u32, Vec<u32>>,
    }

    impl Processes for Fake {
        fn task(&self, pid: u32) -> Option<Task> {
            self.tasks.get(&pid).copied()
        }
        fn children(&self, pid: u32) -> Vec<u32> {
            self.children.get(&pid).cloned().unwrap_or_default()
        }
    }

    fn task(cpu_ms: u64, switches: u64) -> Task {
        Task {
            began: 7,
            cpu_ns: cpu_ms * 1_000_000,
            waited_ns: 0,
            alive: Some(Alive {
                rss_bytes: 1 << 20,
                threads: 3,
                switches,
            }),
        }
    }

    /// A server, its two workers, and a worker's child.
    fn server() -> (Fake, Tree) {
        let mut system = Fake::default();
        for (pid, cpu) in [(10, 1), (11, 20), (12, 30), (13, 4)] {
            system.tasks.insert(pid, task(cpu, cpu));
        }
        system.children.insert(10, vec![11, 12]);
        system.children.insert(12, vec![13]);
        (system, Tree::new(10))
    }

    #[test]
    fn the_whole_tree_is_added() {
        let (system, mut tree) = server();
        let counters = tree.sample(&system).unwrap();
        assert_eq!(counters.cpu_us, Some(55_000));
        assert_eq!(counters.rss_bytes, Some(4 << 20));
        assert_eq!((counters.processes, counters.threads), (Some(4), Some(12)));
        assert_eq!((counters.context_switches, tree.switches()), (Some(55), Some(55)));
        assert_eq!(Tree::new(99).sample(&system), None);
    }

    #[test]
    fn what_ended_stays_in_the_sum_once() {
        let (mut system, mut tree) = server();
        tree.sample(&system).unwrap();
        // It ended after more work than was seen of it; its parent waited for it.
        system.tasks.remove(&11);
        system.children.insert(10, vec![12]);
        system.tasks.get_mut(&10).unwrap().waited_ns = 25_000_000;
        let counters = tree.sample(&system).unwrap();
        assert_eq!((counters.cpu_us, counters.processes), (Some(60_000), Some(3)));
        assert_eq!(counters.context_switches, Some(55));
        // Another that nobody waited for.
        system.tasks.remove(&13);
        assert_eq!(tree.sample(&system).unwrap().cpu_us, Some(60_000));
    }

    #[test]
    fn a_worker_whose_parent_ended_stays_and_the_dead_do_not_count() {
        let (mut system, mut tree) = server();
        tree.sample(&system).unwrap();
        system.tasks.get_mut(&12).unwrap().alive = None;
        system.children.remove(&12);
        let counters = tree.sample(&system).unwrap();
        assert_eq!((counters.processes, counters.cpu_us), (Some(3), Some(55_000)));
        assert_eq!(counters.context_switches, Some(55));
        for task in system.tasks.values_mut() {
            task.alive = None;
        }
        assert_eq!(tree.sample(&system), None);
    }

    #[test]
    fn a_number_that_came_back_is_another_process() {
        let (mut system, mut tree) = server();
        tree.sample(&system).unwrap();
        system.children.insert(10, vec![12]);
        system.tasks.insert(
            11,
            Task {
                began: 8,
                ..task(5000, 5000)
            },
        );
        let counters = tree.sample(&system).unwrap();
        assert_eq!((counters.processes, counters.cpu_us), (Some(3), Some(55_000)));
        assert_eq!(tree.sample(&system).unwrap().processes, Some(3));
    }

    #[test]
    fn counters_never_go_back() {
        let (mut system, mut tree) = server();
        tree.sample(&system).unwrap();
        system.tasks.insert(12, task(1, 1));
        let counters = tree.sample(&system).unwrap();
        assert_eq!((counters.cpu_us, counters.context_switches), (Some(55_000), Some(55)));
    }

    #[test]
    fn those_that_left_the_tree_are_adopted_once() {
        let (mut system, mut tree) = server();
        system.tasks.insert(40, task(9, 9));
        system.tasks.insert(41, task(1, 1));
        system.children.insert(40, vec![41]);
        assert_eq!(tree.adopt(&system, &[10, 11, 40, 77]), 1);
        assert_eq!(tree.adopt(&system, &[10, 11, 40, 77]), 0);
        assert_eq!(tree.sample(&system).unwrap().processes, Some(6));
    }
}
