use crate::input::{FailedVerification, TrialStatus};
use crate::summary::Verdict;
use crate::testing::{about, bind, bind_in, closed, costed, lose, noisy, other, rated};

#[test]
fn faster_slower_and_no_difference() {
    let verdict = |level| {
        about(
            &closed(&[("nginx", &noisy(100.0, 7)), ("epoll", &other(level, 7))]),
            "epoll",
        )
        .verdict
    };
    assert_eq!(verdict(120.0), Some(Verdict::Faster));
    assert_eq!(verdict(80.0), Some(Verdict::Slower));
    assert_eq!(verdict(100.5), Some(Verdict::NoDifference));
}

#[test]
fn less_latency_is_faster() {
    let verdict = |level| {
        about(
            &rated(&[("nginx", &noisy(100.0, 7)), ("epoll", &other(level, 7))]),
            "epoll",
        )
        .verdict
    };
    assert_eq!(verdict(120.0), Some(Verdict::Slower));
    assert_eq!(verdict(80.0), Some(Verdict::Faster));
    assert_eq!(verdict(100.5), Some(Verdict::NoDifference));
}

#[test]
fn five_blocks_in_common_are_needed() {
    let four = about(&closed(&[("a", &noisy(100.0, 4)), ("b", &other(120.0, 4))]), "b");
    assert_eq!(four.verdict, None);
    assert!(four.ratio.is_some());
    let one = about(&closed(&[("a", &[100.0]), ("b", &[120.0])]), "b");
    assert_eq!((one.verdict, one.ratio), (None, None));
    let mut input = closed(&[("a", &noisy(100.0, 5)), ("b", &other(120.0, 5))]);
    assert_eq!(about(&input, "b").verdict, Some(Verdict::Faster));
    input.trials[2].status = TrialStatus::Invalid;
    let dropped = about(&input, "b");
    assert_eq!(
        (dropped.verdict, dropped.trials_valid, about(&input, "a").trials_invalid),
        (None, 5, 1)
    );
}

#[test]
fn a_retry_does_not_mend_an_invalid_block() {
    let mut input = closed(&[("a", &noisy(100.0, 5)), ("b", &other(120.0, 5))]);
    let mut spoilt = input.trials[0].clone();
    spoilt.trial_id = "spoilt".to_owned();
    spoilt.status = TrialStatus::Failed;
    input.trials.push(spoilt);
    assert_eq!(about(&input, "b").verdict, None);
}

#[test]
fn two_bounds_say_nothing_and_one_may_still_beat_a_rate() {
    let mut input = closed(&[("a", &noisy(100.0, 7)), ("b", &other(120.0, 7))]);
    bind(&mut input, "b");
    let beats = about(&input, "b");
    assert_eq!((beats.verdict, beats.lower_bound), (Some(Verdict::Faster), true));
    bind(&mut input, "a");
    let both = about(&input, "b");
    assert_eq!((both.verdict, both.ratio), (Some(Verdict::NotComparable), None));

    let mut input = closed(&[("a", &noisy(100.0, 7)), ("b", &other(80.0, 7)), ("c", &other(100.0, 7))]);
    bind(&mut input, "b");
    bind(&mut input, "c");
    assert_eq!(about(&input, "b").verdict, Some(Verdict::NotComparable));
    assert_eq!(about(&input, "c").verdict, Some(Verdict::NotComparable));

    let mut input = closed(&[("a", &noisy(100.0, 7)), ("b", &other(80.0, 7)), ("c", &other(120.0, 7))]);
    bind(&mut input, "a");
    assert_eq!(about(&input, "b").verdict, Some(Verdict::Slower));
    assert_eq!(about(&input, "c").verdict, Some(Verdict::NotComparable));
}

#[test]
fn one_bounded_block_makes_the_ratio_a_bound_and_not_the_median() {
    let with = |level, bound: &[(&str, &[u64])]| {
        let mut input = closed(&[("a", &noisy(100.0, 7)), ("b", &other(level, 7))]);
        for (entry, blocks) in bound {
            bind_in(&mut input, entry, blocks);
        }
        about(&input, "b")
    };
    // Equal, but in one block b could have been better: that is neither equal nor slower.
    let entry = with(100.0, &[("b", &[4])]);
    assert_eq!(
        (entry.verdict, entry.lower_bound),
        (Some(Verdict::NotComparable), false)
    );
    assert_eq!(with(80.0, &[("b", &[4])]).verdict, Some(Verdict::NotComparable));
    assert_eq!(with(120.0, &[("b", &[4])]).verdict, Some(Verdict::Faster));
    assert_eq!(with(120.0, &[("a", &[4])]).verdict, Some(Verdict::NotComparable));
    assert_eq!(with(80.0, &[("a", &[4])]).verdict, Some(Verdict::Slower));
    let both = with(120.0, &[("a", &[1]), ("b", &[2])]);
    assert_eq!((both.verdict, both.ratio), (Some(Verdict::NotComparable), None));
}

#[test]
fn only_bounds_in_blocks_in_common_count() {
    let mut input = closed(&[("a", &noisy(100.0, 7)), ("b", &other(120.0, 8))]);
    bind_in(&mut input, "b", &[8]);
    bind_in(&mut input, "a", &[2]);
    let spoilt = input.trials.iter_mut().find(|t| t.trial_id == "b-2").unwrap();
    spoilt.status = TrialStatus::Invalid;
    assert_eq!(about(&input, "b").verdict, Some(Verdict::Faster));
}

#[test]
fn wrong_answers_are_not_compared() {
    for failed in ["a", "b"] {
        let mut input = closed(&[("a", &noisy(100.0, 7)), ("b", &other(120.0, 7))]);
        let reason = "half a file".to_owned();
        input.failed_verification.push(FailedVerification {
            entry_key: failed.to_owned(),
            scenario: None,
            reason,
        });
        let b = about(&input, "b");
        assert_eq!((b.verdict, b.ratio), (Some(Verdict::NotComparable), None), "{failed}");
        assert_eq!(about(&input, failed).rank, None);
    }
}

#[test]
fn a_rate_that_was_not_sustained_is_not_compared() {
    for loser in ["a", "b"] {
        let mut input = rated(&[("a", &noisy(100.0, 7)), ("b", &other(50.0, 7))]);
        lose(&mut input, loser, 3);
        assert_eq!(about(&input, "b").verdict, Some(Verdict::NotComparable), "{loser}");
    }
}

#[test]
fn no_spread_is_no_certainty() {
    let same = about(&closed(&[("a", &[100.0; 7]), ("b", &[120.0; 7])]), "b");
    assert_eq!((same.verdict, same.ratio), (Some(Verdict::NotComparable), None));
}

#[test]
fn several_comparisons_widen_the_intervals() {
    let (a, b, c) = (noisy(100.0, 7), other(101.5, 7), other(120.0, 7));
    let alone = about(&closed(&[("a", &a), ("b", &b)]), "b").ratio.unwrap();
    let among = about(&closed(&[("a", &a), ("b", &b), ("c", &c)]), "b").ratio.unwrap();
    let clear = about(&closed(&[("a", &a), ("c", &c)]), "c").ratio.unwrap();
    let clear_among = about(&closed(&[("a", &a), ("b", &b), ("c", &c)]), "c").ratio.unwrap();
    assert_eq!(alone, among, "the largest p-value of the family is not adjusted");
    assert!(clear_among.low < clear.low && clear_among.high > clear.high);
}

#[test]
fn the_family_is_the_whole_run() {
    let mut input = closed(&[("a", &noisy(100.0, 7)), ("b", &other(120.0, 7))]);
    let alone = about(&input, "b").ratio.unwrap();
    let mut second = input.scenarios[0].clone();
    second.id = "t".to_owned();
    input.scenarios.push(second);
    for mut trial in input.trials.clone() {
        trial.scenario = "t".to_owned();
        trial.trial_id += "-t";
        input.trials.push(trial);
    }
    let among = about(&input, "b").ratio.unwrap();
    assert!(among.low < alone.low);
}

#[test]
fn processor_time_compares_where_the_generator_is_the_limit() {
    let verdict = |level| {
        about(
            &costed(&[("nginx", &noisy(40.0, 7)), ("epoll", &other(level, 7))]),
            "epoll",
        )
        .verdict
    };
    assert_eq!(verdict(36.0), Some(Verdict::Faster));
    assert_eq!(verdict(44.0), Some(Verdict::Slower));
    assert_eq!(verdict(40.1), Some(Verdict::NoDifference));
    let mut input = costed(&[("nginx", &noisy(40.0, 7)), ("epoll", &other(36.0, 7))]);
    assert_eq!(about(&input, "epoll").rank, Some(1));
    lose(&mut input, "nginx", 3);
    assert_eq!(about(&input, "epoll").verdict, Some(Verdict::NotComparable));
    input.trials.iter_mut().for_each(|t| t.server_cpu_us = Some(f64::NAN));
    assert_eq!(
        about(&input, "epoll").unranked_reason.as_deref(),
        Some("no trial gave the server's CPU time and requests")
    );
}

#[test]
fn a_request_that_left_late_cost_what_the_others_cost() {
    let mut input = costed(&[("nginx", &noisy(40.0, 7)), ("epoll", &other(36.0, 7))]);
    for offered in input.trials.iter_mut().filter_map(|t| t.offered.as_mut()) {
        offered.dropped = 500.0;
    }
    assert_eq!(about(&input, "epoll").verdict, Some(Verdict::Faster));
    // What is not answered is less work.
    input.trials.iter_mut().for_each(|t| t.requests = Some(49_000.0));
    assert_eq!(about(&input, "epoll").verdict, Some(Verdict::NotComparable));
}

#[test]
fn each_look_has_its_share_of_the_error() {
    let with = |looks| {
        let mut input = closed(&[("a", &noisy(100.0, 6)), ("b", &other(104.0, 6))]);
        input.looks = looks;
        about(&input, "b")
    };
    assert_eq!(with(1).ratio, with(0).ratio);
    assert!(with(5).ratio.unwrap().high > with(1).ratio.unwrap().high);
    assert_eq!(
        (with(1).verdict, with(20).verdict),
        (Some(Verdict::Faster), Some(Verdict::NoDifference))
    );
}

#[test]
fn the_effect_needs_a_verdicts_blocks() {
    let effect = |blocks| {
        about(
            &closed(&[("a", &noisy(100.0, blocks)), ("b", &other(120.0, blocks))]),
            "b",
        )
        .effect
    };
    assert_eq!(effect(4), None);
    assert!(effect(5).unwrap() > 3.0);
    let same = about(&closed(&[("a", &[100.0; 6]), ("b", &[150.0; 6])]), "b");
    assert_eq!((same.effect, same.ratio), (None, None));
}
