//! What a tool can do here.

use super::profile::Profile;
use crate::protocol::catalogue::CatalogueTool;
use crate::protocol::spec::{LatencyUntil, Scenario, ToolName, Workload};
use crate::workload::payload;

/// Of all but loadgen, for a knee load.
pub const NO_SEARCH: &str = "Only loadgen searches for the highest rate that keeps a latency.";

/// The tools that speak HTTP one request at a time: what else a scenario may ask for is refused in one sentence.
pub fn plain_http(tool: &str, profile: &Profile, scenario: &Scenario) -> Result<(), String> {
    payload::fits(scenario)?;
    if scenario.workload == Workload::WsEcho {
        return Err(format!("{tool} does not speak WebSocket; k6 and loadgen do."));
    }
    if scenario.in_flight.is_some_and(|n| n > 1) {
        return Err(format!(
            "{tool} has one request under way on a connection; loadgen can have more."
        ));
    }
    if scenario.latency_until == Some(LatencyUntil::FirstByte) {
        return Err(format!(
            "{tool} does not distinguish the first byte of a response from the last; loadgen does."
        ));
    }
    if scenario.script().is_some() && !profile.runs_scripts {
        return Err(format!("{tool} cannot run a k6 script; k6 can."));
    }
    Ok(())
}

/// Of a tool that shares its connections out among its threads: it has no more threads than connections.
pub fn most_threads(cpus: usize, connections: u32) -> u32 {
    u32::try_from(cpus).unwrap_or(u32::MAX).clamp(1, connections.max(1))
}

pub fn supported(name: ToolName, version: String) -> CatalogueTool {
    CatalogueTool {
        name,
        version: Some(version),
        supported: true,
        reason: None,
        fix: None,
    }
}

pub fn unsupported(name: ToolName, reason: &str, fix: String) -> CatalogueTool {
    CatalogueTool {
        name,
        version: None,
        supported: false,
        reason: Some(reason.to_owned()),
        fix: Some(fix),
    }
}
