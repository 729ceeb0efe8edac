//! May two runs be compared? What has to be equal for that, as readable words: hashed it is the fingerprint, set side by side
//! the differences. The app has the same list in `packages/results/src/differences.ts`; both are held to one example,
//! `packages/protocol/golden/environment-differences.json`.
//!
//! Left out, since they may differ between comparable runs: the host's name, the boot, the load and the temperature before the
//! start, the sensors (trials have their own labels), the soft limit of open files (the agent raises it). Memory counts to the nearest GiB, because kernels keep a little for themselves. Of the agent's version the
//! first two numbers count: a release that measures in another way raises the second, and new words must not end a series.
//! `loadgen` is a tool and counts with its whole version.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::protocol::facts::HostFacts;
use crate::protocol::journal::{Environment, ToolVersion};

/// One thing that is not the same, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    pub name: String,
    pub a: String,
    pub b: String,
}

struct Field {
    id: String,
    name: String,
    value: Option<String>,
}

/// sha256 (hex) over [`canonical`].
pub fn fingerprint(environment: &Environment) -> String {
    hex::encode(Sha256::digest(canonical(environment)))
}

/// Of a host with the load tools that a run uses (none: of the host alone), before there is an environment.
pub fn of_host(facts: &HostFacts, tools: &[ToolVersion], core_split: Option<&str>) -> String {
    fingerprint(&Environment {
        facts: facts.clone(),
        tools: tools.to_vec(),
        load1_before: None,
        sandboxed: facts.unsandboxed_reason.is_none(),
        control_plane_same_host: None,
        fingerprint: None,
        tuned: Vec::new(),
        core_split: core_split.map(str::to_owned),
    })
}

/// `{"fields":{id: words or null, …},"schema":1}`, keys in byte order, without white space.
pub fn canonical(environment: &Environment) -> String {
    let fields: BTreeMap<String, Option<String>> = fields(environment).into_iter().map(|f| (f.id, f.value)).collect();
    serde_json::json!({ "schema": 1, "fields": fields }).to_string()
}

/// In the order of the list; empty exactly when the fingerprints are equal.
pub fn differences(a: &Environment, b: &Environment) -> Vec<Difference> {
    let (ours, theirs) = (fields(a), fields(b));
    let find = |all: &[Field], id: &str| all.iter().find(|f| f.id == id).map(|f| f.value.clone());
    let only_theirs = theirs.iter().filter(|f| find(&ours, &f.id).is_none());
    let named = ours.iter().chain(only_theirs);
    let compared = named.filter_map(|field| {
        let (left, right) = (find(&ours, &field.id), find(&theirs, &field.id));
        (left != right).then(|| Difference {
            name: field.name.clone(),
            a: words(&field.id, left),
            b: words(&field.id, right),
        })
    });
    compared.collect()
}

fn words(id: &str, value: Option<Option<String>>) -> String {
    match value {
        None if id.starts_with("tool:") => "not used".to_owned(),
        None | Some(None) => "unknown".to_owned(),
        Some(Some(value)) => value,
    }
}

fn fields(environment: &Environment) -> Vec<Field> {
    let facts = &environment.facts;
    let field = |id: &str, name: &str, value: Option<String>| Field {
        id: id.to_owned(),
        name: name.to_owned(),
        value,
    };
    let text = |value: &Option<String>| value.clone();
    let number = |value: Option<u64>| value.map(|n| n.to_string());
    let switch = |value: Option<bool>| value.map(|on| if on { "on" } else { "off" }.to_owned());
    let agent = facts.agent_version.split('.').take(2).collect::<Vec<_>>().join(".");
    let mut all = vec![
        field("cpu_model", "CPU", text(&facts.cpu_model)),
        field("board", "board", text(&facts.board)),
        field("arch", "architecture", Some(facts.arch.clone())),
        field("cpus_online", "CPUs in use", number(facts.cpus_online)),
        field("cores_physical", "physical cores", number(facts.cores_physical)),
        field("smt", "two threads a core (SMT)", switch(facts.smt)),
        field("cpu_max", "highest frequency", facts.cpu_max_khz.map(megahertz)),
        field("memory", "memory", facts.memory_bytes.map(gibibytes)),
        field("os", "system", Some(facts.os.clone())),
        field("os_name", "distribution", text(&facts.os_name)),
        field("kernel", "kernel", text(&facts.kernel)),
        field("governor", "CPU governor", text(&facts.governor)),
        field("turbo", "turbo", switch(facts.turbo)),
        field("virtualization", "virtualization", text(&facts.virtualization)),
        field("thp", "transparent huge pages", text(&facts.thp)),
        field("aslr", "address space randomization", number(facts.aslr)),
        field("nofile", "most open files", number(facts.nofile_hard)),
        field("compiler", "compiler", text(&facts.compiler)),
        field("agent", "agent", Some(agent)),
        field(
            "sandboxed",
            "network namespace for each trial",
            switch(Some(environment.sandboxed)),
        ),
        field("core_split", "cores of server and tool", text(&environment.core_split)),
    ];
    for (name, state) in facts.mitigations.iter().flatten() {
        all.push(field(
            &format!("mitigation:{name}"),
            &format!("mitigation of {name}"),
            Some(state.clone()),
        ));
    }
    for tool in &environment.tools {
        let name = tool.name.as_str();
        all.push(field(
            &format!("tool:{name}"),
            &format!("load tool {name}"),
            tool.version.clone(),
        ));
    }
    all
}

fn megahertz(khz: u64) -> String {
    format!("{:.0} MHz", (khz as f64 / 1000.0).round())
}

fn gibibytes(bytes: u64) -> String {
    format!("{:.0} GiB", (bytes as f64 / f64::from(1 << 30)).round())
}

#[cfg(test)]
#[path = "fingerprint_tests.rs"]
mod tests;
