//! What one window of a trial comes to: begun, given its slices one by one, and finished. Whole windows, tool runs and
//! slices are counted in the same way, and what happens between two slices is in no figure.

use std::sync::Arc;

use rigmark_stats::bands::Column;

use crate::host::cores::Cores;
use crate::host::{monotonic_us, wall_ahead_us};
use crate::protocol::journal::{Event, Histogram, Level, Log, LogSource, Window};
use crate::runner::measure::count::RequestCounter;
use crate::runner::measure::load::{LoadFailure, ToolLoad};
use crate::runner::measure::loaded::Loaded;
use crate::runner::measure::metered::Metered;
use crate::runner::measure::observe::{Counters, Observer};
use crate::runner::measure::resource_usage::ResourceUsage;
use crate::runner::measure::tool_output::ToolResults;
use crate::runner::measure::tool_run::run_tool;
use crate::runner::measure::tool_runs::{Enough, Manner};
use crate::runner::validity::clock::WallClock;
use crate::runner::validity::cpu_frequency::CpuConditions;
use crate::runner::validity::knee;
use crate::sample::own::own_cpu_us;
use crate::tool::output::HistogramBlob;

pub struct Meter {
    of: Metered,
    manner: Manner,
    began_us: u64,
    observer: Observer,
    /// Of each slice.
    usage: Vec<ResourceUsage>,
    tool_results: ToolResults,
    cpu: CpuConditions,
    clock: WallClock,
    after: Option<Counters>,
    own: AgentUsage,
}

/// What the agent itself used while there was load.
#[derive(Default)]
struct AgentUsage {
    cpu_us: Option<u64>,
    wall_us: u64,
}

impl Meter {
    pub fn begin(of: Metered, manner: Manner) -> Self {
        let began_us = monotonic_us();
        // Between slices nothing is requested: a rate over time that has the gaps in it would be of another load.
        let counting = of.tool.has_progress() && manner == Manner::Whole;
        let count = Arc::new(RequestCounter::beginning(began_us, counting));
        Self {
            observer: Observer::new(of.sink.clone(), of.trial_id, of.window, manner, count),
            tool_results: ToolResults::new(&of, manner),
            of,
            manner,
            began_us,
            usage: Vec::new(),
            cpu: CpuConditions::default(),
            clock: WallClock::default(),
            after: None,
            own: AgentUsage {
                cpu_us: Some(0),
                wall_us: 0,
            },
        }
    }

    /// One run of the tool. `last` where it is known that no other follows.
    pub async fn slice(&mut self, load: &mut ToolLoad<'_>, last: bool) -> Result<(), LoadFailure> {
        let (own_before, wall_before) = (own_cpu_us(), monotonic_us());
        let spec = load.tool.command(&load.job)?;
        let (begin, before) = self.observer.begin(load, last);
        let ahead_us = wall_ahead_us();
        let ended = run_tool(load, spec, &mut self.observer, self.of.forwarder.clone()).await?;
        let (end, after) = self.observer.end(load, ended.cpu_us);
        let mut usage = ResourceUsage::default();
        usage.add(&before, &after, ended.cpu_us);
        self.usage.push(usage);
        self.cpu.see(begin);
        self.observer.glances.drain(..).for_each(|edge| self.cpu.see(edge));
        self.cpu.see(end);
        let slice_us = after.at_us.saturating_sub(before.at_us);
        self.clock.see(ahead_us, wall_ahead_us(), slice_us);
        let (output, complete) = ended.output().await;
        self.tool_results.add(&load.job, &before, &after, &output, complete);
        if let Some(search) = self.tool_results.results.last_mut().and_then(|r| r.knee.as_mut()) {
            let after_cpu_us = after.server.as_ref().and_then(|s| s.cpu_us);
            knee::server_cores(search, &self.observer.step_cpu_us, after_cpu_us);
        }
        self.after = Some(after);
        self.own.add(own_before, monotonic_us() - wall_before);
        Ok(())
    }

    /// Is there no use in another slice, because what the tool said cannot be read?
    pub fn is_spoilt(&self) -> bool {
        self.tool_results.error.is_some()
    }

    /// Why no further run of the tool is needed for so many seconds.
    pub fn enough(&self, asked_s: f64) -> Option<Enough> {
        if self.is_spoilt() || self.manner == Manner::Whole {
            return Some(Enough::Measured);
        }
        let wall_us = self.after.as_ref()?.at_us - self.began_us;
        match self.of.window {
            Window::WarmUp => (wall_us as f64 >= asked_s * 1e6).then_some(Enough::Measured),
            Window::Measure => self.tool_results.enough(asked_s, wall_us),
        }
    }

    /// What the host took away in each slice; see [`ResourceUsage::taken`].
    pub fn taken(&self) -> Vec<Option<f64>> {
        self.usage.iter().map(ResourceUsage::taken).collect()
    }

    /// `left_out` are the slices of disturbed rounds; none where it is empty.
    pub fn finish(mut self, cores: &Cores, why: Enough, left_out: &[bool]) -> Loaded {
        self.tool_results.leave_out(left_out);
        if self.manner == Manner::Slices {
            let each = self.tool_results.slices.iter_mut().zip(&self.usage).enumerate();
            for (index, (slice, usage)) in each {
                slice.counters = Some(usage.counters(self.tool_results.results.get(index)));
            }
        }
        let mut usage = ResourceUsage::default();
        let counted = self
            .tool_results
            .slices
            .iter()
            .zip(&self.usage)
            .filter(|(slice, _)| !slice.left_out);
        counted.for_each(|(_, one)| usage.plus(one));
        let runs = self.tool_results.slices.iter().filter(|slice| !slice.left_out).count();
        let histograms = self.tool_results.histograms();
        if let Some(after) = &self.after {
            self.observer.finish(after);
        }
        self.cpu.frequency = self.observer.frequency;
        if self.of.window == Window::Measure {
            self.own.log(&self.of);
            if let Some(histogram) = histograms.together() {
                keep_histogram(&self.of, histogram, self.tool_results.over_time());
            }
            if self.manner == Manner::Slices {
                log(&self.of, self.tool_results.pieces(why));
            }
        }
        let in_runs = self.manner == Manner::ToolRuns;
        Loaded {
            labels: if in_runs {
                self.tool_results.labels(why)
            } else {
                Vec::new()
            },
            single_shot: self.tool_results.results.first().filter(|_| in_runs).cloned(),
            histogram_count: histograms.count(),
            result: self.tool_results.result(&histograms),
            resources: usage.resources(&self.observer, cores),
            host_busy: usage.host_busy(),
            others_busy: usage.others_busy(),
            taken: usage.taken(),
            measured_us: self.tool_results.measured_us,
            counted: usage.counted(runs),
            slices: self.tool_results.slices,
            cpu: self.cpu,
            clock: self.clock,
        }
    }
}

fn keep_histogram(of: &Metered, histogram: HistogramBlob, over_time: Option<Vec<Column>>) {
    of.sink.append(Event::Histogram(Histogram {
        trial_id: of.trial_id,
        encoding: histogram.encoding,
        unit: histogram.unit,
        digits: histogram.digits,
        resolution_us: histogram.resolution_us,
        corrected: histogram.corrected,
        count: histogram.count,
        blob: histogram.blob,
        over_time,
    }));
}

fn log(of: &Metered, line: String) {
    of.sink.append(Event::Log(Log {
        source: LogSource::Agent,
        level: Level::Info,
        entry_key: None,
        trial_id: Some(of.trial_id),
        line,
    }));
}

impl AgentUsage {
    fn add(&mut self, cpu_before_us: Option<u64>, wall_us: u64) {
        let more = cpu_before_us
            .zip(own_cpu_us())
            .and_then(|(before, after)| after.checked_sub(before));
        self.cpu_us = self.cpu_us.zip(more).map(|(sum, more)| sum + more);
        self.wall_us += wall_us;
    }

    /// The agent shares the host with what it measures, so it says what it took.
    fn log(&self, of: &Metered) {
        let Some(cpu_us) = self.cpu_us else { return };
        let wall_us = self.wall_us;
        let percent = cpu_us as f64 * 100.0 / wall_us.max(1) as f64;
        let line = format!(
            "The agent itself used {cpu_us} µs of CPU in the {wall_us} µs of this window ({percent:.2} % of one core)."
        );
        log(of, line);
    }
}
