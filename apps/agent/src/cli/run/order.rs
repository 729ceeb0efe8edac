//! The order of a run in a few lines, said before it begins; `rigmark plan` prints all of it.

use crate::protocol::journal::{Plan, PlanTrial};

/// More of them would push what was typed off the screen.
const BLOCKS: usize = 8;
/// A longer line is cut.
const WIDEST: usize = 100;

/// One line a block: `block 1  plaintext-loadgen: epoll, nginx (20 slices each); static-1k-ab: nginx, epoll`.
pub fn lines(plan: &Plan) -> Vec<String> {
    let blocks: Vec<&[PlanTrial]> = plan.trials.chunk_by(|a, b| a.block == b.block).collect();
    let mut lines: Vec<String> = blocks.iter().take(BLOCKS).map(|block| line(plan, block)).collect();
    let cut = lines.iter().any(|line| line.ends_with('…'));
    let more = match blocks.len().saturating_sub(BLOCKS) {
        0 => String::new(),
        1 => "1 more block; ".to_owned(),
        n => format!("{n} more blocks; "),
    };
    if cut || !more.is_empty() {
        let seed = plan.seed;
        lines.push(format!(
            "… {more}`rigmark plan --seed {seed}` with the same arguments prints all of it"
        ));
    }
    lines
}

fn line(plan: &Plan, block: &[PlanTrial]) -> String {
    let scenarios: Vec<String> = block
        .chunk_by(|a, b| a.scenario == b.scenario)
        .map(|group| {
            let order: Vec<&str> = group.iter().map(|t| label(plan, t)).collect();
            let slices = match group[0].slices {
                1 => String::new(),
                n => format!(" ({n} slices each)"),
            };
            format!("{}: {}{slices}", group[0].scenario, order.join(", "))
        })
        .collect();
    let first = &block[0];
    let needed = plan.blocks.as_ref().is_none_or(|b| first.block < b.least);
    let text = format!(
        "block {}{}  {}",
        first.block + 1,
        if needed { "" } else { ", if needed" },
        scenarios.join("; ")
    );
    if text.chars().count() <= WIDEST {
        text
    } else {
        text.chars().take(WIDEST - 1).chain(['…']).collect()
    }
}

fn label<'a>(plan: &'a Plan, trial: &PlanTrial) -> &'a str {
    let entry = plan.entries.iter().find(|e| e.key == trial.entry_key);
    entry.map_or("", |e| e.label.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use uuid::Uuid;

    fn plan(blocks: u32, scenarios: &[&str]) -> Plan {
        let mut trials = Vec::new();
        for block in 0..blocks {
            for scenario in scenarios {
                for at in 0..2 {
                    let key = if block % 2 == 0 { at } else { 1 - at };
                    trials.push(json!({
                        "trial_id": Uuid::nil(), "entry_key": format!("k{key}"), "scenario": scenario, "block": block,
                        "position": at, "slices": if *scenario == "sliced" { 4 } else { 1 }, "warmup_s": 1.0,
                        "duration_s": 2.0,
                    }));
                }
            }
        }
        let entry = |key: &str, label: &str| {
            json!({
                "key": key, "label": label, "server": label, "title": label, "content_hash": "", "options": {},
                "baseline": key == "k0",
            })
        };
        serde_json::from_value(json!({
            "seed": 7, "prng": "", "shuffle": "", "entries": [entry("k0", "epoll"), entry("k1", "nginx")],
            "scenarios": [], "trials": trials, "planned_s": 1.0,
            "blocks": { "least": 2, "most": blocks, "looks": [blocks], "precision": null },
        }))
        .unwrap()
    }

    #[test]
    fn a_line_a_block_in_its_order() {
        assert_eq!(
            lines(&plan(3, &["whole", "sliced"])),
            [
                "block 1  whole: epoll, nginx; sliced: epoll, nginx (4 slices each)",
                "block 2  whole: nginx, epoll; sliced: nginx, epoll (4 slices each)",
                "block 3, if needed  whole: epoll, nginx; sliced: epoll, nginx (4 slices each)",
            ]
        );
    }

    #[test]
    fn a_long_plan_floods_no_terminal() {
        let many = lines(&plan(20, &["whole"]));
        assert_eq!(many.len(), BLOCKS + 1);
        assert_eq!(
            many[BLOCKS],
            "… 12 more blocks; `rigmark plan --seed 7` with the same arguments prints all of it"
        );
        let wide = lines(&plan(1, &["a-scenario-of-a-suite"; 1].repeat(9)));
        assert_eq!((wide.len(), wide[0].chars().count()), (2, WIDEST), "{wide:?}");
        assert!(wide[1].starts_with("… `rigmark plan"), "{wide:?}");
    }
}
