//! The agent's own load generator. It runs as a child (`rigmark internal loadgen --job FILE`) like every other tool, so
//! that its processor time is its own: a `tick` line about once a second, one `result` line at the end.
//!
//! `plan` is what is sent and what is right, `start` where the threads wait for each other, `schedule` when the next
//! request is due, `head`, `frame` and `message` are the bytes, `tally` counts, `result_line` is what is printed. Two back ends do
//! the sending: `uring` on Linux, `tokio_backend` (tokio, hyper, tungstenite) everywhere. `knee` decides the steps of a search for
//! a rate, `search` runs them. The back ends share nothing but the above, so that each can be held against the other.

#[cfg_attr(not(all(target_os = "linux", target_pointer_width = "64")), allow(dead_code))]
mod chunks;
pub mod frame;
pub mod head;
pub mod knee;
pub mod message;
pub mod plan;
pub mod result_line;
pub mod schedule;
mod search;
mod start;
pub mod tally;
mod tokio_backend;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod uring;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use plan::{BackendName, LoadJob, LoadPlan};
use start::Start;
use tally::LoadTally;

const TICK: Duration = Duration::from_secs(1);

/// What the threads of one load share.
pub struct LoadShared<'a> {
    pub plan: LoadPlan,
    /// All threads have their connections: the load begins for all at once.
    start: Start,
    zero: Instant,
    ticks: &'a Ticks,
}

/// What a `tick` line says about once a second, over all loads of a search.
struct Ticks {
    zero: Instant,
    completed: AtomicU64,
    over: AtomicBool,
}

impl<'a> LoadShared<'a> {
    fn new(plan: LoadPlan, ticks: &'a Ticks) -> Self {
        Self {
            start: Start::of(plan.threads),
            plan,
            zero: Instant::now(),
            ticks,
        }
    }

    pub fn now_ns(&self) -> u64 {
        self.zero.elapsed().as_nanos() as u64
    }

    /// Waits for the other threads; when the load begins. `None` where one of them failed before, and there is no load.
    pub fn begin(&self) -> Option<u64> {
        self.start.wait(|| self.now_ns())
    }

    pub fn completed(&self, more: u64) {
        self.ticks.completed.fetch_add(more, Ordering::Relaxed);
    }
}

/// A way to send and receive. `run` is one thread's part, from its first connection to its last response.
pub trait Backend: Send + Sync {
    fn name(&self) -> BackendName;
    fn run(&self, shared: &LoadShared<'_>, thread: usize) -> Result<LoadTally, String>;
}

/// io_uring where the kernel supports it, else tokio; a job may ask for one of them.
pub fn backend(asked: Option<BackendName>) -> Box<dyn Backend> {
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    if asked != Some(BackendName::Tokio) && uring::works() {
        return Box::new(uring::Uring);
    }
    let _ = asked;
    Box::new(tokio_backend::Tokio)
}

/// The child's whole life. `Err` is one sentence.
pub fn run(job_file: &Path) -> Result<(), String> {
    let unreadable = |e: &dyn std::fmt::Display| format!("The job {} cannot be read: {e}.", job_file.display());
    let text = std::fs::read_to_string(job_file).map_err(|e| unreadable(&e))?;
    let job: LoadJob = serde_json::from_slice(text.as_bytes()).map_err(|e| unreadable(&e))?;
    let backend = backend(job.backend);
    let ticks = Ticks {
        zero: Instant::now(),
        completed: AtomicU64::new(0),
        over: AtomicBool::new(false),
    };
    let outcome = std::thread::scope(|scope| {
        let ticker = scope.spawn(|| tick(&ticks));
        let outcome = match knee::SearchGoal::of(&job.scenario.load) {
            Some(asked) => search::run(&job, asked, backend.as_ref(), &ticks),
            None => whole(job, backend.as_ref(), &ticks),
        };
        ticks.over.store(true, Ordering::Relaxed);
        ticker.thread().unpark();
        outcome
    })?;
    say(&serde_json::to_string(&outcome).map_err(|e| e.to_string())?);
    Ok(())
}

fn whole(job: LoadJob, backend: &dyn Backend, ticks: &Ticks) -> Result<result_line::ResultLine, String> {
    let samples_file = job.samples.clone();
    let (plan, sum) = load(job, backend, ticks)?;
    if let (Some(file), Some(samples)) = (samples_file, &sum.samples) {
        let text: String = samples.iter().map(|ns| format!("{ns}\n")).collect();
        std::fs::write(&file, text).map_err(|e| format!("{} cannot be written: {e}.", file.display()))?;
    }
    Ok(result_line::ResultLine::of(&plan, backend.name(), &sum))
}

/// One load, from the first connection to the last response.
fn load(job: LoadJob, backend: &dyn Backend, ticks: &Ticks) -> Result<(LoadPlan, LoadTally), String> {
    let shared = LoadShared::new(LoadPlan::new(job)?, ticks);
    let part = |thread: usize| {
        let panicked = |_| Err("A thread of loadgen panicked; please report this.".to_owned());
        let ran = catch_unwind(AssertUnwindSafe(|| backend.run(&shared, thread))).unwrap_or_else(panicked);
        ran.inspect_err(|why| shared.start.fail(why))
    };
    let tallies: Vec<Result<LoadTally, String>> = std::thread::scope(|scope| {
        let part = &part;
        let others: Vec<_> = (1..shared.plan.threads)
            .map(|thread| scope.spawn(move || part(thread)))
            .collect();
        let own = part(0);
        let joined = others.into_iter().map(|t| t.join().expect("a part catches its panics"));
        std::iter::once(own).chain(joined).collect()
    });
    if let Some(why) = shared.start.failed() {
        return Err(why);
    }
    let mut sum = LoadTally::new(&shared.plan);
    for tally in tallies {
        sum.add(tally?);
    }
    Ok((shared.plan, sum))
}

fn tick(ticks: &Ticks) {
    let mut next = TICK;
    while !ticks.over.load(Ordering::Relaxed) {
        std::thread::park_timeout(next.saturating_sub(ticks.zero.elapsed()));
        if ticks.zero.elapsed() >= next && !ticks.over.load(Ordering::Relaxed) {
            next += TICK;
            let requests = ticks.completed.load(Ordering::Relaxed);
            say(&format!(r#"{{"type":"tick","requests":{requests}}}"#));
        }
    }
}

fn say(line: &str) {
    crate::stdout::line(line);
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use serde_json::json;

    use super::*;

    /// Its second thread ends with the given result before the others may begin.
    struct Failing(fn() -> Result<LoadTally, String>);

    impl Backend for Failing {
        fn name(&self) -> BackendName {
            BackendName::Tokio
        }

        fn run(&self, shared: &LoadShared<'_>, thread: usize) -> Result<LoadTally, String> {
            if thread == 1 {
                return (self.0)();
            }
            assert_eq!(shared.begin(), None);
            Ok(LoadTally::new(&shared.plan))
        }
    }

    #[test]
    fn a_thread_that_fails_before_the_start_ends_the_load_with_its_sentence() {
        let job = json!({
            "address": "127.0.0.1:1", "duration_s": 60.0, "timeout_s": 10, "threads": 3, "spin": false, "seed": 1,
            "backend": null, "samples": null,
            "scenario": {
                "schema": 1, "id": "x", "title": "x", "summary": "", "workload": "plaintext", "tool": "loadgen", "path": "/",
                "body_bytes": 13, "load": { "kind": "closed", "connections": 3, "keep_alive": true }, "duration_s": 60,
                "warmup_s": 0,
            },
        });
        let failed: fn() -> Result<LoadTally, String> = || Err("no memory".to_owned());
        let panicked: fn() -> Result<LoadTally, String> = || panic!("as it happens");
        let sentences = [
            (failed, "no memory"),
            (panicked, "A thread of loadgen panicked; please report this."),
        ];
        for (ends, sentence) in sentences {
            let job: LoadJob = serde_json::from_value(job.clone()).unwrap();
            let (sender, receiver) = mpsc::channel();
            std::thread::spawn(move || {
                let ticks = Ticks {
                    zero: Instant::now(),
                    completed: AtomicU64::new(0),
                    over: AtomicBool::new(false),
                };
                sender.send(load(job, &Failing(ends), &ticks).map(|_| ()))
            });
            let outcome = receiver
                .recv_timeout(Duration::from_secs(20))
                .expect("a thread waits for ever");
            assert_eq!(outcome, Err(sentence.to_owned()));
        }
    }
}
