//! loadgen: its `tick` lines and its one `result` line, in nanoseconds.

use std::collections::BTreeMap;

use rigmark_stats::bands::Column;
use serde::Deserialize;

use crate::loadgen::result_line::{Kinds, ResultLine, Times};
use crate::protocol::result::{BytesScope, Failures, KneeSearch, Latency, Offered, Percentile, ToolResult};
use crate::protocol::spec::ToolName;
use crate::tool::output::{HistogramBlob, ParseError, ToolOutput};

use super::ended;
use super::number::{Numbers, ascending};

const LOADGEN: Numbers = Numbers("loadgen");
const RESOLUTION_US: f64 = 0.001;
/// What the protocol takes.
const BLOB_CHARS: usize = 48 * 1024;

#[derive(Deserialize)]
#[serde(tag = "type", rename = "tick")]
struct Tick {
    requests: u64,
}

pub fn tick(line: &str) -> Option<u64> {
    let tick: Tick = serde_json::from_slice(line.as_bytes()).ok()?;
    Some(tick.requests)
}

fn result_line(output: &ToolOutput) -> Result<ResultLine, ParseError> {
    ended("loadgen", output, &[])?;
    let found = output.stdout.lines().rfind(|l| l.starts_with(r#"{"type":"result""#));
    let text = found.ok_or_else(|| LOADGEN.missing("result line"))?;
    serde_json::from_slice(text.as_bytes()).map_err(|e| LOADGEN.malformed("its result", &e.to_string()))
}

pub fn parse(output: &ToolOutput) -> Result<ToolResult, ParseError> {
    let printed = result_line(output)?;
    let requests = LOADGEN.count("requests", printed.requests)?;
    let failures = failures(&printed.failures)?;
    if requests == 0 && failures.connect.unwrap_or(0) > 0 {
        let detail = format!("{} attempts failed", failures.total);
        return Err(ParseError::Refused {
            tool: "loadgen",
            detail,
        });
    }
    let duration_us = LOADGEN.count("duration", printed.duration_us)?;
    if duration_us == 0 {
        return Err(LOADGEN.malformed("duration", "0"));
    }
    let mut statuses = BTreeMap::new();
    for (class, count) in printed.statuses.iter().take(5).enumerate() {
        let count = LOADGEN.count("statuses", *count)?;
        if count > 0 {
            statuses.insert(format!("{}xx", class + 1), count);
        }
    }
    Ok(ToolResult {
        tool: ToolName::Loadgen,
        tool_version: Some(super::plain(&format!("{} {}", printed.version, printed.backend.word()))),
        duration_us,
        requests,
        failures,
        bytes_received: Some(LOADGEN.count("bytes", printed.bytes)?),
        bytes_scope: Some(BytesScope::Total),
        requests_per_s: requests as f64 / (duration_us as f64 / 1e6),
        latency: match &printed.latency_ns {
            Some(times) if requests > 0 => Some(latency(times, printed.until_first_byte)?),
            _ => None,
        },
        offered: match &printed.offered {
            Some(offer) => Some(Offered {
                rate_per_s: LOADGEN.quantity("offered rate", offer.rate_per_s)?,
                requests: LOADGEN.count("offered requests", offer.requests)?,
                dropped: LOADGEN.count("dropped requests", offer.dropped)?,
            }),
            None => None,
        },
        statuses: (!printed.statuses.is_empty()).then_some(statuses),
        thresholds_crossed: Vec::new(),
        connections: Some(LOADGEN.count("connections", printed.connections)?),
        knee: printed.knee,
    })
}

fn failures(printed: &Kinds) -> Result<Failures, ParseError> {
    let of = |n: f64| LOADGEN.count("failures", n).map(Some);
    let all = [
        printed.connect,
        printed.read,
        printed.write,
        printed.timeout,
        printed.status,
        printed.length,
        printed.content,
        printed.other,
    ];
    Ok(Failures {
        connect: of(printed.connect)?,
        read: of(printed.read)?,
        write: of(printed.write)?,
        timeout: of(printed.timeout)?,
        status: of(printed.status)?,
        length: of(printed.length)?,
        content: of(printed.content)?,
        other: of(printed.other)?,
        total: LOADGEN.count("failures", all.iter().sum())?,
    })
}

fn latency(printed: &Times, until_first_byte: bool) -> Result<Latency, ParseError> {
    const WHAT: &str = "latency";
    let us = |ns: f64| {
        LOADGEN
            .quantity(WHAT, ns)
            .and_then(|ns| LOADGEN.quantity(WHAT, ns / 1e3))
    };
    let percentiles = printed
        .percentiles
        .iter()
        .map(|(p, ns)| {
            Ok(Percentile {
                p: LOADGEN.quantity(WHAT, *p)?,
                us: us(*ns)?,
            })
        })
        .collect::<Result<Vec<_>, ParseError>>()?;
    let percentiles = ascending(percentiles)
        .filter(|rows| rows.len() <= 200)
        .ok_or_else(|| LOADGEN.malformed(WHAT, "percentiles out of order"))?;
    let until = if until_first_byte { "first" } else { "last" };
    Ok(Latency {
        mean_us: Some(us(printed.mean)?),
        min_us: Some(us(printed.min)?),
        max_us: Some(us(printed.max)?),
        stdev_us: Some(us(printed.stdev)?),
        percentiles,
        resolution_us: RESOLUTION_US,
        corrected: false,
        mean_ci95_us: printed.mean_ci95.map(us).transpose()?,
        outliers: printed.outliers.map(|n| LOADGEN.count(WHAT, n)).transpose()?,
        source: format!("loadgen, until the {until} byte; at a rate, from the moment that a request was due"),
    })
}

/// Of the same output: by time, in microseconds since the load began; empty where it does not tell.
pub fn over_time(output: &ToolOutput) -> Vec<Column> {
    let Ok(printed) = result_line(output) else {
        return Vec::new();
    };
    let rate = printed.knee.as_ref().is_none_or(KneeSearch::has_rate);
    let sound = rate && printed.over_time.iter().all(Column::is_sound);
    if sound { printed.over_time } else { Vec::new() }
}

/// Of the same output; `None` where there was nothing to put into it.
pub fn histogram(output: &ToolOutput) -> Option<HistogramBlob> {
    let printed = result_line(output).ok()?;
    let count = LOADGEN.count("requests", printed.requests).ok().filter(|n| *n > 0)?;
    let base64 = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'+' | b'/' | b'=');
    // Without a rate there is nothing that its latencies would be of.
    let rate = printed.knee.as_ref().is_none_or(KneeSearch::has_rate);
    let sound = rate
        && !printed.histogram.is_empty()
        && printed.histogram.len() <= BLOB_CHARS
        && printed.histogram.bytes().all(base64);
    sound.then_some(HistogramBlob {
        encoding: "hdr-v2-deflate-base64".to_owned(),
        unit: "ns".to_owned(),
        digits: 3,
        resolution_us: RESOLUTION_US,
        corrected: false,
        count,
        blob: printed.histogram,
    })
}
