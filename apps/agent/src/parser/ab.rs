//! ApacheBench 2.3: totals from its text, percentiles from its `-e` file.
//!
//! Traps of its text. "Failed requests" counts one broken response up to three times (Receive, Length, Exceptions).
//! "Length" means "not as long as the first response"; write errors are among "Failed requests" only as such. "Time per
//! request (mean)" is connections × time ÷ requests, not a measured latency. The measured mean is in whole milliseconds.
//! "Complete requests" counts those that were cut off and those that could not be written.

use crate::protocol::result::{BytesScope, Failures, Latency, Percentile, ToolResult};
use crate::protocol::spec::ToolName;
use crate::tool::output::{ParseError, ToolOutput};

use super::ended;
use super::number::{Numbers, fine};

const AB: Numbers = Numbers("ab");

/// `This is ApacheBench, Version 2.3 <$Revision: 1923142 $>` is 2.3.
pub fn version(text: &str) -> Option<String> {
    let after = text.split("ApacheBench, Version ").nth(1)?;
    let version = after.split_whitespace().next()?;
    version
        .starts_with(|c: char| c.is_ascii_digit())
        .then(|| super::plain(version))
}

pub fn parse(output: &ToolOutput) -> Result<ToolResult, ParseError> {
    told_why(output)?;
    ended("ab", output, &[])?;
    let text = Text(&output.stdout);
    let duration_s = text.number("time taken", "Time taken for tests")?;
    let complete = text.count("complete requests", "Complete requests")?;
    let transferred = text.count("total transferred", "Total transferred")?;
    let rate = text.number("requests per second", "Requests per second")?;
    let failures = failures(text)?;
    let cut_off = failures.read.unwrap_or(0) + failures.write.unwrap_or(0);
    if transferred == 0 && failures.total > 0 {
        let detail = format!("not one of {complete} requests got a byte back");
        return Err(ParseError::Refused { tool: "ab", detail });
    }
    let requests = complete.saturating_sub(cut_off);
    let completed = if complete == 0 {
        0.0
    } else {
        requests as f64 / complete as f64
    };
    Ok(ToolResult {
        tool: ToolName::Ab,
        tool_version: version(&output.stdout),
        duration_us: AB.count("time taken", (duration_s * 1e6).round())?,
        requests,
        failures,
        bytes_received: Some(transferred),
        bytes_scope: Some(BytesScope::Total),
        requests_per_s: rate * completed,
        latency: if complete == 0 {
            None
        } else {
            Some(latency(text, output)?)
        },
        offered: None,
        statuses: None,
        thresholds_crossed: Vec::new(),
        connections: None,
        knee: None,
    })
}

/// What ab says on stderr before it gives up.
fn told_why(output: &ToolOutput) -> Result<(), ParseError> {
    let stderr = &output.stderr;
    let crate::tool::output::ProcessExit::Code(code) = output.exit else {
        return Ok(());
    };
    if stderr.contains("Connection refused") {
        let detail = super::last_words(output);
        return Err(ParseError::Refused { tool: "ab", detail });
    }
    if code == 1 && stderr.is_empty() && output.stdout.contains("Time taken for tests:") {
        let detail = "it was interrupted and printed the part that it had measured; run the trial again.".to_owned();
        return Err(ParseError::Exit {
            tool: "ab",
            code,
            detail,
        });
    }
    if stderr.contains("timeout specified has expired") {
        let detail =
            "no connection got a response within the time-out; see the server's log for why it hangs.".to_owned();
        return Err(ParseError::Exit {
            tool: "ab",
            code,
            detail,
        });
    }
    Ok(())
}

fn failures(text: Text<'_>) -> Result<Failures, ParseError> {
    let printed = text.count("failed requests", "Failed requests")?;
    // These two lines are only there when there is something to count.
    let status = text.field("Non-2xx responses");
    let status = status.map_or(Ok(0), |value| AB.read_count("non-2xx responses", value))?;
    let write = text.field("Write errors");
    let write = write.map_or(Ok(0), |value| AB.read_count("write errors", value))?;
    // The kinds stand on a line of their own, which is only there when something failed.
    let kind = |name| match text.kind(name) {
        Some(value) => AB.read_count("failures by kind", value),
        None if printed == 0 => Ok(0),
        None => Err(AB.missing("failures by kind")),
    };
    let (connect, read, length, other) = (kind("Connect")?, kind("Receive")?, kind("Length")?, kind("Exceptions")?);
    // One broken response is in up to three kinds, and a wrong status mostly has a wrong length too: the largest kind
    // counts each once.
    let total = connect + (read + write).max(length).max(other).max(status);
    Ok(Failures {
        connect: Some(connect),
        read: Some(read),
        write: Some(write),
        timeout: None,
        status: Some(status),
        length: Some(length),
        content: None,
        other: Some(other),
        total,
    })
}

fn latency(text: Text<'_>, output: &ToolOutput) -> Result<Latency, ParseError> {
    let rows = percentiles(output)?;
    let edge = |p: f64| rows.iter().find(|r| r.p == p).map(|r| r.us);
    let (mean_us, stdev_us) = text.total_row()?;
    Ok(Latency {
        mean_us: fine(mean_us, 1000.0),
        min_us: edge(0.0),
        max_us: edge(100.0),
        stdev_us: fine(stdev_us, 100.0),
        percentiles: rows.into_iter().filter(|r| r.p > 0.0 && r.p < 100.0).collect(),
        resolution_us: 1.0,
        corrected: false,
        mean_ci95_us: None,
        outliers: None,
        source: "ab -e".to_owned(),
    })
}

/// `Percentage served,Time in ms` and a row for each of 0 to 100. Of fewer than 50 requests ab reads the upper rows past the
/// end of its list and prints 0.000 there: those it does not know.
fn percentiles(output: &ToolOutput) -> Result<Vec<Percentile>, ParseError> {
    const WHAT: &str = "percentiles (the file of -e)";
    let file = output.files.get("percentiles.csv").ok_or_else(|| AB.missing(WHAT))?;
    let mut rows: Vec<Percentile> = Vec::with_capacity(101);
    let mut read = 0;
    for line in file.lines().skip(1) {
        let (p, ms) = line.split_once(',').ok_or_else(|| AB.malformed(WHAT, line))?;
        let row = Percentile {
            p: AB.read(WHAT, p)?,
            us: AB.quantity(WHAT, (AB.read(WHAT, ms)? * 1000.0).round())?,
        };
        let last_us = rows.last().map_or(0.0, |last| last.us);
        let beyond = row.us == 0.0 && last_us > 0.0 && row.p >= 50.0 && row.p < 100.0;
        if row.p != f64::from(read) || (last_us > row.us && !beyond) {
            return Err(AB.malformed(WHAT, line));
        }
        read += 1;
        if !beyond {
            rows.push(row);
        }
    }
    if read == 101 { Ok(rows) } else { Err(AB.missing(WHAT)) }
}

#[derive(Clone, Copy)]
struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    /// The first word after `label:`.
    fn field(self, label: &str) -> Option<&'a str> {
        self.0.lines().find_map(|line| {
            let rest = line.strip_prefix(label)?.strip_prefix(':')?;
            rest.split_whitespace().next()
        })
    }

    fn number(self, what: &'static str, label: &str) -> Result<f64, ParseError> {
        AB.read(what, self.field(label).ok_or_else(|| AB.missing(what))?)
    }

    fn count(self, what: &'static str, label: &str) -> Result<u64, ParseError> {
        AB.read_count(what, self.field(label).ok_or_else(|| AB.missing(what))?)
    }

    /// Out of `   (Connect: 0, Receive: 230, Length: 0, Exceptions: 139)`.
    fn kind(self, name: &str) -> Option<&'a str> {
        let line = self.0.lines().find(|l| l.trim_start().starts_with("(Connect:"))?;
        let inside = line.trim().strip_prefix('(')?.strip_suffix(')')?;
        inside.split(',').find_map(|part| {
            let (key, value) = part.split_once(':')?;
            (key.trim() == name).then(|| value.trim())
        })
    }

    /// Mean (whole ms) and standard deviation (tenths) of `Total:  min mean[+/-sd] median max`, in µs.
    fn total_row(self) -> Result<(Option<f64>, Option<f64>), ParseError> {
        const WHAT: &str = "connection times";
        let Some(row) = self.0.lines().find_map(|l| l.strip_prefix("Total:")) else {
            return Ok((None, None));
        };
        let words: Vec<&str> = row.split_whitespace().collect();
        let [_min, mean, sd, _median, _max] = words[..] else {
            return Err(AB.malformed(WHAT, row));
        };
        let us = |text| AB.read(WHAT, text).and_then(|ms| AB.quantity(WHAT, ms * 1000.0));
        Ok((Some(us(mean)?), Some(us(sd)?)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn read(rows: impl Fn(u32) -> &'static str) -> Result<Vec<Percentile>, ParseError> {
        let lines: String = (0..=100).map(|p| format!("{p},{}\n", rows(p))).collect();
        percentiles(&ToolOutput {
            exit: crate::tool::output::ProcessExit::Code(0),
            stdout: String::new(),
            stderr: String::new(),
            files: BTreeMap::from([(
                "percentiles.csv".to_owned(),
                format!("Percentage served,Time in ms\n{lines}"),
            )]),
        })
    }

    #[test]
    fn what_ab_reads_past_the_end_of_its_list_is_unknown() {
        // One request of 1052.989 ms, as ab 2.3 printed it.
        let one = read(|p| if (50..100).contains(&p) { "0.000" } else { "1052.989" }).unwrap();
        assert_eq!((one.len(), one[49].us, one[50].p), (51, 1_052_989.0, 100.0));
        assert!(read(|p| if p == 10 { "0.000" } else { "5.000" }).is_err());
        assert!(read(|p| if p == 100 { "0.000" } else { "5.000" }).is_err());
        assert!(read(|p| if p > 60 { "4.000" } else { "5.000" }).is_err());
    }

    /// As `output_results` of its source (2.4) prints them: the second line and the third only where there is something to count.
    #[test]
    fn requests_that_could_not_be_written_have_failed() {
        let of = |text: &str| failures(Text(text)).unwrap();
        let lenient = of("Complete requests:      900\nFailed requests:        0\nWrite errors:           7\n");
        assert_eq!((lenient.write, lenient.total), (Some(7), 7));
        let exact = of(
            "Failed requests:        9\n   (Connect: 0, Receive: 1, Length: 8, Exceptions: 0)\nWrite errors:           7\n",
        );
        assert_eq!((exact.write, exact.read, exact.total), (Some(7), Some(1), 8));
    }
}
