//! Student's t distribution.
//!
//! P(|T| > t) = I_x(ν/2, ½) with x = ν ÷ (ν + t²): Abramowitz & Stegun, Handbook of Mathematical Functions, 26.7.1
//! with 26.5.27. The regularized incomplete beta function I by its continued fraction, NIST DLMF 8.17.22
//! (<https://dlmf.nist.gov/8.17.E22>), evaluated by the modified Lentz method (Thompson & Barnett, J. Comput. Phys. 64
//! (1986) 490–509), and by its symmetry, DLMF 8.17.4, where the fraction is slow.

use crate::math::{exp, ln, ln_gamma};

/// The chance that |T| is larger than |t| with `df` degrees of freedom; both tails. `None` when `t` is NaN and
/// unless 0 < `df` ≤ 1e6, where the terms still have digits to spare.
#[must_use]
pub fn two_sided_p(t: f64, df: f64) -> Option<f64> {
    if t.is_nan() || !(df > 0.0 && df <= 1e6) {
        return None;
    }
    // Divided by t² where t is large, so that t² may be infinite.
    let square = t * t;
    let (x, rest) = if square > df {
        (df / square / (df / square + 1.0), 1.0 / (df / square + 1.0))
    } else {
        small(square, df)
    };
    let (a, b) = (df / 2.0, 0.5);
    let p = if x < (a + 1.0) / (a + b + 2.0) {
        beta_tail(x, rest, a, b)
    } else {
        1.0 - beta_tail(rest, x, b, a)
    };
    Some(p.clamp(0.0, 1.0))
}

fn small(square: f64, df: f64) -> (f64, f64) {
    (df / (df + square), square / (df + square))
}

/// I_x(a, b), where `rest` is 1 − x without its rounding error; quick for x < (a + 1) ÷ (a + b + 2).
fn beta_tail(x: f64, rest: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let front = exp(ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * ln(x) + b * ln(rest)) / a;
    front / fraction(x, a, b)
}

/// The continued fraction 1 + d₁/(1 + d₂/(1 + …)) of DLMF 8.17.22.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let not_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let (mut value, mut c, mut d) = (1.0, 1.0, 0.0);
    for n in 1..=2_000_u32 {
        let m = f64::from(n / 2);
        let term = if n % 2 == 1 {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        } else {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        };
        d = 1.0 / not_zero(1.0 + term * d);
        c = not_zero(1.0 + term / c);
        value *= c * d;
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// The t for which P(|T| > t) = `alpha` with `df` degrees of freedom: the quantile at 1 − alpha ÷ 2, found by bisection.
/// `None` unless 0 < alpha < 1 and 0 < `df` ≤ 1e6, or when the result is above 1e150.
#[must_use]
pub fn two_sided_quantile(alpha: f64, df: f64) -> Option<f64> {
    if !(alpha > 0.0 && alpha < 1.0) {
        return None;
    }
    let mut high = 1.0;
    while two_sided_p(high, df)? > alpha {
        high *= 2.0;
        if high > 1e150 {
            return None;
        }
    }
    let mut low = 0.0;
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if two_sided_p(middle, df)? > alpha {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low + (high - low) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_arguments_have_no_answer() {
        assert_eq!(two_sided_p(f64::NAN, 4.0), None);
        for df in [0.0, -1.0, 1e7, f64::NAN, f64::INFINITY] {
            assert_eq!(two_sided_p(1.0, df), None);
            assert_eq!(two_sided_quantile(0.05, df), None);
        }
        for alpha in [0.0, 1.0, -0.1, f64::NAN, f64::INFINITY] {
            assert_eq!(two_sided_quantile(alpha, 4.0), None);
        }
        assert_eq!(two_sided_p(f64::INFINITY, 4.0), Some(0.0));
        assert_eq!(two_sided_p(0.0, 4.0), Some(1.0));
        assert_eq!(two_sided_p(-2.0, 4.0), two_sided_p(2.0, 4.0));
    }
}
