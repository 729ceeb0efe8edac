//! wrk 4: the line of JSON that our script's `done` prints.
//!
//! Traps. wrk adds samples to its histogram for requests that it thinks a slow response kept from being sent, so its
//! latency is "corrected" and cannot stand beside other tools'. Responses with a status above 399 are among the requests.
//! It sees no wrong length: what is cut off is a read error. A response after its time-out is among the requests and in no
//! latency. Interrupted, it prints the part that it measured and ends with 0.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};
use serde::Deserialize;

use crate::protocol::result::{BytesScope, Failures, Latency, Percentile, ToolResult};
use crate::protocol::spec::{Scenario, ToolName};
use crate::tool::output::{HistogramBlob, ParseError, ProcessExit, ToolOutput};

use super::ended;
use super::number::{Numbers, ascending};

const WRK: Numbers = Numbers("wrk");
/// It never ends earlier by itself.
const SHORT: f64 = 0.9;
const RESOLUTION_US: f64 = 1.0;
const DIGITS: u8 = 3;
const NS_PER_US: u64 = 1000;

#[derive(Deserialize)]
struct WrkResult {
    duration_us: f64,
    requests: f64,
    bytes: f64,
    failures: Kinds,
    latency_us: Times,
}

#[derive(Deserialize)]
struct Kinds {
    connect: f64,
    read: f64,
    write: f64,
    timeout: f64,
    status: f64,
}

#[derive(Deserialize)]
struct Times {
    min: f64,
    max: f64,
    mean: f64,
    stdev: f64,
    percentiles: Vec<(f64, f64)>,
    /// µs and how many; empty where wrk would have taken too long to say it.
    #[serde(default)]
    histogram: Vec<(u64, u64)>,
}

/// `wrk debian/4.1.0-3+b2 [epoll] Copyright …` and `wrk 4.2.0 [kqueue] …`.
pub fn version(text: &str) -> Option<String> {
    let word = text.strip_prefix("wrk ")?.split_whitespace().next()?;
    let version = word.rsplit('/').next()?.split('-').next()?;
    version
        .starts_with(|c: char| c.is_ascii_digit())
        .then(|| super::plain(version))
}

pub fn parse(scenario: &Scenario, output: &ToolOutput) -> Result<ToolResult, ParseError> {
    if let ProcessExit::Code(_) = output.exit
        && output.stderr.contains("unable to connect")
    {
        let detail = super::last_words(output);
        return Err(ParseError::Refused { tool: "wrk", detail });
    }
    ended("wrk", output, &[])?;
    let printed = result_line(output)?;
    let requests = WRK.count("requests", printed.requests)?;
    let failures = failures(&printed.failures)?;
    if requests == 0 && failures.connect.unwrap_or(0) > 0 {
        let detail = format!("{} attempts failed", failures.total);
        return Err(ParseError::Refused { tool: "wrk", detail });
    }
    let duration_us = WRK.count("duration", printed.duration_us)?;
    if (duration_us as f64) < SHORT * 1e6 * scenario.duration_s {
        return Err(ParseError::Exit {
            tool: "wrk",
            code: 0,
            detail: "it was interrupted and printed the part that it had measured; run the trial again.".to_owned(),
        });
    }
    // Without a latency in time its least is the largest number that there is.
    let all_late = failures.timeout.is_some_and(|late| late >= requests);
    Ok(ToolResult {
        tool: ToolName::Wrk,
        tool_version: None,
        duration_us,
        requests,
        failures,
        bytes_received: Some(WRK.count("bytes", printed.bytes)?),
        bytes_scope: Some(BytesScope::Total),
        requests_per_s: requests as f64 / (duration_us.max(1) as f64 / 1e6),
        latency: if requests == 0 || all_late {
            None
        } else {
            Some(latency(&printed.latency_us)?)
        },
        offered: None,
        statuses: None,
        thresholds_crossed: Vec::new(),
        connections: None,
        knee: None,
    })
}

fn result_line(output: &ToolOutput) -> Result<WrkResult, ParseError> {
    let found = output.stdout.lines().rfind(|l| l.starts_with(r#"{"type":"result""#));
    let text = found.ok_or_else(|| WRK.missing("result line"))?;
    serde_json::from_str(text).map_err(|e| WRK.malformed("its result", &e.to_string()))
}

/// All latencies of the same output, with those that wrk added.
pub fn histogram(output: &ToolOutput) -> Option<HistogramBlob> {
    let rows = result_line(output).ok()?.latency_us.histogram;
    let mut all = Histogram::<u64>::new(DIGITS).ok()?;
    for (us, count) in rows {
        all.record_n(us.checked_mul(NS_PER_US)?, count).ok()?;
    }
    if all.is_empty() {
        return None;
    }
    let mut bytes = Vec::new();
    V2DeflateSerializer::new().serialize(&all, &mut bytes).ok()?;
    Some(HistogramBlob {
        encoding: "hdr-v2-deflate-base64".to_owned(),
        unit: "ns".to_owned(),
        digits: DIGITS.into(),
        resolution_us: RESOLUTION_US,
        corrected: true,
        count: all.len(),
        blob: STANDARD.encode(bytes),
    })
}

fn failures(printed: &Kinds) -> Result<Failures, ParseError> {
    let of = |n: f64| WRK.count("failures", n);
    Ok(Failures {
        connect: Some(of(printed.connect)?),
        read: Some(of(printed.read)?),
        write: Some(of(printed.write)?),
        timeout: Some(of(printed.timeout)?),
        status: Some(of(printed.status)?),
        length: None,
        content: None,
        other: None,
        total: of(printed.connect + printed.read + printed.write + printed.timeout + printed.status)?,
    })
}

fn latency(printed: &Times) -> Result<Latency, ParseError> {
    const WHAT: &str = "latency";
    let us = |value: f64| WRK.quantity(WHAT, value);
    let percentiles = printed
        .percentiles
        .iter()
        .map(|(p, value)| {
            Ok(Percentile {
                p: us(*p)?,
                us: us(*value)?,
            })
        })
        .collect::<Result<Vec<_>, ParseError>>()?;
    let percentiles = ascending(percentiles)
        .filter(|rows| rows.len() <= 200)
        .ok_or_else(|| WRK.malformed(WHAT, "percentiles out of order"))?;
    Ok(Latency {
        mean_us: Some(us(printed.mean)?),
        min_us: Some(us(printed.min)?),
        max_us: Some(us(printed.max)?),
        stdev_us: Some(us(printed.stdev)?),
        percentiles,
        resolution_us: RESOLUTION_US,
        corrected: true,
        mean_ci95_us: None,
        outliers: None,
        source: "wrk done(), histogram with corrected samples".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::parser::recording;

    /// wrk's statistics begin with the largest least value, which `%d` of its script prints as a negative number.
    #[test]
    fn where_every_response_is_late_there_is_no_latency() {
        let late = |timeout: u32| {
            let stdout = format!(
                r#"{{"type":"result","duration_us":2000000,"requests":16,"bytes":19200,"failures":{{"connect":0,"read":0,"write":0,"timeout":{timeout},"status":0}},"latency_us":{{"min":-9223372036854775808,"max":0,"mean":0.000,"stdev":0.000,"percentiles":[[50,0],[99,0]],"histogram":[]}}}}"#
            );
            let output = ToolOutput {
                exit: ProcessExit::Code(0),
                stdout,
                stderr: String::new(),
                files: BTreeMap::new(),
            };
            parse(&recording::scenario(ToolName::Wrk, None), &output)
        };
        let all = late(16).unwrap();
        assert_eq!((all.latency, all.requests, all.failures.timeout), (None, 16, Some(16)));
        assert!(late(15).is_err());
    }
}
