//! autocannon 9 through our driver: a `tick` line about once a second, then one `result` line.
//!
//! Trap: when a connection ends without its response, autocannon pairs the next response with the request that was lost,
//! and so on until the end: seconds of latency on a loopback that responds in microseconds. It counts no failure. The
//! requests that were sent but got no response show it; then the latency is left out.
//!
//! Trap: it rounds each latency down to whole milliseconds before it takes the mean, which is then several times too
//! low where responses take less than some milliseconds.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::protocol::result::{BytesScope, Failures, Latency, Percentile, ToolResult};
use crate::protocol::spec::ToolName;
use crate::tool::output::{ParseError, ToolOutput};

use super::ended;
use super::number::{Numbers, ascending, fine};

const AUTOCANNON: Numbers = Numbers("autocannon");
const RESOLUTION_US: f64 = 1000.0;

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Version { version: String },
    Tick { requests: u64 },
    Result(Box<ResultLine>),
}

#[derive(Deserialize)]
struct ResultLine {
    version: String,
    window_ms: f64,
    failures: Kinds,
    first_error: Option<String>,
    result: AutocannonResult,
}

#[derive(Deserialize)]
struct Kinds {
    connect: u64,
    read: u64,
    write: u64,
    timeout: u64,
    other: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AutocannonResult {
    connections: u64,
    non2xx: u64,
    status_code_stats: BTreeMap<String, StatusCount>,
    latency: BTreeMap<String, f64>,
    requests: Requests,
    throughput: Throughput,
}

#[derive(Deserialize)]
struct StatusCount {
    count: u64,
}

#[derive(Deserialize)]
struct Requests {
    total: u64,
    sent: u64,
}

#[derive(Deserialize)]
struct Throughput {
    total: u64,
}

/// Of the driver's `{"type":"version",…}` line.
pub fn version(text: &str) -> Option<String> {
    match serde_json::from_str(text.trim()).ok()? {
        Line::Version { version } => Some(super::plain(&version)),
        _ => None,
    }
}

/// Requests completed so far. The result's total comes after the load, at no moment that is known, so it is no tick.
pub fn tick(line: &str) -> Option<u64> {
    match serde_json::from_str(line).ok()? {
        Line::Tick { requests } => Some(requests),
        Line::Result(_) | Line::Version { .. } => None,
    }
}

pub fn parse(output: &ToolOutput) -> Result<ToolResult, ParseError> {
    ended("autocannon", output, &[])?;
    let found = output.stdout.lines().rfind(|l| l.starts_with(r#"{"type":"result""#));
    let text = found.ok_or_else(|| AUTOCANNON.missing("result line"))?;
    let line = match serde_json::from_str::<Line>(text) {
        Ok(Line::Result(line)) => *line,
        Ok(_) => return Err(AUTOCANNON.missing("result line")),
        Err(error) => return Err(AUTOCANNON.malformed("its result", &error.to_string())),
    };
    let (failed, printed) = (&line.failures, &line.result);
    let requests = AUTOCANNON.count("requests", printed.requests.total as f64)?;
    if requests == 0 && failed.connect > 0 {
        let code = line.first_error.as_deref().unwrap_or("no reason given");
        let detail = super::plain(&format!("{} attempts, {code}", failed.connect));
        return Err(ParseError::Refused {
            tool: "autocannon",
            detail,
        });
    }
    let window_s = AUTOCANNON.quantity("window", line.window_ms)? / 1000.0;
    if window_s <= 0.0 {
        return Err(AUTOCANNON.malformed("window", "0"));
    }
    let (failures, unpaired) = failures(failed, printed)?;
    Ok(ToolResult {
        tool: ToolName::Autocannon,
        tool_version: Some(super::plain(&line.version)),
        duration_us: AUTOCANNON.count("window", (window_s * 1e6).round())?,
        requests,
        failures,
        bytes_received: Some(AUTOCANNON.count("bytes", printed.throughput.total as f64)?),
        bytes_scope: Some(BytesScope::Total),
        requests_per_s: requests as f64 / window_s,
        latency: if requests == 0 || unpaired {
            None
        } else {
            Some(latency(&printed.latency)?)
        },
        offered: None,
        statuses: Some(statuses(&printed.status_code_stats)?),
        thresholds_crossed: Vec::new(),
        connections: None,
        knee: None,
    })
}

/// And whether responses and requests can still be paired.
fn failures(failed: &Kinds, printed: &AutocannonResult) -> Result<(Failures, bool), ParseError> {
    let sum = |numbers: &[u64]| AUTOCANNON.count("failures", numbers.iter().map(|n| *n as f64).sum());
    let errors = sum(&[failed.connect, failed.read, failed.write, failed.timeout, failed.other])?;
    // Each connection has one request under way when the load ends.
    let accounted = sum(&[printed.requests.total, errors, printed.connections])?;
    let lost = AUTOCANNON
        .count("requests sent", printed.requests.sent as f64)?
        .saturating_sub(accounted);
    let read = sum(&[failed.read, lost])?;
    // A timeout makes a new connection with an empty queue, so it leaves the pairs alone.
    let unpaired = lost > 0 || errors > failed.timeout;
    let failures = Failures {
        connect: Some(failed.connect),
        read: Some(read),
        write: Some(failed.write),
        timeout: Some(failed.timeout),
        status: Some(printed.non2xx),
        length: None,
        content: None,
        other: Some(failed.other),
        total: sum(&[errors, lost, printed.non2xx])?,
    };
    Ok((failures, unpaired))
}

fn latency(printed: &BTreeMap<String, f64>) -> Result<Latency, ParseError> {
    const WHAT: &str = "latency";
    let us = |ms: f64| {
        AUTOCANNON
            .quantity(WHAT, ms)
            .and_then(|ms| AUTOCANNON.quantity(WHAT, (ms * 1e6).round() / 1e3))
    };
    let figure = |name: &str| printed.get(name).copied().map(us).transpose();
    let mut percentiles = Vec::new();
    for (name, ms) in printed {
        // `p97_5` is 97.5.
        let Some(p) = name
            .strip_prefix('p')
            .and_then(|p| p.replace('_', ".").parse::<f64>().ok())
        else {
            continue;
        };
        let p = AUTOCANNON.quantity(WHAT, p)?;
        percentiles.push(Percentile { p, us: us(*ms)? });
    }
    let percentiles = ascending(percentiles).ok_or_else(|| AUTOCANNON.malformed(WHAT, "percentiles out of order"))?;
    // Its histogram leaves zeros out of the minimum, and below a millisecond everything is zero.
    let lowest = percentiles.first().map_or(0.0, |p| p.us);
    Ok(Latency {
        mean_us: fine(figure("mean")?, RESOLUTION_US),
        min_us: fine(figure("min")?, RESOLUTION_US).filter(|min| *min <= lowest),
        max_us: figure("max")?,
        stdev_us: fine(figure("stddev")?, RESOLUTION_US),
        percentiles,
        resolution_us: RESOLUTION_US,
        corrected: false,
        mean_ci95_us: None,
        outliers: None,
        source: "autocannon latency".to_owned(),
    })
}

/// `{"200": …, "204": …}` is `{"2xx": …}`.
fn statuses(codes: &BTreeMap<String, StatusCount>) -> Result<BTreeMap<String, u64>, ParseError> {
    let mut classes = BTreeMap::new();
    for (code, StatusCount { count }) in codes {
        let Some(class @ b'1'..=b'9') = code.as_bytes().first() else {
            return Err(AUTOCANNON.malformed("a status", code));
        };
        let sum: &mut u64 = classes.entry(format!("{}xx", *class as char)).or_default();
        *sum = AUTOCANNON.count("statuses", *sum as f64 + *count as f64)?;
    }
    Ok(classes)
}
