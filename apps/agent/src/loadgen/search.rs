//! Runs the steps of `knee`, each a load of its own at a fixed rate, with fresh connections.

use std::time::Duration;

use super::backend::Backend;
use super::knee::{QUIET_S, STEP_ENDED, Search, SearchGoal, SearchStep, StepFigures};
use super::load::load;
use super::plan::LoadJob;
use super::result_line::ResultLine;
use super::tally::LoadTally;
use super::ticks::{Ticks, say};
use crate::protocol::result::KneeSearch;
use crate::protocol::spec::Load;
use crate::workload::timeout_s;

/// The result of the last step, with all steps.
pub fn run(job: &LoadJob, goal: SearchGoal, backend: &dyn Backend, ticks: &Ticks) -> Result<ResultLine, String> {
    let mut search = Search::new(goal, job.duration_s);
    let mut last = None;
    while let Some(step) = search.step() {
        if last.is_some() {
            std::thread::sleep(Duration::from_secs_f64(QUIET_S));
        }
        let (plan, tally) = load(at(job, step), backend, ticks)?;
        search.saw(&seen(&tally));
        // Before the quiet: whoever reads the server's counters now reads them between two steps.
        say(STEP_ENDED);
        last = Some(ResultLine::of(&plan, backend.name(), &tally));
    }
    let end = search
        .end()
        .ok_or("The search ended without an end; please report this.")?;
    let last = last.ok_or("The search had no step; please report this.")?;
    Ok(ResultLine {
        knee: Some(KneeSearch {
            end,
            p99_bound_us: goal.p99_us,
            steps: search.steps().to_vec(),
        }),
        ..last
    })
}

fn at(job: &LoadJob, step: SearchStep) -> LoadJob {
    let mut job = job.clone();
    job.scenario.load = Load::Rate {
        rate_per_s: step.rate_per_s,
        connections: job.scenario.load.connections(),
        keep_alive: job.scenario.load.keep_alive(),
    };
    job.duration_s = step.duration_s;
    job.timeout_s = timeout_s(step.duration_s);
    job
}

fn seen(tally: &LoadTally) -> StepFigures {
    StepFigures {
        requests: tally.requests,
        offered: tally.offered,
        // What left late is in the p99 with all that it waited, so the bound is on it already.
        lost: tally.dropped - tally.late + tally.faults.iter().sum::<u64>(),
        unsent: tally.dropped,
        p99_us: (tally.requests > 0).then(|| tally.latency.value_at_quantile(0.99) as f64 / 1e3),
    }
}
