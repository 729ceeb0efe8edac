//! The bundled scenarios and suites: data of `packages/scenarios`, read strictly.

mod check;
mod file;
pub mod left_out;
pub mod suite;

use std::collections::BTreeMap;
use std::path::PathBuf;

use thiserror::Error;

use crate::assets::Assets;
use crate::protocol::catalogue::{CatalogueScenario, CatalogueTool};
use crate::protocol::spec::Scenario;
use crate::tool;

/// Start, both verifications and the stop of one server: what a trial takes beside its load.
pub const OVERHEAD_S: f64 = 1.5;

#[derive(Debug, Error)]
pub enum ScenarioError {
    #[error("{path} could not be read: {source}; install the agent again, or give another folder with --assets.", path = path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{path}: at `{key}`: {problem}; fix the file.", path = path.display())]
    Wrong {
        path: PathBuf,
        key: String,
        problem: String,
    },
}

/// All scenarios in the order of their ids. One bad file is an error: half a catalogue would hide it.
pub fn load_all(assets: &Assets) -> Result<Vec<Scenario>, ScenarioError> {
    let mut titles = BTreeMap::new();
    let mut all: Vec<Scenario> = Vec::new();
    for path in file::list(&assets.scenarios().join("scenarios"))? {
        let scenario: Scenario = file::read(&path)?;
        check::scenario(&path, &scenario)?;
        if let Some(other) = titles.insert(scenario.title.clone(), scenario.id.clone()) {
            return Err(file::wrong(&path, "title", format!("{other} has the same title")));
        }
        all.push(scenario);
    }
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
        scenario,
        supported: reason.is_none(),
        reason,
        fix,
    }
}

#[cfg(test)]
mod tests;
