//! `rigmark verify SERVER…`: builds, starts and proves, without any load.

use serde_json::json;

use super::args::VerifyArgs;
use super::output::{Tone, paint};
use super::servers::workload_name;
use super::{CliError, Env, Exit};
use crate::protocol::journal::{VerifyCheck, VerifyStatus};
use crate::protocol::spec::Workload;
use crate::runner::entry::TypedEntry;
use crate::runner::proof::{Proof, prove};
use crate::server::Server;
use crate::verify::knows;

pub async fn run(args: &VerifyArgs, env: &Env) -> Result<Exit, CliError> {
    let assets = env.assets()?;
    let mut servers = Vec::new();
    // Everything that was typed is looked at before anything is built.
    for typed in &args.servers {
        let typed = TypedEntry::parse(typed).map_err(|e| CliError::usage("server", e))?;
        let server = Server::find(&assets, &typed.server)?;
        let options = server
            .manifest
            .resolve_options(&typed.options)
            .map_err(|e| CliError::usage("option", e))?;
        let workloads = workloads(&server, args.workload)?;
        servers.push((typed, server, options, workloads));
    }
    let mut results = Vec::new();
    let mut passed = true;
    for (typed, server, options, workloads) in servers {
        let label = typed.label.unwrap_or_else(|| server.manifest.name.clone());
        for workload in workloads {
            env.out
                .note(&format!("Verifying {label}, {} …", workload_name(workload)));
            let proof = prove(&server, &options, workload, &env.state).await?;
            passed &= proof.passed();
            show(env, &label, workload, &proof);
            results.push(json!({
                "server": server.manifest.name,
                "label": label,
                "content_hash": server.content_hash,
                "workload": workload,
                "status": if proof.passed() { "passed" } else { "failed" },
                "error": proof.failure,
                "checks": proof.checks,
                "sandboxed": proof.unsandboxed_reason.is_none(),
                "elapsed_ms": proof.elapsed.as_millis() as u64,
            }));
        }
    }
    env.out.object(&json!({ "verified": results }));
    Ok(if passed { Exit::Done } else { Exit::Failed })
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
