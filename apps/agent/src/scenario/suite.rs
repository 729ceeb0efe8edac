//! Named sets of entries and scenarios, and what of them a host can do.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{OVERHEAD_S, ScenarioError, check, file, warm_up_s};
use crate::assets::Assets;
use crate::fix;
use crate::protocol::catalogue::{CatalogueScenario, CatalogueServer, CatalogueTool};
use crate::protocol::ranges::{ENTRIES, REPEATS, SCENARIOS};
use crate::protocol::spec::{EntrySpec, Scenario, Suite};
use crate::{server, tool};

/// All suites in the order of their ids; each names scenarios that exist.
pub fn load_all(assets: &Assets) -> Result<Vec<Suite>, ScenarioError> {
    let known = super::load_all(assets)?;
    let mut all = Vec::new();
    for path in file::list(&assets.scenarios().join("suites"))? {
        let suite: Suite = file::read(&path)?;
        check::named(&path, suite.schema, &suite.id, &suite.title, &suite.summary)?;
        check::range(&path, "entries", suite.entries.len(), ENTRIES)?;
        check::range(&path, "scenarios", suite.scenarios.len(), SCENARIOS)?;
        check::range(&path, "repeats", suite.repeats, REPEATS)?;
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
        if suite.entries.iter().all(|e| e.label != suite.baseline) {
            let problem = format!("{:?} is not the label of an entry", suite.baseline);
            return Err(file::wrong(&path, "baseline", problem));
        }
        all.push(suite);
    }
    Ok(all)
}

/// What stands in the way of one part of a suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Obstacle {
    /// Label of an entry, or id of a scenario.
    pub name: String,
    pub reason: String,
    pub fix: Option<String>,
}

impl Obstacle {
    pub fn left_out(&self) -> String {
        let why = fix::with_reason(&self.reason, self.fix.as_deref());
        format!("{} is left out: {why}", self.name)
    }
}

/// What this host has of everything that suites name.
pub struct Obstacles {
    pub(super) servers: Vec<CatalogueServer>,
    pub(super) scenarios: Vec<CatalogueScenario>,
}

impl Obstacles {
    pub fn of_this_host(assets: &Assets) -> Result<Self, ScenarioError> {
        Self::restricted(assets, |_, _| {})
    }

    /// `restrict` takes away what the host could do and its owner does not allow.
    pub fn restricted(
        assets: &Assets,
        restrict: impl FnOnce(&mut [CatalogueServer], &mut [CatalogueTool]),
    ) -> Result<Self, ScenarioError> {
        let (mut servers, mut tools) = (server::catalogue(assets), tool::catalogue(assets));
        restrict(&mut servers, &mut tools);
        Ok(Self {
            servers,
            scenarios: super::catalogue(assets, &tools)?,
        })
    }

    pub fn entry(&self, entry: &EntrySpec) -> Option<Obstacle> {
        let obstacle = |reason: &str, fix: Option<String>| {
            Some(Obstacle {
                name: entry.label.clone(),
                reason: reason.to_owned(),
                fix,
            })
        };
        let Some(found) = self.servers.iter().find(|s| s.name == entry.server) else {
            let reason = format!("The server {} is not part of this installation.", entry.server);
            return obstacle(&reason, None);
        };
        if !found.supported {
            let reason = found.reason.as_deref().unwrap_or("It does not work here.");
            return obstacle(reason, found.fix.clone());
        }
        entry.options.iter().find_map(|(name, value)| {
            let fits = |o: &&crate::protocol::catalogue::ServerOption| (o.min..=o.max).contains(value);
            match found.options.get(name).filter(fits) {
                Some(_) => None,
                None => obstacle(
                    &format!(
                        "The server {} has no option {name} with the value {value}.",
                        entry.server
                    ),
                    None,
                ),
            }
        })
    }

    /// A scenario that this host can run.
    pub fn supported(&self, id: &str) -> Option<&Scenario> {
        let found = self.scenarios.iter().find(|s| s.scenario.id == id && s.supported);
        found.map(|s| &s.scenario)
    }

    /// All options as they would be measured: what the entry does not set is the server's own.
    pub fn options(&self, entry: &EntrySpec) -> BTreeMap<String, i64> {
        let server = self.servers.iter().find(|s| s.name == entry.server);
        let own = server.into_iter().flat_map(|s| &s.options);
        let own = own.map(|(name, option)| (name.clone(), option.default));
        own.chain(entry.options.clone()).collect()
    }

    pub fn scenario(&self, id: &str) -> Option<Obstacle> {
        let found = self.scenarios.iter().find(|s| s.scenario.id == id);
        let (reason, fix) = match found {
            None => ("It is not part of this installation.", None),
            Some(s) if s.supported => return None,
            Some(s) => (s.reason.as_deref().unwrap_or("It does not work here."), s.fix.clone()),
        };
        Some(Obstacle {
            name: id.to_owned(),
            reason: reason.to_owned(),
            fix,
        })
    }

    /// Seconds that what is left of the suite takes, without builds; 0 when nothing is.
    pub fn planned_s(&self, suite: &Suite) -> f64 {
        let trial_s = |entry: &EntrySpec| {
            let server = self.servers.iter().find(|s| s.name == entry.server);
            let claimed = |id: &&String| {
                let scenario = self.scenarios.iter().find(|s| s.scenario.id == **id);
                scenario.filter(|s| s.supported && server.is_some_and(|x| x.workloads.contains(&s.scenario.workload)))
            };
            let trials = suite.scenarios.iter().filter_map(|id| claimed(&id));
            let length_s = |s: &CatalogueScenario| {
                let asked_s = suite.duration_s.unwrap_or(s.scenario.duration_s);
                OVERHEAD_S + warm_up_s(&s.scenario, asked_s) + asked_s
            };
            trials.map(length_s).sum::<f64>()
        };
        let entries = suite.entries.iter().filter(|e| self.entry(e).is_none());
        entries.map(trial_s).sum::<f64>() * f64::from(suite.repeats)
    }
}
