use super::median_order;
use crate::input::{FailedVerification, TrialStatus};
use crate::testing::{about, bind, closed, figures, lose, noisy, only, other, rated};

/// In the order of the medians.
fn ranks(input: &crate::SummaryInput) -> Vec<(String, Option<u32>)> {
    let figures = figures(input);
    let found = median_order(&input.scenarios[0], &figures);
    let of = |i: &usize| (figures[*i].key.to_owned(), found.positions[*i].as_ref().ok().copied());
    found.order.iter().map(of).collect()
}

fn expect(input: &crate::SummaryInput, wanted: &[(&str, Option<u32>)]) {
    let wanted: Vec<(String, Option<u32>)> = wanted.iter().map(|(k, r)| ((*k).to_owned(), *r)).collect();
    assert_eq!(ranks(input), wanted);
}

#[test]
fn closed_loop_ranks_the_median_rate() {
    // The best single trial is c's.
    let input = closed(&[
        ("a", &[1.0, 2.0, 3.0]),
        ("b", &[4.0, 5.0, 6.0]),
        ("c", &[1.5, 2.5, 99.0]),
    ]);
    expect(&input, &[("b", Some(1)), ("c", Some(2)), ("a", Some(3))]);
}

#[test]
fn a_fixed_rate_ranks_p99_and_puts_last_who_could_not_follow() {
    let mut input = rated(&[("a", &noisy(300.0, 5)), ("b", &noisy(100.0, 5)), ("c", &noisy(50.0, 5))]);
    expect(&input, &[("c", Some(1)), ("b", Some(2)), ("a", Some(3))]);
    lose(&mut input, "c", 2);
    expect(&input, &[("b", Some(1)), ("a", Some(2)), ("c", Some(3))]);
    let c = about(&input, "c");
    assert!(
        c.sentence
            .contains("did not sustain 5,000 requests a second in 1 of 5 trials"),
        "{}",
        c.sentence
    );
    assert!(!c.percentiles[3].rankable && c.percentiles[3].us.is_some());
}

#[test]
fn a_rate_that_nobody_sustained_has_shared_ranks() {
    let mut input = rated(&[("a", &noisy(300.0, 5)), ("b", &noisy(100.0, 5))]);
    (1..=2).for_each(|block| lose(&mut input, "a", block));
    lose(&mut input, "b", 1);
    expect(&input, &[("b", Some(1)), ("a", Some(1))]);
    input.trials.retain(|t| t.entry_key == "b");
    expect(&input, &[("b", Some(1)), ("a", None)]);
}

#[test]
fn a_tool_that_fell_short_does_not_count_against_the_server() {
    let mut input = rated(&[("a", &noisy(300.0, 5)), ("b", &noisy(100.0, 5))]);
    lose(&mut input, "b", 1);
    bind(&mut input, "b");
    expect(&input, &[("a", Some(1)), ("b", None)]);
    let reason = about(&input, "b").unranked_reason.unwrap();
    assert_eq!(reason, "k6 was the bottleneck: it did not send 5,000 requests a second");
}

#[test]
fn bounds_side_by_side_share_a_rank() {
    let mut input = closed(&[
        ("a", &[10.0]),
        ("b", &[20.0]),
        ("c", &[30.0]),
        ("d", &[40.0]),
        ("e", &[5.0]),
        ("f", &[4.0]),
    ]);
    for bound in ["d", "c", "a", "f"] {
        bind(&mut input, bound);
    }
    let wanted = [
        ("d", Some(1)),
        ("c", Some(1)),
        ("b", Some(3)),
        ("a", Some(4)),
        ("e", Some(5)),
        ("f", Some(6)),
    ];
    expect(&input, &wanted);
}

#[test]
fn equal_medians_share_a_rank() {
    let mut input = closed(&[("a", &[10.0]), ("b", &[10.0]), ("c", &[9.0])]);
    expect(&input, &[("a", Some(1)), ("b", Some(1)), ("c", Some(3))]);
    bind(&mut input, "b");
    expect(&input, &[("b", Some(1)), ("a", Some(1)), ("c", Some(3))]);
}

#[test]
fn half_of_the_trials_make_a_bound() {
    let mut input = closed(&[("a", &noisy(10.0, 4))]);
    let bound = |input: &mut crate::SummaryInput, n: usize| {
        input
            .trials
            .iter_mut()
            .take(n)
            .for_each(|t| t.limit = Some(crate::input::Limit::GeneratorBound));
        about(input, "a").lower_bound
    };
    assert!(!bound(&mut input, 1));
    assert!(bound(&mut input, 2));
}

#[test]
fn why_an_entry_is_not_ranked() {
    let mut input = closed(&[
        ("a", &noisy(10.0, 5)),
        ("b", &other(10.0, 5)),
        ("c", &[0.0, f64::NAN]),
        ("d", &[]),
    ]);
    input.failed_verification.push(FailedVerification {
        entry_key: "a".into(),
        scenario: None,
        reason: "12 of 1,024 bytes".into(),
    });
    for trial in input.trials.iter_mut().filter(|t| t.entry_key == "b") {
        trial.status = TrialStatus::Invalid;
        trial.reason = Some("steal was 7 %".to_owned());
    }
    expect(&input, &[("a", None), ("b", None), ("c", None), ("d", None)]);
    let reasons: Vec<String> = only(&input)
        .entries
        .into_iter()
        .filter_map(|e| e.unranked_reason)
        .collect();
    assert_eq!(
        reasons,
        [
            "failed verification: 12 of 1,024 bytes",
            "no valid trial: steal was 7 %",
            "no trial gave a rate that can be used",
            "not measured"
        ]
    );
    let mut silent = rated(&[("a", &[1.0])]);
    silent.trials[0].offered = None;
    assert_eq!(
        about(&silent, "a").unranked_reason.unwrap(),
        "k6 did not say how many requests it offered or how many failed"
    );
}
