//! What is looked at while there is load: at the edges of each slice, and about once a second in between.

use std::sync::Arc;

use uuid::Uuid;

use super::count::Count;
use super::pace::Frequency;
use crate::host::monotonic_us;
use crate::journal::Sink;
use crate::protocol::journal::{Event, HostCounters, ProcessCounters, Sample, Window};
use crate::sample::{Edge, Sampler};
use crate::sandbox::Sandbox;

/// Slices that are shorter than this share a sample: hundreds of shots would flood the journal.
const SAMPLE_EVERY_US: u64 = 1_000_000;

pub struct Watch<'a> {
    pub sampler: &'a mut dyn Sampler,
    pub sandbox: &'a dyn Sandbox,
    pub sink: &'a dyn Sink,
    pub trial_id: Uuid,
    pub window: Window,
    pub count: Arc<Count>,
    /// CPU time of the runs of the tool that have ended.
    tool_cpu_us: u64,
    pub rss_peak: Option<u64>,
    pub threads_max: Option<u64>,
    pub temperature_max: Option<i64>,
    pub frequency: Frequency,
    recorded_us: Option<u64>,
}

/// Cumulative, at one moment.
#[derive(Debug, Clone, Default)]
pub struct Counters {
    pub at_us: u64,
    pub server: Option<ProcessCounters>,
    pub host: HostCounters,
    pub interrupts_us: Option<u64>,
    pub loopback: Option<u64>,
}

impl<'a> Watch<'a> {
    pub fn new(
        sampler: &'a mut dyn Sampler,
        sandbox: &'a dyn Sandbox,
        sink: &'a dyn Sink,
        trial_id: Uuid,
        window: Window,
        count: Arc<Count>,
    ) -> Self {
        Self {
            sampler,
            sandbox,
            sink,
            trial_id,
            window,
            count,
            tool_cpu_us: 0,
            rss_peak: None,
            threads_max: None,
            temperature_max: None,
            frequency: Frequency::default(),
            recorded_us: None,
        }
    }

    /// Before a slice: the last thing before the tool starts.
    pub fn begin(&mut self, server: u32) -> (Edge, Counters) {
        let edge = self.sampler.edge();
        let counters = self.look(server, edge.interrupts_us);
        if self.is_due(counters.at_us) {
            self.record(&counters, None);
        }
        (edge, counters)
    }

    /// After a slice: the first thing after the tool ended. `last` where it is known that no other follows.
    pub fn end(&mut self, server: u32, tool_cpu_us: u64, last: bool) -> (Edge, Counters) {
        let mut counters = self.look(server, None);
        let edge = self.sampler.edge();
        counters.interrupts_us = edge.interrupts_us;
        self.tool_cpu_us += tool_cpu_us;
        if last || self.is_due(counters.at_us) {
            self.record(&counters, Some(self.ended_tool()));
        }
        (edge, counters)
    }

    /// The last slice is over: a window's last sample is always there.
    pub fn finish(&mut self, after: &Counters) {
        if self.recorded_us != Some(after.at_us) {
            self.record(after, Some(self.ended_tool()));
        }
    }

    /// While there is load.
    pub fn within(&mut self, server: u32, tool: u32) {
        let earlier = self.tool_cpu_us;
        let tool = self.sampler.tree(tool).map(|tool| ProcessCounters {
            cpu_us: tool.cpu_us.map(|us| us + earlier),
            ..tool
        });
        let counters = self.look(server, None);
        self.record(&counters, tool);
        self.frequency.see(counters.host.frequency_khz);
    }

    fn look(&mut self, server: u32, interrupts_us: Option<u64>) -> Counters {
        let counters = Counters {
            at_us: monotonic_us(),
            server: self.sampler.tree(server),
            host: self.sampler.host(),
            interrupts_us,
            loopback: self.sandbox.loopback_bytes(),
        };
        if let Some(server) = &counters.server {
            self.rss_peak = self.rss_peak.max(server.rss_bytes);
            self.threads_max = self.threads_max.max(server.threads);
        }
        self.temperature_max = self.temperature_max.max(counters.host.temperature_millic);
        counters
    }

    fn ended_tool(&self) -> ProcessCounters {
        ProcessCounters {
            cpu_us: Some(self.tool_cpu_us),
            ..ProcessCounters::default()
        }
    }

    fn is_due(&self, at_us: u64) -> bool {
        self.recorded_us.is_none_or(|before| at_us >= before + SAMPLE_EVERY_US)
    }

    fn record(&mut self, counters: &Counters, tool: Option<ProcessCounters>) {
        self.recorded_us = Some(counters.at_us);
        let counted = self.count.last();
        self.sink.append(Event::Sample(Sample {
            trial_id: self.trial_id,
            window: self.window,
            requests: counted.map(|c| c.requests),
            requests_t_us: counted.map(|c| c.t_us),
            loopback_bytes: counters.loopback,
            server: counters.server.clone(),
            tool,
            host: counters.host.clone(),
        }));
    }
}
