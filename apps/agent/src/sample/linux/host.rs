//! The host's own counters.

use super::clock;
use super::reader::{Buffer, Reader, buffer};
use crate::host::monotonic_us;
use crate::host::sensor;
use crate::host::sysroot::SysRoot;
use crate::protocol::journal::HostCounters;

pub struct HostSampler {
    stat: Option<Reader>,
    loadavg: Option<Reader>,
    meminfo: Option<Reader>,
    temperature: Option<Reader>,
    frequencies: Vec<Reader>,
    tick_ns: u64,
    /// `None` under a replaced root, whose time is not this machine's.
    whole: Option<WholeTime>,
    buffer: Box<Buffer>,
}

impl HostSampler {
    pub fn new(sys: &SysRoot) -> Self {
        let tick_ns = clock::tick_ns();
        let whole = || {
            let stat = std::fs::read_to_string(sys.path("proc/stat")).ok()?;
            let (cores, cpu) = (core_count(&stat)?, cpu_ticks(&stat)?);
            Some(WholeTime::since(cores, monotonic_us(), free_us(cpu, tick_ns)))
        };
        let open = |path: &str| Reader::open(&sys.path(path)).ok();
        Self {
            stat: open("proc/stat"),
            loadavg: open("proc/loadavg"),
            meminfo: open("proc/meminfo"),
            temperature: sensor::temperature_file(sys).and_then(|file| open(&file)),
            frequencies: sensor::frequency_files(sys)
                .iter()
                .filter_map(|file| open(file))
                .collect(),
            tick_ns,
            whole: sys.is_host().then(whole).flatten(),
            buffer: buffer(),
        }
    }

    pub fn interrupts_us(&mut self) -> Option<u64> {
        let ticks = cpu_ticks(&self.stat.as_ref()?.read(&mut self.buffer)?)?.interrupts;
        Some(self.us(ticks))
    }

    fn us(&self, ticks: u64) -> u64 {
        us(ticks, self.tick_ns)
    }

    /// Once a tick the kernel checks what is running. A load in step with the ticks is caught by all of them or by none: one
    /// that used 20 % of the cores showed as 51 % in /proc/stat. Idle time is measured exactly, so busy is what is neither
    /// idle nor stolen.
    fn total_and_busy_us(&self, cpu: CpuTicks) -> (u64, u64) {
        match self.whole {
            Some(whole) => whole.total_and_busy_us(monotonic_us(), free_us(cpu, self.tick_ns)),
            None => (self.us(cpu.total), self.us(cpu.busy)),
        }
    }

    pub fn sample(&mut self) -> HostCounters {
        let cpu = self.stat.as_ref().and_then(|f| cpu_ticks(&f.read(&mut self.buffer)?));
        let (total, busy) = cpu.map(|c| self.total_and_busy_us(c)).unzip();
        let steal = cpu.and_then(|c| Some(self.us(c.steal?)));
        let buffer = &mut self.buffer;
        HostCounters {
            cpu_busy_us: busy,
            cpu_total_us: total,
            cpu_steal_us: steal,
            load1: self.loadavg.as_ref().and_then(|f| load1(&f.read(buffer)?)),
            memory_available_bytes: self.meminfo.as_ref().and_then(|f| available(&f.read(buffer)?)),
            temperature_millic: self.temperature.as_ref().and_then(|f| f.number(buffer)),
            frequency_khz: mean(
                self.frequencies
                    .iter()
                    .filter_map(|f| u64::try_from(f.number(buffer)?).ok()),
            ),
        }
    }
}

fn us(ticks: u64, tick_ns: u64) -> u64 {
    ticks.saturating_mul(tick_ns) / 1000
}

/// Neither worked nor could work.
fn free_us(cpu: CpuTicks, tick_ns: u64) -> u64 {
    us(cpu.idle.saturating_add(cpu.steal.unwrap_or(0)), tick_ns)
}

/// All the time of the cores that are on, at a first look. /proc/stat also counts what cores were idle that are off by now, so
/// only what it adds from then on can be compared with the time that passes.
#[derive(Debug, Clone, Copy)]
pub struct WholeTime {
    cores: u64,
    total_us: u64,
    busy_us: u64,
    free_us: u64,
}

impl WholeTime {
    pub fn since(cores: u64, now_us: u64, free_us: u64) -> Self {
        let total_us = cores * now_us;
        Self {
            cores,
            total_us,
            busy_us: total_us.saturating_sub(free_us),
            free_us,
        }
    }

    pub fn total_and_busy_us(self, now_us: u64, free_us: u64) -> (u64, u64) {
        let total_us = self.cores * now_us;
        let passed = total_us.saturating_sub(self.total_us);
        let busy = (self.busy_us + passed).saturating_sub(free_us.saturating_sub(self.free_us));
        (total_us, busy)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CpuTicks {
    /// Time that this machine worked; neither idle nor waiting for a disk nor stolen.
    pub busy: u64,
    /// Of that, in interrupts, hard and soft.
    pub interrupts: u64,
    /// Nothing to do, or waiting for a disk.
    pub idle: u64,
    pub total: u64,
    pub steal: Option<u64>,
}

/// `cpu  user nice system idle iowait irq softirq steal guest guest_nice`; guests are in user and nice already.
pub fn cpu_ticks(stat: &str) -> Option<CpuTicks> {
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    let t: Vec<u64> = line.split_ascii_whitespace().map_while(|n| n.parse().ok()).collect();
    if t.len() < 5 {
        return None;
    }
    let at = |i: usize| t.get(i).copied().unwrap_or(0);
    let busy = [0, 1, 2, 5, 6]
        .into_iter()
        .try_fold(0u64, |sum, i| sum.checked_add(at(i)))?;
    let steal = t.get(7).copied();
    let idle = at(3).checked_add(at(4))?;
    let total = [busy, idle, steal.unwrap_or(0)]
        .into_iter()
        .try_fold(0u64, u64::checked_add)?;
    // A sandbox that shows the file and counts nothing in it.
    if total == 0 {
        return None;
    }
    Some(CpuTicks {
        busy,
        interrupts: at(5).checked_add(at(6))?,
        idle,
        total,
        steal,
    })
}

/// `cpu0`, `cpu1`…: a line for each core that is on.
pub fn core_count(stat: &str) -> Option<u64> {
    let is_core = |line: &&str| {
        line.strip_prefix("cpu")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let cores = stat.lines().filter(is_core).count() as u64;
    (cores > 0).then_some(cores)
}

pub fn load1(text: &str) -> Option<f64> {
    let load: f64 = text.split_ascii_whitespace().next()?.parse().ok()?;
    (0.0..1e9).contains(&load).then_some(load)
}

pub fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    line.split_ascii_whitespace()
        .next()?
        .parse::<u64>()
        .ok()?
        .checked_mul(1024)
}

fn mean(values: impl Iterator<Item = u64>) -> Option<u64> {
    let (sum, n) = values.fold((0u64, 0u64), |(sum, n), v| (sum.saturating_add(v), n + 1));
    sum.checked_div(n)
}
