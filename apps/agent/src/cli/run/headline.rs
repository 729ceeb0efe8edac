//! A plan in one line.

use crate::cli::format;
use crate::protocol::journal::Plan;
use crate::runner::plan::range_s;

/// `2 servers × 1 scenario, 5 to 20 blocks: 10 to 40 trials, 1 min 05 s to 4 min 20 s; seed 7`.
pub fn headline(plan: &Plan) -> String {
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let most = plan.trials.iter().map(|t| t.block + 1).max().unwrap_or(0);
    let least = plan.blocks.as_ref().map_or(most, |b| b.least.min(most));
    let (first_s, all_s) = range_s(plan);
    let first = plan.trials.iter().filter(|t| t.block < least).count();
    let range = |least: String, most: String, same: bool| if same { most } else { format!("{least} to {most}") };
    let all = plan.entries.len() * plan.scenarios.len() * most as usize;
    let left_out = match all.saturating_sub(plan.trials.len()) {
        0 => String::new(),
        n => format!(" − {n} not claimed"),
    };
    format!(
        "{} × {} × {}{left_out} = {}, about {}; seed {}",
        count(plan.entries.len(), "server"),
        count(plan.scenarios.len(), "scenario"),
        range(least.to_string(), count(most as usize, "block"), least == most),
        range(first.to_string(), count(plan.trials.len(), "trial"), least == most),
        range(format::duration(first_s), format::duration(all_s), least == most),
        plan.seed,
    )
}
