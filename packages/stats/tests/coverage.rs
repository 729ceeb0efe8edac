//! The chosen interval holds what it promises: `examples/coverage` has the whole simulation, this is the part that is
//! quick. An interval holds 1 exactly when its p-value is 0.05 or more (tests/properties.rs).

#[path = "../examples/coverage/noise.rs"]
mod noise;

use noise::{HELD, Noise, Recorded, SHOWN, SplitMix64};
use rigmark_stats::ratio::LogRatios;

const SETS: usize = 4_000;

/// The share of sets without a verdict of a difference.
fn held(noise: Noise, n: usize, permute: bool, recorded: &Recorded) -> f64 {
    let mut stream = SplitMix64(n as u64);
    let holds = (0..SETS).filter(|_| {
        let mut logs = noise.draw(&mut stream, n, recorded);
        if permute {
            logs.iter_mut()
                .for_each(|log| *log = log.copysign(stream.uniform() - 0.5));
        }
        LogRatios::of(&logs).is_ok_and(|sample| sample.p() >= 0.05)
    });
    holds.count() as f64 / SETS as f64
}

#[test]
fn at_least_93_of_100_intervals_hold_the_true_ratio() {
    let recorded = noise::recorded();
    for noise in HELD {
        for n in [5, 7, 10, 20] {
            let share = held(noise, n, false, &recorded);
            assert!(share >= 0.93, "{} noise, {n} blocks: {share}", noise.name());
        }
    }
}

#[test]
fn at_most_6_of_100_sets_with_permuted_labels_get_a_verdict() {
    let recorded = noise::recorded();
    for noise in HELD.into_iter().chain(SHOWN) {
        for n in [5, 7, 10, 20] {
            let share = 1.0 - held(noise, n, true, &recorded);
            assert!(share <= 0.06, "{} noise, {n} blocks: {share}", noise.name());
        }
    }
}
