//! `rigmark plan`: the whole order of a run, with the arguments of `rigmark run`. Builds, starts and measures nothing.

use serde::Serialize;

use super::args::RunArgs;
use super::output::{Tone, paint};
use super::run::plan_line::plan_line;
use super::run::request::RunRequest;
use super::run::{revisions, spec};
use super::{CliError, Env, Exit, format};
use crate::host;
use crate::protocol::journal::{Plan, PlanTrial, RunLabel};
use crate::runner::plan::connection_limits::ConnectionLimits;
use crate::runner::plan::parameters;
use crate::runner::plan::prepare::{Prepared, prepare};
use crate::runner::plan::stopping::percent;

#[derive(Serialize)]
struct Printed<'a> {
    plan: &'a Plan,
    /// What `--expect-plan` asks for.
    parameters: &'a str,
    labels: &'a [RunLabel],
}

pub async fn run(args: &RunArgs, env: &Env) -> Result<Exit, CliError> {
    let assets = env.assets()?;
    let asked = spec::ask(args, &assets, env)?;
    let RunRequest {
        spec,
        local_servers,
        local_scenarios,
        left_out,
    } = asked;
    let limits = ConnectionLimits::of_this_host(&host::facts());
    let prepared = prepare(&spec, &assets, &local_servers, &local_scenarios, &limits);
    let Prepared { plan, labels, .. } = prepared.map_err(|e| CliError::failed("plan", e.message))?;
    let labels: Vec<_> = left_out.into_iter().chain(labels).collect();
    let parameters = parameters::hash(&plan);
    env.out.object(&Printed {
        plan: &plan,
        parameters: &parameters,
        labels: &labels,
    });
    lines(&plan).iter().for_each(|line| env.out.line(line));
    env.out
        .line(&format!("\nScenarios and options have the hash {}.", &parameters[..12]));
    for label in &labels {
        env.out
            .line(&format!("{} {}", paint(Tone::Warn, &label.code), label.message));
    }
    Ok(Exit::Done)
}

fn lines(plan: &Plan) -> Vec<String> {
    let mut lines = vec![plan_line(plan), String::new()];
    lines.extend(plan.blocks.as_ref().and_then(|blocks| {
        let looks: Vec<String> = blocks.looks.iter().map(u32::to_string).collect();
        let precision = percent(blocks.precision?);
        Some(format!(
            "Looked at after {} blocks: ends when every ratio is known within {precision} or its verdict is settled.\n",
            looks.join(", ")
        ))
    }));
    lines.extend(plan.entries.iter().map(|entry| {
        let options = entry.options.iter().map(|(name, value)| format!(" {name}={value}"));
        let baseline = if entry.baseline { ", baseline" } else { "" };
        let commit = entry.revision.as_ref().map(revisions::in_words);
        let commit = commit.map_or_else(String::new, |commit| format!(", {commit}"));
        format!(
            "{}  {}{}, content {}{commit}{baseline}",
            paint(Tone::Bold, &entry.label),
            entry.server,
            options.collect::<String>(),
            &entry.content_hash[..entry.content_hash.len().min(12)],
        )
    }));
    lines.push(String::new());
    let same = |a: &PlanTrial, b: &PlanTrial| (a.block, &a.scenario) == (b.block, &b.scenario);
    lines.extend(plan.trials.chunk_by(same).map(|group| row(plan, group)));
    lines
}

/// One block of one scenario, its servers in their order.
fn row(plan: &Plan, group: &[PlanTrial]) -> String {
    let first = &group[0];
    let label = |trial: &PlanTrial| {
        let entry = plan.entries.iter().find(|e| e.key == trial.entry_key);
        entry.map_or_else(String::new, |e| e.label.clone())
    };
    let needed = plan.blocks.as_ref().is_none_or(|b| first.block < b.least);
    let turns = match first.slices {
        1 => String::new(),
        n => format!(
            ", in {n} slices of {} s",
            format::significant(first.duration_s / f64::from(n))
        ),
    };
    let order: Vec<String> = group.iter().map(label).collect();
    let text = format!(
        "block {}{}, {}: {} ({} s after {} s of warm-up{turns})",
        first.block + 1,
        if needed { "" } else { ", if needed" },
        first.scenario,
        order.join(", "),
        format::significant(first.duration_s),
        format::significant(first.warmup_s),
    );
    if needed { text } else { paint(Tone::Dim, &text) }
}
