//! The normal distribution.

use crate::math::exp;

/// √(2π).
const ROOT_TWO_PI: f64 = 2.506_628_274_631_000_5;

/// P(Z ≤ x): G. Marsaglia, *Evaluating the normal distribution*, J. Statist. Softw. 11 (2004), no. 4: ½ + φ(x) ·
/// (x + x³/3 + x⁵/(3·5) + …). The absolute error is below 1e-14; NaN for NaN.
#[must_use]
pub fn below(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.abs() > 8.5 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut odd) = (x, x, 1.0);
    while sum + term != sum {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    (0.5 + sum * exp(-0.5 * x * x) / ROOT_TWO_PI).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges() {
        assert_eq!(below(0.0), 0.5);
        assert_eq!((below(f64::INFINITY), below(f64::NEG_INFINITY)), (1.0, 0.0));
        assert!(below(f64::NAN).is_nan());
        assert!((below(1.959_963_984_540_054) - 0.975).abs() < 1e-14);
    }
}
