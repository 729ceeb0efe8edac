//! What of a suite this host can do. The rest is left out, said, and recorded in the run.

use super::request::Wanted;
use crate::assets::Assets;
use crate::cli::CliError;
use crate::cli::output::Output;
use crate::protocol::journal::RunLabel;
use crate::protocol::spec::Suite;
use crate::scenario::left_out;
use crate::scenario::suite::{self, Obstacle, Obstacles};
use crate::server::Server;
use crate::server::nearest::hint;

#[derive(Default)]
pub struct Chosen {
    pub entries: Vec<Wanted>,
    pub scenarios: Vec<String>,
    pub baseline: Option<String>,
    pub repeats: Option<u32>,
    pub duration_s: Option<f64>,
    pub left_out: Vec<RunLabel>,
    /// The suite, where its own entries are measured and the one that it compares with is not among them.
    pub without_baseline: Option<Suite>,
}

pub fn find(name: &str, assets: &Assets) -> Result<Suite, CliError> {
    let mut suites = suite::load_all(assets)?;
    match suites.iter().position(|s| s.id == name) {
        Some(place) => Ok(suites.swap_remove(place)),
        None => {
            let hint = hint(name, suites.iter().map(|s| s.id.as_str()));
            let message = format!("There is no suite {name:?}; {hint}");
            Err(CliError::usage("unknown-suite", message))
        }
    }
}

/// The suite's entries, or in their place those that were typed.
pub fn choose(name: &str, typed: Vec<Wanted>, assets: &Assets, out: &Output) -> Result<Chosen, CliError> {
    let suite = find(name, assets)?;
    let obstacles = Obstacles::of_this_host(assets)?;
    let mut chosen = Chosen {
        entries: typed,
        repeats: Some(suite.repeats),
        duration_s: suite.duration_s,
        ..Chosen::default()
    };
    let mut out_of_it: Vec<Obstacle> = Vec::new();
    let own = chosen.entries.is_empty();
    if own {
        out_of_it.extend(entries(&suite, &obstacles, assets, &mut chosen)?);
    }
    for id in &suite.scenarios {
        match obstacles.scenario(id) {
            None => chosen.scenarios.push(id.clone()),
            Some(obstacle) => out_of_it.push(obstacle),
        }
    }
    let nothing = |what: &str| {
        let why: Vec<String> = out_of_it.iter().map(Obstacle::left_out).collect();
        let text = format!("None of the suite's {what} can be measured here. {}", why.join(" "));
        Err(CliError::unsupported("unsupported", text))
    };
    if chosen.entries.is_empty() {
        return nothing("servers");
    }
    if chosen.scenarios.is_empty() {
        return nothing("scenarios");
    }
    // The refusals above say all of it themselves.
    for obstacle in &out_of_it {
        out.note(&obstacle.left_out());
    }
    chosen.left_out = out_of_it.iter().map(left_out::label).collect();
    let baseline = |wanted: &Wanted| wanted.label.as_ref().is_some_and(|l| *l == suite.baseline);
    chosen.baseline = chosen.entries.iter().any(baseline).then(|| suite.baseline.clone());
    chosen.without_baseline = (own && chosen.baseline.is_none()).then_some(suite);
    Ok(chosen)
}

fn entries(
    suite: &Suite,
    obstacles: &Obstacles,
    assets: &Assets,
    chosen: &mut Chosen,
) -> Result<Vec<Obstacle>, CliError> {
    let mut out_of_it = Vec::new();
    for entry in &suite.entries {
        if let Some(obstacle) = obstacles.entry(entry) {
            out_of_it.push(obstacle);
            continue;
        }
        chosen.entries.push(Wanted {
            label: Some(entry.label.clone()),
            named: entry.server.clone(),
            server: Server::find(assets, &entry.server)?,
            options: entry.options.clone(),
        });
    }
    Ok(out_of_it)
}
