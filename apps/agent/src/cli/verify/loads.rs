//! The loads whose requests are sent.

use crate::assets::Assets;
use crate::cli::CliError;
use crate::cli::args::VerifyArgs;
use crate::cli::run::spec;
use crate::protocol::spec::{Scenario, Workload};
use crate::scenario::{self, numbers};

/// What may be asked for: the scenarios that were named, or all that are bundled.
pub fn scenarios(assets: &Assets, args: &VerifyArgs) -> Result<Vec<Scenario>, CliError> {
    let mut all = scenario::load_all(assets)?;
    if args.scenarios.is_empty() {
        return Ok(all);
    }
    let (references, local) = spec::named(&args.scenarios, &all)?;
    all.extend(local);
    let named = |name: &String| {
        let found = numbers::resolve(name, &all).map_err(|why| CliError::usage("scenario-numbers", why))?;
        found.ok_or_else(|| {
            let message = format!("There is no scenario {name}; `rigmark scenarios` lists them.");
            CliError::usage("scenario", message)
        })
    };
    references.iter().map(named).collect()
}

/// Those of one workload that differ in what is sent, each over the most connections that one of them has.
pub fn loads(scenarios: &[Scenario], workload: Workload) -> Vec<Scenario> {
    let sends = |s: &Scenario| {
        (
            s.tool,
            s.path.clone(),
            s.load.keep_alive(),
            s.payload.clone(),
            s.in_flight,
            s.http.clone(),
        )
    };
    let mut loads: Vec<Scenario> = Vec::new();
    for scenario in scenarios.iter().filter(|s| s.workload == workload) {
        match loads.iter_mut().find(|known| sends(known) == sends(scenario)) {
            None => loads.push(scenario.clone()),
            Some(known) if known.load.connections() < scenario.load.connections() => *known = scenario.clone(),
            Some(_) => {}
        }
    }
    loads
}
