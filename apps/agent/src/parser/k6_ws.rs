//! k6 on a WebSocket: what our script counted of its echoes. Scripts have a clock of whole milliseconds.

use crate::protocol::result::{BytesScope, Failures, Latency, Percentile, ToolResult};
use crate::protocol::spec::ToolName;
use crate::tool::output::{ParseError, ToolOutput};

use super::ended;
use super::k6::{K6, K6Summary, shorter};
use super::number::{ascending, fine};

const RESOLUTION_US: f64 = 1000.0;

pub fn parse(output: &ToolOutput) -> Result<ToolResult, ParseError> {
    ended("k6", output, &[]).map_err(shorter)?;
    let text = output.files.get("summary.json").ok_or_else(|| K6.missing("summary"))?;
    let summary: K6Summary = serde_json::from_str(text).map_err(|e| K6.malformed("its summary", &e.to_string()))?;
    let requests = summary.counter("rig_echoes")?;
    let failures = failures(&summary)?;
    if requests == 0 && failures.connect.unwrap_or(0) > 0 {
        let detail = format!("{} attempts failed", failures.total);
        return Err(ParseError::Refused { tool: "k6", detail });
    }
    let window_ms = K6.quantity("duration", summary.state.test_run_duration_ms)?;
    let duration_us = K6.count("duration", (window_ms * 1000.0).round())?;
    if duration_us == 0 {
        return Err(K6.malformed("duration", "0"));
    }
    Ok(ToolResult {
        tool: ToolName::K6,
        tool_version: None,
        duration_us,
        requests,
        failures,
        bytes_received: summary.count("data_received", "count")?,
        bytes_scope: summary.metrics.get("data_received").map(|_| BytesScope::Total),
        requests_per_s: requests as f64 / (window_ms / 1000.0),
        latency: if requests == 0 { None } else { latency(&summary)? },
        offered: None,
        statuses: None,
        thresholds_crossed: Vec::new(),
        connections: summary.count("ws_sessions", "count")?,
        knee: None,
    })
}

fn failures(summary: &K6Summary) -> Result<Failures, ParseError> {
    let connect = summary.counter("rig_failed_connect")?;
    let read = summary.counter("rig_failed_read")?;
    let timeout = summary.counter("rig_failed_timeout")?;
    let length = summary.counter("rig_failed_length")?;
    let content = summary.counter("rig_failed_content")?;
    let total = [connect, read, timeout, length, content]
        .iter()
        .map(|n| *n as f64)
        .sum();
    Ok(Failures {
        connect: Some(connect),
        read: Some(read),
        write: None,
        timeout: Some(timeout),
        status: None,
        length: Some(length),
        content: Some(content),
        other: None,
        total: K6.count("failures", total)?,
    })
}

fn latency(summary: &K6Summary) -> Result<Option<Latency>, ParseError> {
    const WHAT: &str = "rig_echo_ms";
    let Some(metric) = summary.metrics.get(WHAT) else {
        return Ok(None);
    };
    let us = |ms: f64| {
        K6.quantity(WHAT, ms)
            .and_then(|ms| K6.quantity(WHAT, (ms * 1000.0).round()))
    };
    let figure = |name: &str| metric.values.get(name).copied().map(us).transpose();
    let mut percentiles = Vec::new();
    for (name, ms) in &metric.values {
        if let Some(p) = name.strip_prefix("p(").and_then(|n| n.strip_suffix(')')) {
            let p = K6.read(WHAT, p)?;
            percentiles.push(Percentile { p, us: us(*ms)? });
        }
    }
    let percentiles = ascending(percentiles).ok_or_else(|| K6.malformed(WHAT, "percentiles out of order"))?;
    let lowest = percentiles.first().map_or(0.0, |p| p.us);
    Ok(Some(Latency {
        mean_us: fine(figure("avg")?, RESOLUTION_US),
        min_us: fine(figure("min")?, RESOLUTION_US).filter(|min| *min <= lowest),
        max_us: figure("max")?,
        stdev_us: None,
        percentiles,
        resolution_us: RESOLUTION_US,
        corrected: false,
        mean_ci95_us: None,
        outliers: None,
        source: "k6 script, Date.now()".to_owned(),
    }))
}
