//! What stands in the columns of a scenario's table: first what ranks with its verdict, then its spread, then the rest.

use rigmark_stats::summary::{BoundSide, EntrySummary, Metric, Ratio, ScenarioSummary, Spread};

use super::cell::{label, limit, verdict};
use crate::cli::format;
use crate::cli::output::{Align, Column};
use crate::cli::run::notes;
use crate::protocol::journal::Plan;
use crate::protocol::spec::Load;

const NONE: &str = "–";

/// Beyond this factor between its ends an interval says that nothing is known yet, and its digits say no more.
const WIDEST: f64 = 100.0;

/// On which side of a number the true one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    Least,
    Most,
}

/// A figure of an entry and how it is written.
#[derive(Clone, Copy)]
struct Figure {
    title: &'static str,
    /// Of the title of its smallest and largest value.
    range: &'static str,
    of: fn(&EntrySummary) -> Option<Spread>,
    write: fn(f64) -> String,
    /// What the tool's being the limit makes of it.
    bound: fn(&EntrySummary) -> Option<BoundSide>,
}

pub struct ScenarioTable<'a> {
    plan: &'a Plan,
    scenario: &'a ScenarioSummary,
    knee: bool,
}

impl<'a> ScenarioTable<'a> {
    pub fn new(plan: &'a Plan, scenario: &'a ScenarioSummary) -> Self {
        let planned = plan.scenarios.iter().find(|s| s.id == scenario.scenario);
        Self {
            plan,
            scenario,
            knee: matches!(planned.map(|s| &s.load), Some(Load::Knee { .. })),
        }
    }

    /// Which column ranks, and which ones are about it; or why none does, and which one is read.
    pub fn about(&self) -> String {
        let what = match self.scenario.metric {
            Metric::FirstByteP50Us => {
                let why = self.scenario.no_winner.as_deref().unwrap_or_default();
                return format!(
                    "Medians; {why}. They are for the time to the first byte (FIRST BYTE P50). Of it: MIN–MAX, CV."
                );
            }
            Metric::RequestsPerS if self.knee => "the highest rate that kept its bound (REQUESTS/S), more is better",
            Metric::RequestsPerS => "REQUESTS/S, more is better",
            Metric::P99Us => "P99, less is better",
            Metric::CpuUsPerRequest => "the server's CPU time a request (CPU µs/REQ), less is better",
        };
        let compared = if self.compared() { ", TO BASELINE, VERDICT" } else { "" };
        let how = if self.ranked() { "ranked" } else { "compared" };
        format!("Medians; {how} by {what}. Of it: MIN–MAX, CV{compared}.")
    }

    /// The first group has the names; what belongs together is in one group.
    pub fn columns(&self) -> Vec<Vec<Column>> {
        let all = self.figures();
        let (ranking, others) = match self.scenario.metric {
            Metric::FirstByteP50Us => (all[1], [all[2], all[0], all[3], all[4]]),
            Metric::RequestsPerS => (all[0], [all[1], all[2], all[3], all[4]]),
            Metric::P99Us => (all[2], [all[0], all[1], all[3], all[4]]),
            Metric::CpuUsPerRequest => (all[3], [all[0], all[1], all[2], all[4]]),
        };
        let mut verdicts = vec![self.figure(&ranking)];
        if self.compared() {
            verdicts.push(self.column("TO BASELINE (95 %)", Align::Right, |e| self.to_baseline(e)));
            verdicts.push(self.column("VERDICT", Align::Left, |e| {
                verdict(e.verdict, self.scenario.metric).to_owned()
            }));
        }
        if self.ranked() {
            verdicts.push(self.column("RANK", Align::Right, rank));
        }
        let spread = vec![
            self.column(ranking.range, Align::Right, |e| {
                (ranking.of)(e).map_or_else(none, |s| {
                    format!("{}–{}", (ranking.write)(s.min), (ranking.write)(s.max))
                })
            }),
            self.column("CV %", Align::Right, |e| {
                (ranking.of)(e)
                    .and_then(|s| s.cv)
                    .map_or_else(none, |cv| format!("{:.1}", cv * 100.0))
            }),
            self.column("BOTTLENECK", Align::Left, |e| limit(e).to_owned()),
            self.column("TRIALS", Align::Right, |e| {
                format!("{}/{}", e.trials_valid, e.trials_valid + e.trials_invalid)
            }),
        ];
        let name = self.column("SERVER", Align::Left, |e| label(self.plan, &e.entry_key));
        let rest = others.iter().map(|figure| self.figure(figure)).collect();
        vec![vec![name], verdicts, spread, rest]
    }

    fn figures(&self) -> [Figure; 5] {
        let figure = |title, range, of, write, bound| Figure {
            title,
            range,
            of,
            write,
            bound,
        };
        let ms = |us: f64| format::significant(us / 1000.0);
        let latency = |e: &EntrySummary| e.latency_bound;
        let exact = |_: &EntrySummary| -> Option<BoundSide> { None };
        let (p50, p99) = match self.scenario.metric {
            Metric::FirstByteP50Us => ("FIRST BYTE P50 ms", "FIRST BYTE P99 ms"),
            _ => ("P50 ms", "P99 ms"),
        };
        [
            figure(
                "REQUESTS/S",
                "MIN–MAX",
                |e| e.requests_per_s,
                format::rate,
                |e| e.lower_bound.then_some(BoundSide::AtLeast),
            ),
            figure(p50, "MIN–MAX ms", |e| percentile(e, notes::SHOWN[0]), ms, latency),
            figure(p99, "MIN–MAX ms", |e| percentile(e, notes::SHOWN[1]), ms, latency),
            figure(
                "CPU µs/REQ",
                "MIN–MAX µs",
                |e| e.cpu_us_per_request,
                format::significant,
                exact,
            ),
            figure(
                "RSS MiB",
                "MIN–MAX MiB",
                |e| e.rss_peak_bytes,
                |bytes| format::significant(bytes / f64::from(1 << 20)),
                exact,
            ),
        ]
    }

    fn figure(&self, figure: &Figure) -> Column {
        self.column(figure.title, Align::Right, |entry| {
            let bound = Bound::from((figure.bound)(entry));
            (figure.of)(entry).map_or_else(none, |s| format!("{}{}", bound.sign(), (figure.write)(s.median)))
        })
    }

    fn column(&self, title: &'static str, align: Align, cell: impl Fn(&EntrySummary) -> String) -> Column {
        Column {
            title,
            align,
            cells: self.scenario.entries.iter().map(cell).collect(),
        }
    }

    /// Whether a verdict ranks anybody.
    fn ranked(&self) -> bool {
        self.scenario.entries.iter().any(|e| e.rank.is_some())
    }

    fn compared(&self) -> bool {
        let shown = |e: &EntrySummary| e.ratio.is_some() || e.verdict.is_some();
        self.scenario.entries.iter().any(shown)
    }

    fn to_baseline(&self, entry: &EntrySummary) -> String {
        let baseline = self.plan.entries.iter().find(|e| e.baseline).map(|e| e.key.as_str());
        match entry.ratio {
            Some(ratio) => interval(&ratio, entry.ratio_bound.into()),
            None if baseline == Some(entry.entry_key.as_str()) => "baseline".to_owned(),
            None => none(),
        }
    }
}

impl From<Option<BoundSide>> for Bound {
    fn from(bound: Option<BoundSide>) -> Self {
        match bound {
            None => Self::Exact,
            Some(BoundSide::AtLeast) => Self::Least,
            Some(BoundSide::AtMost) => Self::Most,
        }
    }
}

impl Bound {
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Exact => "",
            Self::Least => "≥ ",
            Self::Most => "≤ ",
        }
    }
}

fn none() -> String {
    NONE.to_owned()
}

/// `1`, or `1–2` where no difference was shown between two.
fn rank(entry: &EntrySummary) -> String {
    match (entry.rank, entry.rank_to) {
        (Some(from), Some(to)) if from < to => format!("{from}–{to}"),
        (Some(rank), _) => rank.to_string(),
        (None, _) => none(),
    }
}

fn percentile(entry: &EntrySummary, p: f64) -> Option<Spread> {
    entry.percentiles.iter().find(|x| x.p == p).and_then(|x| x.us)
}

/// `1.034 (1.021–1.047)`; of a bound the end that is open stays open: `≥ 1.034 (1.021–…)`.
fn interval(ratio: &Ratio, bound: Bound) -> String {
    let (sign, estimate) = (bound.sign(), factor(ratio.estimate));
    if ratio.high > WIDEST * ratio.low {
        return format!("{sign}{estimate} (too wide)");
    }
    let (low, high) = (factor(ratio.low), factor(ratio.high));
    match bound {
        Bound::Exact => format!("{estimate} ({low}–{high})"),
        Bound::Least => format!("{sign}{estimate} ({low}–…)"),
        Bound::Most => format!("{sign}{estimate} (…–{high})"),
    }
}

/// Three decimals, and up to six as long as they would write 1 for what is not, so that no interval seems to touch 1 when
/// it does not; below 0.01 and from 10 on three significant digits. Pages write it alike (packages/metrics).
fn factor(value: f64) -> String {
    if !(0.01..9.9995).contains(&value) {
        return format::significant(value);
    }
    (3..=6)
        .map(|decimals| format!("{value:.decimals$}"))
        .find(|text| text.trim_end_matches('0') != "1.")
        .unwrap_or_else(|| "1.000".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_has_digits_enough_and_does_not_touch_one() {
        assert_eq!(
            [0.0003, 0.00123, 0.01, 0.5, 9.9994, 9.9996, 12.34, 4200.0].map(factor),
            [
                "0.000300", "0.00123", "0.010", "0.500", "9.999", "10.0", "12.3", "4,200"
            ]
        );
        assert_eq!(
            [1.0, 1.0004, 0.9996, 1.00003, 0.999_999, 1.000_000_1].map(factor),
            ["1.000", "1.0004", "0.9996", "1.00003", "0.999999", "1.000"]
        );
        let ratio = Ratio {
            estimate: 0.995,
            low: 0.991,
            high: 0.9997,
            confidence: 0.95,
        };
        assert_eq!(interval(&ratio, Bound::Exact), "0.995 (0.991–0.9997)");
    }
}
