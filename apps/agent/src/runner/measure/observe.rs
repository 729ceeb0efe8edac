//! What is looked at while there is load: at the edges of each slice, and about once a second in between.
//!
//! Of short slices about one a second is recorded, and then with both of its edges: between two slices the server idles
//! (or another one works), so growth from the end of one to the begin of the next is nobody's rate. A sample without
//! the tool's counters is the begin of a slice.

use std::sync::Arc;

use uuid::Uuid;

use crate::host::monotonic_us;
use crate::journal::Sink;
use crate::protocol::journal::{Event, HostCounters, ProcessCounters, Sample, Window};
use crate::runner::measure::count::RequestCounter;
use crate::runner::measure::load::ToolLoad;
use crate::runner::measure::tool_runs::Manner;
use crate::runner::validity::cpu_frequency::Frequency;
use crate::sample::own::own_cpu_us;
use crate::sample::{Edge, Named};
use crate::sandbox::Traffic;

/// From one recorded slice to the next: hundreds of shots would flood the journal.
const SLICE_EVERY_US: u64 = 1_000_000;
/// From one sample to the next within a slice; a little less than the second after which it is looked at.
const SAMPLE_EVERY_US: u64 = 900_000;

pub struct Observer {
    sink: Arc<dyn Sink>,
    trial_id: Uuid,
    window: Window,
    manner: Manner,
    pub count: Arc<RequestCounter>,
    /// CPU time of the runs of the tool that have ended and were recorded.
    tool_cpu_us: u64,
    pub rss_peak: Option<u64>,
    pub threads_max: Option<u64>,
    pub temperature_max: Option<i64>,
    pub frequency: Frequency,
    /// Within the slice that is on.
    pub glances: Vec<Edge>,
    recorded_us: Option<u64>,
    /// Of the last slice that is recorded.
    begun_us: Option<u64>,
    recording: bool,
    has_frequency: bool,
    /// Of the server, at the begin of a search and after each of its steps.
    pub step_cpu_us: Vec<Option<u64>>,
}

/// Cumulative, at one moment.
#[derive(Debug, Clone, Default)]
pub struct Counters {
    pub at_us: u64,
    pub server: Option<ProcessCounters>,
    /// More of the server.
    pub named: Named,
    pub host: HostCounters,
    pub interrupts_us: Option<u64>,
    /// The agent's own CPU time.
    pub agent_us: Option<u64>,
    pub energy_uj: Option<u64>,
    pub loopback: Option<u64>,
    pub traffic: Option<Traffic>,
}

impl Observer {
    pub fn new(
        sink: Arc<dyn Sink>,
        trial_id: Uuid,
        window: Window,
        manner: Manner,
        count: Arc<RequestCounter>,
    ) -> Self {
        Self {
            sink,
            trial_id,
            window,
            manner,
            count,
            tool_cpu_us: 0,
            rss_peak: None,
            threads_max: None,
            temperature_max: None,
            frequency: Frequency::default(),
            glances: Vec::new(),
            recorded_us: None,
            begun_us: None,
            recording: false,
            has_frequency: false,
            step_cpu_us: Vec::new(),
        }
    }

    /// Before a slice: the last thing before the tool starts. `last` where it is known that no other follows.
    pub fn begin(&mut self, load: &mut ToolLoad<'_>, last: bool) -> (Edge, Counters) {
        let edge = load.sampler.edge();
        let counters = self.look(load, &edge);
        let at_us = counters.at_us;
        self.step_cpu_us = vec![counters.server.as_ref().and_then(|s| s.cpu_us)];
        self.has_frequency = counters.host.frequency_khz.is_some();
        self.recording = last || self.begun_us.is_none_or(|before| at_us >= before + SLICE_EVERY_US);
        if self.recording {
            self.begun_us = Some(at_us);
            self.record(&counters, None);
        }
        (edge, counters)
    }

    /// After a slice: the first thing after the tool ended.
    pub fn end(&mut self, load: &mut ToolLoad<'_>, tool_cpu_us: u64) -> (Edge, Counters) {
        let mut counters = self.look(load, &Edge::default());
        let edge = load.sampler.edge();
        (counters.interrupts_us, counters.energy_uj) = (edge.interrupts_us, edge.energy_uj);
        if self.recording {
            self.tool_cpu_us += tool_cpu_us;
            self.record(&counters, Some(self.ended_tool()));
        }
        (edge, counters)
    }

    /// The last slice is over: a window's last sample is always there. Where that slice was not recorded it tells nothing
    /// of the tool.
    pub fn finish(&mut self, after: &Counters) {
        if self.recorded_us != Some(after.at_us) {
            self.record(after, None);
        }
    }

    /// While there is load. In a short slice only the cores' frequency is looked at, where there is one: edges tell the rest.
    pub fn within(&mut self, load: &mut ToolLoad<'_>, tool: u32) {
        let now_us = monotonic_us();
        let due = self.recorded_us.is_none_or(|before| now_us >= before + SAMPLE_EVERY_US);
        if self.manner != Manner::Whole && !(self.recording && due) {
            if self.has_frequency {
                self.frequency.see(load.sampler.host().frequency_khz);
            }
            return;
        }
        self.glances.push(load.sampler.glance());
        let counters = self.look(load, &Edge::default());
        self.frequency.see(counters.host.frequency_khz);
        let earlier = self.tool_cpu_us;
        let tool = load.sampler.tree(tool).map(|tool| ProcessCounters {
            cpu_us: tool.cpu_us.map(|us| us + earlier),
            ..tool
        });
        // It has just ended, and the slice's last sample follows. One without the tool would be a slice's begin.
        if self.manner == Manner::Whole || tool.is_some() {
            self.record(&counters, tool);
        }
    }

    /// A step of a search has ended, and the next one has not begun.
    pub fn step(&mut self, load: &mut ToolLoad<'_>) {
        let server = load.sampler.tree(load.server.pid());
        self.step_cpu_us.push(server.and_then(|s| s.cpu_us));
    }

    fn look(&mut self, load: &mut ToolLoad<'_>, edge: &Edge) -> Counters {
        let counters = Counters {
            at_us: monotonic_us(),
            server: load.sampler.tree(load.server.pid()),
            named: load.sampler.counters(load.server.pid()),
            host: load.sampler.host(),
            interrupts_us: edge.interrupts_us,
            agent_us: own_cpu_us(),
            energy_uj: edge.energy_uj,
            loopback: load.sandbox.loopback_bytes(),
            traffic: load.sandbox.traffic(),
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
