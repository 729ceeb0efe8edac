//! `rigmark verify SERVER…`: builds, starts and proves, without any load.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::args::VerifyArgs;
use super::output::{Tone, paint};
use super::servers::workload_name;
use super::{CliError, Env, Exit};
use crate::assets::Assets;
use crate::protocol::journal::{VerifyCheck, VerifyStatus};
use crate::protocol::spec::Workload;
use crate::runner::proof::{Proof, prove};
use crate::runner::typed::TypedEntry;
use crate::server::{self, Server};
use crate::verify::knows;

/// What is to be verified.
struct Entry {
    label: String,
    server: Server,
    options: BTreeMap<String, i64>,
    workloads: Vec<Workload>,
}

pub async fn run(args: &VerifyArgs, env: &Env) -> Result<Exit, CliError> {
    let assets = env.assets()?;
    // Everything that was typed is looked at before anything is built.
    let (entries, unsupported) = if args.all {
        all(&assets, args.workload)
    } else {
        (typed(&assets, args)?, Vec::new())
    };
    for one in &unsupported {
        let text = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
        env.out.line(&format!(
            "{} {}: {} {}",
            paint(Tone::Warn, "unsupported"),
            text("server"),
            text("reason"),
            text("fix")
        ));
    }
    let mut results = Vec::new();
    for entry in &entries {
        for workload in &entry.workloads {
            results.push(verify(entry, *workload, args.all, env).await?);
        }
    }
    let failed = results.iter().filter(|r| r["status"] == "failed").count();
    env.out.object(&json!({
        "passed": results.len() - failed,
        "failed": failed,
        "verified": results,
        "unsupported": unsupported,
    }));
    Ok(match (failed, results.is_empty()) {
        (0, false) => Exit::Done,
        (0, true) => Exit::Unsupported,
        _ => Exit::Failed,
    })
}

fn typed(assets: &Assets, args: &VerifyArgs) -> Result<Vec<Entry>, CliError> {
    let mut entries = Vec::new();
    for text in &args.servers {
        let typed = TypedEntry::parse(text, assets).map_err(|e| CliError::usage("server", e))?;
        let server = Server::find(assets, &typed.server)?;
        let options = server
            .manifest
            .resolve_options(&typed.options)
            .map_err(|e| CliError::usage("option", e))?;
        entries.push(Entry {
            label: typed.label.unwrap_or_else(|| server.manifest.name.clone()),
            workloads: workloads(&server, args.workload)?,
            server,
            options,
        });
    }
    Ok(entries)
}

/// The servers that can be verified here, and of each other one why not and how to mend it.
fn all(assets: &Assets, asked: Option<Workload>) -> (Vec<Entry>, Vec<Value>) {
    let (mut entries, mut unsupported) = (Vec::new(), Vec::new());
    for name in server::names(assets) {
        let server = match Server::load(&assets.servers().join(&name)) {
            Ok(server) => server,
            Err(error) => {
                unsupported.push(json!({ "server": name, "workloads": [], "reason": error.to_string(), "fix": null }));
                continue;
            }
        };
        let mut workloads = server.manifest.workloads.clone();
        workloads.retain(|w| knows(*w) && asked.is_none_or(|asked| asked == *w));
        if let Some(missing) = server.missing() {
            let (reason, fix) = (missing.reason, missing.fix);
            unsupported.push(json!({ "server": name, "workloads": workloads, "reason": reason, "fix": fix }));
            continue;
        }
        let options = server.manifest.options.iter();
        entries.push(Entry {
            label: name,
            options: options.map(|(name, o)| (name.clone(), o.default)).collect(),
            workloads,
            server,
        });
    }
    (entries, unsupported)
}

/// `go_on`: what cannot be built counts as failed and ends nothing.
async fn verify(entry: &Entry, workload: Workload, go_on: bool, env: &Env) -> Result<Value, CliError> {
    let (label, server) = (&entry.label, &entry.server);
    env.out
        .note(&format!("Verifying {label}, {} …", workload_name(workload)));
    let proof = match prove(server, &entry.options, workload, &env.state).await {
        Ok(proof) => proof,
        Err(error) if go_on => Proof {
            failure: Some(error.to_string()),
            checks: Vec::new(),
            unsandboxed_reason: None,
            elapsed: std::time::Duration::ZERO,
        },
        Err(error) => return Err(error.into()),
    };
    show(env, label, workload, &proof);
    Ok(json!({
        "server": server.manifest.name,
        "label": label,
        "content_hash": server.content_hash,
        "workload": workload,
        "status": if proof.passed() { "passed" } else { "failed" },
        "error": proof.failure,
        "checks": proof.checks,
        "sandboxed": proof.unsandboxed_reason.is_none(),
        "elapsed_ms": proof.elapsed.as_millis() as u64,
    }))
}

fn workloads(server: &Server, asked: Option<Workload>) -> Result<Vec<Workload>, CliError> {
    let name = &server.manifest.name;
    let claimed = &server.manifest.workloads;
    let wanted: Vec<Workload> = match asked {
        None => claimed.clone(),
        Some(workload) if claimed.contains(&workload) => vec![workload],
        Some(workload) => {
            let claimed: Vec<&str> = claimed.iter().map(|w| workload_name(*w)).collect();
            let message = format!(
                "{name} does not claim {}; it has {}.",
                workload_name(workload),
                claimed.join(", ")
            );
            return Err(CliError::unsupported("workload", message));
        }
    };
    match wanted.iter().find(|w| !knows(**w)) {
        Some(unknown) if asked.is_some() || wanted.len() == 1 => {
            let message = format!(
                "This agent cannot verify {} yet, so {name} cannot be measured with it.",
                workload_name(*unknown)
            );
            Err(CliError::unsupported("workload", message))
        }
        _ => Ok(wanted.into_iter().filter(|w| knows(*w)).collect()),
    }
}

fn show(env: &Env, label: &str, workload: Workload, proof: &Proof) {
    let title = format!("{label}, {}", workload_name(workload));
    if let Some(failure) = &proof.failure {
        env.out
            .line(&format!("{} {title}: {failure}", paint(Tone::Bad, "failed")));
        return;
    }
    let word = if proof.passed() {
        paint(Tone::Good, "passed")
    } else {
        paint(Tone::Bad, "failed")
    };
    env.out
        .line(&format!("{word} {title} ({} ms)", proof.elapsed.as_millis()));
    for check in &proof.checks {
        env.out.line(&format!("  {}", line(check)));
    }
}

fn line(check: &VerifyCheck) -> String {
    let mark = match check.status {
        VerifyStatus::Passed => paint(Tone::Good, "✓"),
        VerifyStatus::Failed => paint(Tone::Bad, "✗"),
        VerifyStatus::Skipped => paint(Tone::Dim, "–"),
    };
    match &check.message {
        Some(message) => format!("{mark} {}: {message}", check.id),
        None => format!("{mark} {}: {}", check.id, check.title),
    }
}

impl From<crate::runner::proof::ProofError> for CliError {
    fn from(error: crate::runner::proof::ProofError) -> Self {
        match error {
            crate::runner::proof::ProofError::Build(error) => error.into(),
            other => Self::failed("verify", other.to_string()),
        }
    }
}
