use crate::input::FailedVerification;
use crate::testing::{bind, closed, lose, noisy, only, other, rated, third};

/// Of each entry, as they are shown.
fn expect(input: &crate::SummaryInput, wanted: &[(&str, Option<(u32, u32)>)]) {
    let found = only(input).entries;
    let found: Vec<(&str, Option<(u32, u32)>)> = found
        .iter()
        .map(|e| (e.entry_key.as_str(), e.rank.zip(e.rank_to)))
        .collect();
    assert_eq!(found, wanted);
}

#[test]
fn a_shown_difference_ranks() {
    let of = |level| closed(&[("nginx", &noisy(100.0, 7)), ("epoll", &other(level, 7))]);
    expect(&of(120.0), &[("epoll", Some((1, 1))), ("nginx", Some((2, 2)))]);
    expect(&of(80.0), &[("nginx", Some((1, 1))), ("epoll", Some((2, 2)))]);
}

#[test]
fn without_a_shown_difference_nobody_has_a_rank_and_the_order_is_the_declared_one() {
    let mut input = closed(&[
        ("a", &noisy(100.0, 7)),
        ("b", &other(100.2, 7)),
        ("c", &third(100.4, 7)),
    ]);
    expect(&input, &[("a", None), ("b", None), ("c", None)]);
    input.baseline_key = Some("b".to_owned());
    expect(&input, &[("b", None), ("a", None), ("c", None)]);
    // Twice the rate, and too few blocks for a verdict.
    let few = closed(&[("a", &noisy(100.0, 3)), ("b", &other(200.0, 3))]);
    expect(&few, &[("a", None), ("b", None)]);
}

#[test]
fn entries_without_a_difference_between_them_share_a_rank() {
    let input = closed(&[
        ("a", &noisy(100.0, 7)),
        ("b", &other(150.0, 7)),
        ("c", &third(149.0, 7)),
    ]);
    expect(&input, &[("b", Some((1, 2))), ("c", Some((1, 2))), ("a", Some((3, 3)))]);
    let chain = closed(&[
        ("a", &noisy(100.0, 7)),
        ("b", &other(102.0, 7)),
        ("c", &third(104.0, 7)),
    ]);
    // c is shown faster than a, and b differs from neither.
    expect(&chain, &[("c", Some((1, 2))), ("a", Some((2, 3))), ("b", None)]);
}

#[test]
fn who_has_too_few_blocks_has_no_rank() {
    let mut input = closed(&[
        ("a", &noisy(100.0, 7)),
        ("b", &other(150.0, 7)),
        ("c", &third(500.0, 7)),
    ]);
    input.trials.retain(|t| t.entry_key != "c" || t.block < 4);
    expect(&input, &[("b", Some((1, 2))), ("a", Some((2, 3))), ("c", None)]);
}

#[test]
fn what_follows_from_two_verdicts_holds() {
    // b and c have three blocks in common; a is between them by verdicts.
    let mut input = closed(&[
        ("a", &noisy(100.0, 7)),
        ("b", &other(150.0, 10)),
        ("c", &third(50.0, 10)),
    ]);
    input.trials.retain(|t| t.entry_key != "b" || t.block < 6);
    input.trials.retain(|t| t.entry_key != "c" || t.block > 2);
    expect(&input, &[("b", Some((1, 1))), ("a", Some((2, 2))), ("c", Some((3, 3)))]);
}

#[test]
fn who_did_not_sustain_the_rate_is_last_where_a_verdict_ranks_the_others() {
    let mut input = rated(&[("a", &noisy(300.0, 7)), ("b", &other(100.0, 7)), ("c", &third(50.0, 7))]);
    lose(&mut input, "c", 2);
    expect(&input, &[("b", Some((1, 1))), ("a", Some((2, 2))), ("c", Some((3, 3)))]);
    lose(&mut input, "b", 2);
    expect(&input, &[("a", None), ("b", None), ("c", None)]);
}

#[test]
fn a_baseline_out_of_the_race_supports_no_rank() {
    let mut input = closed(&[("a", &noisy(100.0, 7)), ("b", &other(150.0, 7)), ("c", &third(50.0, 7))]);
    input.failed_verification.push(FailedVerification {
        scenario: None,
        entry_key: "a".to_owned(),
        reason: "half a file".to_owned(),
    });
    expect(&input, &[("b", None), ("c", None), ("a", None)]);
}

#[test]
fn two_bounds_have_no_rank() {
    let mut input = closed(&[("a", &noisy(100.0, 7)), ("b", &other(150.0, 7))]);
    bind(&mut input, "a");
    bind(&mut input, "b");
    expect(&input, &[("a", None), ("b", None)]);
}
