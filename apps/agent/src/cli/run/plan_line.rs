//! A plan in one line.

use crate::cli::format;
use crate::protocol::journal::Plan;
use crate::runner::plan::{first_block_s, range_s};

/// `2 servers × 1 scenario × 5 to 20 blocks = 10 to 40 trials, about 1 min 05 s to 4 min 20 s, at most 2 min 00 s; seed 7`.
pub fn plan_line(plan: &Plan) -> String {
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
        "{} × {} × {}{left_out} = {}, about {}{}; seed {}",
        count(plan.entries.len(), "server"),
        count(plan.scenarios.len(), "scenario"),
        range(least.to_string(), count(most as usize, "block"), least == most),
        range(first.to_string(), count(plan.trials.len(), "trial"), least == most),
        range(format::duration(first_s), format::duration(all_s), least == most),
        limit(plan).unwrap_or_default(),
        plan.seed,
    )
}

/// What the time limit changes; nothing where the plan is shorter.
fn limit(plan: &Plan) -> Option<String> {
    let limit = plan.time_limit_s.filter(|limit| *limit < plan.planned_s)?;
    let first = first_block_s(plan);
    let alone = format!(" (the first takes about {})", format::duration(first));
    let alone = if first > limit { alone } else { String::new() };
    Some(format!(", no block begins after {}{alone}", format::duration(limit)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use uuid::Uuid;

    #[test]
    fn a_time_limit_is_said_and_what_it_does_not_end() {
        let says = |limit: Option<f64>| {
            let trial = |block: u32| {
                json!({
                    "trial_id": Uuid::nil(), "entry_key": "k", "scenario": "s", "block": block, "position": 0, "slices": 1,
                    "warmup_s": 0.0, "duration_s": 100.0,
                })
            };
            let mut plan: Plan = serde_json::from_value(json!({
                "seed": 7, "prng": "", "shuffle": "", "entries": [], "scenarios": [],
                "trials": (0..5).map(trial).collect::<Vec<_>>(), "planned_s": 500.0,
            }))
            .unwrap();
            plan.time_limit_s = limit;
            plan_line(&plan).split_once("about 8 min ").unwrap().1.to_owned()
        };
        let [none, beyond, within, short] = [None, Some(600.0), Some(200.0), Some(60.0)].map(says);
        assert_eq!((none.contains("begins"), beyond == none), (false, true), "{none}");
        assert!(
            within.ends_with(", no block begins after 3 min 20 s; seed 7"),
            "{within}"
        );
        let whole = ", no block begins after 1 min 00 s (the first takes about 1 min 42 s); seed 7";
        assert!(short.ends_with(whole), "{short}");
    }
}
