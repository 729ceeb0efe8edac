//! From names and numbers to what they mean on this host. Starts no server and no load.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::entry::entry_key;
use super::text::reason;
use super::trial::Competitor;
use super::validate::{Invalid, validate};
use super::{RunContext, plan};
use crate::fix;
use crate::protocol::journal::{Plan, PlanEntry, ToolVersion};
use crate::protocol::result::Reason;
use crate::protocol::spec::{RunSpec, Scenario, ToolName};
use crate::protocol::wire::CHUNK_BYTES;
use crate::server::{self, Server};
use crate::tool::{self, Tool};

pub struct Prepared {
    pub plan: Plan,
    /// By entry key.
    pub competitors: BTreeMap<String, Competitor>,
    pub tools: BTreeMap<ToolName, Arc<dyn Tool>>,
    pub missing_tools: BTreeMap<ToolName, String>,
    pub tool_versions: Vec<ToolVersion>,
}

pub fn prepare(spec: &RunSpec, ctx: &RunContext) -> Result<Prepared, Reason> {
    let known = crate::scenario::load_all(&ctx.assets).map_err(|e| reason("scenarios", &e.to_string()))?;
    let mut servers = server::names(&ctx.assets);
    servers.extend(ctx.local_servers.keys().cloned());
    let ids: Vec<String> = known.iter().map(|s| s.id.clone()).collect();
    validate(spec, &servers, &ids).map_err(|e| reason(e.code(), &e.to_string()))?;

    let find = |id: &String| known.iter().find(|s| s.id == *id).cloned();
    let scenarios: Vec<Scenario> = spec.scenarios.iter().filter_map(find).collect();
    let mut entries = Vec::new();
    let mut competitors = BTreeMap::new();
    for (index, asked) in spec.entries.iter().enumerate() {
        let server = match ctx.local_servers.get(&asked.server) {
            Some(folder) => Server::load(folder),
            None => Server::find(&ctx.assets, &asked.server),
        };
        let server = server.map_err(|e| reason("server", &e.to_string()))?;
        let options = server
            .manifest
            .resolve_options(&asked.options)
            .map_err(|e| reason("option", &e))?;
        let manifest = &server.manifest;
        let key = entry_key(&manifest.name, &server.content_hash, &options, &asked.label);
        entries.push(PlanEntry {
            key: key.clone(),
            label: asked.label.clone(),
            server: manifest.name.clone(),
            title: manifest.title.clone(),
            content_hash: server.content_hash.clone(),
            options: options.clone(),
            baseline: spec.baseline.as_ref().map_or(index == 0, |b| *b == asked.label),
        });
        let competitor = Competitor {
            server,
            options,
            built: None,
        };
        competitors.insert(key, competitor);
    }
    let tools: BTreeMap<ToolName, Arc<dyn Tool>> = scenarios
        .iter()
        .map(|s| (s.tool, Arc::from(tool::tool(s.tool, &ctx.assets))))
        .collect();
    let plan = plan::expand(spec, entries, scenarios, |tool, asked| tools[&tool].duration_s(asked));
    fits(&plan)?;
    let mut prepared = Prepared {
        plan,
        competitors,
        tools,
        missing_tools: BTreeMap::new(),
        tool_versions: Vec::new(),
    };
    probe_tools(&mut prepared);
    Ok(prepared)
}

/// The plan is one record, and a record travels whole within one chunk.
fn fits(plan: &Plan) -> Result<(), Reason> {
    let bytes = serde_json::to_vec(plan).map_or(usize::MAX, |text| text.len());
    let room = CHUNK_BYTES - 4096;
    if bytes <= room {
        return Ok(());
    }
    let trials = plan.trials.len();
    let error = Invalid::TooManyTrials {
        trials,
        most: trials * room / bytes,
    };
    Err(reason(error.code(), &error.to_string()))
}

fn probe_tools(prepared: &mut Prepared) {
    for (&name, tool) in &prepared.tools {
        let probed = tool.probe();
        prepared.tool_versions.push(ToolVersion {
            name,
            version: probed.version,
        });
        if !probed.supported {
            let text = fix::said(&probed.reason.unwrap_or_default(), probed.fix.as_deref());
            prepared.missing_tools.insert(name, text);
        }
    }
}
