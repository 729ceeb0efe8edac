//! The table of a finished run. Its numbers and sentences are those of the statistics; here they only get units.

mod cell;
pub(in crate::cli) mod columns;

use rigmark_stats::input::Limit;
use rigmark_stats::summary::{EntrySummary, Metric, ScenarioSummary, UnrankedCode, Verdict};

use super::notes;
use crate::cli::format;
use crate::cli::output::{Output, Tone, paint};
use crate::protocol::journal::{Plan, PlanTrial, Trial};
use crate::protocol::result::TrialStatus;
use crate::protocol::spec::Scenario;
use cell::label;
pub(in crate::cli) use cell::verdict;
use columns::{Bound, ScenarioTable};

pub fn print(out: &Output, plan: &Plan, trials: &[Trial], scenario: &ScenarioSummary) {
    let planned = plan.scenarios.iter().find(|s| s.id == scenario.scenario);
    out.line("");
    out.line(&format!(
        "{}  {}",
        paint(Tone::Bold, planned.map_or("", |s| s.title.as_str())),
        paint(Tone::Dim, &scenario.scenario)
    ));
    let trials: Vec<&Trial> = trials.iter().filter(|t| t.scenario == scenario.scenario).collect();
    let shown = ScenarioTable::new(plan, scenario);
    out.line(&paint(Tone::Dim, &shown.about()));
    out.wide_table(shown.columns());
    lines(plan, planned, &trials, scenario)
        .iter()
        .for_each(|line| out.line(line));
}

/// What no cell has room for.
fn lines(plan: &Plan, planned: Option<&Scenario>, trials: &[&Trial], scenario: &ScenarioSummary) -> Vec<String> {
    let label = |entry: &EntrySummary| label(plan, &entry.entry_key);
    let of = |which: &dyn Fn(&EntrySummary) -> bool| {
        let found = scenario.entries.iter().filter(|e| which(e)).map(label);
        Some(found.collect::<Vec<_>>().join(", ")).filter(|names| !names.is_empty())
    };
    let claimed = |entry: &EntrySummary| {
        let of = |t: &PlanTrial| t.scenario == scenario.scenario && t.entry_key == entry.entry_key;
        plan.trials.iter().any(of)
    };
    let mut lines = Vec::new();
    for entry in scenario.entries.iter().filter(|e| e.unranked_reason.is_some()) {
        if !claimed(entry) {
            let workload = planned.map_or("its workload", |s| s.workload.name());
            lines.push(format!(
                "{} does not claim {workload}; if it meets that contract, say so under `workloads` in its \
                 server.toml.",
                label(entry)
            ));
        } else if let Some(reason) = entry
            .unranked_reason
            .as_ref()
            .filter(|_| entry.unranked_code != Some(UnrankedCode::SingleRequests))
        {
            lines.push(format!("{} is not ranked: {reason}", label(entry)));
        }
    }
    // Whoever is not ranked has its reason above.
    let open = |e: &&EntrySummary| e.verdict == Some(Verdict::NotComparable) && e.unranked_reason.is_none();
    lines.extend(scenario.entries.iter().filter(open).map(|e| e.sentence.clone()));
    if let Some(names) = of(&|e| e.shared_ceiling) {
        lines.push(format!(
            "Shared ceiling: {names} are tool-bound at the same rate, so what differs there is the tool or noise and \
             not the servers."
        ));
    }
    if let Some(names) = of(&|e| e.limit.is_none() && e.trials_valid > 0) {
        lines.push(format!(
            "The bottleneck of {names} is not known: other programs were busy, or the trials differed."
        ));
    }
    lines.extend(single_tool_runs(plan, trials, scenario));
    let entries = || scenario.entries.iter().filter(|e| claimed(e));
    lines.extend(entries().filter_map(|e| not_steady(&label(e), trials, &e.entry_key)));
    let notes = notes::lines(entries(), |key| self::label(plan, key));
    lines.extend(notes.iter().map(|note| paint(Tone::Dim, note)));
    lines
}

/// What one tool run of a load given as a count said: what such a benchmark publishes. Of the first block, and not ranked.
fn single_tool_runs(plan: &Plan, trials: &[&Trial], scenario: &ScenarioSummary) -> Option<String> {
    let of = |entry: &EntrySummary| {
        let own = trials.iter().filter(|t| t.entry_key == entry.entry_key);
        let first = own.min_by_key(|t| t.block)?;
        let rate = format::rate(first.single_shot.as_ref()?.requests_per_s);
        let bound = at_least(first);
        let doubt = match first.status {
            TrialStatus::Valid => "",
            TrialStatus::Invalid => " (of an invalid trial)",
            TrialStatus::Failed => " (of a failed trial)",
            TrialStatus::Cancelled => " (of a cancelled trial)",
        };
        Some(format!("{} {bound}{rate}{doubt}", label(plan, &entry.entry_key)))
    };
    let runs: Vec<String> = scenario.entries.iter().filter_map(of).collect();
    let runs = (!runs.is_empty()).then(|| runs.join(", "))?;
    Some(format!(
        "Single tool run, first block, not ranked, in requests/s: {runs}."
    ))
}

/// `≥ ` before the rate of a trial that the tool was the bottleneck of.
pub(super) fn at_least(trial: &Trial) -> &'static str {
    let bound = trial
        .limit
        .and_then(|limit| Limit::from(limit).bound(Metric::RequestsPerS));
    Bound::from(bound).sign()
}

/// Of a server that compiles while it runs: where its warm-up ended before it was steady.
fn not_steady(label: &str, trials: &[&Trial], entry_key: &str) -> Option<String> {
    let own = || trials.iter().filter(|t| t.entry_key == entry_key);
    let unsteady = || own().filter(|t| t.warmup_steady == Some(false));
    let longest = unsteady().filter_map(|t| t.warmup_us).max();
    let warmed = longest.map_or_else(String::new, |us| {
        format!(" after up to {} s of it", format::significant(us as f64 / 1e6))
    });
    let (count, all) = (unsteady().count(), own().count());
    (count > 0).then(|| format!("Warm-up: {label} was not steady in {count} of {all} trials{warmed} (not-steady)."))
}

#[cfg(test)]
mod tests;
