//! What the slices of a window cost, added up: what happened between two slices is in no figure.

use std::collections::{BTreeMap, BTreeSet};

use crate::host::cores::Cores;
use crate::protocol::journal::{ProcessCounters, SliceCounters};
use crate::protocol::result::{Resources, ToolResult};
use crate::runner::measure::observe::{Counters, Observer};
use crate::runner::validity::socket_counters::SocketCounts;
use crate::sandbox::Traffic;

/// A sum of which one part may be unknown; then all of it is. A counter that went back tells nothing of what it grew by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sum(Option<u64>);

impl Default for Sum {
    fn default() -> Self {
        Self(Some(0))
    }
}

impl Sum {
    fn add(&mut self, before: Option<u64>, after: Option<u64>) {
        let delta = before.zip(after).and_then(|(before, after)| after.checked_sub(before));
        self.plus(Self(delta));
    }

    fn plus(&mut self, more: Self) {
        self.0 = self.0.zip(more.0).map(|(sum, more)| sum + more);
    }
}

#[derive(Debug, Clone, Default)]
pub struct ResourceUsage {
    window_us: u64,
    server_cpu_us: Sum,
    tool_cpu_us: u64,
    context_switches: Sum,
    /// More of the server, by name; `None` before the first slice.
    named: Option<BTreeMap<&'static str, Sum>>,
    loopback: Sum,
    packets: Sum,
    accepted: Sum,
    host_total_us: Sum,
    host_busy_us: Sum,
    host_steal_us: Sum,
    interrupts_us: Sum,
    agent_us: Sum,
    energy_uj: Sum,
}

impl ResourceUsage {
    pub fn add(&mut self, before: &Counters, after: &Counters, tool_cpu_us: u64) {
        let server = |of: fn(&ProcessCounters) -> Option<u64>| {
            (before.server.as_ref().and_then(of), after.server.as_ref().and_then(of))
        };
        let (cpu, switches) = (server(|c| c.cpu_us), server(|c| c.context_switches));
        self.window_us += after.at_us.saturating_sub(before.at_us);
        self.tool_cpu_us += tool_cpu_us;
        self.server_cpu_us.add(cpu.0, cpu.1);
        self.context_switches.add(switches.0, switches.1);
        let grown = |name: &&'static str| {
            let mut sum = Sum::default();
            sum.add(before.named.get(name).copied(), after.named.get(name).copied());
            (*name, sum)
        };
        self.add_named(&before.named.keys().chain(after.named.keys()).map(grown).collect());
        self.loopback.add(before.loopback, after.loopback);
        let traffic = |of: fn(&Traffic) -> u64| (before.traffic.as_ref().map(of), after.traffic.as_ref().map(of));
        let (packets, accepted) = (traffic(|t| t.packets), traffic(|t| t.accepted));
        self.packets.add(packets.0, packets.1);
        self.accepted.add(accepted.0, accepted.1);
        self.host_total_us
            .add(before.host.cpu_total_us, after.host.cpu_total_us);
        self.host_busy_us.add(before.host.cpu_busy_us, after.host.cpu_busy_us);
        self.host_steal_us
            .add(before.host.cpu_steal_us, after.host.cpu_steal_us);
        self.interrupts_us.add(before.interrupts_us, after.interrupts_us);
        self.agent_us.add(before.agent_us, after.agent_us);
        self.energy_uj.add(before.energy_uj, after.energy_uj);
    }

    /// What one slice does not know is unknown of all.
    fn add_named(&mut self, more: &BTreeMap<&'static str, Sum>) {
        match &mut self.named {
            None => self.named = Some(more.clone()),
            Some(named) => {
                let names: BTreeSet<_> = named.keys().chain(more.keys()).copied().collect();
                for name in names {
                    let more = more.get(name).copied().unwrap_or(Sum(None));
                    named.entry(name).or_insert(Sum(None)).plus(more);
                }
            }
        }
    }

    /// Of several slices together.
    pub fn plus(&mut self, more: &Self) {
        self.window_us += more.window_us;
        self.tool_cpu_us += more.tool_cpu_us;
        self.server_cpu_us.plus(more.server_cpu_us);
        self.context_switches.plus(more.context_switches);
        if let Some(named) = &more.named {
            self.add_named(named);
        }
        self.loopback.plus(more.loopback);
        self.packets.plus(more.packets);
        self.accepted.plus(more.accepted);
        self.host_total_us.plus(more.host_total_us);
        self.host_busy_us.plus(more.host_busy_us);
        self.host_steal_us.plus(more.host_steal_us);
        self.interrupts_us.plus(more.interrupts_us);
        self.agent_us.plus(more.agent_us);
        self.energy_uj.plus(more.energy_uj);
    }

    /// What the journal keeps of one slice.
    pub fn counters(&self, result: Option<&ToolResult>) -> SliceCounters {
        SliceCounters {
            requests: result.map(|r| r.requests),
            tool_us: result.map(|r| r.duration_us),
            server_cpu_us: self.server_cpu_us.0,
            tool_cpu_us: Some(self.tool_cpu_us),
            host_total_us: self.total(),
            host_steal_us: self.host_steal_us.0,
            others_cpu_us: self.others_us(),
        }
    }

    /// What the host took away from the trial, as a part of all its cores' time. `None` where what other programs took is unknown:
    /// steal alone would be compared with the sum of another entry.
    pub fn taken(&self) -> Option<f64> {
        let taken = self.host_steal_us.0.unwrap_or(0) + self.others_us()?;
        Some(taken as f64 / self.total()? as f64)
    }

    pub fn resources(&self, observer: &Observer, cores: &Cores) -> Resources {
        let ratio = |part: Sum| {
            let (part, total) = part.0.zip(self.total())?;
            Some((part as f64 / total as f64).min(1.0))
        };
        Resources {
            window_us: self.window_us,
            server_cpu_us: self.server_cpu_us.0,
            tool_cpu_us: Some(self.tool_cpu_us),
            server_rss_peak_bytes: observer.rss_peak,
            server_threads_max: observer.threads_max,
            server_context_switches: self.context_switches.0,
            loopback_bytes: self.loopback.0,
            host_steal_ratio: ratio(self.host_steal_us),
            host_taken_ratio: self.taken().map(|share| share.min(1.0)),
            temperature_max_millic: observer.temperature_max,
            server_cpus: Some(cores.server() as u64),
            tool_cpus: Some(cores.tool() as u64),
            energy_uj: self.energy_uj.0,
            counters: self
                .named
                .iter()
                .flatten()
                .filter_map(|(name, sum)| Some(((*name).to_owned(), sum.0?)))
                .collect(),
        }
    }

    /// What the kernel counted while there was load, beside so many runs of the tool.
    pub fn counted(&self, runs: usize) -> SocketCounts {
        let traffic = self.packets.0.zip(self.accepted.0);
        SocketCounts {
            traffic: traffic.map(|(packets, accepted)| Traffic { packets, accepted }),
            loopback_bytes: self.loopback.0,
            runs,
        }
    }

    /// Of all cores together, as a ratio.
    pub fn host_busy(&self) -> Option<f64> {
        Some(self.host_busy_us.0? as f64 / self.total()? as f64)
    }

    /// What was busy beside server, tool, agent and interrupts, as a ratio. The kernel answers packets in interrupts, and
    /// many kernels keep that time out of every process's own (CONFIG_IRQ_TIME_ACCOUNTING): it is the trial's work, and
    /// no other program's. So is the agent's time, which reads what a server logs.
    pub fn others_busy(&self) -> Option<f64> {
        Some(self.others_us()? as f64 / self.total()? as f64)
    }

    fn others_us(&self) -> Option<u64> {
        let trial = self.server_cpu_us.0? + self.tool_cpu_us;
        let interrupts = match self.interrupts_us.0 {
            // A Mac handles packets of the loopback in a thread of its kernel, and does not say how long that took.
            None if cfg!(target_os = "macos") => return None,
            known => known.unwrap_or(0),
        };
        let around = interrupts + self.agent_us.0.unwrap_or(0);
        Some(self.host_busy_us.0?.saturating_sub(around).saturating_sub(trial))
    }

    fn total(&self) -> Option<u64> {
        self.host_total_us.0.filter(|total| *total > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::journal::HostCounters;

    fn counters(at_us: u64, server: u64, total: u64, busy: u64, interrupts_us: Option<u64>) -> Counters {
        Counters {
            at_us,
            server: Some(ProcessCounters {
                cpu_us: Some(server),
                ..ProcessCounters::default()
            }),
            named: Default::default(),
            host: HostCounters {
                cpu_total_us: Some(total),
                cpu_busy_us: Some(busy),
                ..HostCounters::default()
            },
            interrupts_us,
            agent_us: None,
            energy_uj: None,
            loopback: None,
            traffic: None,
        }
    }

    #[test]
    #[cfg(not(target_os = "macos"))]
    fn time_in_interrupts_is_no_other_programs() {
        // Two cores for a second: 1.9 s busy, of which 1.2 s the server's and the tool's own and 0.6 s in interrupts.
        let of = |interrupts: Option<u64>| {
            let mut usage = ResourceUsage::default();
            let before = counters(0, 0, 0, 0, interrupts.map(|_| 0));
            usage.add(
                &before,
                &counters(1_000_000, 700_000, 2_000_000, 1_900_000, interrupts),
                500_000,
            );
            usage.others_busy()
        };
        assert_eq!((of(Some(600_000)), of(None)), (Some(0.05), Some(0.35)));
        // Where a process's time includes them they are taken off twice, and never below nothing.
        assert_eq!(of(Some(1_000_000)), Some(0.0));
    }

    #[test]
    #[cfg(not(target_os = "macos"))]
    fn the_agents_own_time_is_no_other_programs() {
        // A server logs each request: of the 0.5 s that are neither its own nor the tool's the agent reads for 0.4 s.
        let of = |agent_us: Option<u64>| {
            let mut usage = ResourceUsage::default();
            let at = |agent_us, counters| Counters { agent_us, ..counters };
            usage.add(
                &at(agent_us.map(|_| 7), counters(0, 0, 0, 0, None)),
                &at(
                    agent_us.map(|us| us + 7),
                    counters(1_000_000, 700_000, 2_000_000, 1_700_000, None),
                ),
                500_000,
            );
            (usage.others_busy(), usage.taken(), usage.counters(None).others_cpu_us)
        };
        assert_eq!(of(Some(400_000)), (Some(0.05), Some(0.05), Some(100_000)));
        // Where the kernel does not tell, nothing is taken off.
        assert_eq!(of(None).0, Some(0.25));
    }

    #[test]
    #[cfg(not(target_os = "macos"))]
    fn steal_alone_is_not_what_the_host_took() {
        let of = |server_after: u64| {
            let mut usage = ResourceUsage::default();
            let at = |steal, mut counters: Counters| {
                counters.host.cpu_steal_us = Some(steal);
                counters
            };
            usage.add(
                &at(0, counters(0, 500, 0, 0, None)),
                &at(100_000, counters(1_000_000, server_after, 1_000_000, 500_000, None)),
                300_000,
            );
            usage.taken()
        };
        assert_eq!(of(100_500), Some(0.2));
        // Workers that were not waited for took their time with them.
        assert_eq!(of(400), None);
    }

    #[test]
    fn what_happens_between_two_slices_is_in_no_figure() {
        let mut usage = ResourceUsage::default();
        usage.add(&counters(0, 0, 0, 0, None), &counters(100, 40, 200, 150, None), 50);
        // The server worked, and so did everybody else, but no tool was there.
        usage.add(
            &counters(900, 700, 1800, 1700, None),
            &counters(1000, 760, 2000, 1850, None),
            60,
        );
        assert_eq!(
            (usage.window_us, usage.server_cpu_us.0, usage.tool_cpu_us),
            (200, Some(100), 110)
        );
        assert_eq!(usage.host_busy(), Some(0.75));
    }

    #[test]
    fn energy_is_that_of_the_slices_and_null_without_a_sensor() {
        let at = |energy_uj| Counters {
            energy_uj,
            ..Counters::default()
        };
        let mut usage = ResourceUsage::default();
        usage.add(&at(Some(100)), &at(Some(150)), 0);
        usage.add(&at(Some(900)), &at(Some(1000)), 0);
        assert_eq!(usage.energy_uj.0, Some(150));
        usage.add(&at(None), &at(None), 0);
        assert_eq!(usage.energy_uj.0, None);
    }

    #[test]
    fn a_counter_that_goes_back_is_unknown_and_not_0() {
        let mut usage = ResourceUsage::default();
        usage.add(&counters(0, 50, 0, 90, None), &counters(100, 40, 200, 80, None), 1);
        usage.add(
            &counters(200, 60, 300, 100, None),
            &counters(300, 70, 500, 150, None),
            1,
        );
        assert_eq!((usage.server_cpu_us.0, usage.host_busy_us.0), (None, None));
        assert_eq!((usage.host_total_us.0, usage.others_busy()), (Some(400), None));
    }

    #[test]
    fn one_unknown_part_makes_the_sum_unknown() {
        let mut usage = ResourceUsage::default();
        let known = |at| counters(at, at, at, at, None);
        usage.add(&known(0), &known(10), 1);
        usage.add(&known(20), &Counters::default(), 1);
        usage.add(&known(30), &known(40), 1);
        assert_eq!((usage.server_cpu_us.0, usage.loopback.0), (None, None));
        assert_eq!((usage.host_busy(), usage.others_busy()), (None, None));
    }

    #[test]
    fn counters_by_name_are_those_of_the_slices_and_unknown_when_one_is() {
        let at = |named: &[(&'static str, u64)]| Counters {
            named: named.iter().copied().collect(),
            ..Counters::default()
        };
        let slice = |before: &[(&'static str, u64)], after: &[(&'static str, u64)]| {
            let mut usage = ResourceUsage::default();
            usage.add(&at(before), &at(after), 0);
            usage
        };
        let named = |name, usage: &ResourceUsage| usage.named.as_ref().unwrap()[name].0;
        let mut usage = slice(&[("a", 5), ("b", 1)], &[("a", 7), ("b", 2)]);
        usage.plus(&slice(&[("a", 90), ("b", 3)], &[("a", 100)]));
        assert_eq!((named("a", &usage), named("b", &usage)), (Some(12), None));
        // A slice that knows nothing of one makes it unknown.
        usage.plus(&slice(&[], &[]));
        assert_eq!(named("a", &usage), None);
    }
}
