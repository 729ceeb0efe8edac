//! What is told of a verification.

use crate::cli::Env;
use crate::cli::output::{Tone, paint};
use crate::cli::servers::workload_name;
use crate::protocol::journal::{VerifyCheck, VerifyStatus};
use crate::protocol::spec::{Payload, Scenario, Workload};
use crate::runner::standalone_verify::StandaloneReport;
use crate::runner::validity::closes;
use crate::verify::conformance;

pub fn show(env: &Env, label: &str, workload: Workload, report: &StandaloneReport, passed: bool) {
    let title = format!("{label}, {}", workload_name(workload));
    if let Some(failure) = &report.failure {
        env.out
            .line(&format!("{} {title}: {failure}", paint(Tone::Bad, "failed")));
    } else {
        let word = match passed {
            true => paint(Tone::Good, "passed"),
            false => paint(Tone::Bad, "failed"),
        };
        env.out
            .line(&format!("{word} {title} ({} ms)", report.elapsed.as_millis()));
    }
    for load in &report.loads {
        let failed: Vec<&VerifyCheck> = load
            .checks
            .iter()
            .filter(|c| c.status == VerifyStatus::Failed)
            .collect();
        let mark = match failed.is_empty() {
            true => paint(Tone::Good, "✓"),
            false => paint(Tone::Bad, "✗"),
        };
        let closes = load.seen.closes.map(|c| closes::label(c, None).message);
        let headers = load.seen.other_headers.as_ref().map(|other| other.told());
        let told: String = closes
            .into_iter()
            .chain(headers)
            .map(|what| format!("; {what}"))
            .collect();
        env.out.line(&format!("  {mark} {}{told}", request(&load.scenario)));
        for check in failed {
            env.out.line(&format!("    {}", line(check)));
        }
    }
    if !report.conformance.is_empty() {
        env.out
            .line(&format!("  {}", conformance::sentence(workload, &report.conformance)));
        for check in report.conformance.iter().filter(|c| c.status == VerifyStatus::Failed) {
            env.out.line(&format!("    {}", line(check)));
        }
    }
}

/// "ab, 100 connections, GET /1k.bin".
pub fn request(scenario: &Scenario) -> String {
    let method = match scenario.workload {
        Workload::Http => return own_request(scenario),
        Workload::Plaintext | Workload::Static => "GET ",
        Workload::JsonSum | Workload::Upload => "POST ",
        Workload::WsEcho => "messages on ",
    };
    let connections = match scenario.load.connections() {
        1 => "1 connection".to_owned(),
        n => format!("{n} connections"),
    };
    let kept = if scenario.load.keep_alive() {
        ""
    } else {
        ", a new one for each request"
    };
    let payload = match scenario.payload {
        Some(Payload::Bytes { bytes } | Payload::Text { bytes }) => format!(" with {bytes} bytes"),
        Some(Payload::Numbers { count }) => format!(" with {count} numbers"),
        Some(Payload::Greeting {}) | None => String::new(),
    };
    let together = scenario.in_flight.filter(|n| *n > 1);
    let together = together.map_or_else(String::new, |n| format!(", {n} under way on each"));
    let tool = scenario.tool.as_str();
    format!(
        "{tool}, {connections}{kept}{together}: {method}{}{payload}",
        scenario.path
    )
}

/// "wrk, 64 connections: 3 requests of load".
fn own_request(scenario: &Scenario) -> String {
    let requests = scenario.http.as_ref().map_or(&[][..], |http| &http.requests);
    let what = match requests {
        [one] => format!("{} {}", one.method.as_str(), one.path),
        many => format!("{} requests of {}", many.len(), scenario.base_id()),
    };
    let connections = match scenario.load.connections() {
        1 => "1 connection".to_owned(),
        n => format!("{n} connections"),
    };
    format!("{}, {connections}: {what}", scenario.tool.as_str())
}

pub fn line(check: &VerifyCheck) -> String {
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
