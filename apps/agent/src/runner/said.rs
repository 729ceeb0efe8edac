//! What the tool said in each run of it, and what is kept of its words.

use super::histograms::Histograms;
use super::observe::Counters;
use super::raw;
use super::shots::{self, Enough, MOST_SHOTS, MOST_WALL};
use super::text::reason;
use super::window::Load;
use crate::journal::Sink;
use crate::protocol::journal::{Slice, Window};
use crate::protocol::result::{Reason, ToolResult};
use crate::protocol::spec::Scenario;
use crate::tool::{HistogramBlob, ParseError, ToolOutput};

/// Shots with failures, beside the first shot, whose raw output is kept.
const FAILED_KEPT: usize = 5;

#[derive(Default)]
pub struct Said {
    pub results: Vec<ToolResult>,
    pub slices: Vec<Slice>,
    pub error: Option<ParseError>,
    histograms: Histograms,
    measured_us: u64,
    failed: usize,
}

impl Said {
    pub fn hear(&mut self, load: &Load<'_>, before: &Counters, after: &Counters, output: &ToolOutput, complete: bool) {
        let index = self.slices.len();
        self.slices.push(Slice {
            index: index as u32,
            begin_us: before.at_us,
            end_us: after.at_us,
        });
        let scenario = Scenario {
            duration_s: load.job.duration_s,
            ..load.job.scenario.clone()
        };
        let parsed = load.tool.parse(&scenario, output);
        let failed = parsed.as_ref().map_or(true, |result| result.failures.total > 0);
        let keep = index == 0 || (failed && self.failed < FAILED_KEPT);
        if keep && load.window == Window::Measure {
            let name = match index {
                0 => load.tool_name(),
                _ => format!("{}.shot-{}", load.tool_name(), index + 1),
            };
            keep_raw(load, &name, output, complete);
        }
        self.failed += usize::from(failed && index > 0);
        match parsed {
            Ok(result) => {
                self.histograms.add(load.tool.histogram(output));
                self.measured_us += result.duration_us;
                self.results.push(result);
            }
            Err(error) => self.error = Some(error),
        }
    }

    pub fn enough(&self, asked_s: f64, wall_us: u64) -> Option<Enough> {
        let answered = self.results.last().is_some_and(|shot| shot.requests > 0);
        shots::enough(asked_s, self.results.len(), self.measured_us, wall_us, answered)
    }

    pub fn result(&mut self) -> Result<ToolResult, ParseError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let mut result =
            shots::together(&self.results).expect("a tool that ended has said something or there is an error");
        if let (Some(latency), true) = (&mut result.latency, self.results.len() > 1) {
            let first = self.results.iter().find_map(|shot| shot.latency.as_ref());
            latency.percentiles = self.histograms.percentiles(first.map_or(&[], |l| &l.percentiles));
        }
        Ok(result)
    }

    pub fn histogram(&self) -> Option<HistogramBlob> {
        self.histograms.together()
    }

    /// How the numbers came about, and what is not kept of them.
    pub fn labels(&self, why: Enough) -> Vec<Reason> {
        let n = self.results.len();
        let kept = 1 + self.failed.min(FAILED_KEPT);
        let mut text = format!(
            "{n} {} made up the {:.2} s that were measured",
            if n == 1 { "shot" } else { "shots" },
            self.measured_us as f64 / 1e6
        );
        if n > kept {
            text += &format!(
                "; raw output is kept of the first{} only",
                match kept {
                    1 => String::new(),
                    _ => format!(" and of {} with failures", kept - 1),
                }
            );
        }
        match why {
            Enough::Wall => {
                text += &format!("; starting the tool took the rest of {MOST_WALL:.0} times the seconds asked for")
            }
            Enough::Shots => text += &format!("; there are at most {MOST_SHOTS}"),
            Enough::Measured | Enough::Unanswered => {}
        }
        vec![reason("shots", &(text + "."))]
    }
}

fn keep_raw(load: &Load<'_>, tool: &str, output: &ToolOutput, complete: bool) {
    let sink: &dyn Sink = load.sink.as_ref();
    for (name, text) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        if !text.is_empty() {
            raw::append(sink, load.trial_id, &format!("{tool}.{name}"), text, complete);
        }
    }
    for (name, text) in &output.files {
        raw::append(sink, load.trial_id, &format!("{tool}.{name}"), text, true);
    }
}
