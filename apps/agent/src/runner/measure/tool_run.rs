//! One run of the tool, from its start to its end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::process::Command;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::MissedTickBehavior;

use crate::host::monotonic_us;
use crate::protocol::journal::Level;
use crate::runner::measure::count::RequestCounter;
use crate::runner::measure::load::{LoadFailure, TOOL_GRACE, ToolLoad};
use crate::runner::measure::log_forwarder::LogForwarder;
use crate::runner::measure::observe::Observer;
use crate::sandbox::child::{Child, OnLine};
use crate::sandbox::scrub;
use crate::tool::output::{OutputStream, ProcessExit, ToolOutput};
use crate::tool::{Tool, ToolCommand};

/// A tool that is stopped has nothing to finish.
const STOP_GRACE: Duration = Duration::from_millis(500);
const SAMPLE_EVERY: Duration = Duration::from_secs(1);
/// A tool that counts is looked at when it has counted, so that all figures are of the same moment; and at the latest
/// after this.
const NO_NEWS: Duration = Duration::from_millis(1500);
const OUTPUT_BYTES: usize = 4 << 20;
const FILE_BYTES: u64 = 16 << 20;

/// A tool that has ended; what it printed may still be in the pipe.
pub struct EndedTool {
    child: Child,
    spec: ToolCommand,
    pub cpu_us: u64,
    exit: ProcessExit,
}

/// Starts the tool and waits for its end, looking at both about once a second. The server's end ends it, and so does
/// [`ToolLoad::stops_after`].
pub async fn run_tool(
    load: &mut ToolLoad<'_>,
    spec: ToolCommand,
    observer: &mut Observer,
    forwarder: Arc<LogForwarder>,
) -> Result<EndedTool, LoadFailure> {
    let mut command = command(load, &spec);
    let count = observer.count.clone();
    let (step_ended, mut steps) = unbounded_channel();
    let on_line = listener(load.tool.clone(), count.clone(), step_ended, forwarder);
    let mut child = Child::spawn(&mut command, OUTPUT_BYTES, on_line).map_err(|source| LoadFailure::Spawn {
        tool: load.tool_name(),
        source,
    })?;
    let asked = Duration::from_secs_f64(load.job.duration_s);
    let limit = tokio::time::sleep(asked + TOOL_GRACE);
    tokio::pin!(limit);
    let stops_after = load.stops_after;
    let stop = async {
        match stops_after {
            Some(after) => tokio::time::sleep(after).await,
            None => std::future::pending().await,
        }
    };
    tokio::pin!(stop);
    // A short slice is looked at once, in its middle.
    let every = if count.is_counting() {
        NO_NEWS
    } else {
        SAMPLE_EVERY.min(asked / 2)
    };
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
            () = &mut stop => break child.stop(STOP_GRACE).await.0,
            () = &mut limit => return Err(LoadFailure::Hung { tool: load.tool_name() }),
            Some(()) = steps.recv() => observer.step(load),
            () = count.news() => {
                ticks.reset();
                observer.within(load, child.pid());
            }
            _ = ticks.tick() => observer.within(load, child.pid()),
        }
    };
    Ok(EndedTool {
        child,
        spec,
        cpu_us: ended.cpu_us,
        exit: ended.exit,
    })
}

impl EndedTool {
    /// All that it left behind, and whether that is everything.
    pub async fn output(mut self) -> (ToolOutput, bool) {
        let captured = self.child.output().await;
        let output = ToolOutput {
            exit: self.exit,
            stdout: String::from_utf8_lossy(&captured.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&captured.stderr).into_owned(),
            files: read_files(&self.spec.files),
        };
        (output, !captured.truncated)
    }
}

fn command(load: &ToolLoad<'_>, spec: &ToolCommand) -> Command {
    let mut command = Command::new(&spec.argv[0]);
    command
        .args(&spec.argv[1..])
        .current_dir(load.job.work_dir)
        .stdin(Stdio::null());
    scrub(command.as_std_mut(), load.job.work_dir);
    command.envs(spec.env.iter().map(|(k, v)| (k, v)));
    load.sandbox.prepare(&mut command);
    load.cores.pin_tool(&mut command);
    command
}

/// Progress is counted; what else comes on stderr is logged. Results on stdout are kept as raw output anyway.
fn listener(
    tool: Arc<dyn Tool>,
    count: Arc<RequestCounter>,
    step_ended: UnboundedSender<()>,
    forwarder: Arc<LogForwarder>,
) -> OnLine {
    Arc::new(move |from, line| match tool.progress(from, line) {
        Some(requests) => count.record(monotonic_us(), requests),
        // Nobody listens any more once the tool has ended.
        None if tool.ends_step(from, line) => drop(step_ended.send(())),
        None if from == OutputStream::Stderr => forwarder.line(Level::Warn, line),
        None => {}
    })
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
    // The next run of the tool must not be taken for this one.
    let _ = std::fs::remove_file(path);
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
