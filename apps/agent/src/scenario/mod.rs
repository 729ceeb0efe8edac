//! The scenarios and suites: the bundled ones, data of `packages/scenarios`, and those of the host's owner. All are read strictly.

mod check;
mod file;
pub mod left_out;
pub mod numbers;
pub mod owner;
pub mod suite;
pub mod toml_file;

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
    #[error("{path} could not be read ({source}); a scenario is a name of `rigmark scenarios` or the path of a TOML file.", path = path.display())]
    ReadFile { path: PathBuf, source: std::io::Error },
    /// Of somebody's own file. `at` is `:line:column`, or nothing.
    #[error("{path}{at}: {problem}", path = path.display())]
    WrongFile { path: PathBuf, at: String, problem: String },
}

/// All scenarios in the order of their ids: the bundled ones, then those of the owner that can be read; [`owner::problems`] says
/// why the others cannot.
pub fn load_all(assets: &Assets) -> Result<Vec<Scenario>, ScenarioError> {
    let mut all = bundled(assets)?;
    let (owned, _) = owner::load(assets, &all);
    all.extend(owned);
    all.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(all)
}

/// One bad file is an error: half a catalogue would hide it.
fn bundled(assets: &Assets) -> Result<Vec<Scenario>, ScenarioError> {
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
