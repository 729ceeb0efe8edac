//! How many blocks of each scenario count so far, and which are still wanted. Pure.

use std::collections::BTreeMap;

use crate::protocol::journal::{Plan, RunLabel};

/// A block that the host disturbed is done, and does not count: the plan's reserve has another one for it.
#[derive(Debug, Default)]
pub struct BlockProgress {
    /// Of each scenario, the blocks that count.
    each: BTreeMap<String, u32>,
    /// `None`: every block of the plan is wanted.
    asked: Option<u32>,
    /// The look that was last due.
    pub looked: u32,
    /// Whether any block was begun: a time limit ends a run between blocks and never before the first.
    pub begun: bool,
}

impl BlockProgress {
    pub fn new(plan: &Plan) -> Self {
        Self {
            each: plan.trials.iter().map(|t| (t.scenario.clone(), 0)).collect(),
            asked: plan.blocks.as_ref().map(|b| b.most),
            ..Self::default()
        }
    }

    pub fn ended(&mut self, scenario: &str, disturbed: bool) {
        *self.each.entry(scenario.to_owned()).or_default() += u32::from(!disturbed);
    }

    pub fn wanted(&self, scenario: &str) -> bool {
        let counted = self.each.get(scenario).copied().unwrap_or(0);
        self.asked.is_none_or(|asked| counted < asked)
    }

    /// So many count under every scenario.
    pub fn counted(&self) -> u32 {
        self.each.values().copied().min().unwrap_or(0)
    }

    /// The number of blocks of a look that has become due: as many count under every scenario.
    pub fn due(&mut self, plan: &Plan) -> Option<u32> {
        let stated = plan.blocks.as_ref()?;
        let least = self.counted();
        let looks = stated.looks.iter().copied().filter(|look| *look >= stated.least);
        let reached = looks.filter(|look| *look <= least && *look > self.looked).max()?;
        self.looked = reached;
        Some(reached)
    }

    pub fn time_limit_label(&self, limit_s: f64) -> RunLabel {
        let counted = self.counted();
        let blocks = if counted == 1 { "block counts" } else { "blocks count" };
        RunLabel {
            code: "time-limit".to_owned(),
            message: format!(
                "The time limit of {limit_s} s was reached: {counted} {blocks}, and {} were asked for; allow more with --time-limit.",
                self.asked.unwrap_or(0)
            ),
            entry_key: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(asked: u32) -> BlockProgress {
        BlockProgress {
            each: [("a".to_owned(), 0), ("b".to_owned(), 0)].into(),
            asked: Some(asked),
            ..BlockProgress::default()
        }
    }

    #[test]
    fn a_scenario_wants_blocks_until_as_many_count_as_were_asked_for() {
        let mut blocks = blocks(2);
        blocks.ended("a", false);
        blocks.ended("a", true);
        assert!(blocks.wanted("a") && blocks.wanted("b"));
        blocks.ended("a", false);
        assert!(!blocks.wanted("a") && blocks.wanted("b"));
    }
}
