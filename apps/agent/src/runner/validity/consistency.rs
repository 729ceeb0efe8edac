//! Can these numbers belong together? docs/method.md, "What makes a trial invalid". Pure: a result goes in, contradictions come out.

use crate::protocol::result::{BytesScope, Reason, ToolResult};
use crate::protocol::spec::{LatencyUntil, Load, Scenario};
use crate::tool;

/// More than this in flight per connection cannot be.
const MOST: f64 = 1.1;
/// Less than this, and the generator waited for itself.
const LEAST: f64 = 0.9;
/// A resolution coarser than this part of the mean says nothing about it.
const COARSE: f64 = 20.0;
/// Order of latencies may differ by a rounding.
const SLACK: f64 = 1.001;

#[derive(Debug, Default, PartialEq)]
pub struct Findings {
    /// Each makes the trial invalid.
    pub contradictions: Vec<Reason>,
    pub labels: Vec<Reason>,
    /// Requests in flight for each connection; `None` where the mean cannot be used.
    pub in_flight: Option<f64>,
}

pub fn check(scenario: &Scenario, result: &ToolResult, loopback_bytes: Option<u64>) -> Findings {
    let mut found = Findings::default();
    in_flight(scenario, result, &mut found);
    order(result, &mut found);
    bytes(scenario, result, loopback_bytes, &mut found);
    found
}

fn contradiction(found: &mut Findings, message: String) {
    found.contradictions.push(Reason::new("algebra", message));
}

/// Little's law with the tool's own numbers.
fn in_flight(scenario: &Scenario, result: &ToolResult, found: &mut Findings) {
    // A script has as many under way as it likes (`http.batch`), and pauses as it likes.
    if scenario.script().is_some() {
        return;
    }
    let closed = !matches!(scenario.load, Load::Rate { .. } | Load::Knee { .. });
    if !closed && tool::profile(scenario.tool).times_from_due {
        return;
    }
    // The rest of the response keeps a connection busy and is in no latency that ends at the first byte.
    let whole = scenario.latency_until != Some(LatencyUntil::FirstByte);
    let connections = f64::from(scenario.load.connections()) * f64::from(scenario.in_flight.unwrap_or(1));
    let Some(latency) = result.latency.as_ref().filter(|l| !l.corrected) else {
        return;
    };
    let Some(mean) = latency
        .mean_us
        .filter(|m| *m > 0.0 && latency.resolution_us <= m / COARSE)
    else {
        return;
    };
    let rate = result.requests_per_s / 1e6;
    let at_least = rate * (mean - latency.resolution_us);
    found.in_flight = Some(rate * mean / connections);
    if at_least > MOST * connections {
        contradiction(
            found,
            format!(
                "{:.0} requests/s of {:.3} ms each are {:.0} in flight at once, but there are only {connections:.0} connections.",
                result.requests_per_s,
                mean / 1000.0,
                at_least
            ),
        );
    } else if closed && whole && rate * mean < LEAST * connections {
        found.labels.push(Reason::new(
            "generator-idle",
            format!(
                "Only {:.1} of {connections:.0} connections were waiting for a response on average: the tool was busy with itself.",
                rate * mean
            ),
        ));
    }
}

fn order(result: &ToolResult, found: &mut Findings) {
    let Some(latency) = &result.latency else { return };
    let mut percentiles = latency.percentiles.clone();
    percentiles.sort_by(|a, b| a.p.total_cmp(&b.p));
    for pair in percentiles.windows(2) {
        if pair[0].us > pair[1].us * SLACK {
            let message = format!(
                "The {} % percentile ({} µs) is above the {} % percentile ({} µs).",
                pair[0].p, pair[0].us, pair[1].p, pair[1].us
            );
            return contradiction(found, message);
        }
    }
    let Some(max) = latency.max_us else { return };
    let below = max * SLACK + latency.resolution_us;
    if let Some(mean) = latency.mean_us.filter(|m| *m > below) {
        contradiction(
            found,
            format!("The mean latency ({mean} µs) is above the longest ({max} µs)."),
        );
    }
    if let Some(last) = percentiles.last().filter(|l| l.us > below) {
        contradiction(
            found,
            format!(
                "The {} % percentile ({} µs) is above the longest latency ({max} µs).",
                last.p, last.us
            ),
        );
    }
}

/// Each whole response, right or wrong, is a request and has a latency; what never got a response (no connection, a timeout, a
/// broken connection) is a failure alone. So both are the same number.
pub fn histogram(result: &ToolResult, count: Option<u64>, found: &mut Findings) {
    let Some(count) = count.filter(|count| *count != result.requests) else {
        return;
    };
    contradiction(
        found,
        format!(
            "The tool counted {} responses, and {count} latencies are in its histogram.",
            result.requests
        ),
    );
}

/// Right responses have bodies, and bodies have to travel.
fn bytes(scenario: &Scenario, result: &ToolResult, loopback_bytes: Option<u64>, found: &mut Findings) {
    let good = result.requests.saturating_sub(result.failures.total);
    let least = good.saturating_mul(scenario.body_bytes);
    let whose = match result.bytes_scope {
        Some(BytesScope::Body) => "bytes of bodies",
        _ => "bytes",
    };
    if let Some(got) = result.bytes_received.filter(|got| *got < least) {
        contradiction(
            found,
            format!(
                "The tool counted {got} {whose} for {good} responses of {} bytes each, which are at least {least}.",
                scenario.body_bytes
            ),
        );
    }
    if let Some(got) = loopback_bytes.filter(|got| *got < least) {
        contradiction(
            found,
            format!(
                "Only {got} bytes went over the trial's loopback for {good} responses, which are at least {least}."
            ),
        );
    }
}

#[cfg(test)]
#[path = "consistency_tests.rs"]
mod tests;
