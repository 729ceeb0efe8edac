use super::*;

fn history(figures: &[f64]) -> ChangesInput {
    ChangesInput {
        schema: 1,
        metric: Metric::RequestsPerS,
        relative_to: None,
        points: figures
            .iter()
            .map(|figure| PointInput {
                figure: Some(*figure),
                relative: None,
                environment: None,
            })
            .collect(),
    }
}

/// Log-normal figures with this standard deviation of the logs; from `step` on they are `ratio` times as large.
fn drawn(seed: u64, n: usize, sd: f64, step: usize, ratio: f64) -> Vec<f64> {
    let mut state = seed;
    // SplitMix64, so that neighboring seeds draw what has nothing in common.
    let mut uniform = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ (z >> 31)) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    };
    // Box and Muller.
    let mut normal = move || {
        let (u, v) = (uniform(), uniform());
        (-2.0 * u.ln()).sqrt() * (2.0 * std::f64::consts::PI * v).cos()
    };
    (0..n)
        .map(|place| 1000.0 * (sd * normal()).exp() * if place < step { 1.0 } else { ratio })
        .collect()
}

#[test]
fn a_step_is_found_where_it_is() {
    let figures = drawn(1, 40, 0.01, 25, 0.9);
    let result = changes(&history(&figures));
    assert_eq!(result.changes.len(), 1, "{:?}", result.changes);
    let change = &result.changes[0];
    assert_eq!((change.at, change.verdict), (25, Verdict::Slower));
    assert!((26..=30).contains(&change.found_at), "{}", change.found_at);
    assert!((change.ratio - 0.9).abs() < 0.01, "{}", change.ratio);
    assert_eq!((change.values_before, change.values_after), (25, 15));
    assert!(
        change.sentence.contains("10 %") || change.sentence.contains("9."),
        "{}",
        change.sentence
    );
}

#[test]
fn steps_up_and_down_are_two_changes() {
    let mut figures = drawn(2, 60, 0.01, 20, 1.1);
    for figure in &mut figures[40..] {
        *figure /= 1.1;
    }
    let result = changes(&history(&figures));
    let places: Vec<(usize, Verdict)> = result.changes.iter().map(|c| (c.at, c.verdict)).collect();
    assert_eq!(places, [(20, Verdict::Faster), (40, Verdict::Slower)]);
    assert_eq!(result.changes[0].values_after, 20);
}

#[test]
fn less_latency_is_faster() {
    let mut input = history(&drawn(3, 40, 0.01, 25, 0.8));
    input.metric = Metric::P99Us;
    assert_eq!(changes(&input).changes[0].verdict, Verdict::Faster);
}

#[test]
fn less_processor_time_is_less_spent() {
    let mut input = history(&drawn(3, 40, 0.01, 25, 0.8));
    input.metric = Metric::CpuUsPerRequest;
    let result = changes(&input);
    let change = &result.changes[0];
    let begins = "Spends less: CPU time per request fell by ";
    assert!(change.sentence.starts_with(begins), "{}", change.sentence);
    let begins = "花费更少：每个请求的 CPU 时间下降 ";
    assert!(change.sentence_zh.starts_with(begins), "{}", change.sentence_zh);
}

#[test]
fn of_a_hundred_stable_histories_of_fifty_runs_at_most_five_have_an_alarm() {
    let histories = 2_000;
    let alarms = (0..histories)
        .filter(|seed| !find(&drawn(*seed << 32, 50, 0.02, 50, 1.0)).is_empty())
        .count();
    assert!(alarms * 100 <= histories as usize * 5, "{alarms} of {histories}");
}

#[test]
fn a_step_of_five_percent_is_found_within_five_runs() {
    let histories = 500;
    let found = (0..histories)
        .filter(|seed| {
            let found = find(&drawn(*seed << 32, 30, 0.01, 25, 0.95));
            found.iter().any(|f| f.found_at >= 25 && f.found_at < 30)
        })
        .count();
    assert!(found * 100 >= histories as usize * 90, "{found} of {histories}");
}

#[test]
fn a_single_outlier_is_no_change() {
    let mut figures = drawn(4, 50, 0.01, 50, 1.0);
    figures[30] /= 3.0;
    assert!(changes(&history(&figures)).changes.is_empty());
}

#[test]
fn equal_values_and_short_histories_have_none() {
    assert!(changes(&history(&[5.0; 60])).changes.is_empty());
    assert!(changes(&history(&[])).changes.is_empty());
    assert!(changes(&history(&[1.0, 2.0])).changes.is_empty());
    let short: Vec<f64> = (0..limits::LEAST - 1).map(|i| if i < 6 { 1.0 } else { 2.0 }).collect();
    let result = changes(&history(&short));
    assert!(
        result.changes.is_empty() && result.sentence.contains("14"),
        "{}",
        result.sentence
    );
}

#[test]
fn points_without_a_figure_are_passed_over() {
    let figures = drawn(5, 40, 0.01, 25, 0.9);
    let mut input = history(&figures);
    input.points.insert(
        3,
        PointInput {
            figure: None,
            relative: None,
            environment: None,
        },
    );
    input.points.insert(
        10,
        PointInput {
            figure: Some(f64::NAN),
            relative: None,
            environment: None,
        },
    );
    let result = changes(&input);
    assert_eq!((result.values[3], result.values[10]), (None, None));
    assert_eq!(result.changes[0].at, 27);
}

#[test]
fn a_ratio_hides_what_the_host_did_to_both() {
    let host = drawn(6, 40, 0.01, 20, 0.7);
    let own = drawn(7, 40, 0.01, 40, 1.0);
    let mut input = history(&[]);
    input.relative_to = Some("nginx".to_owned());
    input.points = host
        .iter()
        .zip(&own)
        .map(|(host, own)| PointInput {
            figure: Some(own * host),
            relative: Some(*host),
            environment: None,
        })
        .collect();
    assert!(changes(&input).changes.is_empty());
    input.relative_to = None;
    assert_eq!(changes(&input).changes.len(), 1);
}

#[test]
fn a_change_of_the_environment_at_the_same_run_is_said() {
    let mut input = history(&drawn(8, 40, 0.01, 25, 0.9));
    for (place, point) in input.points.iter_mut().enumerate() {
        point.environment = Some(if place < 25 { "old" } else { "new" }.to_owned());
    }
    let result = changes(&input);
    assert!(result.changes[0].environment_changed);
    assert!(
        result.changes[0].sentence.contains("environment"),
        "{}",
        result.changes[0].sentence
    );
}

#[test]
fn medians_that_are_written_alike_are_left_out() {
    let mut input = history(&drawn(9, 40, 0.0001, 25, 0.998));
    input.relative_to = Some("nginx".to_owned());
    for point in &mut input.points {
        point.relative = Some(444.0);
    }
    let change = changes(&input).changes.remove(0);
    assert!(
        change
            .sentence
            .ends_with("from the median of 25 runs to the median of 15 runs."),
        "{}",
        change.sentence
    );
    assert!(
        change
            .sentence_zh
            .ends_with("，由之前 25 次运行和之后 15 次运行的中位数得出。"),
        "{}",
        change.sentence_zh
    );
}
