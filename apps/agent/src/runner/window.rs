//! One window of load: the tool runs, the sampler looks about once a second.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::MissedTickBehavior;
use uuid::Uuid;

use super::cores::Cores;
use super::count::Count;
use super::pace::{Frequency, Pace};
use super::raw;
use super::tap::Tap;
use crate::host::monotonic_us;
use crate::journal::Sink;
use crate::protocol::journal::{Event, HostCounters, Level, Log, LogSource, ProcessCounters, Sample, Slice, Window};
use crate::protocol::result::Resources;
use crate::sample::Sampler;
use crate::sample::own::own_cpu_us;
use crate::sandbox::child::{Child, OnLine};
use crate::sandbox::{Sandbox, scrub};
use crate::server::process::{ServerFailure, ServerProcess};
use crate::tool::{Output, Tool, ToolError, ToolJob, ToolOutput};

const SAMPLE_EVERY: Duration = Duration::from_secs(1);
/// A tool that counts is looked at when it has counted, so that all figures are of the same moment; and at the latest
/// after this.
const NO_NEWS: Duration = Duration::from_millis(1500);
/// A tool may wait for slow answers after its time; then it hangs.
const TOOL_GRACE: Duration = Duration::from_secs(30);
const OUTPUT_BYTES: usize = 4 << 20;
const FILE_BYTES: u64 = 16 << 20;

pub struct Load<'a> {
    pub tool: Arc<dyn Tool>,
    pub job: ToolJob<'a>,
    pub window: Window,
    pub trial_id: Uuid,
    pub sandbox: &'a dyn Sandbox,
    pub cores: &'a Cores,
    pub server: &'a mut ServerProcess,
    pub sampler: &'a mut dyn Sampler,
    pub sink: Arc<dyn Sink>,
    pub tap: Arc<Tap>,
}

pub struct Loaded {
    pub output: ToolOutput,
    pub resources: Resources,
    /// Of all cores together, as ratios: everything, and what was neither the server nor the tool.
    pub host_busy: Option<f64>,
    pub others_busy: Option<f64>,
    pub slice: Slice,
    pub pace: Pace,
}

#[derive(Debug, thiserror::Error)]
pub enum LoadFailure {
    #[error(transparent)]
    Tool(#[from] ToolError),
    #[error("{tool} could not be started ({source}); `rigmark doctor` says how to install it.")]
    Spawn { tool: String, source: std::io::Error },
    #[error("{tool} did not end within {} s after its time and was stopped.", TOOL_GRACE.as_secs())]
    Hung { tool: String },
    #[error(transparent)]
    Server(ServerFailure),
}

/// What the samples have in common; the first and the last are at the very edges of the window.
struct Watch<'a> {
    load: &'a mut dyn Sampler,
    sandbox: &'a dyn Sandbox,
    sink: &'a dyn Sink,
    trial_id: Uuid,
    window: Window,
    count: Arc<Count>,
    rss_peak: Option<u64>,
    threads_max: Option<u64>,
    temperature_max: Option<i64>,
    frequency: Frequency,
}

struct Counters {
    at_us: u64,
    server: Option<ProcessCounters>,
    host: HostCounters,
    loopback: Option<u64>,
}

impl Watch<'_> {
    fn look(&mut self, server: u32, tool: Option<ProcessCounters>) -> Counters {
        let counters = Counters {
            at_us: monotonic_us(),
            server: self.load.tree(server),
            host: self.load.host(),
            loopback: self.sandbox.loopback_bytes(),
        };
        if let Some(server) = &counters.server {
            self.rss_peak = self.rss_peak.max(server.rss_bytes);
            self.threads_max = self.threads_max.max(server.threads);
        }
        self.temperature_max = self.temperature_max.max(counters.host.temperature_millic);
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
        counters
    }

    /// While there is load.
    fn look_within(&mut self, server: u32, tool: u32) {
        let tool = self.load.tree(tool);
        let counters = self.look(server, tool);
        self.frequency.see(counters.host.frequency_khz);
    }
}

pub async fn run(load: Load<'_>) -> Result<Loaded, LoadFailure> {
    let name = crate::tool::name(load.tool.name()).to_owned();
    let spec = load.tool.command(&load.job)?;
    let mut command = Command::new(&spec.argv[0]);
    command
        .args(&spec.argv[1..])
        .current_dir(load.job.work_dir)
        .stdin(Stdio::null());
    scrub(command.as_std_mut(), load.job.work_dir);
    command.envs(spec.env.iter().map(|(k, v)| (k, v)));
    load.sandbox.prepare(&mut command);
    load.cores.pin_tool(&mut command);

    let has_progress = load.tool.has_progress();
    let count = Arc::new(Count::beginning(monotonic_us(), has_progress));
    let mut watch = Watch {
        load: load.sampler,
        sandbox: load.sandbox,
        sink: load.sink.as_ref(),
        trial_id: load.trial_id,
        window: load.window,
        count: count.clone(),
        rss_peak: None,
        threads_max: None,
        temperature_max: None,
        frequency: Frequency::default(),
    };
    let server_pid = load.server.pid();
    let begin = watch.load.edge();
    let own_before = own_cpu_us();
    let before = watch.look(server_pid, None);
    let on_line = listener(load.tool.clone(), count.clone(), load.tap);
    let mut child = Child::spawn(&mut command, OUTPUT_BYTES, on_line).map_err(|source| LoadFailure::Spawn {
        tool: name.clone(),
        source,
    })?;
    let limit = tokio::time::sleep(Duration::from_secs_f64(load.job.duration_s) + TOOL_GRACE);
    tokio::pin!(limit);
    let every = if has_progress { NO_NEWS } else { SAMPLE_EVERY };
    let mut ticks = tokio::time::interval_at(tokio::time::Instant::now() + every, every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let ended = loop {
        tokio::select! {
            biased;
            _ = load.server.ended() => {
                let failure = load.server.crashed().await;
                return Err(LoadFailure::Server(failure.expect("it has just ended")));
            }
            ended = child.wait() => break ended,
            () = &mut limit => return Err(LoadFailure::Hung { tool: name }),
            () = count.news() => {
                ticks.reset();
                watch.look_within(server_pid, child.pid());
            }
            _ = ticks.tick() => watch.look_within(server_pid, child.pid()),
        }
    };
    let of_tool = ProcessCounters {
        cpu_us: Some(ended.cpu_us),
        ..ProcessCounters::default()
    };
    let after = watch.look(server_pid, Some(of_tool));
    let pace = Pace {
        begin,
        end: watch.load.edge(),
        frequency: watch.frequency,
    };
    let captured = child.output().await;
    let output = ToolOutput {
        exit: ended.exit,
        stdout: String::from_utf8_lossy(&captured.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&captured.stderr).into_owned(),
        files: read_files(&spec.files),
    };
    if load.window == Window::Measure {
        say_own_cost(
            load.sink.as_ref(),
            load.trial_id,
            delta(own_before, own_cpu_us()),
            after.at_us - before.at_us,
        );
        keep_raw(load.sink.as_ref(), load.trial_id, &name, &output, !captured.truncated);
    }
    let mut resources = resources(&watch, &before, &after);
    resources.tool_cpu_us = Some(ended.cpu_us);
    resources.server_cpus = Some(load.cores.server() as u64);
    resources.tool_cpus = Some(load.cores.tool() as u64);
    let total = delta(before.host.cpu_total_us, after.host.cpu_total_us).filter(|t| *t > 0);
    let busy = delta(before.host.cpu_busy_us, after.host.cpu_busy_us);
    Ok(Loaded {
        output,
        host_busy: total.zip(busy).map(|(total, busy)| busy as f64 / total as f64),
        others_busy: others_busy(
            total,
            busy,
            delta(pace.begin.interrupts_us, pace.end.interrupts_us),
            resources.server_cpu_us.map(|server| server + ended.cpu_us),
        ),
        slice: Slice {
            index: 0,
            begin_us: before.at_us,
            end_us: after.at_us,
        },
        resources,
        pace,
    })
}

/// Progress is counted; what else comes on stderr is logged. Results on stdout are kept as raw output anyway.
fn listener(tool: Arc<dyn Tool>, count: Arc<Count>, tap: Arc<Tap>) -> OnLine {
    Arc::new(move |from, line| match tool.progress(from, line) {
        Some(requests) => count.say(monotonic_us(), requests),
        None if from == Output::Stderr => tap.line(Level::Warn, line),
        None => {}
    })
}

/// The agent shares the host with what it measures, so it says what it took.
fn say_own_cost(sink: &dyn Sink, trial_id: Uuid, cpu_us: Option<u64>, window_us: u64) {
    let Some(cpu_us) = cpu_us else { return };
    sink.append(Event::Log(Log {
        source: LogSource::Agent,
        level: Level::Info,
        entry_key: None,
        trial_id: Some(trial_id),
        line: format!(
            "The agent itself used {cpu_us} µs of CPU in the {window_us} µs of this window ({:.2} % of one core).",
            cpu_us as f64 * 100.0 / window_us.max(1) as f64
        ),
    }));
}

fn delta(before: Option<u64>, after: Option<u64>) -> Option<u64> {
    Some(after?.saturating_sub(before?))
}

/// What was busy beside server, tool and interrupts. The kernel answers packets in interrupts, and many kernels keep that
/// time out of every process's own (CONFIG_IRQ_TIME_ACCOUNTING): it is the trial's work, and no other program's.
fn others_busy(total: Option<u64>, busy: Option<u64>, interrupts: Option<u64>, trial: Option<u64>) -> Option<f64> {
    let others = busy?.saturating_sub(interrupts.unwrap_or(0)).saturating_sub(trial?);
    Some(others as f64 / total? as f64)
}

fn resources(watch: &Watch<'_>, before: &Counters, after: &Counters) -> Resources {
    let server = |of: fn(&ProcessCounters) -> Option<u64>| {
        delta(before.server.as_ref().and_then(of), after.server.as_ref().and_then(of))
    };
    let total = delta(before.host.cpu_total_us, after.host.cpu_total_us).filter(|t| *t > 0);
    let steal = delta(before.host.cpu_steal_us, after.host.cpu_steal_us);
    Resources {
        window_us: after.at_us - before.at_us,
        server_cpu_us: server(|c| c.cpu_us),
        tool_cpu_us: None,
        server_rss_peak_bytes: watch.rss_peak,
        server_threads_max: watch.threads_max,
        server_context_switches: server(|c| c.context_switches),
        loopback_bytes: delta(before.loopback, after.loopback),
        host_steal_ratio: total
            .zip(steal)
            .map(|(total, steal)| (steal as f64 / total as f64).min(1.0)),
        temperature_max_millic: watch.temperature_max,
        server_cpus: None,
        tool_cpus: None,
    }
}

fn read_files(files: &[(String, PathBuf)]) -> BTreeMap<String, String> {
    files
        .iter()
        .filter_map(|(name, path)| Some((name.clone(), read_capped(path)?)))
        .collect()
}

fn read_capped(path: &Path) -> Option<String> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .ok()?
        .take(FILE_BYTES)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn keep_raw(sink: &dyn Sink, trial_id: Uuid, tool: &str, output: &ToolOutput, complete: bool) {
    for (name, text) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        if !text.is_empty() {
            raw::append(sink, trial_id, &format!("{tool}.{name}"), text, complete);
        }
    }
    for (name, text) in &output.files {
        raw::append(sink, trial_id, &format!("{tool}.{name}"), text, true);
    }
}

#[cfg(test)]
mod tests {
    use super::others_busy;

    #[test]
    fn time_in_interrupts_is_no_other_programs() {
        // Two cores for a second: 1.9 s busy, of which 1.2 s the server's and the tool's own and 0.6 s in interrupts.
        let of = |interrupts| others_busy(Some(2_000_000), Some(1_900_000), interrupts, Some(1_200_000));
        assert_eq!((of(Some(600_000)), of(None)), (Some(0.05), Some(0.35)));
        // Where a process's time includes them they are taken off twice, and never below nothing.
        assert_eq!(of(Some(1_000_000)), Some(0.0));
        assert_eq!(others_busy(Some(1), None, Some(1), Some(1)), None);
    }
}
