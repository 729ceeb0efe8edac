//! The figures of one entry under one scenario, before anything is compared.

use crate::input::{LatencyUntil, Limit, LoadKind, ScenarioInput, SummaryInput, TrialInput, TrialStatus};
use crate::math::{ln, positive};
use crate::outliers::outliers;
use crate::percentile::{self, RANKING, SHOWN, standing};
use crate::sentence;
use crate::spread::{printed, spread, spread_of_observed};
use crate::summary::{
    BoundSide, Efficiency, EntrySummary, Metric, NoCpuCode, NotSustained, Outliers, PercentileSummary, Spread,
    ToolLatency, TrialFigures,
};
use std::collections::{BTreeMap, BTreeSet};

const MIB: f64 = 1_048_576.0;

/// Whether the offered rate was kept up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sustained {
    /// Closed-loop load offers no rate.
    NotAsked,
    /// In every valid trial. One that was not would otherwise be left out of the percentiles, and the entry would be
    /// judged by its good moments.
    Yes,
    /// Not in this many of the valid trials.
    No { trials: u32 },
    /// The tool did not say what it offered or what failed, in at least one trial.
    Unknown,
}

/// What was measured of one entry under one scenario.
#[derive(Debug, Clone)]
pub struct Figures<'a> {
    pub key: &'a str,
    /// For sentences: see [`crate::sentence::label`].
    pub label: String,
    /// Why verification failed.
    pub failed: Option<&'a str>,
    /// Its trials, by block.
    all: Vec<&'a TrialInput>,
    pub valid: Vec<&'a TrialInput>,
    pub invalid: u32,
    /// The first reason of a trial that is not valid.
    pub reason: Option<&'a str>,
    pub requests_per_s: Option<Spread>,
    pub server_cpu_cores: Option<Spread>,
    pub tool_latency: ToolLatency,
    pub cpu_us_per_request: Option<Spread>,
    pub rss_peak_bytes: Option<Spread>,
    pub bytes_per_request: Option<Spread>,
    pub efficiency: Efficiency,
    pub percentiles: Vec<PercentileSummary>,
    /// The rate is a lower bound.
    pub lower_bound: bool,
    /// The metric that ranks is a bound ("at least this good"): as the rate is, unless it is the server's CPU time.
    pub bound: bool,
    /// Blocks in which the metric that ranks is a bound, however few: a mean over them is one as well.
    pub bound_blocks: BTreeSet<u64>,
    pub limit: Option<Limit>,
    pub sustained: Sustained,
    /// Share of what was offered at a fixed rate that had no good answer; 0 under other loads.
    pub unanswered: f64,
    /// The metric that ranks over the trials in which it counts.
    pub metric: Option<Spread>,
    pub outliers: Option<Outliers>,
    /// The log of the metric that ranks of each block without a trial that does not count.
    pub logs: BTreeMap<u64, f64>,
}

impl ScenarioInput {
    /// What ranks: the server's CPU time where the scenario is judged by it, else throughput under closed-loop load and
    /// of a search, the 99th percentile of latency at a fixed rate. Latency of a closed loop ranks nowhere, nor does a
    /// rate that was fixed, whatever the scenario says. So [`Metric::FirstByteP50Us`], of single requests in a closed loop
    /// that are timed to the first byte, is shown and ranks nobody.
    #[must_use]
    pub fn metric(&self) -> Metric {
        let to_first_byte = self.latency_until == Some(LatencyUntil::FirstByte);
        match (self.judged_by, self.load) {
            (Some(Metric::CpuUsPerRequest), _) => Metric::CpuUsPerRequest,
            (_, LoadKind::Closed | LoadKind::Count) if to_first_byte => Metric::FirstByteP50Us,
            (_, LoadKind::Closed | LoadKind::Count | LoadKind::Knee) => Metric::RequestsPerS,
            (_, LoadKind::Rate) => Metric::P99Us,
        }
    }
}

impl<'a> Figures<'a> {
    /// Collects the trials of the entry under the scenario.
    #[must_use]
    pub fn of(input: &'a SummaryInput, scenario: &ScenarioInput, key: &'a str, label: String) -> Self {
        let mut trials: Vec<&TrialInput> = input
            .trials
            .iter()
            .filter(|t| t.entry_key == key && t.scenario == scenario.id)
            .collect();
        // The order in which trials arrive changes nothing, not even a rounding error.
        trials.sort_by(|a, b| (a.block, &a.trial_id).cmp(&(b.block, &b.trial_id)));
        let (valid, others): (Vec<&TrialInput>, Vec<&TrialInput>) =
            trials.iter().partition(|t| t.status == TrialStatus::Valid);
        let over = |value: fn(&TrialInput) -> Option<f64>| spread(valid.iter().filter_map(|t| value(t)));
        let tool = |value: fn(&TrialInput) -> Option<f64>| printed(valid.iter().filter_map(|t| value(t)));
        let per_request = |value: fn(&TrialInput) -> Option<f64>| {
            spread(
                valid
                    .iter()
                    .filter(|t| mostly_finished(t, scenario))
                    .filter_map(|t| Some(positive(value(t)?)? / positive(t.requests?)?)),
            )
        };
        let metric = scenario.metric();
        let observed = |t: &TrialInput| observation(t, scenario, metric);
        let values = || valid.iter().filter_map(|t| observed(t));
        let (lower_bound, limit) = limit(&valid);
        Self {
            key,
            label,
            failed: input
                .failed_verification
                .iter()
                .find(|f| f.entry_key == key && f.scenario.as_ref().is_none_or(|s| *s == scenario.id))
                .map(|f| f.reason.as_str()),
            invalid: u32::try_from(others.len()).unwrap_or(u32::MAX),
            reason: others.iter().find_map(|t| t.reason.as_deref()),
            requests_per_s: over(|t| t.requests_per_s),
            server_cpu_cores: over(|t| Some(positive(t.server_cpu_us?)? / positive(t.window_us?)?)),
            tool_latency: ToolLatency {
                mean_us: tool(|t| t.mean_us),
                stdev_us: tool(|t| t.stdev_us),
                min_us: tool(|t| t.min_us),
                max_us: tool(|t| t.max_us),
            },
            cpu_us_per_request: per_request(|t| t.server_cpu_us),
            rss_peak_bytes: over(|t| t.server_rss_peak_bytes),
            bytes_per_request: per_request(|t| t.bytes_received),
            efficiency: Efficiency {
                requests_per_s_per_core: spread(
                    valid
                        .iter()
                        .filter_map(|t| Some(1e6 / cpu_us_per_request(t, scenario)?)),
                ),
                requests_per_s_per_mib: over(|t| {
                    Some(positive(t.requests_per_s?)? / (positive(t.server_rss_peak_bytes?)? / MIB))
                }),
                energy_uj_per_request: per_request(|t| t.energy_uj),
                wire_bytes_per_request: per_request(|t| t.loopback_bytes),
            },
            percentiles: SHOWN
                .map(|p| percentile::summarize(&valid, scenario.load, &scenario.tool, p))
                .to_vec(),
            lower_bound,
            bound: lower_bound && Limit::GeneratorBound.bound(metric).is_some(),
            bound_blocks: valid
                .iter()
                .filter(|t| t.limit.is_some_and(|limit| limit.bound(metric).is_some()))
                .map(|t| t.block)
                .collect(),
            limit,
            sustained: sustained(&valid, scenario.load, metric),
            unanswered: if scenario.load == LoadKind::Rate {
                together(&valid)
            } else {
                0.0
            },
            metric: match metric {
                Metric::P99Us | Metric::FirstByteP50Us => spread_of_observed(values()),
                Metric::RequestsPerS | Metric::CpuUsPerRequest => spread(values()),
            },
            outliers: outliers(values()),
            logs: logs(&trials, observed),
            valid,
            all: trials,
        }
    }

    /// Whether the rate was not sustained.
    #[must_use]
    pub fn rate_not_sustained(&self) -> bool {
        matches!(self.sustained, Sustained::No { .. })
    }

    /// One of [`SHOWN`], in percent.
    #[must_use]
    pub fn percentile(&self, p: f64) -> Option<&PercentileSummary> {
        self.percentiles.iter().find(|found| found.p == p)
    }

    /// The entry alone: nothing is compared yet, and nothing said.
    #[must_use]
    pub fn summary(&self, scenario: &ScenarioInput) -> EntrySummary {
        EntrySummary {
            entry_key: self.key.to_owned(),
            rank: None,
            rank_to: None,
            unranked_code: None,
            unranked_reason: None,
            unranked_reason_zh: None,
            not_sustained: self.not_sustained(),
            trials: self.trials(scenario),
            blocks_in_common: None,
            ratio_bound: None,
            trials_valid: self.trials_valid(),
            trials_invalid: self.invalid,
            requests_per_s: self.requests_per_s,
            lower_bound: self.lower_bound,
            latency_bound: (self.lower_bound && scenario.load == LoadKind::Rate).then_some(BoundSide::AtMost),
            shared_ceiling: false,
            limit: self.limit,
            server_cpu_cores: self.server_cpu_cores,
            tool_latency: self.tool_latency,
            no_cpu_code: self.no_cpu(scenario),
            cpu_us_per_request: self.cpu_us_per_request,
            rss_peak_bytes: self.rss_peak_bytes,
            bytes_per_request: self.bytes_per_request,
            efficiency: self.efficiency,
            percentiles: self.percentiles.clone(),
            ratio: None,
            verdict: None,
            effect: None,
            outliers: self.outliers,
            sentence: String::new(),
            sentence_zh: String::new(),
        }
    }

    fn no_cpu(&self, scenario: &ScenarioInput) -> Option<NoCpuCode> {
        if self.cpu_us_per_request.is_some() {
            return None;
        }
        let read = |trial: &&TrialInput| trial.server_cpu_us.and_then(positive).is_some();
        Some(if self.all.is_empty() {
            NoCpuCode::NotMeasured
        } else if self.valid.is_empty() {
            NoCpuCode::NoValidTrial
        } else if scenario.load == LoadKind::Knee {
            NoCpuCode::Search
        } else if self.valid.iter().any(read) {
            NoCpuCode::TooFewRequests
        } else {
            NoCpuCode::NotRead
        })
    }

    fn not_sustained(&self) -> Option<NotSustained> {
        let Sustained::No { trials } = self.sustained else {
            return None;
        };
        let of = self.trials_valid();
        Some(NotSustained {
            trials,
            of,
            words: sentence::entry::not_sustained(trials, of),
            words_zh: sentence::zh::entry::not_sustained(trials, of),
        })
    }

    /// What each trial counts for, valid or not.
    #[must_use]
    pub fn trials(&self, scenario: &ScenarioInput) -> Vec<TrialFigures> {
        let of = |trial: &&TrialInput| TrialFigures {
            trial_id: trial.trial_id.clone(),
            counts: trial.status == TrialStatus::Valid && observation(trial, scenario, scenario.metric()).is_some(),
            bound: trial.limit.and_then(|limit| limit.bound(scenario.metric())),
            cpu_us_per_request: cpu_us_per_request(trial, scenario),
        };
        self.all.iter().map(of).collect()
    }

    /// Valid trials.
    #[must_use]
    pub fn trials_valid(&self) -> u32 {
        u32::try_from(self.valid.len()).unwrap_or(u32::MAX)
    }
}

/// What a trial says about the metric that ranks, in its unit.
fn observation(trial: &TrialInput, scenario: &ScenarioInput, metric: Metric) -> Option<f64> {
    match metric {
        Metric::RequestsPerS => positive(trial.requests_per_s?),
        Metric::P99Us => standing(trial, scenario.load, RANKING).us(),
        Metric::FirstByteP50Us => standing(trial, scenario.load, 50.0).us(),
        Metric::CpuUsPerRequest => cpu_us_per_request(trial, scenario),
    }
}

fn cpu_us_per_request(trial: &TrialInput, scenario: &ScenarioInput) -> Option<f64> {
    if !mostly_finished(trial, scenario) {
        return None;
    }
    positive(positive(trial.server_cpu_us?)? / positive(trial.requests?)?)
}

/// Of the requests that were answered, so many may have been under way at an end at most: their cost falls to the others.
const MAY_BE_UNDER_WAY: f64 = 0.1;

/// Whether the cost of a request is known: with a hundred connections and five large responses within the window, most of
/// the cost belongs to responses that never ended.
fn mostly_finished(trial: &TrialInput, scenario: &ScenarioInput) -> bool {
    match (trial.under_way(scenario), trial.requests) {
        (Some(under_way), Some(requests)) => under_way <= requests * MAY_BE_UNDER_WAY,
        _ => true,
    }
}

/// The mean log of each block; a block with a trial that is not valid or says nothing is left out.
fn logs(trials: &[&TrialInput], observed: impl Fn(&TrialInput) -> Option<f64>) -> BTreeMap<u64, f64> {
    let mut sums: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    let mut dropped = BTreeSet::new();
    for trial in trials {
        match observed(trial).filter(|_| trial.status == TrialStatus::Valid) {
            Some(value) => {
                let sum = sums.entry(trial.block).or_default();
                *sum = (sum.0 + ln(value), sum.1 + 1.0);
            }
            None => {
                dropped.insert(trial.block);
            }
        }
    }
    sums.retain(|block, _| !dropped.contains(block));
    sums.into_iter().map(|(block, (sum, n))| (block, sum / n)).collect()
}

/// Whether the medians are bounds, and what limited most trials. Half of the trials is enough for a bound: the
/// median of an even number then takes in a bound, or stands on the side of one, and is a bound itself. Fewer leave the
/// median what it is, but not a mean: comparisons look at [`Figures::bound_blocks`].
fn limit(valid: &[&TrialInput]) -> (bool, Option<Limit>) {
    let of = |limit| 2 * valid.iter().filter(|t| t.limit == Some(limit)).count();
    if !valid.is_empty() && of(Limit::GeneratorBound) >= valid.len() {
        return (true, Some(Limit::GeneratorBound));
    }
    let most = [Limit::ServerBound, Limit::NothingSaturated]
        .into_iter()
        .find(|l| of(*l) > valid.len());
    (false, most)
}

/// Of a rate at which processor time is compared. A request that left a little late is in no percentile, but it cost what
/// the others cost: here the work has to have been the same, not its moments.
pub(crate) const MAY_GO_UNANSWERED: f64 = 0.01;

fn sustained(valid: &[&TrialInput], load: LoadKind, metric: Metric) -> Sustained {
    if load != LoadKind::Rate {
        return Sustained::NotAsked;
    }
    let may_lose = match metric {
        Metric::CpuUsPerRequest => MAY_GO_UNANSWERED.max(taken(valid)),
        _ => percentile::P99_MAY_LOSE,
    } * (1.0 + 1e-9);
    let share = |trial: &&TrialInput| match metric {
        Metric::CpuUsPerRequest => percentile::unanswered_share(trial),
        _ => percentile::lost_share(trial, load),
    };
    let shares: Vec<Option<f64>> = valid.iter().map(share).collect();
    let lost = shares.iter().flatten().filter(|share| **share > may_lose).count();
    if lost > 0 && (metric != Metric::CpuUsPerRequest || together(valid) > may_lose) {
        Sustained::No {
            trials: u32::try_from(lost).unwrap_or(u32::MAX),
        }
    } else if shares.is_empty() || shares.contains(&None) {
        Sustained::Unknown
    } else {
        Sustained::Yes
    }
}

/// What the host took of the processors, on average. While somebody else has them nobody answers, so as much may go
/// unanswered: measured beside bursts that took 4 to 44 %, 0 to 23 % did, and never more than 0.6 of what was taken.
fn taken(valid: &[&TrialInput]) -> f64 {
    let known: Vec<f64> = valid.iter().filter_map(|trial| positive(trial.taken_ratio?)).collect();
    (known.iter().sum::<f64>() / valid.len().max(1) as f64).min(1.0)
}

/// Unanswered of all that was offered in these trials. One pause of the host leaves a few hundred requests of a trial
/// unanswered and says nothing about the server; one that cannot sustain the rate fails to in the sum as well.
fn together(valid: &[&TrialInput]) -> f64 {
    let (unanswered, offered) = valid
        .iter()
        .filter_map(|trial| {
            let offered = trial.offered.as_ref()?.requests;
            Some((percentile::unanswered_share(trial)? * offered, offered))
        })
        .fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
    if offered > 0.0 { unanswered / offered } else { 0.0 }
}

#[cfg(test)]
mod tests;
