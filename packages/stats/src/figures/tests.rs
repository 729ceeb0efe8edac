use crate::input::{LoadKind, TrialStatus};
use crate::summary::{BoundSide, Efficiency, Metric, NoCpuCode, ToolFigure};
use crate::testing::{about, bind, bind_in, closed, noisy, only, rated};

#[test]
fn what_an_entry_answers_for_what_it_uses() {
    let mut input = closed(&[("nginx", &[1_000.0])]);
    let trial = &mut input.trials[0];
    trial.server_cpu_us = Some(5e6);
    trial.server_rss_peak_bytes = Some(4.0 * 1_048_576.0);
    trial.energy_uj = Some(2e6);
    trial.loopback_bytes = Some(5e6);
    let found = about(&input, "nginx").efficiency;
    let median = |spread: Option<crate::summary::Spread>| spread.unwrap().median;
    assert_eq!(median(found.requests_per_s_per_core), 2_000.0);
    assert_eq!(median(found.requests_per_s_per_mib), 250.0);
    assert_eq!(median(found.energy_uj_per_request), 200.0);
    assert_eq!(median(found.wire_bytes_per_request), 500.0);
}

#[test]
fn cores_are_cpu_time_by_the_window_and_printed_latencies_those_of_valid_trials() {
    let mut input = closed(&[("nginx", &[1_000.0, 1_000.0, 1_000.0])]);
    for (trial, cores) in input.trials.iter_mut().zip([1.0, 1.5, 9.0]) {
        trial.window_us = Some(10e6);
        trial.server_cpu_us = Some(cores * 10e6);
        trial.max_us = Some(cores * 100.0);
    }
    input.trials[0].min_us = Some(0.0);
    input.trials[2].status = TrialStatus::Invalid;
    let found = about(&input, "nginx");
    assert_eq!(found.server_cpu_cores.map(|s| (s.n, s.median)), Some((2, 1.25)));
    assert_eq!(found.tool_latency.max_us, Some(ToolFigure { n: 2, median: 100.0 }));
    assert_eq!(found.tool_latency.min_us, Some(ToolFigure { n: 1, median: 0.0 }));
    assert_eq!(found.tool_latency.mean_us, None);
}

#[test]
fn why_a_request_has_no_cost_is_a_code() {
    let code = |change: &dyn Fn(&mut crate::SummaryInput)| {
        let mut input = closed(&[("nginx", &noisy(1_000.0, 5))]);
        change(&mut input);
        about(&input, "nginx").no_cpu_code
    };
    assert_eq!(code(&|_| {}), None);
    assert_eq!(code(&|input| input.trials.clear()), Some(NoCpuCode::NotMeasured));
    let failed = |input: &mut crate::SummaryInput| input.trials.iter_mut().for_each(|t| t.status = TrialStatus::Failed);
    assert_eq!(code(&failed), Some(NoCpuCode::NoValidTrial));
    let unread = |input: &mut crate::SummaryInput| input.trials.iter_mut().for_each(|t| t.server_cpu_us = None);
    assert_eq!(code(&unread), Some(NoCpuCode::NotRead));
    let few = |input: &mut crate::SummaryInput| input.scenarios[0].connections = Some(9_999);
    assert_eq!(code(&few), Some(NoCpuCode::TooFewRequests));
    let search = |input: &mut crate::SummaryInput| {
        input.scenarios[0].load = LoadKind::Knee;
        unread(input);
    };
    assert_eq!(code(&search), Some(NoCpuCode::Search));
}

#[test]
fn what_is_no_measure_is_null() {
    for bad in [f64::NAN, f64::INFINITY, -5.0, 0.0] {
        let mut input = closed(&[("nginx", &noisy(1_000.0, 6)), ("epoll", &noisy(1_100.0, 6))]);
        for trial in &mut input.trials {
            trial.requests_per_s = Some(bad);
            trial.server_cpu_us = Some(bad);
            trial.server_rss_peak_bytes = Some(bad);
            trial.energy_uj = Some(bad);
            trial.loopback_bytes = Some(bad);
        }
        let found = about(&input, "epoll");
        assert_eq!(found.efficiency, Efficiency::default());
        assert_eq!((found.requests_per_s, found.cpu_us_per_request), (None, None));
        assert_eq!(
            (found.ratio, found.effect, found.outliers, found.rank),
            (None, None, None, None)
        );
        assert_eq!(
            found.unranked_reason.as_deref(),
            Some("no trial gave a rate that can be used")
        );
    }
}

#[test]
fn a_tool_at_its_limit_bounds_rates_and_latencies_at_a_fixed_rate() {
    let limited = |mut input: crate::SummaryInput| {
        bind(&mut input, "nginx");
        let found = about(&input, "nginx");
        (found.lower_bound, found.latency_bound, found.trials[0].bound)
    };
    assert_eq!(
        limited(closed(&[("nginx", &noisy(100.0, 5))])),
        (true, None, Some(BoundSide::AtLeast))
    );
    assert_eq!(
        limited(rated(&[("nginx", &noisy(100.0, 5))])),
        (true, Some(BoundSide::AtMost), Some(BoundSide::AtMost))
    );
    let mut cost = rated(&[("nginx", &noisy(100.0, 5))]);
    cost.scenarios[0].judged_by = Some(Metric::CpuUsPerRequest);
    assert_eq!(limited(cost), (true, Some(BoundSide::AtMost), None));
    // In fewer than half of the trials: the median is none, and those trials are.
    let mut some = rated(&[("nginx", &noisy(100.0, 5))]);
    bind_in(&mut some, "nginx", &[1]);
    let found = about(&some, "nginx");
    assert_eq!((found.lower_bound, found.latency_bound), (false, None));
    assert_eq!(found.trials.iter().filter(|t| t.bound.is_some()).count(), 1);
}

#[test]
fn the_load_decides_unless_processor_time_is_asked_for() {
    let metric = |load, judged_by| {
        let mut input = rated(&[("nginx", &noisy(100.0, 5))]);
        input.scenarios[0].load = load;
        input.scenarios[0].judged_by = judged_by;
        only(&input).metric
    };
    assert_eq!(metric(LoadKind::Closed, Some(Metric::P99Us)), Metric::RequestsPerS);
    assert_eq!(metric(LoadKind::Rate, Some(Metric::RequestsPerS)), Metric::P99Us);
    assert_eq!(metric(LoadKind::Knee, None), Metric::RequestsPerS);
    for load in [LoadKind::Closed, LoadKind::Rate, LoadKind::Knee] {
        assert_eq!(metric(load, Some(Metric::CpuUsPerRequest)), Metric::CpuUsPerRequest);
    }
}

#[test]
fn the_cost_of_a_request_is_unknown_where_most_of_it_is_of_others() {
    let cost = |connections| {
        let mut input = closed(&[("nginx", &[1_000.0])]);
        let trial = &mut input.trials[0];
        trial.requests = Some(1_000.0);
        trial.server_cpu_us = Some(5e6);
        trial.loopback_bytes = Some(5e6);
        input.scenarios[0].connections = connections;
        let found = about(&input, "nginx");
        let known = found.efficiency.wire_bytes_per_request.is_some();
        assert_eq!(found.efficiency.requests_per_s_per_core.is_some(), known);
        assert_eq!(found.bytes_per_request.is_some(), known);
        found.cpu_us_per_request.map(|spread| spread.median)
    };
    assert_eq!(cost(None), Some(5_000.0));
    assert_eq!(cost(Some(100)), Some(5_000.0));
    assert_eq!(cost(Some(101)), None);
}

#[test]
fn one_pause_of_the_host_is_no_rate_that_a_server_cannot_sustain() {
    let beside = |unanswered: &[f64], taken: Option<f64>| {
        let mut input = rated(&[("nginx", &noisy(100.0, 10)), ("epoll", &noisy(100.0, 10))]);
        input.scenarios[0].judged_by = Some(Metric::CpuUsPerRequest);
        for (at, trial) in input.trials.iter_mut().enumerate() {
            trial.server_cpu_us = Some(if at % 2 == 0 { 5e6 } else { 6e6 } + at as f64);
            let offered = trial.offered.as_ref().unwrap().requests;
            trial.failures_total = Some(0.0);
            trial.requests = Some(offered);
            trial.taken_ratio = taken;
        }
        let of_epoll = input.trials.iter_mut().filter(|trial| trial.entry_key == "epoll");
        for (trial, share) in of_epoll.zip(unanswered) {
            trial.requests = trial.requests.map(|requests| requests * (1.0 - share));
        }
        let found = about(&input, "epoll");
        (found.ratio.is_some(), found.verdict)
    };
    let verdict = |unanswered: &[f64]| beside(unanswered, None);
    // 1.5 % in one of ten trials; 2 % in all.
    assert!(verdict(&[0.015]).0);
    assert_eq!(
        verdict(&[0.02; 10]),
        (false, Some(crate::summary::Verdict::NotComparable))
    );
    // As much as the host took of the processors, and no more.
    assert!(beside(&[0.2; 10], Some(0.2)).0);
    assert_eq!(
        beside(&[0.25; 10], Some(0.2)),
        (false, Some(crate::summary::Verdict::NotComparable))
    );
}
