//! k6 1.x: what our script's `handleSummary` wrote. Exit 99 is a result whose thresholds were crossed.
//!
//! Traps. `http_req_failed` counts "is it failed?": its `passes` are the failures and its `fails` are not. Go's client
//! quietly sends a request again when a reused connection was reset before the first byte, so such resets show nowhere.
//! `testRunDurationMs` holds `setup` and `teardown` too.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::protocol::result::{BytesScope, Failures, Latency, Offered, Percentile, ToolResult};
use crate::protocol::spec::{Load, Scenario, ToolName};
use crate::tool::output::{ParseError, ProcessExit, ToolOutput};

use super::number::{Numbers, ascending};
use super::{SEE_LOG, ended};

pub(super) const K6: Numbers = Numbers("k6");
const CROSSED: i32 = 99;
const MOST_THRESHOLDS: usize = 20;
/// Of a metric, what neither `setup` nor `teardown` of somebody's own script did.
const OF_THE_LOAD: &str = "{scenario:load}";

#[derive(Deserialize)]
pub(super) struct K6Summary {
    pub(super) metrics: BTreeMap<String, K6Metric>,
    pub(super) state: State,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct State {
    pub(super) test_run_duration_ms: f64,
}

#[derive(Deserialize)]
pub(super) struct K6Metric {
    pub(super) values: BTreeMap<String, f64>,
    #[serde(default)]
    thresholds: BTreeMap<String, Threshold>,
}

#[derive(Deserialize)]
struct Threshold {
    ok: bool,
}

/// `k6 v1.8.1 (go1.26.8, linux/amd64)` is 1.8.1. The first word is the name of the file that was started.
pub fn version(text: &str) -> Option<String> {
    let version = text.split_whitespace().nth(1)?.strip_prefix('v')?;
    version
        .starts_with(|c: char| c.is_ascii_digit())
        .then(|| super::plain(version))
}

/// Of `running (1.0s), 4/4 VUs, 2531 complete and 0 interrupted iterations`.
pub fn progress(line: &str) -> Option<u64> {
    let (before, after) = line.split_once(" complete and ")?;
    if !line.starts_with("running (") || !after.ends_with("interrupted iterations") {
        return None;
    }
    before.rsplit_once(' ')?.1.parse().ok()
}

pub fn parse(scenario: &Scenario, output: &ToolOutput) -> Result<ToolResult, ParseError> {
    ended("k6", output, &[CROSSED]).map_err(shorter)?;
    let text = output.files.get("summary.json").ok_or_else(|| K6.missing("summary"))?;
    let summary: K6Summary = serde_json::from_str(text).map_err(|e| K6.malformed("its summary", &e.to_string()))?;
    let crossed = summary.crossed();
    if output.exit == ProcessExit::Code(CROSSED) && crossed.is_empty() {
        return Err(K6.missing("threshold that was crossed, though it ended as if one was"));
    }
    let finished = summary.count("http_reqs", "count")?.filter(|count| *count > 0);
    let finished = finished.ok_or_else(nothing_finished)?;
    let failures = summary.failures()?;
    let unanswered = failures.total.saturating_sub(failures.status.unwrap_or(0));
    let requests = finished.saturating_sub(unanswered);
    let connect = failures.connect.unwrap_or(0);
    if requests == 0 && connect > 0 {
        let detail = format!("{connect} attempts failed");
        return Err(ParseError::Refused { tool: "k6", detail });
    }
    // A script of somebody's own has none of our counters, and may have a `setup`.
    let own = scenario.script().is_some();
    let run_ms = K6.quantity("duration", summary.state.test_run_duration_ms)?;
    let window_ms = if own {
        run_ms.min(scenario.duration_s * 1000.0)
    } else {
        run_ms
    };
    let duration_us = K6.count("duration", (window_ms * 1000.0).round())?;
    if duration_us == 0 {
        return Err(K6.malformed("duration", "0"));
    }
    Ok(ToolResult {
        tool: ToolName::K6,
        tool_version: None,
        duration_us,
        requests,
        statuses: match own {
            true => None,
            false => Some(summary.statuses(requests, &failures)?),
        },
        failures,
        bytes_received: summary.count("data_received", "count")?,
        bytes_scope: summary.metrics.get("data_received").map(|_| BytesScope::Total),
        requests_per_s: requests as f64 / (window_ms / 1000.0),
        latency: if requests == 0 { None } else { summary.latency()? },
        offered: summary.offered(scenario, finished)?,
        thresholds_crossed: crossed,
        connections: None,
        knee: None,
    })
}

/// `time=… level=error msg="why"` is `why`.
pub(super) fn shorter(error: ParseError) -> ParseError {
    match error {
        ParseError::Exit { tool, code, detail } => {
            let said = detail.strip_suffix(SEE_LOG).unwrap_or(&detail);
            let message = said.split_once("msg=\"").and_then(|(_, rest)| rest.strip_suffix('"'));
            let detail = message.map_or(detail.clone(), |m| format!("{}{SEE_LOG}", m.trim_end_matches('.')));
            ParseError::Exit { tool, code, detail }
        }
        other => other,
    }
}

fn nothing_finished() -> ParseError {
    let detail = "no request got a response while the load ran; see the server's log for why it hangs.".to_owned();
    ParseError::Exit {
        tool: "k6",
        code: 0,
        detail,
    }
}

const STATUSES: [(&str, &str); 4] = [
    ("1xx", "rig_status_1xx"),
    ("3xx", "rig_status_3xx"),
    ("4xx", "rig_status_4xx"),
    ("5xx", "rig_status_5xx"),
];

impl K6Summary {
    fn metric(&self, name: &str) -> Option<&K6Metric> {
        let of_the_load = self.metrics.get(&format!("{name}{OF_THE_LOAD}"));
        of_the_load.or_else(|| self.metrics.get(name))
    }

    fn value(&self, metric: &str, value: &str) -> Option<f64> {
        self.metric(metric)?.values.get(value).copied()
    }

    pub(super) fn count(&self, metric: &'static str, value: &str) -> Result<Option<u64>, ParseError> {
        self.value(metric, value).map(|v| K6.count(metric, v)).transpose()
    }

    /// Our script's counters are only in the summary when something was counted.
    pub(super) fn counter(&self, metric: &'static str) -> Result<u64, ParseError> {
        Ok(self.count(metric, "count")?.unwrap_or(0))
    }

    fn failures(&self) -> Result<Failures, ParseError> {
        let total = self
            .count("http_req_failed", "passes")?
            .ok_or_else(|| K6.missing("http_req_failed"))?;
        let mut status = 0.0;
        for (_, counter) in STATUSES {
            status += self.counter(counter)? as f64;
        }
        let status = K6.count("failures by status", status)?;
        let connect = self.counter("rig_failed_connect")?;
        let read = self.counter("rig_failed_read")?;
        let write = self.counter("rig_failed_write")?;
        let timeout = self.counter("rig_failed_timeout")?;
        let by_kind = [connect, read, write, timeout, status].iter().map(|n| *n as f64).sum();
        let by_kind = K6.count("failures by kind", by_kind)?;
        if by_kind > total {
            return Err(K6.malformed("failures by kind", &format!("{by_kind} of {total}")));
        }
        Ok(Failures {
            connect: Some(connect),
            read: Some(read),
            write: Some(write),
            timeout: Some(timeout),
            status: Some(status),
            length: None,
            content: None,
            // Also what the end of the load interrupted between k6's count and the script's.
            other: Some(total - by_kind),
            total,
        })
    }

    fn statuses(&self, requests: u64, failures: &Failures) -> Result<BTreeMap<String, u64>, ParseError> {
        let mut classes = BTreeMap::new();
        for (class, counter) in STATUSES {
            classes.insert(class.to_owned(), self.counter(counter)?);
        }
        classes.insert("2xx".to_owned(), requests.saturating_sub(failures.status.unwrap_or(0)));
        classes.retain(|_, count| *count > 0);
        Ok(classes)
    }

    fn latency(&self) -> Result<Option<Latency>, ParseError> {
        const WHAT: &str = "http_req_duration";
        let Some(metric) = self.metric(WHAT) else {
            return Ok(None);
        };
        // Printed in milliseconds with the clock's nanoseconds.
        let us = |ms: f64| {
            K6.quantity(WHAT, ms)
                .and_then(|ms| K6.quantity(WHAT, (ms * 1e6).round() / 1e3))
        };
        let figure = |name: &str| metric.values.get(name).copied().map(us).transpose();
        let mut percentiles = Vec::new();
        for (name, ms) in &metric.values {
            let Some(p) = name.strip_prefix("p(").and_then(|n| n.strip_suffix(')')) else {
                continue;
            };
            let p = K6.read(WHAT, p)?;
            percentiles.push(Percentile { p, us: us(*ms)? });
        }
        let percentiles = ascending(percentiles).ok_or_else(|| K6.malformed(WHAT, "percentiles out of order"))?;
        Ok(Some(Latency {
            mean_us: figure("avg")?,
            min_us: figure("min")?,
            max_us: figure("max")?,
            stdev_us: None,
            percentiles,
            resolution_us: 0.001,
            corrected: false,
            mean_ci95_us: None,
            outliers: None,
            source: "k6 http_req_duration".to_owned(),
        }))
    }

    fn offered(&self, scenario: &Scenario, finished: u64) -> Result<Option<Offered>, ParseError> {
        let Load::Rate { rate_per_s, .. } = scenario.load else {
            return Ok(None);
        };
        let dropped = self.counter("dropped_iterations")?;
        // What k6 interrupted at the end is neither finished nor dropped, and was offered none the less.
        let meant = (f64::from(rate_per_s) * scenario.duration_s).round();
        let counted = finished as f64 + dropped as f64;
        Ok(Some(Offered {
            rate_per_s: f64::from(rate_per_s),
            requests: K6.count("offered requests", counted.max(meant))?,
            dropped,
        }))
    }

    fn crossed(&self) -> Vec<String> {
        self.metrics
            .iter()
            .flat_map(|(name, metric)| metric.thresholds.iter().map(move |(line, t)| (name, line, t)))
            .filter(|(_, _, threshold)| !threshold.ok)
            .map(|(name, line, _)| super::plain(&format!("{name}: {line}")))
            .take(MOST_THRESHOLDS)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::recording;

    /// As `handleSummary` is given it where thresholds name what `ofTheLoad` of `tool/k6_script.js` does.
    #[test]
    fn what_setup_requests_is_no_load_and_its_time_is_none() {
        let scenario = Scenario {
            http: serde_json::from_str(r#"{ "requests": [], "script": { "name": "load.js", "text": "" } }"#).unwrap(),
            ..recording::scenario(ToolName::K6, None)
        };
        let summary = |run_ms: u32| {
            let text = format!(
                r#"{{ "state": {{ "testRunDurationMs": {run_ms} }}, "metrics": {{
                    "http_reqs": {{ "values": {{ "count": 130 }} }},
                    "http_reqs{{scenario:load}}": {{ "values": {{ "count": 100 }}, "thresholds": {{ "count>=0": {{ "ok": true }} }} }},
                    "http_req_failed": {{ "values": {{ "passes": 30, "fails": 100 }} }},
                    "http_req_failed{{scenario:load}}": {{ "values": {{ "passes": 0, "fails": 100 }} }},
                    "http_req_duration": {{ "values": {{ "avg": 9.0, "p(50)": 9.0 }} }},
                    "http_req_duration{{scenario:load}}": {{ "values": {{ "avg": 2.0, "p(50)": 2.0 }} }}
                }} }}"#
            );
            ToolOutput {
                exit: ProcessExit::Code(0),
                stdout: String::new(),
                stderr: String::new(),
                files: BTreeMap::from([("summary.json".to_owned(), text)]),
            }
        };
        let result = parse(&scenario, &summary(5000)).unwrap();
        assert_eq!((result.requests, result.failures.total), (100, 0));
        assert_eq!((result.duration_us, result.requests_per_s), (2_000_000, 50.0));
        assert_eq!(result.latency.unwrap().mean_us, Some(2000.0));
        // A threshold of the script may end it before its time.
        assert_eq!(parse(&scenario, &summary(1000)).unwrap().duration_us, 1_000_000);
    }
}
