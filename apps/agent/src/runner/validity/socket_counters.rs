//! The tool's word against the kernel's: connections that were really made, packets and bytes that responses take.
//! docs/method.md, "What makes a trial invalid". Pure. Without counters of the trial's own network, only the tool's count of connections is looked at.

use crate::protocol::result::{Reason, ToolResult};
use crate::protocol::spec::{Load, Payload, Scenario};
use crate::runner::validity::consistency::Findings;
use crate::sandbox::Traffic;
use crate::tool;
use crate::workload;

/// Fewer connections than this part of those asked for are another load.
const LEAST: f64 = 0.9;
/// More than this, and they were not kept.
const MOST: f64 = 1.1;
/// Beside those of the load: a tool's own first look at the server.
const SPARE: f64 = 4.0;
/// Bytes on the loopback that nobody counted, as a multiple of all that can be accounted for.
const UNCOUNTED: f64 = 1.5;
/// Heads of a request and its response, of their packets and of those that only confirm.
const AROUND_REQUEST: f64 = 2000.0;
/// The packets that begin and end a connection.
const AROUND_CONNECTION: f64 = 2000.0;
/// Digits and a comma.
const NUMBER: f64 = 24.0;

/// What the kernel counted while there was load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SocketCounts {
    pub traffic: Option<Traffic>,
    pub loopback_bytes: Option<u64>,
    /// How often the tool was started: each time it makes all its connections.
    pub runs: usize,
}

pub fn check(scenario: &Scenario, result: &ToolResult, counted: &SocketCounts, found: &mut Findings) {
    // A search makes connections for each step, and its result is of the last one.
    if matches!(
        scenario.load,
        Load::Closed { .. } | Load::Count { .. } | Load::Rate { .. }
    ) {
        connections(scenario, result, counted, found);
        packets(scenario, result, counted, found);
        bytes(scenario, result, counted, found);
    }
}

fn contradiction(found: &mut Findings, message: String) {
    found.contradictions.push(Reason::new("kernel-count", message));
}

fn connections(scenario: &Scenario, result: &ToolResult, counted: &SocketCounts, found: &mut Findings) {
    let made = counted.traffic.map(|t| t.accepted as f64);
    if !scenario.load.keep_alive() {
        let responses = result.requests as f64;
        if let Some(made) = made.filter(|made| *made < LEAST * responses) {
            contradiction(
                found,
                format!(
                    "Each request was to have a connection of its own, but {made:.0} connections were made for \
                     {responses:.0} responses."
                ),
            );
        }
        return;
    }
    // A script opens as many as it needs, and so do some tools at a rate.
    let at_rate = matches!(scenario.load, Load::Rate { .. });
    if scenario.script().is_some() || (at_rate && !tool::profile(scenario.tool).opens_all_connections) {
        return;
    }
    let each = f64::from(scenario.load.connections());
    let runs = counted.runs.max(1) as f64;
    let (made, asked) = match made {
        Some(made) => (made, each * runs),
        None => match result.connections {
            Some(said) => (said as f64, each),
            None => return,
        },
    };
    if made < LEAST * asked {
        contradiction(
            found,
            format!("Only {made:.0} of the {asked:.0} connections that were asked for were established."),
        );
    } else if made < asked {
        found.labels.push(Reason::new(
            "connections-fewer",
            format!("{made:.0} of the {asked:.0} connections that were asked for were established."),
        ));
    } else if made > MOST * asked + SPARE * runs {
        found.labels.push(Reason::new(
            "connections-renewed",
            format!(
                "Connections were to be kept, but {made:.0} were made where {asked:.0} were asked for: the server or \
                 the tool closed them."
            ),
        ));
    }
}

/// A request and its response are two packets at least, unless several requests go together.
fn packets(scenario: &Scenario, result: &ToolResult, counted: &SocketCounts, found: &mut Findings) {
    let Some(traffic) = counted.traffic.filter(|_| scenario.in_flight.unwrap_or(1) == 1) else {
        return;
    };
    let good = result.requests.saturating_sub(result.failures.total);
    if traffic.packets < good.saturating_mul(2) {
        contradiction(
            found,
            format!(
                "The tool counted {good} responses, but {} packets went over the trial's loopback, where a request and its \
                 response are two at least.",
                traffic.packets
            ),
        );
    }
}

/// What went over the loopback and is in no count of the tool's.
fn bytes(scenario: &Scenario, result: &ToolResult, counted: &SocketCounts, found: &mut Findings) {
    let (Some(over), Some(received)) = (counted.loopback_bytes, result.bytes_received) else {
        return;
    };
    // What a script sends is not known.
    if result.failures.total > 0 || result.requests == 0 || scenario.script().is_some() {
        return;
    }
    let requests = result.requests as f64;
    let received = received as f64;
    let own = scenario.http.iter().flat_map(|load| &load.requests);
    let largest = own
        .map(|request| workload::http::bytes(request, "", true).0.len())
        .max();
    let sent = requests
        * match scenario.payload {
            Some(Payload::Numbers { count }) => f64::from(count) * NUMBER,
            Some(Payload::Bytes { bytes } | Payload::Text { bytes }) => bytes as f64,
            Some(Payload::Greeting {}) => 0.0,
            None => largest.unwrap_or(0) as f64,
        };
    let made = counted
        .traffic
        .map_or(f64::from(scenario.load.connections()), |t| t.accepted as f64);
    let under_way = made.min(f64::from(scenario.load.connections()) * counted.runs.max(1) as f64)
        * f64::from(scenario.in_flight.unwrap_or(1))
        * (received + sent)
        / requests;
    let most = received + sent + requests * AROUND_REQUEST + made * AROUND_CONNECTION + under_way;
    if over as f64 > UNCOUNTED * most {
        found.labels.push(Reason::new(
            "uncounted-traffic",
            format!(
                "{over} bytes went over the trial's loopback, and what the tool counted comes to {most:.0} at most."
            ),
        ));
    }
}

#[cfg(test)]
#[path = "socket_counters_tests.rs"]
mod tests;
