//! The scenarios and suites: the bundled ones, data of `packages/scenarios`, and those of the host's owner. All are read strictly.

mod bundled;
mod check;
mod error;
mod file;
pub mod left_out;
pub mod numbers;
pub mod owner;
pub mod suite;
pub mod toml_file;

use crate::assets::Assets;
use crate::protocol::catalogue::{CatalogueScenario, CatalogueTool};
use crate::protocol::spec::Scenario;
use crate::tool;
pub use error::ScenarioError;

/// Start, both verifications and the stop of one server: what a trial takes beside its load.
pub const OVERHEAD_S: f64 = 1.5;

/// Shortest that a scenario's own warm-up becomes, and the part of the trial that it has at most then.
const WARM_UP_LEAST_S: f64 = 0.2;
const WARM_UP_SHARE: f64 = 0.1;

/// Seconds of warm-up before a trial of `asked_s` seconds: the scenario's own, which is for trials of its own length; those that
/// are asked to be shorter have a shorter one. `ownWarmUp` of packages/results estimates by the same rule.
pub fn warm_up_s(scenario: &Scenario, asked_s: f64) -> f64 {
    if asked_s >= scenario.duration_s {
        return scenario.warmup_s;
    }
    let share = (asked_s * WARM_UP_SHARE).max(WARM_UP_LEAST_S);
    scenario
        .warmup_s
        .min(share.max(scenario.warmup_s * asked_s / scenario.duration_s))
}

/// All scenarios in the order of their ids: the bundled ones, then those of the owner that can be read; [`owner::problems`] says
/// why the others cannot.
pub fn load_all(assets: &Assets) -> Result<Vec<Scenario>, ScenarioError> {
    let mut all = bundled::load(assets)?;
    let (owned, _) = owner::load(assets, &all);
    all.extend(owned);
    all.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(all)
}

/// Which of the scenarios this host can do, and why not the others. `tools` is [`tool::catalogue`].
pub fn catalogue(assets: &Assets, tools: &[CatalogueTool]) -> Result<Vec<CatalogueScenario>, ScenarioError> {
    Ok(load_all(assets)?
        .into_iter()
        .map(|scenario| judge(scenario, assets, tools))
        .collect())
}

fn judge(scenario: Scenario, assets: &Assets, tools: &[CatalogueTool]) -> CatalogueScenario {
    let (reason, fix) = if let Err(reason) = tool::tool(scenario.tool, assets).supports(&scenario) {
        (Some(reason), None)
    } else {
        match tools.iter().find(|t| t.name == scenario.tool) {
            Some(tool) if tool.supported => (None, None),
            Some(tool) => (tool.reason.clone(), tool.fix.clone()),
            None => (Some("This agent does not know the tool.".to_owned()), None),
        }
    };
    CatalogueScenario {
        settable: numbers::settable(&scenario),
        scenario,
        supported: reason.is_none(),
        reason,
        fix,
    }
}

#[cfg(test)]
mod tests;
