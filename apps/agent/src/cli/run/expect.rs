//! `--expect…`: is what is here what was measured elsewhere? Reports print what they expect; all of it is looked at before anything
//! is built.

use super::request::RunRequest;
use crate::assets::Assets;
use crate::cli::CliError;
use crate::cli::args::RunArgs;
use crate::host;
use crate::protocol::journal::ToolVersion;
use crate::protocol::spec::EntrySpec;
use crate::runner::plan::connection_limits::ConnectionLimits;
use crate::runner::plan::parameters;
use crate::runner::plan::prepare::{Prepared, prepare};
use crate::server::nearest::hint;
use crate::tool;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Shorter beginnings of a hash are found by chance.
const LEAST_HASH: usize = 8;

/// `contents` goes with the entries of `asked`. The agent first: another one may plan another way. The plan before the tools: it
/// says which there are.
pub fn all(args: &RunArgs, asked: &RunRequest, contents: &[String], assets: &Assets) -> Result<(), CliError> {
    if let Some(version) = &args.expected_agent {
        agent(version)?;
    }
    for text in &args.expected {
        content(text, &asked.spec.entries, contents)?;
    }
    if args.expected_plan.is_none() && args.expected_tools.is_empty() {
        return Ok(());
    }
    let limits = ConnectionLimits::of_this_host(&host::facts());
    let prepared = prepare(
        &asked.spec,
        assets,
        &asked.local_servers,
        &asked.local_scenarios,
        &limits,
    );
    let prepared = prepared.map_err(|e| CliError::failed("plan", e.message))?;
    if let Some(hash) = &args.expected_plan {
        plan(hash, &prepared)?;
    }
    for text in &args.expected_tools {
        tool(text, &prepared.tool_versions)?;
    }
    Ok(())
}

fn agent(version: &str) -> Result<(), CliError> {
    if version == VERSION {
        return Ok(());
    }
    let message = format!(
        "This is Rigmark {VERSION}, and {version} was expected; install the version that measured, or leave --expect-agent out to \
         measure with this one."
    );
    Err(CliError::failed("other-agent", message))
}

fn is_hash(text: &str) -> bool {
    text.len() >= LEAST_HASH && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// `label=hash`, the hash or its beginning.
fn content(text: &str, entries: &[EntrySpec], contents: &[String]) -> Result<(), CliError> {
    let Some((label, hash)) = text.rsplit_once('=').filter(|(_, hash)| is_hash(hash)) else {
        let message = format!(
            "{text:?} has no hash; write it as label=hash, with {LEAST_HASH} or more hexadecimal digits, as in a report."
        );
        return Err(CliError::usage("expect", message));
    };
    let Some(place) = entries.iter().position(|e| e.label == label) else {
        let hint = hint(label, entries.iter().map(|e| e.label.as_str()));
        let message = format!("No server has the label {label:?}; {hint}");
        return Err(CliError::usage("expect", message));
    };
    let (here, hash) = (&contents[place], hash.to_ascii_lowercase());
    if here.starts_with(&hash) {
        return Ok(());
    }
    let here = &here[..hash.len().min(here.len())];
    let message = format!(
        "{label} has the content {here} here, and {hash} was expected; take the version of Rigmark or of the server's folder \
         that was measured, or leave --expect out to measure what is here."
    );
    Err(CliError::failed("other-content", message))
}

/// The beginning of [`parameters::hash`].
fn plan(hash: &str, prepared: &Prepared) -> Result<(), CliError> {
    if !is_hash(hash) {
        let message = format!(
            "{hash:?} is not the hash of a plan; write {LEAST_HASH} or more hexadecimal digits, as reports and `rigmark plan` do."
        );
        return Err(CliError::usage("expect-plan", message));
    }
    let (here, hash) = (parameters::hash(&prepared.plan), hash.to_ascii_lowercase());
    if here.starts_with(&hash) {
        return Ok(());
    }
    let here = &here[..hash.len().min(here.len())];
    let capped = prepared.labels.iter().find(|l| l.code == "connections-capped");
    let why = capped.map_or_else(String::new, |l| format!(" ({})", l.message.trim_end_matches('.')));
    let message = format!(
        "The scenarios and options have the hash {here} here{why}, and {hash} was expected; take the version of Rigmark or of the \
         scenarios that was measured, or leave --expect-plan out to run them as they are here."
    );
    Err(CliError::failed("other-plan", message))
}

/// `name=version`, of a tool that one of the scenarios takes.
fn tool(text: &str, here: &[ToolVersion]) -> Result<(), CliError> {
    let Some((name, version)) = text.split_once('=').filter(|(_, version)| !version.is_empty()) else {
        let message = format!("{text:?} names no version of a load tool; write it as name=version, as reports do.");
        return Err(CliError::usage("expect-tool", message));
    };
    let Some(found) = here.iter().find(|t| t.name.as_str() == name) else {
        let names: Vec<&str> = here.iter().map(|t| t.name.as_str()).collect();
        let message = format!(
            "No scenario uses the load tool {name:?}, they use {}; leave its --expect-tool out.",
            names.join(", ")
        );
        return Err(CliError::usage("expect-tool", message));
    };
    let known = found.version.as_deref();
    if known == Some(version) {
        return Ok(());
    }
    let advice = tool::profile(found.name).another_version;
    let message = format!(
        "{name} is {} here, and {version} was expected; {advice}, or leave --expect-tool out to measure with what is here.",
        known.unwrap_or("of an unknown version")
    );
    Err(CliError::failed("other-tool", message))
}
