//! Inputs for the tests.

use crate::figures::Figures;
use crate::input::{
    EntryInput, Limit, LoadKind, Offered, Percentile, ScenarioInput, SummaryInput, TrialInput, TrialStatus,
};
use crate::summary::{EntrySummary, Metric, ScenarioSummary};

/// A valid, server-bound trial of the scenario `s`.
pub fn trial(entry: &str, block: u64, rate: f64) -> TrialInput {
    TrialInput {
        trial_id: format!("{entry}-{block}"),
        entry_key: entry.to_owned(),
        scenario: "s".to_owned(),
        block,
        status: TrialStatus::Valid,
        reason: None,
        limit: Some(Limit::ServerBound),
        requests: Some(rate * 10.0),
        requests_per_s: Some(rate),
        failures_total: Some(0.0),
        offered: None,
        server_cpu_us: Some(9e6),
        server_rss_peak_bytes: Some(2e6),
        bytes_received: Some(rate * 1_500.0),
        percentiles: Vec::new(),
        mean_us: None,
        stdev_us: None,
        min_us: None,
        max_us: None,
        window_us: None,
        energy_uj: None,
        loopback_bytes: None,
        windows: None,
        reason_code: None,
        steal_ratio: None,
        taken_ratio: None,
        rounds: None,
    }
}

/// Entries with their rates by block, under one closed-loop scenario of ab.
pub fn closed(entries: &[(&str, &[f64])]) -> SummaryInput {
    SummaryInput {
        schema: 1,
        baseline_key: None,
        entries: entries
            .iter()
            .map(|(k, _)| EntryInput {
                key: (*k).to_owned(),
                label: (*k).to_owned(),
            })
            .collect(),
        scenarios: vec![ScenarioInput {
            id: "s".to_owned(),
            title: "1 KB, ab".to_owned(),
            tool: "ab".to_owned(),
            load: LoadKind::Closed,
            rate_per_s: None,
            judged_by: None,
            latency_until: None,
            connections: None,
            in_flight: None,
        }],
        trials: entries
            .iter()
            .flat_map(|(k, rates)| rates.iter().zip(1..).map(|(rate, block)| trial(k, block, *rate)))
            .collect(),
        failed_verification: Vec::new(),
        looks: 1,
        blocks_asked: None,
    }
}

/// Rates with a little noise around `level`, the same for every level.
pub fn noisy(level: f64, blocks: usize) -> Vec<f64> {
    [1.0, 1.02, 0.99, 1.01, 0.98, 1.015, 0.985]
        .iter()
        .cycle()
        .take(blocks)
        .map(|noise| level * noise)
        .collect()
}

/// Rates with other noise, so that a ratio to [`noisy`] has a spread.
pub fn other(level: f64, blocks: usize) -> Vec<f64> {
    [1.01, 0.985, 1.0, 0.99, 1.02, 0.98, 1.005]
        .iter()
        .cycle()
        .take(blocks)
        .map(|noise| level * noise)
        .collect()
}

/// A third noise, so that any two entries have a ratio with a spread.
pub fn third(level: f64, blocks: usize) -> Vec<f64> {
    let noise = [0.99, 1.01, 1.015, 0.98, 1.0, 1.005, 0.985];
    noise.iter().cycle().take(blocks).map(|noise| level * noise).collect()
}

/// Makes all trials of an entry generator-bound.
pub fn bind(input: &mut SummaryInput, entry: &str) {
    input
        .trials
        .iter_mut()
        .filter(|t| t.entry_key == entry)
        .for_each(|t| t.limit = Some(Limit::GeneratorBound));
}

/// Makes the trials of an entry in some blocks generator-bound.
pub fn bind_in(input: &mut SummaryInput, entry: &str, blocks: &[u64]) {
    input
        .trials
        .iter_mut()
        .filter(|t| t.entry_key == entry && blocks.contains(&t.block))
        .for_each(|t| t.limit = Some(Limit::GeneratorBound));
}

/// Entries with their p99 in µs by block, under one scenario of k6 at 5,000 requests a second; nothing is lost.
pub fn rated(entries: &[(&str, &[f64])]) -> SummaryInput {
    let mut input = closed(entries);
    input.scenarios[0].load = LoadKind::Rate;
    input.scenarios[0].tool = "k6".to_owned();
    input.scenarios[0].rate_per_s = Some(5_000.0);
    for trial in &mut input.trials {
        let us = trial.requests_per_s.replace(5_000.0).unwrap();
        trial.percentiles = vec![Percentile { p: 99.0, us }];
        trial.requests = Some(50_000.0);
        trial.offered = Some(Offered {
            rate_per_s: 5_000.0,
            requests: 50_000.0,
            dropped: 0.0,
        });
    }
    input
}

/// Lets an entry lose a tenth of the requests of one block.
pub fn lose(input: &mut SummaryInput, entry: &str, block: u64) {
    let trial = input
        .trials
        .iter_mut()
        .find(|t| t.entry_key == entry && t.block == block)
        .unwrap();
    trial.requests = Some(45_000.0);
    trial.offered = Some(Offered {
        rate_per_s: 5_000.0,
        requests: 50_000.0,
        dropped: 5_000.0,
    });
}

/// The figures of the only scenario, in the order of the entries.
pub fn figures(input: &SummaryInput) -> Vec<Figures<'_>> {
    let entries = input.entries.iter();
    entries
        .map(|e| Figures::of(input, &input.scenarios[0], &e.key, e.label.clone()))
        .collect()
}

/// Spoils the trials of all entries in some blocks, as a host does.
pub fn disturb(input: &mut SummaryInput, blocks: &[u64], steal: f64) {
    for trial in input.trials.iter_mut().filter(|t| blocks.contains(&t.block)) {
        trial.status = TrialStatus::Invalid;
        trial.reason = Some("The host disturbed it.".to_owned());
        trial.reason_code = Some("host-disturbed".to_owned());
        trial.steal_ratio = Some(steal);
    }
}

/// The summary of the only scenario.
pub fn only(input: &SummaryInput) -> ScenarioSummary {
    crate::summarize(input).unwrap().scenarios.remove(0)
}

/// The summary of one entry under the only scenario.
pub fn about(input: &SummaryInput, key: &str) -> EntrySummary {
    only(input).entries.into_iter().find(|e| e.entry_key == key).unwrap()
}

/// Entries with their server's CPU time a request in µs by block, at 5,000 requests a second; the generator is always the
/// limit.
pub fn costed(entries: &[(&str, &[f64])]) -> SummaryInput {
    let mut input = rated(entries);
    input.scenarios[0].judged_by = Some(Metric::CpuUsPerRequest);
    for trial in &mut input.trials {
        let us = trial.percentiles.remove(0).us;
        trial.server_cpu_us = Some(us * 50_000.0);
        trial.limit = Some(Limit::GeneratorBound);
    }
    input
}
