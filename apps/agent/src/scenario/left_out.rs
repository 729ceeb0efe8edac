//! What of its suite a run does without, as labels of the run.

use super::suite::{self, Obstacle, Obstacles};
use crate::assets::Assets;
use crate::protocol::catalogue::{CatalogueServer, CatalogueTool};
use crate::protocol::journal::RunLabel;
use crate::protocol::spec::{EntrySpec, RunSpec, Suite};
use crate::text::message;

const NOT_CHOSEN: &str = "It was not chosen for this run.";

pub fn label(obstacle: &Obstacle) -> RunLabel {
    of_run("left-out", &obstacle.left_out())
}

/// Every ratio of the run is to another server than the suite's. `None` where one entry is alone: it is compared with nothing.
pub fn baseline_changed(suite: &Suite, spec: &RunSpec) -> Option<RunLabel> {
    let first = spec.entries.first().filter(|_| spec.entries.len() > 1)?;
    let instead = spec.baseline.as_ref().unwrap_or(&first.label);
    let text = format!(
        "The suite's baseline {} is left out; {instead} is the baseline instead.",
        suite.baseline
    );
    Some(of_run("baseline-changed", &text))
}

fn of_run(code: &str, text: &str) -> RunLabel {
    RunLabel {
        code: code.to_owned(),
        message: message(text),
        entry_key: None,
    }
}

/// Of a run that was chosen elsewhere: a spec says what is measured, and the suite what else there was. Starts the tools.
/// Empty where there is no suite, or none of that name here to compare with.
pub fn on_this_host(
    spec: &RunSpec,
    assets: &Assets,
    restrict: impl FnOnce(&mut [CatalogueServer], &mut [CatalogueTool]),
) -> Vec<RunLabel> {
    let Some(id) = &spec.suite else {
        return Vec::new();
    };
    let suites = suite::load_all(assets).unwrap_or_default();
    let Some(suite) = suites.iter().find(|s| s.id == *id) else {
        return Vec::new();
    };
    // Scenarios that cannot be read end the run a moment later, with their own sentence.
    let obstacles = Obstacles::restricted(assets, restrict);
    obstacles.map_or_else(|_| Vec::new(), |obstacles| labels(suite, spec, &obstacles))
}

fn labels(suite: &Suite, spec: &RunSpec, obstacles: &Obstacles) -> Vec<RunLabel> {
    let entries = suite.entries.iter().filter(|e| !is_in(spec, e, obstacles));
    let entries = entries.map(|e| obstacles.entry(e).unwrap_or_else(|| not_chosen(&e.label)));
    let scenarios = suite.scenarios.iter().filter(|id| !spec.scenarios.contains(id));
    let scenarios = scenarios.map(|id| obstacles.scenario(id).unwrap_or_else(|| not_chosen(id)));
    let left_out = entries.chain(scenarios).map(|obstacle| label(&obstacle));
    let mut baseline = suite.entries.iter().filter(|e| e.label == suite.baseline);
    let gone = baseline.any(|e| !is_in(spec, e, obstacles));
    left_out.chain(baseline_changed(suite, spec).filter(|_| gone)).collect()
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
