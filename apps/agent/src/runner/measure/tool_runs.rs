//! A load given as a count: the tool is run again and again until the trial's seconds were
//! measured (docs/method.md, "Load"); slices add up in the same way. Pure: what each said goes in, what they say together comes
//! out.

use crate::protocol::result::{Failures, Latency, Offered, ToolResult};

/// A trial is one record, and a record travels whole within one chunk.
pub const MOST_RUNS: usize = 3000;
/// Starting a tool takes time that is not measured: of wall time at most this many times the seconds.
pub const MOST_WALL: f64 = 3.0;

/// How the tool's runs make up a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// One run is all of it.
    Whole,
    /// As many runs of a count as the seconds take.
    ToolRuns,
    /// Short runs, between which the other servers of the block have theirs.
    Slices,
}

impl Manner {
    pub fn one(self) -> &'static str {
        match self {
            Self::Whole => "run",
            Self::ToolRuns => "tool run",
            Self::Slices => "slice",
        }
    }
}

/// Why the tool is not run again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enough {
    Measured,
    /// Most of the time went by between the runs.
    Wall,
    MostRuns,
    /// Another one would not be answered either.
    Unanswered,
}

/// After `runs` runs whose own durations add up to `measured_us`, `wall_us` after the first began.
pub fn enough(asked_s: f64, runs: usize, measured_us: u64, wall_us: u64, answered: bool) -> Option<Enough> {
    let asked_us = asked_s * 1e6;
    if measured_us as f64 >= asked_us {
        Some(Enough::Measured)
    } else if !answered {
        Some(Enough::Unanswered)
    } else if wall_us as f64 >= MOST_WALL * asked_us {
        Some(Enough::Wall)
    } else {
        (runs >= MOST_RUNS).then_some(Enough::MostRuns)
    }
}

/// All tool runs or slices as one result. Percentiles of percentiles are nobody's: they come from merged histograms or not at all.
pub fn together(runs: &[ToolResult], manner: Manner) -> Option<ToolResult> {
    let first = runs.first()?;
    if runs.len() == 1 {
        return Some(first.clone());
    }
    let duration_us: u64 = runs.iter().map(|s| s.duration_us).sum();
    let requests = runs.iter().map(|s| s.requests).sum();
    let mut thresholds_crossed: Vec<String> = runs.iter().flat_map(|s| s.thresholds_crossed.clone()).collect();
    thresholds_crossed.sort();
    thresholds_crossed.dedup();
    Some(ToolResult {
        tool: first.tool,
        tool_version: first.tool_version.clone(),
        duration_us,
        requests,
        failures: failures(runs),
        bytes_received: sum(runs.iter().map(|s| s.bytes_received)),
        bytes_scope: first.bytes_scope,
        requests_per_s: requests as f64 * 1e6 / duration_us.max(1) as f64,
        latency: latency(runs, manner),
        offered: offered(runs),
        statuses: runs.iter().map(|s| s.statuses.as_ref()).try_fold(
            std::collections::BTreeMap::new(),
            |mut all, statuses| {
                for (class, n) in statuses? {
                    *all.entry(class.clone()).or_insert(0) += n;
                }
                Some(all)
            },
        ),
        thresholds_crossed,
        connections: connections(runs, manner),
        knee: None,
    })
}

fn sum(values: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    values.sum()
}

/// Slices at a fixed rate have the same one.
fn offered(runs: &[ToolResult]) -> Option<Offered> {
    let all: Vec<&Offered> = runs.iter().map(|s| s.offered.as_ref()).collect::<Option<_>>()?;
    Some(Offered {
        rate_per_s: all.first()?.rate_per_s,
        requests: all.iter().map(|o| o.requests).sum(),
        dropped: all.iter().map(|o| o.dropped).sum(),
    })
}

/// Every run of a count had at least so many; no slice had more at once. Never a sum, since each run of the tool makes its own.
fn connections(runs: &[ToolResult], manner: Manner) -> Option<u64> {
    let each: Vec<u64> = runs.iter().map(|s| s.connections).collect::<Option<_>>()?;
    match manner {
        Manner::Slices => each.into_iter().max(),
        Manner::Whole | Manner::ToolRuns => each.into_iter().min(),
    }
}

fn failures(runs: &[ToolResult]) -> Failures {
    let of = |kind: fn(&Failures) -> Option<u64>| sum(runs.iter().map(|s| kind(&s.failures)));
    Failures {
        connect: of(|f| f.connect),
        read: of(|f| f.read),
        write: of(|f| f.write),
        timeout: of(|f| f.timeout),
        status: of(|f| f.status),
        length: of(|f| f.length),
        content: of(|f| f.content),
        other: of(|f| f.other),
        total: runs.iter().map(|s| s.failures.total).sum(),
    }
}

fn latency(runs: &[ToolResult], manner: Manner) -> Option<Latency> {
    // A run of which nothing was answered has no latency to add.
    let all: Vec<(f64, &Latency)> = runs
        .iter()
        .filter(|s| s.requests > 0)
        .map(|s| Some((s.requests as f64, s.latency.as_ref()?)))
        .collect::<Option<_>>()?;
    let first = all.first()?.1;
    let every = |of: fn(&Latency) -> Option<f64>| -> Option<Vec<(f64, f64)>> {
        all.iter().map(|(n, l)| Some((*n, of(l)?))).collect()
    };
    let n: f64 = all.iter().map(|(n, _)| n).sum();
    let mean_us = every(|l| l.mean_us).map(|means| means.iter().map(|(n, mean)| n * mean).sum::<f64>() / n);
    // Within the runs and between them.
    let stdev_us = mean_us.zip(every(|l| l.stdev_us)).map(|(mean, deviations)| {
        let of_run = |((n, stdev), (_, l)): (&(f64, f64), &(f64, &Latency))| {
            n * (stdev.powi(2) + (l.mean_us.unwrap_or(mean) - mean).powi(2))
        };
        (deviations.iter().zip(&all).map(of_run).sum::<f64>() / n).sqrt()
    });
    Some(Latency {
        mean_us,
        min_us: every(|l| l.min_us).map(|v| v.iter().map(|x| x.1).fold(f64::INFINITY, f64::min)),
        max_us: every(|l| l.max_us).map(|v| v.iter().map(|x| x.1).fold(0.0, f64::max)),
        stdev_us,
        percentiles: Vec::new(),
        resolution_us: all.iter().map(|(_, l)| l.resolution_us).fold(0.0, f64::max),
        corrected: all.iter().any(|(_, l)| l.corrected),
        mean_ci95_us: None,
        outliers: None,
        source: format!("{}, {} {}s", first.source, runs.len(), manner.one()),
    })
}

#[cfg(test)]
#[path = "tool_runs_tests.rs"]
mod tests;
