//! h2load of nghttp2 1.x: the summary that it prints at its end.
//!
//! Traps of it over HTTP/1.1. A connection that ends is not made again, and neither is it counted, nor the request that was lost
//! with it: where connections were busy for too little of the time, they ended early. Without a connection the summary is of
//! zeros, and the exit code 0. Requests a second are over the seconds that it was told; "finished in" holds its start and its end
//! too.

use crate::protocol::result::{BytesScope, Failures, Latency, Percentile, ToolResult};
use crate::protocol::spec::{Scenario, ToolName};
use crate::tool::output::{ParseError, ToolOutput};

use super::ended;
use super::number::{Numbers, ascending, fine};

const H2LOAD: Numbers = Numbers("h2load");
/// In a closed loop each connection waits for a response all the time, apart from its last one, which is cut off.
const BUSY: f64 = 0.9;

/// `h2load nghttp2/1.52.0` is 1.52.0.
pub fn version(text: &str) -> Option<String> {
    let version = text.trim().strip_prefix("h2load nghttp2/")?;
    version
        .starts_with(|c: char| c.is_ascii_digit())
        .then(|| super::plain(version))
}

pub fn parse(scenario: &Scenario, output: &ToolOutput) -> Result<ToolResult, ParseError> {
    ended("h2load", output, &[])?;
    let text = Text(&output.stdout);
    let (finished, rate) = text.finished()?;
    let count = |line, name| text.count(line, name);
    let (started, requests) = (count("requests", "started")?, count("requests", "done")?);
    if started == 0 {
        let detail = "none of its connections was made".to_owned();
        return Err(ParseError::Refused { tool: "h2load", detail });
    }
    let status = count("status codes", "3xx")? + count("status codes", "4xx")? + count("status codes", "5xx")?;
    let (errored, timeout) = (count("requests", "errored")?, count("requests", "timeout")?);
    let duration_s = if rate > 0.0 { requests as f64 / rate } else { finished };
    let duration_us = H2LOAD.count("duration", (duration_s * 1e6).round())?;
    if duration_us == 0 {
        return Err(H2LOAD.malformed("duration", "0"));
    }
    let latency = if requests == 0 { None } else { Some(text.latency()?) };
    if let Some(latency) = &latency {
        connections_lasted(scenario, requests, duration_us, latency)?;
    }
    Ok(ToolResult {
        tool: ToolName::H2load,
        tool_version: None,
        duration_us,
        requests,
        failures: Failures {
            connect: None,
            read: None,
            write: None,
            timeout: Some(timeout),
            status: Some(status),
            length: None,
            content: None,
            other: Some(errored.saturating_sub(timeout)),
            total: status + errored,
        },
        bytes_received: Some(text.bytes()?),
        bytes_scope: Some(BytesScope::Total),
        requests_per_s: requests as f64 / (duration_us as f64 / 1e6),
        latency: latency.map(|latency| Latency {
            mean_us: fine(latency.mean_us, latency.resolution_us),
            ..latency
        }),
        offered: None,
        statuses: None,
        thresholds_crossed: Vec::new(),
        connections: None,
        knee: None,
    })
}

fn connections_lasted(
    scenario: &Scenario,
    requests: u64,
    duration_us: u64,
    latency: &Latency,
) -> Result<(), ParseError> {
    let (Some(mean_us), Some(max_us)) = (latency.mean_us, latency.max_us) else {
        return Ok(());
    };
    let each_us = duration_us as f64 - max_us;
    let all_us = f64::from(scenario.load.connections()) * each_us;
    if requests as f64 * (mean_us + latency.resolution_us) >= BUSY * all_us {
        return Ok(());
    }
    Err(ParseError::Exit {
        tool: "h2load",
        code: 0,
        detail:
            "connections ended before its time, and it makes no new ones; see the server's log for why it closed them."
                .to_owned(),
    })
}

#[derive(Clone, Copy)]
struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    /// What follows `label:`.
    fn line(self, label: &'static str) -> Result<&'a str, ParseError> {
        let rest = |line: &'a str| line.strip_prefix(label)?.trim_start().strip_prefix(':');
        self.0.lines().find_map(rest).ok_or_else(|| H2LOAD.missing(label))
    }

    /// The number before `name` in `requests: 62125 total, 62133 started, …`.
    fn count(self, label: &'static str, name: &'static str) -> Result<u64, ParseError> {
        let parts = self.line(label)?.split(',');
        let found = parts
            .filter_map(|part| part.trim().split_once(' '))
            .find(|(_, n)| *n == name);
        let (number, _) = found.ok_or_else(|| H2LOAD.missing(name))?;
        H2LOAD.read_count(name, number)
    }

    /// Seconds and requests a second of `finished in 2.00s, 31062.50 req/s, 30.77MB/s`.
    fn finished(self) -> Result<(f64, f64), ParseError> {
        const WHAT: &str = "duration";
        let line = self.0.lines().find_map(|line| line.strip_prefix("finished in "));
        let line = line.ok_or_else(|| H2LOAD.missing(WHAT))?;
        let mut parts = line.split(", ");
        let (us, _) = duration(WHAT, parts.next().unwrap_or_default())?;
        let rate = parts.next().and_then(|rate| rate.strip_suffix(" req/s"));
        let rate = H2LOAD.read(
            "requests per second",
            rate.ok_or_else(|| H2LOAD.missing("requests per second"))?,
        )?;
        Ok((us / 1e6, rate))
    }

    /// `61.54MB (64532595) total, …`
    fn bytes(self) -> Result<u64, ParseError> {
        const WHAT: &str = "traffic";
        let line = self.line(WHAT)?;
        let total = line.split_once('(').and_then(|(_, rest)| rest.split_once(") total"));
        let (total, _) = total.ok_or_else(|| H2LOAD.malformed(WHAT, line))?;
        H2LOAD.read_count(WHAT, total)
    }

    /// `82us      9.32ms       257us       176us    98.40%`: least, greatest, mean, standard deviation and a share. Since 1.69 the line
    /// is that of `request`, and has the median, p95 and p99 before the mean.
    fn latency(self) -> Result<Latency, ParseError> {
        const WHAT: &str = "time for request";
        let line = self.line("request").or_else(|_| self.line(WHAT))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let (min, max, ranked, mean, sd) = match words[..] {
            [min, max, mean, sd, _share] => (min, max, None, mean, sd),
            [min, max, p50, p95, p99, mean, sd, _share] => {
                (min, max, Some([(50.0, p50), (95.0, p95), (99.0, p99)]), mean, sd)
            }
            _ => return Err(H2LOAD.malformed(WHAT, line)),
        };
        let row = |(p, text)| duration(WHAT, text).map(|(us, _)| Percentile { p, us });
        let rows = ranked.into_iter().flatten().map(row).collect::<Result<Vec<_>, _>>()?;
        let percentiles = ascending(rows).ok_or_else(|| H2LOAD.malformed(WHAT, line))?;
        let ((min_us, _), (max_us, _)) = (duration(WHAT, min)?, duration(WHAT, max)?);
        let ((mean_us, step_us), (sd_us, sd_step_us)) = (duration(WHAT, mean)?, duration(WHAT, sd)?);
        Ok(Latency {
            mean_us: Some(mean_us),
            min_us: Some(min_us),
            max_us: Some(max_us),
            stdev_us: fine(Some(sd_us), sd_step_us),
            percentiles,
            resolution_us: step_us,
            corrected: false,
            mean_ci95_us: None,
            outliers: None,
            source: "h2load".to_owned(),
        })
    }
}

/// Microseconds of `257us`, `9.32ms` or `1.02s`, and the step in which they are printed.
fn duration(what: &'static str, text: &str) -> Result<(f64, f64), ParseError> {
    let units = [("us", 1.0, 1.0), ("ms", 1e3, 10.0), ("s", 1e6, 1e4)];
    let found = units
        .into_iter()
        .find_map(|(unit, us, step_us)| Some((text.strip_suffix(unit)?, us, step_us)));
    let (number, us, step_us) = found.ok_or_else(|| H2LOAD.malformed(what, text))?;
    let value = (H2LOAD.read(what, number)? * us).round();
    Ok((H2LOAD.quantity(what, value)?, step_us))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_versions_are_those_that_it_prints() {
        assert_eq!(duration("x", "257us"), Ok((257.0, 1.0)));
        assert_eq!(duration("x", "9.32ms"), Ok((9320.0, 10.0)));
        assert_eq!(duration("x", "1.02s"), Ok((1_020_000.0, 10_000.0)));
        assert!(duration("x", "3m").is_err() && duration("x", "-1us").is_err());
        assert_eq!(version("h2load nghttp2/1.52.0\n").as_deref(), Some("1.52.0"));
        assert_eq!((version("h2load"), version("h2load nghttp2/")), (None, None));
    }

    /// As `output_sd_stat` of its source (v1.69.0) prints it.
    #[test]
    fn since_1_69_it_says_percentiles() {
        let text = "requests: 100 total, 108 started, 100 done, 100 succeeded, 0 failed, 0 errored, 0 timeout
                 min         max         median     p95        p99        mean         sd        +/- sd
request     :       77us     46.78ms       176us      1.20ms     3.12ms      479us      1.14ms   93.89%
connect     :       13us        49us        35us       48us       49us       35us        11us   75.00%
";
        let latency = Text(text).latency().unwrap();
        let rows: Vec<(f64, f64)> = latency.percentiles.iter().map(|row| (row.p, row.us)).collect();
        assert_eq!(rows, [(50.0, 176.0), (95.0, 1200.0), (99.0, 3120.0)]);
        let edges = (latency.min_us, latency.mean_us, latency.max_us);
        assert_eq!(edges, (Some(77.0), Some(479.0), Some(46_780.0)));
        assert!(Text(&text.replace("     3.12ms", "      150us")).latency().is_err());
        assert!(Text(&text.replace("      479us", "")).latency().is_err());
    }
}
