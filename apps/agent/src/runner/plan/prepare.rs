//! From names and numbers to what they mean on this host. Starts no server and no load.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::assets::Assets;
use crate::fix;
use crate::protocol::journal::{Plan, PlanEntry, PlanTrial, RunLabel, ToolVersion};
use crate::protocol::result::Reason;
use crate::protocol::spec::{RunSpec, Scenario, ToolName};
use crate::protocol::wire::CHUNK_BYTES;
use crate::runner::plan;
use crate::runner::plan::connection_limits::{self, ConnectionLimits};
use crate::runner::plan::entry::entry_key;
use crate::runner::plan::prepared_entry::PreparedEntry;
use crate::runner::plan::validate::{Invalid, validate};
use crate::runner::plan::warm_up_windows;
use crate::scenario::numbers;
use crate::server::{self, Server};
use crate::text::{message, reason};
use crate::tool::{self, Tool};

pub struct Prepared {
    pub plan: Plan,
    /// By entry key.
    pub prepared_entries: BTreeMap<String, PreparedEntry>,
    pub tools: BTreeMap<ToolName, Arc<dyn Tool>>,
    pub missing_tools: BTreeMap<ToolName, String>,
    pub tool_versions: Vec<ToolVersion>,
    /// What was left out or cut, and why.
    pub labels: Vec<RunLabel>,
}

/// `local_servers` are by the names of the spec, with `@REF` where an entry has a revision.
pub fn prepare(
    spec: &RunSpec,
    assets: &Assets,
    local_servers: &BTreeMap<String, Server>,
    local_scenarios: &[Scenario],
    limits: &ConnectionLimits,
) -> Result<Prepared, Reason> {
    let mut known = crate::scenario::load_all(assets).map_err(|e| reason("scenarios", &e.to_string()))?;
    known.extend_from_slice(local_scenarios);
    let mut servers = server::names(assets);
    servers.extend(local_servers.keys().cloned());
    let invalid = |e: Invalid| reason(e.code(), &e.to_string());
    let spec = &canonical(spec, &known).map_err(invalid)?;
    let ids: Vec<String> = known.iter().map(|s| s.id.clone()).collect();
    validate(spec, &servers, &ids).map_err(invalid)?;

    let find = |id: &String| numbers::resolve(id, &known).ok().flatten();
    let mut labels = Vec::new();
    let scenarios: Vec<Scenario> = spec
        .scenarios
        .iter()
        .filter_map(find)
        .map(|scenario| {
            let (effective, capped) = connection_limits::effective(&scenario, limits);
            labels.extend(capped.map(|c| {
                let text = format!(
                    "{}: {} connections were asked for, {} are used. {}",
                    scenario.id, c.asked, c.used, c.why
                );
                label("connections-capped", &text, None)
            }));
            effective
        })
        .collect();
    let mut entries = Vec::new();
    let mut prepared_entries = BTreeMap::new();
    for (index, asked) in spec.entries.iter().enumerate() {
        let server = match (local_servers.get(&asked.named()), &asked.revision) {
            (Some(server), _) => server.clone(),
            (None, None) => Server::find(assets, &asked.server).map_err(|e| reason("server", &e.to_string()))?,
            // Never another content than was asked for.
            (None, Some(_)) => {
                let text = format!(
                    "{} was not checked out; queue the run on a host of its own.",
                    asked.named()
                );
                return Err(reason("revision", &text));
            }
        };
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
            revision: server.revision.clone(),
        });
        if let Some(text) = borrowed(&asked.label, &server) {
            labels.push(label("manifest-borrowed", &text, Some(key.clone())));
        }
        if let Some(prebuilt) = server.prebuilt_used() {
            let made_with = prebuilt.made_with();
            let text = format!(
                "{} was not built on this host: its program came with the agent ({made_with}).",
                asked.label
            );
            labels.push(label("prebuilt", &text, Some(key.clone())));
        }
        let prepared_entry = PreparedEntry {
            server,
            options,
            built: None,
        };
        prepared_entries.insert(key, prepared_entry);
    }
    let tools: BTreeMap<ToolName, Arc<dyn Tool>> = scenarios
        .iter()
        .map(|s| (s.tool, Arc::from(tool::tool(s.tool, assets))))
        .collect();
    let unclaimed = unclaimed(&entries, &scenarios, &prepared_entries);
    for (entry, scenario) in &unclaimed {
        let (entry, scenario) = (&entries[*entry], &scenarios[*scenario]);
        let text = format!(
            "{} does not claim {}: {} was not run. If it meets that contract, say so under `workloads` in its \
             server.toml.",
            entry.label,
            scenario.workload.name(),
            scenario.id
        );
        labels.push(label("not-claimed", &text, Some(entry.key.clone())));
    }
    let claims = |entry, scenario| !unclaimed.contains(&(entry, scenario));
    let expand = |most| plan::expand(spec, entries.clone(), scenarios.clone(), claims, &tools, most);
    let mut plan = expand(plan::most_blocks(spec));
    plan::fit_reserve(&mut plan, CHUNK_BYTES - ROOM_LEFT);
    // A limit that nobody asked for gives way to what a record holds.
    if spec.max_repeats.is_none() && plan.trials.len() > fitting(&plan) {
        let a_block = plan.trials.iter().filter(|t| t.block == 0).count().max(1);
        plan = expand(((fitting(&plan) / a_block) as u32).max(spec.repeats));
        plan::fit_reserve(&mut plan, CHUNK_BYTES - ROOM_LEFT);
    }
    if plan.trials.is_empty() {
        return Err(reason("not-claimed", &none_claims(&scenarios)));
    }
    fits(&plan)?;
    let compiles = |trial: &&PlanTrial| prepared_entries[&trial.entry_key].server.manifest.jit;
    let longer = plan
        .trials
        .iter()
        .filter(compiles)
        .map(|t| warm_up_windows::likely_more_s(t.warmup_s));
    plan.planned_s += longer.sum::<f64>();
    let mut prepared = Prepared {
        plan,
        prepared_entries,
        tools,
        missing_tools: BTreeMap::new(),
        tool_versions: Vec::new(),
        labels,
    };
    probe_tools(&mut prepared);
    Ok(prepared)
}

/// The same with each scenario under its one name. Names that nobody knows stay, for [`validate`] to refuse.
pub fn canonical(spec: &RunSpec, known: &[Scenario]) -> Result<RunSpec, Invalid> {
    let named = |reference: &String| {
        let found = numbers::resolve(reference, known).map_err(Invalid::Numbers)?;
        Ok(found.map_or_else(|| reference.clone(), |scenario| scenario.id))
    };
    Ok(RunSpec {
        scenarios: spec.scenarios.iter().map(named).collect::<Result<_, _>>()?,
        ..spec.clone()
    })
}

/// The change that adds a server.toml has a base without one.
pub fn borrowed(label: &str, server: &Server) -> Option<String> {
    let commit = &server.revision.as_ref().filter(|_| server.manifest_borrowed)?.commit;
    Some(format!(
        "{label} has no server.toml at commit {}; it is built and run with the one of the working tree.",
        server::revision::short(commit)
    ))
}

/// Said where no server takes any of the scenarios.
pub fn none_claims(scenarios: &[Scenario]) -> String {
    let workload = scenarios.first().map_or("plaintext", |s| s.workload.name());
    format!(
        "None of the servers claims the workload of any of the scenarios. If one meets the contract of {workload}, add \
         `workloads = [\"{workload}\"]` to its server.toml; otherwise write a load of its own with `rigmark new \
         scenario`."
    )
}

fn label(code: &str, text: &str, entry_key: Option<String>) -> RunLabel {
    RunLabel {
        code: code.to_owned(),
        message: message(text),
        entry_key,
    }
}

/// Entry and scenario by index.
fn unclaimed(
    entries: &[PlanEntry],
    scenarios: &[Scenario],
    prepared_entries: &BTreeMap<String, PreparedEntry>,
) -> BTreeSet<(usize, usize)> {
    let claims = |entry: &PlanEntry, scenario: &Scenario| {
        let workloads = &prepared_entries[&entry.key].server.manifest.workloads;
        scenario.workload.is_claimed(workloads)
    };
    let pairs = (0..entries.len()).flat_map(|e| (0..scenarios.len()).map(move |s| (e, s)));
    pairs.filter(|(e, s)| !claims(&entries[*e], &scenarios[*s])).collect()
}

/// Of a chunk, for what is around the plan.
const ROOM_LEFT: usize = 4096;

/// The plan is one record, and a record travels whole within one chunk.
fn fits(plan: &Plan) -> Result<(), Reason> {
    let (trials, most) = (plan.trials.len(), fitting(plan));
    if trials <= most {
        return Ok(());
    }
    let error = Invalid::TooManyTrials { trials, most };
    Err(reason(error.code(), &error.to_string()))
}

/// How many such trials a plan may have.
fn fitting(plan: &Plan) -> usize {
    let bytes = serde_json::to_vec(plan).map_or(usize::MAX, |text| text.len()).max(1);
    let room = CHUNK_BYTES - ROOM_LEFT;
    if bytes <= room {
        return plan.trials.len();
    }
    plan.trials.len() * room / bytes
}

impl plan::ToolTiming for BTreeMap<ToolName, Arc<dyn Tool>> {
    fn real_s(&self, tool: ToolName, asked_s: f64) -> f64 {
        self[&tool].duration_s(asked_s)
    }

    fn shortest_slice_s(&self, tool: ToolName) -> Option<f64> {
        self[&tool].shortest_slice_s()
    }
}

fn probe_tools(prepared: &mut Prepared) {
    for (&name, tool) in &prepared.tools {
        let probed = tool.probe();
        prepared.tool_versions.push(ToolVersion {
            name,
            version: probed.version,
        });
        if !probed.supported {
            let text = fix::with_reason(&probed.reason.unwrap_or_default(), probed.fix.as_deref());
            prepared.missing_tools.insert(name, text);
        }
    }
}
