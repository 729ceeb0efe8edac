//! `rigmark suites`: named sets of entries and scenarios, how long they take, and what of them this host cannot do.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;

use super::args::ListArgs;
use super::output::{Tone, paint};
use super::{CliError, Env, Exit, format};
use crate::protocol::spec::Suite;
use crate::runner::plan::connection_limits::{Capped, ConnectionLimits, effective};
use crate::scenario::suite::{self, Obstacle, Obstacles};

#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    suite: Suite,
    /// At least one entry can be measured under one scenario.
    supported: bool,
    /// Of the first thing that is missing; then the suite is not whole.
    reason: Option<String>,
    fix: Option<String>,
    missing_entries: Vec<Obstacle>,
    missing_scenarios: Vec<Obstacle>,
    /// Scenarios for whose connections the host has no room.
    capped: BTreeMap<String, Capped>,
    /// Of what is left, without builds.
    planned_s: f64,
}

impl Listed {
    fn of(suite: Suite, obstacles: &Obstacles, limits: &ConnectionLimits) -> Self {
        let missing_entries: Vec<Obstacle> = suite.entries.iter().filter_map(|e| obstacles.entry(e)).collect();
        let missing_scenarios: Vec<Obstacle> = suite.scenarios.iter().filter_map(|s| obstacles.scenario(s)).collect();
        let first = missing_entries.first().or(missing_scenarios.first());
        let planned_s = obstacles.planned_s(&suite);
        let capped = |id: &String| Some((id.clone(), effective(obstacles.supported(id)?, limits).1?));
        Self {
            supported: planned_s > 0.0,
            reason: first.map(|o| format!("{}: {}", o.name, o.reason)),
            fix: first.and_then(|o| o.fix.clone()),
            missing_entries,
            missing_scenarios,
            capped: suite.scenarios.iter().filter_map(capped).collect(),
            planned_s,
            suite,
        }
    }

    fn lines(&self) -> Vec<String> {
        let suite = &self.suite;
        let time = match self.supported {
            true => format!("about {}", format::duration(self.planned_s)),
            false => paint(Tone::Warn, "not here"),
        };
        let entries = suite.entries.iter().map(|e| match e.label == suite.baseline {
            true => format!("{} (baseline)", e.label),
            false => e.label.clone(),
        });
        let mut lines = vec![
            format!("{}  {}, {time}", paint(Tone::Bold, &suite.id), suite.title),
            format!("  {}", suite.summary),
            format!("  servers    {}", entries.collect::<Vec<_>>().join(" · ")),
            format!("  scenarios  {}", suite.scenarios.join(" ")),
        ];
        let missing = self.missing_entries.iter().chain(&self.missing_scenarios);
        lines.extend(missing.map(|o| format!("  {}", paint(Tone::Warn, &o.left_out()))));
        let capped = self.capped.iter().map(|(id, capped)| capped.words(id));
        lines.extend(capped.map(|text| format!("  {}", paint(Tone::Warn, &text))));
        lines.push(String::new());
        lines
    }
}

pub async fn run(_args: &ListArgs, env: &Env) -> Result<Exit, CliError> {
    let assets = env.assets()?;
    let obstacles = Obstacles::of_this_host(&assets)?;
    let limits = ConnectionLimits::here();
    let listed: Vec<Listed> = suite::load_all(&assets)?
        .into_iter()
        .map(|suite| Listed::of(suite, &obstacles, &limits))
        .collect();
    env.out.object(&json!({ "suites": listed }));
    for line in listed.iter().flat_map(Listed::lines) {
        env.out.line(&line);
    }
    env.out
        .line("Run one with `rigmark run --suite NAME`; add --quick to see in minutes whether all of it works.");
    Ok(Exit::Done)
}
