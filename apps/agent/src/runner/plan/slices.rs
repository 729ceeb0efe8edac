//! Short slices of load that alternate between the servers of a block (docs/method.md, "The design"): how many a trial has. Pure.

use crate::protocol::spec::{LatencyUntil, Load, Payload, Scenario};
use crate::tool;

/// Of a slice that nobody asked for.
pub const SLICE_S: f64 = 0.5;
/// A trial is one record, and a record travels whole within one chunk: each slice has its counters there.
pub const MOST_SLICES: u32 = 800;
/// Two mirrored pairs; with fewer a drift of the host is not cancelled but halved.
const FEWEST: u32 = 4;
/// Between two slices of one server the host should not become another one.
const LONGEST_S: f64 = *crate::protocol::ranges::SLICE_S.end();
/// What may be under way at once. Responses that the end of a slice cuts off are not counted, and 8 MiB are 8 ms of
/// loopback at 1 GB/s: below 5 % of the shortest slice.
const MOST_UNDER_WAY_BYTES: u64 = 8 << 20;
/// Each slice opens its connections anew; this many take some milliseconds.
const MOST_CONNECTIONS: u32 = 256;

/// How many slices a trial has; 1 is one whole window.
///
/// `tool_shortest_s` is [`Tool::shortest_slice_s`](crate::tool::Tool::shortest_slice_s), `asked_slice_s` what the run
/// asks for (0 is whole trials), and `entries_in_group` how many servers have a trial under this scenario in the block.
pub fn planned(
    scenario: &Scenario,
    tool_shortest_s: Option<f64>,
    duration_s: f64,
    asked_slice_s: Option<f64>,
    entries_in_group: usize,
) -> u32 {
    let asked_s = asked_slice_s.unwrap_or_else(|| {
        if tool::profile(scenario.tool).slices_by_default {
            // A short trial has shorter slices and not none.
            SLICE_S.min(duration_s / f64::from(FEWEST))
        } else {
            0.0
        }
    });
    let Some(shortest_s) = tool_shortest_s.filter(|_| asked_s > 0.0 && entries_in_group > 1 && fits(scenario)) else {
        return 1;
    };
    // 2 s have four slices of 0.5 s, whatever a division makes of it.
    let fit = (duration_s / asked_s.max(shortest_s) + 1e-9).floor();
    let fit = fit.min(f64::from(MOST_SLICES)) as u32;
    if fit < FEWEST {
        return 1;
    }
    // As many forwards as backwards.
    let even = fit / 2 * 2;
    // One less makes the others longer; where they are too long then, there are more of them.
    let long = duration_s / f64::from(even) > LONGEST_S + 1e-9;
    if long && even + 2 <= MOST_SLICES {
        even + 2
    } else {
        even
    }
}

/// Whose slice is next, by place in the group: forwards, backwards, forwards… so that what changes over time meets all
/// alike (ABBA).
pub fn order(entries: usize, rounds: u32) -> impl Iterator<Item = usize> {
    (0..rounds).flat_map(move |round| (0..entries).map(move |at| if round % 2 == 0 { at } else { entries - 1 - at }))
}

/// Loads that come to the same in short windows. A count has its own tool runs, and a probe of the first byte is one.
fn fits(scenario: &Scenario) -> bool {
    let bytes = match scenario.payload {
        Some(Payload::Bytes { bytes } | Payload::Text { bytes }) => bytes.max(scenario.body_bytes),
        _ => scenario.body_bytes,
    };
    let connections = scenario.load.connections();
    let under_way = u64::from(connections) * u64::from(scenario.in_flight.unwrap_or(1));
    matches!(scenario.load, Load::Closed { .. } | Load::Rate { .. })
        && scenario.latency_until != Some(LatencyUntil::FirstByte)
        && connections <= MOST_CONNECTIONS
        && under_way.saturating_mul(bytes) <= MOST_UNDER_WAY_BYTES
}

#[cfg(test)]
#[path = "slices_tests.rs"]
mod tests;
