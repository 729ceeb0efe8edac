//! What the tool said in each run of it, and what is kept of its words.

use std::sync::Arc;

use rigmark_stats::bands::Column;
use uuid::Uuid;

use crate::journal::Sink;
use crate::protocol::journal::{Slice, Window};
use crate::protocol::result::{Reason, ToolResult};
use crate::protocol::spec::Scenario;
use crate::runner::measure::histograms::Histograms;
use crate::runner::measure::metered::Metered;
use crate::runner::measure::observe::Counters;
use crate::runner::measure::over_time;
use crate::runner::measure::raw;
use crate::runner::measure::tool_runs::{self, Enough, MOST_RUNS, MOST_WALL, Manner};
use crate::text::reason;
use crate::tool::output::{HistogramBlob, ParseError, ToolOutput};
use crate::tool::{Tool, ToolJob};

/// Tool runs or slices with failures, beside the first one, whose raw output is kept.
const FAILED_KEPT: usize = 5;

pub struct ToolResults {
    tool: Arc<dyn Tool>,
    trial_id: Uuid,
    window: Window,
    manner: Manner,
    sink: Arc<dyn Sink>,
    pub results: Vec<ToolResult>,
    pub slices: Vec<Slice>,
    pub error: Option<ParseError>,
    blobs: Vec<Option<HistogramBlob>>,
    /// Of each run over time.
    columns: Vec<Vec<Column>>,
    pub measured_us: u64,
    failed: usize,
}

impl ToolResults {
    pub fn new(of: &Metered, manner: Manner) -> Self {
        Self {
            tool: of.tool.clone(),
            trial_id: of.trial_id,
            window: of.window,
            manner,
            sink: of.sink.clone(),
            results: Vec::new(),
            slices: Vec::new(),
            error: None,
            blobs: Vec::new(),
            columns: Vec::new(),
            measured_us: 0,
            failed: 0,
        }
    }

    pub fn add(&mut self, job: &ToolJob<'_>, before: &Counters, after: &Counters, output: &ToolOutput, complete: bool) {
        let index = self.slices.len();
        let scenario = Scenario {
            duration_s: job.duration_s,
            ..job.scenario.clone()
        };
        let parsed = self.tool.parse(&scenario, output);
        let failed = parsed.as_ref().map_or(true, |result| result.failures.total > 0);
        let keep = index == 0 || (failed && self.failed < FAILED_KEPT);
        if keep && self.window == Window::Measure {
            let tool = self.tool.name().as_str();
            let name = match index {
                0 => tool.to_owned(),
                _ => format!("{tool}.{}-{}", self.manner.one(), index + 1),
            };
            self.keep_raw(&name, output, complete);
        }
        self.failed += usize::from(failed && index > 0);
        self.slices.push(Slice {
            index: index as u32,
            begin_us: before.at_us,
            end_us: after.at_us,
            left_out: false,
            counters: None,
        });
        match parsed {
            Ok(result) => {
                let blob = self.tool.histogram(output);
                let (from_us, to_us) = (before.at_us, after.at_us);
                self.columns.push(over_time::of_run(
                    self.tool.over_time(output),
                    blob.as_ref(),
                    from_us,
                    to_us,
                ));
                self.blobs.push(blob);
                self.measured_us += result.duration_us;
                self.results.push(result);
            }
            Err(error) => self.error = Some(error),
        }
    }

    pub fn enough(&self, asked_s: f64, wall_us: u64) -> Option<Enough> {
        let answered = self.results.last().is_some_and(|run| run.requests > 0);
        tool_runs::enough(asked_s, self.results.len(), self.measured_us, wall_us, answered)
    }

    /// Slices that are in no figure; tool runs and whole windows have none.
    pub fn leave_out(&mut self, left_out: &[bool]) {
        for (slice, left_out) in self.slices.iter_mut().zip(left_out) {
            slice.left_out = *left_out;
        }
    }

    fn counts(&self, index: usize) -> bool {
        self.slices.get(index).is_none_or(|slice| !slice.left_out)
    }

    pub fn histograms(&self) -> Histograms {
        let mut all = Histograms::default();
        let each = self.results.iter().zip(&self.blobs).enumerate();
        for (_, (result, blob)) in each.filter(|(index, _)| self.counts(*index)) {
            all.add(result.requests, blob.clone());
        }
        all
    }

    /// Latencies of the whole trial by time; `None` where no run tells.
    pub fn over_time(&self) -> Option<Vec<Column>> {
        let each = self.columns.iter().enumerate();
        let counted = each.filter(|(index, _)| self.counts(*index));
        over_time::of_trial(counted.flat_map(|(_, columns)| columns.iter().cloned()).collect())
    }

    pub fn result(&mut self, histograms: &Histograms) -> Result<ToolResult, ParseError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let each = self.results.iter().enumerate();
        let counted: Vec<ToolResult> = each
            .filter(|(index, _)| self.counts(*index))
            .map(|(_, result)| result.clone())
            .collect();
        let mut result = tool_runs::together(&counted, self.manner)
            .expect("a tool that ended has said something or there is an error");
        if let (Some(latency), true) = (&mut result.latency, counted.len() > 1) {
            let first = counted.iter().find_map(|run| run.latency.as_ref());
            latency.percentiles = histograms.percentiles(first.map_or(&[], |l| &l.percentiles));
        }
        Ok(result)
    }

    pub fn labels(&self, why: Enough) -> Vec<Reason> {
        vec![reason("shots", &self.pieces(why))]
    }

    /// How the numbers came about, and what is not kept of them.
    pub fn pieces(&self, why: Enough) -> String {
        let (n, one) = (self.results.len(), self.manner.one());
        let kept = 1 + self.failed.min(FAILED_KEPT);
        let mut text = format!(
            "{n} {one}{} made up the {:.2} s that were measured",
            if n == 1 { "" } else { "s" },
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
            Enough::MostRuns => text += &format!("; there are at most {MOST_RUNS}"),
            Enough::Measured | Enough::Unanswered => {}
        }
        text + "."
    }

    fn keep_raw(&self, tool: &str, output: &ToolOutput, complete: bool) {
        let sink: &dyn Sink = self.sink.as_ref();
        for (name, text) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
            if !text.is_empty() {
                raw::append(sink, self.trial_id, &format!("{tool}.{name}"), text, complete);
            }
        }
        for (name, text) in &output.files {
            raw::append(sink, self.trial_id, &format!("{tool}.{name}"), text, true);
        }
    }
}
