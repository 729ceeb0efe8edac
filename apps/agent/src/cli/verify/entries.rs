//! Which servers are verified, and with which of their workloads.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::assets::Assets;
use crate::cli::args::VerifyArgs;
use crate::cli::servers::workload_name;
use crate::cli::{CliError, Env};
use crate::protocol::spec::Workload;
use crate::runner::plan::entry_parser::TypedEntry;
use crate::server::{self, Server};
use crate::verify::knows;

/// What is to be verified.
pub struct ServerToVerify {
    pub label: String,
    pub server: Server,
    pub options: BTreeMap<String, i64>,
    pub workloads: Vec<Workload>,
}

pub fn named_servers(assets: &Assets, args: &VerifyArgs, env: &Env) -> Result<Vec<ServerToVerify>, CliError> {
    let mut entries = Vec::new();
    for text in &args.servers {
        let typed = TypedEntry::parse(text, assets).map_err(|e| CliError::usage("server", e))?;
        let server = env.server(assets, &typed.server)?;
        let options = server
            .manifest
            .resolve_options(&typed.options)
            .map_err(|e| CliError::usage("option", e))?;
        entries.push(ServerToVerify {
            label: typed.label.unwrap_or_else(|| server.manifest.name.clone()),
            workloads: workloads(&server, args.workload)?,
            server,
            options,
        });
    }
    Ok(entries)
}

/// The servers that can be verified here, and of each other one why not and how to fix it. Who does not claim the workload that was
/// asked for is none of them.
pub fn all(assets: &Assets, asked: Option<Workload>) -> (Vec<ServerToVerify>, Vec<Value>) {
    let (mut entries, mut unsupported) = (Vec::new(), Vec::new());
    for server::known::Known { name, folder, .. } in server::known::bundled(assets) {
        let server = match Server::load(&folder) {
            Ok(server) => server,
            Err(error) => {
                unsupported.push(json!({ "server": name, "workloads": [], "reason": error.to_string(), "fix": null }));
                continue;
            }
        };
        let claimed = &server.manifest.workloads;
        if asked.is_some_and(|asked| !asked.is_claimed(claimed)) {
            continue;
        }
        let mut workloads = asked.map_or_else(|| claimed.clone(), |asked| vec![asked]);
        workloads.retain(|w| knows(*w));
        if let Some(missing) = server.missing() {
            let (reason, fix) = (missing.reason, missing.fix);
            unsupported.push(json!({ "server": name, "workloads": workloads, "reason": reason, "fix": fix }));
            continue;
        }
        let options = server.manifest.options.iter();
        entries.push(ServerToVerify {
            label: name,
            options: options.map(|(name, o)| (name.clone(), o.default)).collect(),
            workloads,
            server,
        });
    }
    (entries, unsupported)
}

fn workloads(server: &Server, asked: Option<Workload>) -> Result<Vec<Workload>, CliError> {
    let name = &server.manifest.name;
    let claimed = &server.manifest.workloads;
    let wanted: Vec<Workload> = match asked {
        None => claimed.clone(),
        Some(workload) if workload.is_claimed(claimed) => vec![workload],
        Some(workload) => {
            let claimed: Vec<&str> = claimed.iter().map(|w| workload_name(*w)).collect();
            let claimed = if claimed.is_empty() {
                "none".to_owned()
            } else {
                claimed.join(", ")
            };
            let message = format!("{name} does not claim {}; it has {claimed}.", workload_name(workload));
            return Err(CliError::unsupported("workload", message));
        }
    };
    match wanted.iter().find(|w| !knows(**w)) {
        Some(unknown) if asked.is_some() || wanted.len() == 1 => {
            let message = format!(
                "This agent cannot verify {} yet, so {name} cannot be measured with it; update the agent.",
                workload_name(*unknown)
            );
            Err(CliError::unsupported("workload", message))
        }
        _ => Ok(wanted.into_iter().filter(|w| knows(*w)).collect()),
    }
}
