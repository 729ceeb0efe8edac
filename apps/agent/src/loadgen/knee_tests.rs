use proptest::prelude::*;

use super::*;

const ASKED: SearchGoal = SearchGoal {
    p99_us: 1000,
    start_per_s: 1000,
    most_per_s: 256_000,
};

/// A server whose p99 stays flat up to `knee` and grows beyond, and which completes at most `ceiling` requests a second.
fn server(step: SearchStep, knee: f64, ceiling: f64) -> StepFigures {
    let rate = f64::from(step.rate_per_s);
    let offered = (rate * step.duration_s).round();
    let lost = (offered * (1.0 - ceiling / rate)).max(0.0);
    StepFigures {
        requests: (offered - lost) as u64,
        offered: offered as u64,
        lost: lost as u64,
        unsent: lost as u64,
        p99_us: Some(if rate <= knee {
            400.0
        } else {
            400.0 + 5000.0 * (rate / knee - 0.8)
        }),
    }
}

/// All of it: the seconds that it took, how it ended, the rate of the last step.
fn searched(goal: SearchGoal, whole_s: f64, mut show: impl FnMut(usize, SearchStep) -> StepFigures) -> (f64, Search) {
    let (mut search, mut took_s) = (Search::new(goal, whole_s), 0.0);
    while let Some(step) = search.step() {
        took_s += step.duration_s + QUIET_S;
        let seen = show(search.steps().len(), step);
        search.saw(&seen);
        assert!(search.steps().len() <= 64);
    }
    (took_s, search)
}

fn last(search: &Search) -> &KneeStep {
    search.steps().last().unwrap()
}

#[test]
fn rates_double_until_one_fails_twice() {
    let (_, search) = searched(ASKED, 0.0, |_, step| server(step, 9_000.0, f64::INFINITY));
    let rates: Vec<u32> = search.steps().iter().map(|s| s.rate_per_s).take(6).collect();
    assert_eq!(rates, [1000, 2000, 4000, 8000, 16_000, 16_000]);
    assert_eq!(search.end(), Some(KneeEnd::Found));
    let confirmed = last(&search);
    assert!(confirmed.held && confirmed.duration_s >= 3.0, "{confirmed:?}");
}

#[test]
fn one_pause_does_not_end_the_search() {
    let (_, search) = searched(ASKED, 0.0, |nth, step| match nth {
        2 => StepFigures {
            p99_us: Some(50_000.0),
            ..server(step, 1e9, f64::INFINITY)
        },
        _ => server(step, 100_000.0, f64::INFINITY),
    });
    assert!(last(&search).rate_per_s > 90_000);
}

#[test]
fn a_start_that_does_not_hold_has_no_rate() {
    let (_, search) = searched(ASKED, 0.0, |_, step| server(step, 900.0, f64::INFINITY));
    assert_eq!((search.end(), search.steps().len()), (Some(KneeEnd::BelowStart), 2));
}

#[test]
fn the_highest_rate_allowed_may_still_hold() {
    let (_, search) = searched(ASKED, 0.0, |_, step| server(step, 1e9, f64::INFINITY));
    assert_eq!(
        (search.end(), last(&search).rate_per_s),
        (Some(KneeEnd::AboveMost), ASKED.most_per_s)
    );
}

#[test]
fn what_does_not_hold_for_longer_is_lowered_and_then_given_up() {
    let once = |mut fails: u32| {
        let (_, search) = searched(ASKED, 0.0, move |_, step| {
            let bad = step.duration_s >= 3.0 && fails > 0;
            fails -= u32::from(bad);
            server(step, if bad { 1.0 } else { 9_000.0 }, f64::INFINITY)
        });
        (search.end().unwrap(), last(&search).rate_per_s)
    };
    let (end, rate) = once(0);
    assert_eq!(end, KneeEnd::Found);
    let (end, lower) = once(1);
    assert_eq!((end, lower), (KneeEnd::Found, (f64::from(rate) / CLOSE) as u32));
    assert_eq!(once(3).0, KneeEnd::Unconfirmed);
}

#[test]
fn a_step_without_numbers_does_not_hold() {
    let none = StepFigures {
        requests: 0,
        offered: 0,
        lost: 0,
        unsent: 0,
        p99_us: None,
    };
    let few = StepFigures {
        requests: 999,
        offered: 999,
        lost: 0,
        unsent: 0,
        p99_us: Some(1.0),
    };
    let nan = StepFigures {
        p99_us: Some(f64::NAN),
        requests: 2000,
        offered: 2000,
        ..none
    };
    assert!([none, few, nan].iter().all(|seen| !seen.holds(1000)));
    let (_, search) = searched(ASKED, 0.0, |_, _| none);
    assert_eq!(search.end(), Some(KneeEnd::BelowStart));
    assert_eq!(search.steps()[0].lost_ratio, None);
}

#[test]
fn only_a_search_is_planned_longer_and_warmed_up_otherwise() {
    let closed = Load::Closed {
        connections: 8,
        keep_alive: true,
    };
    assert_eq!(planned_s(&closed, 1.5), 1.5);
    let knee = Load::Knee {
        p99_us: 1000,
        start_per_s: 1000,
        most_per_s: 256_000,
        connections: 8,
        keep_alive: true,
    };
    assert!(planned_s(&knee, 1.0) > 20.0);
    assert_eq!(planned_s(&knee, 90.0), 90.0);
    // The bundled scenarios state as many seconds as they take.
    assert_eq!(planned_s(&knee, 40.0), 40.0);
}

proptest! {
    #[test]
    fn the_knee_is_found_within_five_per_cent_and_in_time(
        start in 50u32..5000, factor in 1.0f64..300.0, at in 0.0f64..1.1, by_latency: bool, asked_s in 1.0f64..120.0,
    ) {
        let most = ((f64::from(start) * factor) as u32).clamp(start, 1_000_000);
        let goal = SearchGoal { p99_us: 1000, start_per_s: start, most_per_s: most };
        let knee = f64::from(start) * (f64::from(most) / f64::from(start)).powf(at) * 1.02;
        let whole_s = planned_s(
            &Load::Knee { p99_us: 1000, start_per_s: start, most_per_s: most, connections: 1, keep_alive: true },
            asked_s,
        );
        let (took_s, search) = searched(goal, whole_s, |_, step| match by_latency {
            true => server(step, knee, f64::INFINITY),
            false => server(step, f64::INFINITY, knee),
        });
        let found = f64::from(last(&search).rate_per_s);
        prop_assert!(took_s <= whole_s, "{took_s} of {whole_s}");
        match search.end().unwrap() {
            // A thousandth may be lost.
            KneeEnd::Found => prop_assert!(found <= knee * 1.002 && found >= knee / CLOSE - 1.0, "{found} of {knee}"),
            KneeEnd::AboveMost => prop_assert!(last(&search).rate_per_s == most && knee * 1.002 >= f64::from(most)),
            end => prop_assert!(false, "{end:?}"),
        }
    }

    #[test]
    fn whatever_is_seen_it_ends_and_says_a_rate_only_where_it_held(noise in proptest::collection::vec(any::<bool>(), 64)) {
        let (_, search) = searched(ASKED, 0.0, |nth, step| server(step, if noise[nth] { 1e9 } else { 1.0 }, f64::INFINITY));
        let rate = matches!(search.end().unwrap(), KneeEnd::Found | KneeEnd::AboveMost);
        prop_assert_eq!(rate, last(&search).held);
    }
}
