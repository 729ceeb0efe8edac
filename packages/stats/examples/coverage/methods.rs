//! 95 % intervals of the mean (or the middle) of within-block log-ratios. All that are drawn again share one set of draws.

use crate::noise::SplitMix64;
use rigmark_stats::normal;
use rigmark_stats::ratio::{LogRatios, interval};
use rigmark_stats::spread::mean_and_sd;

pub const NAMES: [&str; 5] = [
    "Student t",
    "percentile bootstrap",
    "BCa bootstrap",
    "studentized bootstrap",
    "Hodges–Lehmann",
];

const DRAWS: usize = 999;
/// 2.5 % of 999 draws and one.
const TAIL: f64 = 0.025;

/// Low and high of each method, in the order of [`NAMES`].
pub fn intervals(logs: &[f64], stream: &mut SplitMix64) -> [(f64, f64); 5] {
    let (mean, sd) = mean_and_sd(logs).unwrap();
    let error = sd / (logs.len() as f64).sqrt();
    let (mut means, mut ts) = (Vec::with_capacity(DRAWS), Vec::with_capacity(DRAWS));
    for _ in 0..DRAWS {
        let again: Vec<f64> = logs.iter().map(|_| logs[stream.index(logs.len())]).collect();
        let (other, sd) = mean_and_sd(&again).unwrap();
        means.push(other);
        // All the same value: no t. It counts as the largest, which widens the interval.
        ts.push(if sd > 1e-12 {
            (other - mean) / (sd / (logs.len() as f64).sqrt())
        } else {
            f64::INFINITY.copysign(other - mean)
        });
    }
    means.sort_by(f64::total_cmp);
    ts.sort_by(f64::total_cmp);
    let at = |sorted: &[f64], q: f64| sorted[((q * (DRAWS + 1) as f64).round() as usize).clamp(1, DRAWS) - 1];
    let corrected = bca(logs, mean, &means);
    [
        student(logs),
        (at(&means, TAIL), at(&means, 1.0 - TAIL)),
        (at(&means, corrected.0), at(&means, corrected.1)),
        (mean - at(&ts, 1.0 - TAIL) * error, mean - at(&ts, TAIL) * error),
        hodges_lehmann(logs),
    ]
}

fn student(logs: &[f64]) -> (f64, f64) {
    let found = interval(&LogRatios::of(logs).unwrap(), 1.0).unwrap();
    (found.low.ln(), found.high.ln())
}

/// The places of the bias-corrected and accelerated interval (Efron, JASA 82 (1987) 171–185).
fn bca(logs: &[f64], mean: f64, means: &[f64]) -> (f64, f64) {
    let below = means.iter().filter(|m| **m < mean).count() as f64;
    let bias = z((below / DRAWS as f64).clamp(0.001, 0.999));
    let deviations = logs.iter().map(|log| log - mean);
    let cubes: f64 = deviations.clone().map(|d| d.powi(3)).sum();
    let squares: f64 = deviations.map(|d| d * d).sum();
    let acceleration = cubes / (6.0 * squares.powf(1.5));
    let place = |tail: f64| {
        let shifted = bias + z(tail);
        normal::below(bias + shifted / (1.0 - acceleration * shifted))
    };
    (place(TAIL), place(1.0 - TAIL))
}

/// The normal quantile, by bisection.
fn z(p: f64) -> f64 {
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if normal::below(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// Walsh averages by the exact distribution of Wilcoxon's signed ranks (Hollander & Wolfe, *Nonparametric Statistical
/// Methods*, ch. 3). Five blocks cannot have 95 %: their widest interval has 93.75 %.
fn hodges_lehmann(logs: &[f64]) -> (f64, f64) {
    let n = logs.len();
    let mut averages: Vec<f64> = (0..n)
        .flat_map(|i| (i..n).map(move |j| (logs[i] + logs[j]) / 2.0))
        .collect();
    averages.sort_by(f64::total_cmp);
    let mut ways = vec![0.0; n * (n + 1) / 2 + 1];
    ways[0] = 1.0;
    for rank in 1..=n {
        for sum in (rank..ways.len()).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let (mut chance, mut outside) = (0.0, 0);
    let all = 2_f64.powi(i32::try_from(n).unwrap());
    while chance + ways[outside] / all <= TAIL {
        chance += ways[outside] / all;
        outside += 1;
    }
    let outside = outside.max(1);
    (averages[outside - 1], averages[averages.len() - outside])
}
