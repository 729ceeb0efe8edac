//! The scenarios that come with the agent.

use std::collections::BTreeMap;

use super::{ScenarioError, check, file};
use crate::assets::Assets;
use crate::protocol::spec::Scenario;

/// One bad file is an error: half a catalogue would hide it.
pub fn load(assets: &Assets) -> Result<Vec<Scenario>, ScenarioError> {
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
