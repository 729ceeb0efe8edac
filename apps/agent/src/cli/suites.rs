//! `rigmark suites`: named sets of scenarios and servers, and what of them this host can do.

use serde::Serialize;
use serde_json::json;

use super::args::ListArgs;
use super::output::Align;
use super::scenarios::{about, here};
use super::{CliError, Env, Exit};
use crate::protocol::spec::{EntrySpec, Suite};
use crate::scenario::suite;
use crate::{scenario, server, tool};

#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    suite: Suite,
    supported: bool,
    reason: Option<String>,
    fix: Option<String>,
}

pub async fn run(_args: &ListArgs, env: &Env) -> Result<Exit, CliError> {
    let assets = env.assets()?;
    let scenarios = scenario::catalogue(&assets, &tool::catalogue(&assets))?;
    let servers = server::catalogue(&assets);
    let known = |kind: &str, name: &str, found: Option<(bool, &Option<String>, &Option<String>)>| match found {
        Some((true, _, _)) => None,
        Some((false, reason, fix)) => {
            let reason = reason.as_deref().unwrap_or("it does not work here.");
            Some((format!("{kind} {name}: {reason}"), fix.clone()))
        }
        None => Some((format!("{kind} {name} is not part of this installation."), None)),
    };
    let listed: Vec<Listed> = suite::load_all(&assets)?
        .into_iter()
        .map(|suite| {
            let by_scenario = suite.scenarios.iter().find_map(|id| {
                let found = scenarios.iter().find(|s| s.scenario.id == *id);
                known("scenario", id, found.map(|s| (s.supported, &s.reason, &s.fix)))
            });
            let by_server = || {
                suite.entries.iter().find_map(|EntrySpec { server: name, .. }| {
                    let found = servers.iter().find(|s| s.name == *name);
                    known("server", name, found.map(|s| (s.supported, &s.reason, &s.fix)))
                })
            };
            let obstacle = by_scenario.or_else(by_server);
            let (reason, fix) = obstacle.map_or((None, None), |(reason, fix)| (Some(reason), fix));
            Listed {
                supported: reason.is_none(),
                suite,
                reason,
                fix,
            }
        })
        .collect();
    env.out.object(&json!({ "suites": listed }));
    let columns = [
        ("SUITE", Align::Left),
        ("HERE", Align::Left),
        ("SERVERS", Align::Left),
        ("SCENARIOS", Align::Left),
        ("ABOUT", Align::Left),
    ];
    let row = |l: &Listed| {
        vec![
            l.suite.id.clone(),
            here(l.supported),
            l.suite
                .entries
                .iter()
                .map(|e| e.label.as_str())
                .collect::<Vec<_>>()
                .join(" "),
            l.suite.scenarios.join(" "),
            about(&l.suite.title, l.reason.as_deref(), l.fix.as_deref()),
        ]
    };
    env.out.table(&columns, &listed.iter().map(row).collect::<Vec<_>>());
    Ok(Exit::Done)
}
