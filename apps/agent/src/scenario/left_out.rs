//! What of its suite a run does without, as labels of the run.

use super::suite::{self, Obstacle, Obstacles};
use crate::assets::Assets;
use crate::protocol::journal::RunLabel;
use crate::protocol::spec::{EntrySpec, RunSpec, Suite};
use crate::runner::text::message;

const NOT_CHOSEN: &str = "It was not chosen for this run.";

pub fn label(obstacle: &Obstacle) -> RunLabel {
    RunLabel {
        code: "left-out".to_owned(),
        message: message(&obstacle.left_out()),
        entry_key: None,
    }
}

/// Of a run that was chosen elsewhere: a spec says what is measured, and the suite what else there was. Starts the tools.
/// Empty where there is no suite, or none of that name here to compare with.
pub fn on_this_host(spec: &RunSpec, assets: &Assets) -> Vec<RunLabel> {
    let Some(id) = &spec.suite else {
        return Vec::new();
    };
    let suites = suite::load_all(assets).unwrap_or_default();
    let Some(suite) = suites.iter().find(|s| s.id == *id) else {
        return Vec::new();
    };
    // Scenarios that cannot be read end the run a moment later, with their own sentence.
    Obstacles::of_this_host(assets).map_or_else(|_| Vec::new(), |obstacles| labels(suite, spec, &obstacles))
}

fn labels(suite: &Suite, spec: &RunSpec, obstacles: &Obstacles) -> Vec<RunLabel> {
    let entries = suite.entries.iter().filter(|e| !is_in(spec, e, obstacles));
    let entries = entries.map(|e| obstacles.entry(e).unwrap_or_else(|| not_chosen(&e.label)));
    let scenarios = suite.scenarios.iter().filter(|id| !spec.scenarios.contains(id));
    let scenarios = scenarios.map(|id| obstacles.scenario(id).unwrap_or_else(|| not_chosen(id)));
    entries.chain(scenarios).map(|obstacle| label(&obstacle)).collect()
}

/// Under its own label with whatever options, or under another with the same ones.
fn is_in(spec: &RunSpec, entry: &EntrySpec, obstacles: &Obstacles) -> bool {
    let of_server = |asked: &&EntrySpec| asked.server == entry.server;
    spec.entries
        .iter()
        .filter(of_server)
        .any(|asked| asked.label == entry.label || obstacles.options(asked) == obstacles.options(entry))
}

fn not_chosen(name: &str) -> Obstacle {
    Obstacle {
        name: name.to_owned(),
        reason: NOT_CHOSEN.to_owned(),
        fix: None,
    }
}

#[cfg(test)]
#[path = "left_out_tests.rs"]
mod tests;
