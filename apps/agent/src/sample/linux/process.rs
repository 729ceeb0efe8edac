//! One process of a tree, with its files kept open.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::clock;
use super::counters::CounterValues;
use super::reader::{Buffer, Reader};

/// Beyond this, threads are counted but what they count is not: each costs a descriptor and a read.
const MOST_THREADS: usize = 256;

/// Linux 6.2 and later count pages on each CPU and add them up in batches, so that the count of a small process may be off by
/// all that it has, and be 0. Below this it is counted out, which is cheap for so few.
const FEW_PAGES: u64 = 1024;

/// Of /proc/<pid>/stat, what is used here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Over, and only waiting to be waited for.
    pub ended: bool,
    pub own_ticks: u64,
    /// Of children that ended and were waited for, and of theirs.
    pub waited_ticks: u64,
    pub threads: u64,
    /// Tells a process from a later one with the same number.
    pub started: u64,
    pub rss_pages: u64,
}

impl Stat {
    /// The name in parentheses may hold anything, `)` included: fields count from the last one.
    pub fn parse(text: &str) -> Option<Self> {
        let fields: Vec<&str> = text[text.rfind(')')? + 1..].split_ascii_whitespace().collect();
        // The first field here is number 3 in proc(5).
        let number = |field: usize| fields.get(field - 3)?.parse::<i64>().ok().map(|n| n.max(0) as u64);
        // The first thread of a process may end before the others: a zombie with threads still works.
        let ended = matches!(*fields.first()?, "Z" | "X") && number(20)? <= 1;
        Some(Self {
            ended,
            own_ticks: number(14)?.saturating_add(number(15)?),
            waited_ticks: number(16)?.saturating_add(number(17)?),
            threads: number(20)?,
            started: number(22)?,
            rss_pages: number(24)?,
        })
    }
}

struct Thread {
    status: Reader,
    children: Option<Reader>,
    /// The most that was seen.
    counted: CounterValues,
}

impl Thread {
    fn open(pid: u32, id: u32) -> io::Result<Self> {
        let folder = PathBuf::from(format!("/proc/{pid}/task/{id}"));
        Ok(Self {
            status: Reader::open(&folder.join("status"))?,
            children: Reader::open(&folder.join("children")).ok(),
            counted: CounterValues::ZERO,
        })
    }
}

pub struct Process {
    pid: u32,
    stat_file: Reader,
    pub stat: Stat,
    /// Counted out, where the kernel's own count may be too small.
    pub rss_bytes: Option<u64>,
    /// The most that was seen, so that it never goes back.
    pub cpu_ns: u64,
    threads: HashMap<u32, Thread>,
    /// Of threads that ended; unknown once one of them was not counted.
    gone: CounterValues,
    /// Unknown when there are too many threads to count, or the kernel does not tell.
    pub counted: CounterValues,
    /// It does not wait for its children, so what they used is in nobody's account.
    pub ignores_children: bool,
}

impl Process {
    pub fn open(pid: u32, buffer: &mut Buffer) -> Option<Self> {
        let stat_file = Reader::open(&PathBuf::from(format!("/proc/{pid}/stat"))).ok()?;
        let stat = Stat::parse(&stat_file.read(buffer)?)?;
        Some(Self {
            pid,
            stat_file,
            stat,
            rss_bytes: None,
            cpu_ns: 0,
            threads: HashMap::new(),
            gone: CounterValues::ZERO,
            counted: CounterValues::ZERO,
            ignores_children: false,
        })
    }

    /// Reads everything again and puts the numbers of its children into `children`. False when it is gone.
    pub fn refresh(&mut self, buffer: &mut Buffer, children: &mut Vec<u32>) -> bool {
        // The descriptor is of this very process: once it was reaped, reading fails even if the number is used again.
        let Some(stat) = self.stat_file.read(buffer).and_then(|t| Stat::parse(&t)) else {
            return false;
        };
        self.stat = stat;
        if stat.rss_pages < FEW_PAGES && !stat.ended {
            self.rss_bytes = exact_rss(self.pid);
        } else {
            self.rss_bytes = None;
        }
        let exact = clock::cpu_ns(self.pid);
        let now = exact.unwrap_or_else(|| stat.own_ticks.saturating_mul(clock::tick_ns()));
        self.cpu_ns = self.cpu_ns.max(now);
        self.refresh_threads(buffer, children);
        true
    }

    fn refresh_threads(&mut self, buffer: &mut Buffer, children: &mut Vec<u32>) {
        let folder = PathBuf::from(format!("/proc/{}/task", self.pid));
        let listed = thread_ids(&folder, self.pid, self.stat.threads);
        // It ended since its stat was read; anything else means that we cannot count.
        let mut uncounted = listed.as_ref().is_err_and(|e| e.kind() != ErrorKind::NotFound);
        // Those that are known are still there then, and their children too.
        let ids = listed.unwrap_or_else(|_| self.threads.keys().copied().collect());
        let gone = |id: &u32| !ids.contains(id);
        let ended: Vec<u32> = self.threads.keys().copied().filter(gone).collect();
        for id in ended {
            let counted = self.threads.remove(&id).map_or(CounterValues::UNKNOWN, |t| t.counted);
            self.gone = self.gone.plus(counted);
        }
        uncounted |= ids.len() > MOST_THREADS;
        for id in ids.into_iter().take(MOST_THREADS) {
            let thread = match self.threads.entry(id) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => match Thread::open(self.pid, id) {
                    Ok(thread) => new.insert(thread),
                    // It ended since the folder was read; anything else means that we cannot count.
                    Err(error) => {
                        uncounted |= error.kind() != ErrorKind::NotFound;
                        continue;
                    }
                },
            };
            if let Some(text) = thread.status.read(buffer) {
                self.ignores_children = ignores_children(&text);
                thread.counted = CounterValues::read(&text).since(thread.counted);
            }
            if let Some(text) = thread.children.as_ref().and_then(|f| f.read(buffer)) {
                children.extend(text.split_ascii_whitespace().filter_map(|n| n.parse::<u32>().ok()));
            }
        }
        let known = self.threads.values().map(|thread| thread.counted);
        self.counted = match uncounted {
            true => CounterValues::UNKNOWN,
            false => known.fold(self.gone, CounterValues::plus),
        };
    }
}

pub fn thread_ids(task: &Path, pid: u32, threads: u64) -> io::Result<Vec<u32>> {
    // A process with one thread needs no look at the folder.
    if threads == 1 {
        return Ok(vec![pid]);
    }
    // A folder that cannot be read to its end lists only some of them.
    let entries: Vec<_> = std::fs::read_dir(task)?.collect::<io::Result<_>>()?;
    let id = |entry: &std::fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    Ok(entries.iter().filter_map(id).collect())
}

fn exact_rss(pid: u32) -> Option<u64> {
    rollup_rss(&std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?)
}

/// `Rss:                 100 kB` of /proc/<pid>/smaps_rollup.
pub fn rollup_rss(rollup: &str) -> Option<u64> {
    let line = rollup.lines().find_map(|l| l.strip_prefix("Rss:"))?;
    line.split_ascii_whitespace()
        .next()?
        .parse::<u64>()
        .ok()?
        .checked_mul(1024)
}

/// `SigIgn:` of the same file, a mask in hexadecimal: a parent that ignores SIGCHLD has its children reaped by the kernel.
pub fn ignores_children(status: &str) -> bool {
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (libc::SIGCHLD - 1) & 1 == 1)
}

/// Where the kernel has no `children` files: every process is asked for its parent.
pub fn children_by_scan(parents: &[u32], buffer: &mut Buffer) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let mut pairs = Vec::new();
    for pid in entries
        .flatten()
        .filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok())
    {
        let file = Reader::open(&PathBuf::from(format!("/proc/{pid}/stat"))).ok();
        if let Some(parent) = file.and_then(|f| parent(&f.read(buffer)?)) {
            pairs.push((parent, pid));
        }
    }
    let mut found: Vec<u32> = Vec::new();
    let mut wanted = parents.to_vec();
    while let Some(parent) = wanted.pop() {
        for (_, child) in pairs.iter().filter(|(of, _)| *of == parent) {
            if !found.contains(child) {
                found.push(*child);
                wanted.push(*child);
            }
        }
    }
    found
}

fn parent(stat: &str) -> Option<u32> {
    stat[stat.rfind(')')? + 1..]
        .split_ascii_whitespace()
        .nth(1)?
        .parse()
        .ok()
}
