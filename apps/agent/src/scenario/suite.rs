//! Named sets of scenarios and servers.

use super::{ScenarioError, check, file};
use crate::assets::Assets;
use crate::protocol::spec::Suite;

/// All suites in the order of their ids; each names scenarios that exist.
pub fn load_all(assets: &Assets) -> Result<Vec<Suite>, ScenarioError> {
    let known = super::load_all(assets)?;
    let mut all = Vec::new();
    for path in file::list(&assets.scenarios().join("suites"))? {
        let suite: Suite = file::read(&path)?;
        check::named(&path, suite.schema, &suite.id, &suite.title, &suite.summary)?;
        check::range(&path, "entries", suite.entries.len(), 1..=16)?;
        check::range(&path, "scenarios", suite.scenarios.len(), 1..=32)?;
        let servers: Vec<String> = suite.entries.iter().map(|e| e.server.clone()).collect();
        for (key, names) in [("entries", &servers), ("scenarios", &suite.scenarios)] {
            if let Some(i) = names.iter().position(|name| !check::is_slug(name)) {
                return Err(file::wrong(
                    &path,
                    &format!("{key}[{i}]"),
                    format!("{:?} is not a name", names[i]),
                ));
            }
        }
        if let Some(i) = suite.scenarios.iter().position(|id| known.iter().all(|s| s.id != *id)) {
            let problem = format!("there is no scenario {:?}", suite.scenarios[i]);
            return Err(file::wrong(&path, &format!("scenarios[{i}]"), problem));
        }
        all.push(suite);
    }
    Ok(all)
}
