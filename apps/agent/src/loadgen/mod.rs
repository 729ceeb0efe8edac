//! The agent's own load generator. It runs as a child (`rigmark internal loadgen --job FILE`) like every other tool, so
//! that its processor time is its own: a `tick` line about once a second, one `result` line at the end.
//!
//! `plan` is what is sent and what is right, `start` where the threads wait for each other, `schedule` when the next
//! request is due, `head`, `frame` and `message` are the bytes, `tally` counts, `result_line` is what is printed. Two back ends do
//! the sending: `uring` on Linux, `tokio_backend` (tokio, hyper, tungstenite) everywhere. `knee` decides the steps of a search for
//! a rate, `search` runs them. The back ends share nothing but the above, so that each can be held against the other.

mod backend;
#[cfg_attr(not(all(target_os = "linux", target_pointer_width = "64")), allow(dead_code))]
mod chunks;
pub mod frame;
pub mod head;
pub mod knee;
mod load;
pub mod message;
mod over_time;
pub mod plan;
pub mod result_line;
pub mod schedule;
mod search;
mod shared;
mod start;
pub mod tally;
mod ticks;
mod tokio_backend;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod uring;

use std::path::Path;

pub use backend::Backend;
use load::load;
use plan::{BackendName, LoadJob};
pub use shared::LoadShared;
use ticks::{Ticks, say};

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
    let ticks = Ticks::begin();
    let outcome = std::thread::scope(|scope| {
        let ticker = scope.spawn(|| ticks.tell());
        let outcome = match knee::SearchGoal::of(&job.scenario.load) {
            Some(asked) => search::run(&job, asked, backend.as_ref(), &ticks),
            None => whole(job, backend.as_ref(), &ticks),
        };
        ticks.end();
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
