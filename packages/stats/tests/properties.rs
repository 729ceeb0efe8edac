//! Whatever goes in: no panic, no number that is none, and parts that agree with each other.

use proptest::prelude::*;
use rigmark_stats::input::{
    EntryInput, FailedVerification, LatencyUntil, Limit, LoadKind, Offered, Percentile, Rounds, ScenarioInput,
    SummaryInput, TrialInput, TrialStatus,
};
use rigmark_stats::summary::{Metric, Verdict};
use rigmark_stats::{holm, math, ratio, student, summarize, wasm};

/// Plausible numbers, and everything that a broken tool could say.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => 1.0..1e6_f64,
        1 => any::<f64>(),
        1 => prop::sample::select(vec![0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 5e-324]),
    ]
}

fn maybe() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![5 => number().prop_map(Some), 1 => Just(None)]
}

fn status() -> impl Strategy<Value = TrialStatus> {
    prop_oneof![
        8 => Just(TrialStatus::Valid),
        1 => Just(TrialStatus::Invalid),
        1 => Just(TrialStatus::Failed),
        1 => Just(TrialStatus::Cancelled)
    ]
}

fn limit() -> impl Strategy<Value = Option<Limit>> {
    prop::sample::select(vec![
        None,
        Some(Limit::ServerBound),
        Some(Limit::ServerBound),
        Some(Limit::GeneratorBound),
        Some(Limit::NothingSaturated),
    ])
}

fn judged_by() -> impl Strategy<Value = Option<Metric>> {
    prop::sample::select(vec![
        None,
        Some(Metric::CpuUsPerRequest),
        Some(Metric::P99Us),
        Some(Metric::RequestsPerS),
    ])
}

prop_compose! {
    fn trial()(
        entry in 0..4_usize,
        scenario in 0..3_usize,
        block in 0..9_u64,
        status in status(),
        limit in limit(),
        (requests, rate, failures) in (maybe(), maybe(), prop_oneof![Just(Some(0.0)), maybe()]),
        (cpu, rss, bytes) in (maybe(), maybe(), maybe()),
        (mean_us, stdev_us, min_us, max_us) in (maybe(), maybe(), maybe(), maybe()),
        (energy_uj, loopback_bytes, windows, window_us) in (maybe(), maybe(), prop::option::of(any::<u32>()), maybe()),
        offered in prop::option::of((number(), number(), prop_oneof![Just(0.0), number()])),
        (code, steal_ratio, taken_ratio, rounds) in (
            prop::sample::select(vec![None, Some("host-disturbed"), Some("errors")]),
            maybe(),
            maybe(),
            prop::option::of((any::<u32>(), any::<u32>())),
        ),
        percentiles in prop::collection::vec((prop::sample::select(vec![50.0, 99.0, 99.9, f64::NAN]), number()), 0..4),
    ) -> TrialInput {
        TrialInput {
            trial_id: String::new(),
            entry_key: format!("e{entry}"),
            scenario: format!("s{scenario}"),
            block,
            status,
            reason: (status != TrialStatus::Valid).then(|| "some <reason>\nor other".to_owned()),
            limit,
            requests,
            requests_per_s: rate,
            failures_total: failures,
            offered: offered.map(|(rate_per_s, requests, dropped)| Offered { rate_per_s, requests, dropped }),
            server_cpu_us: cpu,
            server_rss_peak_bytes: rss,
            bytes_received: bytes,
            percentiles: percentiles.into_iter().map(|(p, us)| Percentile { p, us }).collect(),
            mean_us,
            stdev_us,
            min_us,
            max_us,
            window_us,
            energy_uj,
            loopback_bytes,
            windows,
            reason_code: code.map(str::to_owned),
            steal_ratio,
            taken_ratio,
            rounds: rounds.map(|(measured, left_out)| Rounds { measured, left_out }),
        }
    }
}

prop_compose! {
    fn run()(
        mut trials in prop::collection::vec(trial(), 0..120),
        labels in prop::collection::vec(prop_oneof![Just("nginx".to_owned()), any::<String>()], 4),
        loads in prop::collection::vec(
            (
                prop::sample::select(vec![LoadKind::Closed, LoadKind::Count, LoadKind::Rate, LoadKind::Knee]),
                maybe(),
                judged_by(),
                prop::option::of(Just(LatencyUntil::FirstByte)),
                prop::option::of(any::<u32>()),
            ),
            3,
        ),
        looks in prop_oneof![Just(1_u32), 0..9_u32, Just(u32::MAX)],
        baseline in prop::option::of(0..4_usize),
        failed in prop::option::weighted(0.3, 0..4_usize),
        blocks_asked in prop::option::of(0..12_u32),
    ) -> SummaryInput {
        for (i, trial) in trials.iter_mut().enumerate() {
            trial.trial_id = i.to_string();
        }
        SummaryInput {
            schema: 1,
            baseline_key: baseline.map(|i| format!("e{i}")),
            entries: labels.into_iter().enumerate().map(|(i, label)| EntryInput { key: format!("e{i}"), label }).collect(),
            scenarios: loads
                .into_iter()
                .enumerate()
                .map(|(i, (load, rate_per_s, judged_by, latency_until, connections))| ScenarioInput {
                    id: format!("s{i}"),
                    title: format!("scenario {i}"),
                    tool: "ab".to_owned(),
                    load,
                    rate_per_s,
                    judged_by,
                    latency_until,
                    connections,
                    in_flight: None,
                })
                .collect(),
            looks,
            blocks_asked,
            trials,
            failed_verification: failed
                .map(|i| FailedVerification { scenario: None, entry_key: format!("e{i}"), reason: "half a file".to_owned() })
                .into_iter()
                .collect(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_run_has_a_consistent_summary(input in run()) {
        let summary = summarize(&input).unwrap();
        for scenario in &summary.scenarios {
            for text in [&scenario.sentence, &scenario.sentence_zh] {
                prop_assert!(!text.is_empty() && !text.contains('\n'));
            }
            prop_assert_eq!(scenario.entries.len(), input.entries.len());
            let ranks: Vec<Option<(u32, u32)>> =
                scenario.entries.iter().map(|e| Some((e.rank?, e.rank_to.unwrap()))).collect();
            let placed: Vec<(u32, u32)> = ranks.iter().copied().flatten().collect();
            prop_assert!(placed.is_sorted() && ranks.iter().skip(placed.len()).all(Option::is_none));
            let all = u32::try_from(scenario.entries.iter().filter(|e| e.unranked_reason.is_none()).count()).unwrap();
            prop_assert!(placed.iter().all(|(from, to)| 1 <= *from && from <= to && *to <= all && to - from + 1 < all));
            // Nobody has a rank, and nobody wins, where it is said why there is no verdict.
            let differ = scenario.entries.iter().any(|e| matches!(e.verdict, Some(Verdict::Faster | Verdict::Slower)));
            if let Some(why) = &scenario.no_verdict {
                prop_assert!(placed.is_empty() && scenario.winner_key.is_none() && !differ);
                prop_assert!(!why.sentence.is_empty() && !why.sentence_zh.is_empty() && !why.sentence.contains('\n'));
                prop_assert!(why.difference.is_none_or(|d| d.is_finite() && d > 0.0));
            } else if scenario.metric.ranks() {
                prop_assert!(differ || !placed.is_empty());
            }
            let rank_of = |key: &str| scenario.entries.iter().find(|e| e.entry_key == key).unwrap().rank;
            for entry in &scenario.entries {
                prop_assert_eq!(entry.rank.is_some(), entry.rank_to.is_some());
                if let (Some(own), Some(base)) = (entry.rank, rank_of(input.baseline().unwrap())) {
                    prop_assert!(entry.verdict != Some(Verdict::Faster) || own < base);
                    prop_assert!(entry.verdict != Some(Verdict::Slower) || own > base);
                }
            }
            if !scenario.metric.ranks() {
                prop_assert!(placed.is_empty() && !differ && scenario.winner_key.is_none());
                prop_assert!(scenario.entries.iter().all(|e| e.unranked_code.is_some() && e.ratio.is_none()));
            }
            for entry in &scenario.entries {
                prop_assert_eq!(entry.unranked_code.is_some(), entry.unranked_reason.is_some());
                prop_assert_eq!(entry.trials.len(), (entry.trials_valid + entry.trials_invalid) as usize);
            }
            let blocks = scenario.blocks.as_ref().unwrap();
            prop_assert!(blocks.counted + blocks.disturbed <= blocks.measured);
            prop_assert!(blocks.sentence.is_some() || blocks.counted == blocks.measured);
            let firsts: Vec<&str> = scenario
                .entries
                .iter()
                .filter(|e| (e.rank, e.rank_to) == (Some(1), Some(1)))
                .map(|e| e.entry_key.as_str())
                .collect();
            prop_assert_eq!(scenario.winner_key.is_none(), scenario.no_winner.is_some());
            if let Some(winner) = &scenario.winner_key {
                prop_assert!(firsts == [winner.as_str()]);
                let baseline = input.baseline().unwrap();
                let verdict = |key: &str| scenario.entries.iter().find(|e| e.entry_key == key).unwrap().verdict;
                if winner == baseline {
                    let others: Vec<Option<Verdict>> =
                        scenario.entries.iter().filter(|e| e.entry_key != baseline).map(|e| e.verdict).collect();
                    prop_assert!(others.contains(&Some(Verdict::Slower)));
                    prop_assert!(!others.contains(&Some(Verdict::Faster)) && !others.contains(&Some(Verdict::NoDifference)));
                } else {
                    prop_assert_eq!(verdict(winner), Some(Verdict::Faster));
                }
            }
            for entry in &scenario.entries {
                prop_assert!(entry.rank.is_none() || entry.unranked_reason.is_none());
                for text in [&entry.sentence, &entry.sentence_zh] {
                    prop_assert!(!text.is_empty() && !text.contains('\n'));
                }
                prop_assert!(entry.effect.is_none_or(|g| g.is_finite() && entry.ratio.is_some()));
                prop_assert!(!entry.shared_ceiling || entry.lower_bound);
                let failed = input.failed_verification.iter().any(|f| f.entry_key == entry.entry_key);
                prop_assert!(!failed || entry.rank.is_none() && entry.ratio.is_none());
                if let Some(ratio) = entry.ratio {
                    prop_assert!(0.0 < ratio.low && ratio.low <= ratio.estimate && ratio.estimate <= ratio.high);
                    prop_assert!(ratio.high.is_finite());
                    let (more, less) = (ratio.low > 1.0, ratio.high < 1.0);
                    let (faster, slower) =
                        if scenario.metric.more_is_better() { (more, less) } else { (less, more) };
                    match entry.verdict {
                        Some(Verdict::Faster) => prop_assert!(faster),
                        Some(Verdict::Slower) => prop_assert!(slower),
                        Some(Verdict::NoDifference) => prop_assert!(!faster && !slower),
                        Some(Verdict::NotComparable) | None => {}
                    }
                } else {
                    prop_assert!(matches!(entry.verdict, None | Some(Verdict::NotComparable)));
                }
                let per = entry.efficiency;
                let figures = [
                    entry.requests_per_s,
                    entry.cpu_us_per_request,
                    entry.bytes_per_request,
                    per.requests_per_s_per_core,
                    per.requests_per_s_per_mib,
                    per.energy_uj_per_request,
                    per.wire_bytes_per_request,
                ];
                for spread in figures.iter().flatten() {
                    prop_assert!(0.0 < spread.min && spread.min <= spread.median && spread.median <= spread.max);
                    prop_assert!(spread.max.is_finite() && spread.cv.is_none_or(f64::is_finite));
                }
            }
        }
    }

    #[test]
    fn nothing_depends_on_the_order_of_the_trials(input in run(), seed in any::<u64>()) {
        let mut shuffled = input.clone();
        shuffled.trials.sort_by_key(|t| t.trial_id.parse::<u64>().unwrap().wrapping_mul(seed | 1));
        prop_assert_eq!(summarize(&input).unwrap(), summarize(&shuffled).unwrap());
    }

    #[test]
    fn its_json_reads_back(input in run()) {
        let json = serde_json::to_vec(&input).unwrap();
        let output = wasm::summarize_json(&json);
        let summary: rigmark_stats::Summary = serde_json::from_slice(&output).unwrap();
        prop_assert_eq!(serde_json::to_vec(&summary).unwrap(), output);
    }

    #[test]
    fn the_door_takes_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(serde_json::from_slice::<serde_json::Value>(&wasm::summarize_json(&bytes)).is_ok());
    }

    #[test]
    fn formulas_take_any_number(a in any::<f64>(), b in any::<f64>(), values in prop::collection::vec(any::<f64>(), 0..9)) {
        prop_assert!(student::two_sided_p(a, b).is_none_or(|p| (0.0..=1.0).contains(&p)));
        prop_assert!(student::two_sided_quantile(a, b).is_none_or(|t| t >= 0.0));
        let _ = (math::ln(a), math::exp(a), holm::adjust(&values));
        if let Ok(sample) = ratio::LogRatios::of(&values) {
            prop_assert!((0.0..=1.0).contains(&sample.p()));
            let _ = ratio::interval(&sample, a);
        }
    }

    #[test]
    fn an_adjusted_interval_leaves_out_one_when_the_adjusted_p_says_so(
        sets in prop::collection::vec(prop::collection::vec(-0.05..0.1_f64, 5..9), 1..6),
    ) {
        let samples: Vec<ratio::LogRatios> = sets.iter().filter_map(|logs| ratio::LogRatios::of(logs).ok()).collect();
        let p: Vec<f64> = samples.iter().map(ratio::LogRatios::p).collect();
        for (sample, adjusted) in samples.iter().zip(holm::adjust(&p)) {
            let found = ratio::interval(sample, adjusted.factor).unwrap();
            let differs = found.low > 1.0 || found.high < 1.0;
            prop_assert!(differs == (adjusted.p < 0.05) || (adjusted.p - 0.05).abs() < 1e-9);
        }
    }

    #[test]
    fn swapping_the_pair_inverts_the_ratio(logs in prop::collection::vec(-1.0..1.0_f64, 3..12)) {
        let swapped: Vec<f64> = logs.iter().map(|log| -log).collect();
        if let (Ok(a), Ok(b)) = (ratio::LogRatios::of(&logs), ratio::LogRatios::of(&swapped)) {
            let (a, b) = (ratio::interval(&a, 1.0).unwrap(), ratio::interval(&b, 1.0).unwrap());
            prop_assert!((a.low * b.high - 1.0).abs() < 1e-12 && (a.estimate * b.estimate - 1.0).abs() < 1e-12);
        }
    }
}
