//! The formulas against SciPy and statsmodels: golden/scipy/vectors.json, made by scripts/scipy-vectors.py.

use rigmark_stats::ratio::{LogRatios, interval};
use rigmark_stats::{detectable, effect, holm, outliers, spread, student};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    quantiles: Vec<Quantile>,
    tails: Vec<Tail>,
    intervals: Vec<Interval>,
    holm: Vec<Holm>,
    spreads: Vec<Spread>,
    above: Vec<Above>,
    differences: Vec<Difference>,
    powers: Vec<Power>,
    effects: Vec<Effect>,
    outliers: Vec<Outliers>,
}

#[derive(Deserialize)]
struct Quantile {
    df: f64,
    alpha: f64,
    t: f64,
}

#[derive(Deserialize)]
struct Tail {
    df: f64,
    t: f64,
    p: f64,
}

#[derive(Deserialize)]
struct Interval {
    logs: Vec<f64>,
    factor: f64,
    p: f64,
    estimate: f64,
    low: f64,
    high: f64,
}

#[derive(Deserialize)]
struct Holm {
    p: Vec<f64>,
    adjusted: Vec<f64>,
}

#[derive(Deserialize)]
struct Spread {
    values: Vec<f64>,
    median: f64,
    cv: f64,
}

#[derive(Deserialize)]
struct Above {
    t: f64,
    df: f64,
    shift: f64,
    p: f64,
}

#[derive(Deserialize)]
struct Difference {
    sd: f64,
    blocks: u32,
    difference: f64,
}

#[derive(Deserialize)]
struct Power {
    sd: f64,
    blocks: u32,
    difference: f64,
    power: f64,
}

#[derive(Deserialize)]
struct Effect {
    logs: Vec<f64>,
    effect: f64,
}

#[derive(Deserialize)]
struct Outliers {
    values: Vec<f64>,
    /// Low severe, low mild, high mild, high severe.
    counts: [u32; 4],
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../golden/scipy/vectors.json")).unwrap()
}

/// Relative, far below the promised 1e-6.
fn close(ours: f64, theirs: f64, within: f64) {
    assert!((ours - theirs).abs() <= within * theirs.abs(), "{ours} is not {theirs}");
}

#[test]
fn quantiles_and_tails_of_student() {
    for v in vectors().quantiles {
        close(student::two_sided_quantile(v.alpha, v.df).unwrap(), v.t, 1e-10);
    }
    for v in vectors().tails {
        close(student::two_sided_p(v.t, v.df).unwrap(), v.p, 1e-10);
    }
}

#[test]
fn intervals_of_the_geometric_mean() {
    for v in vectors().intervals {
        let sample = LogRatios::of(&v.logs).unwrap();
        close(sample.p(), v.p, 1e-9);
        let ratio = interval(&sample, v.factor).unwrap();
        close(ratio.estimate, v.estimate, 1e-12);
        close(ratio.low, v.low, 1e-10);
        close(ratio.high, v.high, 1e-10);
    }
}

#[test]
fn holms_adjustment() {
    for v in vectors().holm {
        for (ours, theirs) in holm::adjust(&v.p).iter().zip(&v.adjusted) {
            close(ours.p, *theirs, 1e-12);
        }
    }
}

#[test]
fn medians_and_variation() {
    for v in vectors().spreads {
        let ours = spread::spread(v.values.iter().copied()).unwrap();
        close(ours.median, v.median, 1e-15);
        close(ours.cv.unwrap(), v.cv, 1e-12);
    }
}

#[test]
fn the_non_central_t_and_the_power() {
    for v in vectors().above {
        let ours = detectable::above(v.t, v.df, v.shift).unwrap();
        assert!(
            (ours - v.p).abs() < 1e-9,
            "{} {} {}: {ours} is not {}",
            v.t,
            v.df,
            v.shift,
            v.p
        );
    }
    for v in vectors().differences {
        close(detectable::difference(v.sd, v.blocks).unwrap(), v.difference, 1e-7);
    }
    for v in vectors().powers {
        close(detectable::power(v.sd, v.blocks, v.difference).unwrap(), v.power, 1e-7);
    }
}

#[test]
fn effects_and_outliers() {
    for v in vectors().effects {
        // Of 200 blocks SciPy's gamma function is infinite: there the usual approximation of the correction is enough.
        let within = if v.logs.len() < 200 { 1e-12 } else { 1e-5 };
        close(
            effect::effect(&LogRatios::of(&v.logs).unwrap()).unwrap(),
            v.effect,
            within,
        );
    }
    for v in vectors().outliers {
        let found = outliers::outliers(v.values).unwrap();
        let counts = [found.low_severe, found.low_mild, found.high_mild, found.high_severe];
        assert_eq!(counts, v.counts);
    }
}
