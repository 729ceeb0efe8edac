//! One window of load: one run of the tool, or as many runs as a load given as a count takes. Slices are windows that
//! their trial's group gives to a [`Meter`] one by one.

use crate::protocol::spec::Load;
use crate::runner::measure::load::{LoadFailure, ToolLoad};
use crate::runner::measure::loaded::Loaded;
use crate::runner::measure::meter::Meter;
use crate::runner::measure::metered::Metered;
use crate::runner::measure::tool_runs::{MOST_WALL, Manner};

/// What a run of a count may take at least before its connections are given up.
const COUNT_RUN_S: f64 = 20.0;

/// The job's seconds, in one run of the tool or in many.
pub async fn run(mut load: ToolLoad<'_>, of: Metered) -> Result<Loaded, LoadFailure> {
    let asked_s = load.job.duration_s;
    let in_runs = matches!(load.job.scenario.load, Load::Count { .. });
    let manner = if in_runs { Manner::ToolRuns } else { Manner::Whole };
    if in_runs {
        // Tools wait for a response as long as their seconds allow; a run of a count ends by it, however short the trial is.
        let longest_s = (MOST_WALL * asked_s).max(COUNT_RUN_S);
        (load.job.duration_s, load.job.patience_s) = (longest_s, longest_s);
    }
    let mut meter = Meter::begin(of, manner);
    let why = loop {
        meter.slice(&mut load, !in_runs).await?;
        if let Some(why) = meter.enough(asked_s) {
            break why;
        }
    };
    Ok(meter.finish(load.cores, why, &[]))
}
