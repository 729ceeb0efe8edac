//! Is a measured trial valid? docs/method.md, "What makes a trial invalid". Pure: what was measured goes in, its validity, with
//! reasons and labels, comes out.
//!
//! What is not in the trial's own figures is decided elsewhere: verification during and after the load, and a server that had
//! crashed by then, by [`Judgment::invalidate`] in `runner::trial`; what the host did to the whole block by
//! [`super::disturbance`]. A trial that ended without a result does not come here: its record is failed or cancelled by
//! whoever ended it.

use rigmark_stats::percentile::P99_MAY_LOSE;

use crate::host::STEAL_LABEL;
use crate::host::cores::Cores;
use crate::protocol::result::{Failures, KneeSearch, Limit, Reason, Resources, ToolResult, TrialStatus};
use crate::protocol::spec::{Load, Scenario};
use crate::runner::validity::bottleneck::{self, Usage};
use crate::runner::validity::clock::{self, WallClock};
use crate::runner::validity::consistency;
use crate::runner::validity::cpu_frequency::{self, CpuConditions};
use crate::runner::validity::judgment::Judgment;
use crate::runner::validity::knee;
use crate::runner::validity::socket_counters::{self, SocketCounts};
use crate::text::reason;
use crate::tool;

/// A window that is shorter than this part of what was asked for.
const SHORT: f64 = 0.8;
/// Seconds that the tool runs of a load given as a count are to measure.
const COUNT_S: f64 = 10.0;

pub struct MeasuredTrial<'a> {
    pub scenario: &'a Scenario,
    pub duration_s: f64,
    pub result: &'a ToolResult,
    pub resources: &'a Resources,
    pub cores: &'a Cores,
    pub workers: i64,
    /// What the tool can keep busy.
    pub tool_threads: Option<u32>,
    /// Of all cores together over the window, as ratios: everything, and what was neither server nor tool.
    pub host_busy: Option<f64>,
    pub others_busy: Option<f64>,
    pub cpu: &'a CpuConditions,
    /// As the run's environment has it.
    pub governor: Option<&'a str>,
    /// Server and tool together have less CPU time than their cores could give.
    pub cpu_quota: bool,
    pub clock: WallClock,
    pub counted: &'a SocketCounts,
    /// Latencies in the tool's histogram.
    pub histogram_count: Option<u64>,
}

pub fn judge(measured: &MeasuredTrial<'_>) -> Judgment {
    let MeasuredTrial {
        scenario,
        result,
        resources,
        ..
    } = measured;
    if result.requests == 0 {
        return Judgment::failed(reason("no-requests", &no_requests(measured)));
    }
    let mut judgment = Judgment::valid();
    // A search without a rate says that its last step failed: what is wrong with that step is no other reason.
    let has_figures = result.knee.as_ref().is_none_or(KneeSearch::has_rate);
    if has_figures {
        errors(result, &mut judgment.reasons);
    }
    clock::check(measured.clock, scenario, result, resources.window_us, &mut judgment);
    for crossed in &result.thresholds_crossed {
        judgment
            .labels
            .push(reason("threshold", &format!("The threshold {crossed} was crossed.")));
    }
    let mut found = consistency::check(scenario, result, resources.loopback_bytes);
    consistency::histogram(result, measured.histogram_count, &mut found);
    socket_counters::check(scenario, result, measured.counted, &mut found);
    if has_figures {
        judgment.reasons.extend(found.contradictions);
    }
    judgment.labels.extend(found.labels);
    steal(resources, &mut judgment);
    cpu_frequency::check(measured.cpu, measured.governor, &mut judgment);
    if let Some(others) = measured.others_busy.filter(|o| *o > bottleneck::OTHERS) {
        let message = format!(
            "Other programs used {:.0} % of this host's CPU time during the trial.",
            others * 100.0
        );
        judgment.labels.push(reason("busy-host", &message));
    }
    let asked_us = measured.duration_s * 1e6;
    // A search says how long its last step was; a load given as a count has its own check below.
    let checked_elsewhere = result.knee.is_some() || matches!(scenario.load, Load::Count { .. });
    if !checked_elsewhere && (result.duration_us as f64) < SHORT * asked_us {
        let message = format!(
            "The tool measured {:.2} s of the {:.2} s that were asked for.",
            result.duration_us as f64 / 1e6,
            measured.duration_s
        );
        judgment.labels.push(reason("short-window", &message));
    }
    if matches!(scenario.load, Load::Count { .. }) {
        check_count(measured, &mut judgment);
    }
    if !judgment.reasons.is_empty() {
        judgment.status = TrialStatus::Invalid;
    }
    let limit = match &result.knee {
        Some(search) => knee::check(search, server_cpus(measured), &mut judgment),
        None => bottleneck(measured),
    };
    // A quota leaves cores free and may have been the limit.
    let may_be_the_quota = |limit: &Limit| measured.cpu_quota && *limit == Limit::NothingSaturated;
    judgment.limit = limit.filter(|limit| !may_be_the_quota(limit));
    judgment
}

/// Connected and without a failure, in a closed loop: the first responses were still under way when the window ended.
fn no_requests(measured: &MeasuredTrial<'_>) -> String {
    let MeasuredTrial { scenario, result, .. } = measured;
    let closed = matches!(scenario.load, Load::Closed { .. });
    if closed && result.failures.total == 0 && result.connections != Some(0) {
        return format!(
            "No response was complete within the window of {} s; give it longer with --duration.",
            measured.duration_s
        );
    }
    "No request got a response; `rigmark verify` with this server shows what it answers.".to_owned()
}

/// A load given as a count is measured until its seconds are full. What ended before is a few tool runs and no trial.
fn check_count(measured: &MeasuredTrial<'_>, judgment: &mut Judgment) {
    let (asked_s, measured_s) = (measured.duration_s, measured.result.duration_us as f64 / 1e6);
    if measured_s < asked_s {
        let message = format!(
            "The tool runs of this load came to {measured_s:.2} s of the {asked_s} s that have to be measured before it is ranked; name a server or a scenario whose tool runs take longer, or ask for less with --duration."
        );
        judgment.reasons.push(reason("shots-unfinished", &message));
    }
    if asked_s < COUNT_S {
        let message = format!(
            "The tool runs of this load were to measure {asked_s} s, as the run asked; {COUNT_S} s is what counts for a figure that others may quote."
        );
        judgment.labels.push(reason("short-count", &message));
    }
}

fn errors(result: &ToolResult, reasons: &mut Vec<Reason>) {
    // Requests that found no connection got no response, so they are not among the requests.
    let all = result.requests.max(result.failures.total);
    let ratio = result.failures.total as f64 / all as f64;
    if ratio > P99_MAY_LOSE {
        reasons.push(reason(
            "errors",
            &format!(
                "{} of {all} requests failed ({:.2} %, at most {} % counts){}.",
                result.failures.total,
                ratio * 100.0,
                P99_MAY_LOSE * 100.0,
                by_kind(&result.failures)
            ),
        ));
    }
}

/// `: cut off 4, wrong length 60`; nothing where the tool does not tell kinds apart.
fn by_kind(failures: &Failures) -> String {
    let kinds = [
        ("no connection", failures.connect),
        ("cut off", failures.read),
        ("write failed", failures.write),
        ("timed out", failures.timeout),
        ("wrong status", failures.status),
        ("wrong length", failures.length),
        ("wrong content", failures.content),
        ("other", failures.other),
    ];
    let named = kinds
        .into_iter()
        .filter_map(|(kind, n)| Some((kind, n.filter(|n| *n > 0)?)));
    let words: Vec<String> = named.map(|(kind, n)| format!("{kind} {n}")).collect();
    if words.is_empty() {
        return String::new();
    }
    format!(": {}", words.join(", "))
}

/// Entries that take turns lose about the same to steal, so its level is a label and no reason; see [`rigmark_stats::rounds`].
fn steal(resources: &Resources, judgment: &mut Judgment) {
    if let Some(steal) = resources.host_steal_ratio.filter(|steal| *steal >= STEAL_LABEL) {
        let message = format!(
            "The hypervisor took {:.1} % of the CPU time away during the trial.",
            steal * 100.0
        );
        judgment.labels.push(reason("steal", &message));
    }
}

fn bottleneck(measured: &MeasuredTrial<'_>) -> Option<Limit> {
    let Resources {
        server_cpu_us,
        tool_cpu_us,
        window_us,
        ..
    } = *measured.resources;
    // The server works only while there is load, or a script's `setup`; the tool also before and after, so its mean is over the
    // whole window.
    let cores = |cpu: Option<u64>, over: u64| cpu.filter(|_| over > 0).map(|cpu| cpu as f64 / over as f64);
    let tool_cpus = measured.resources.tool_cpus.unwrap_or(1) as f64;
    let shared = measured.cores.shared_reason().is_some();
    let working_us = match measured.scenario.script() {
        Some(_) => window_us,
        None => measured.result.duration_us.min(window_us),
    };
    bottleneck::limit(Usage {
        server_cores: cores(server_cpu_us, working_us),
        tool_cores: cores(
            tool_cpu_us.map(|cpu| if waits_busily(measured) { 0 } else { cpu }),
            window_us,
        ),
        server_cpus: server_cpus(measured),
        tool_cpus: measured.tool_threads.map_or(tool_cpus, |n| tool_cpus.min(f64::from(n))),
        // Cores that the tool keeps busy by looking at the clock show no limit.
        shared_busy: measured.host_busy.filter(|_| shared && !waits_busily(measured)),
        others_busy: measured.others_busy,
    })
}

/// What the server can keep busy.
fn server_cpus(measured: &MeasuredTrial<'_>) -> f64 {
    let cpus = measured.resources.server_cpus.unwrap_or(1) as f64;
    cpus.min(measured.workers.max(1) as f64)
}

/// Such a tool on cores of its own waits for the next moment by looking at the clock. While it misses hardly any, that is no
/// work: one pause of the host makes a few late, and a rate counts as sustained with as many (as for p99).
fn waits_busily(measured: &MeasuredTrial<'_>) -> bool {
    tool::profile(measured.scenario.tool).busy_waits
        && matches!(measured.scenario.load, Load::Rate { .. })
        && measured
            .result
            .offered
            .as_ref()
            .is_some_and(|o| o.dropped as f64 <= P99_MAY_LOSE * o.requests as f64)
}

#[cfg(test)]
mod tests;
