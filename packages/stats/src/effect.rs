//! How large a difference is against the noise from block to block.
//!
//! Hedges' g of the within-block log-ratios: mean ÷ standard deviation × J, where J takes away the bias that small samples
//! have upwards, J = Γ(ν/2) ÷ (√(ν/2) · Γ((ν − 1)/2)) with ν = n − 1 degrees of freedom (L. V. Hedges, J. Educ. Statist. 6
//! (1981) 107–128, eq. 6e). It has the sign of the log-ratio and no unit: 1 is a difference as large as a block's noise.

use crate::math::{exp, ln, ln_gamma};
use crate::ratio::LogRatios;

/// The effect of a sample; `None` when it is no number.
#[must_use]
pub fn effect(sample: &LogRatios) -> Option<f64> {
    let n = f64::from(sample.n);
    let g = sample.mean / (sample.error * n.sqrt()) * correction(n - 1.0)?;
    g.is_finite().then_some(g)
}

/// J for `degrees` of freedom, at least 2: below that the mean of g does not exist.
fn correction(degrees: f64) -> Option<f64> {
    let half = degrees / 2.0;
    (degrees >= 2.0).then(|| exp(ln_gamma(half) - ln_gamma(half - 0.5) - 0.5 * ln(half)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_samples_are_corrected_and_large_ones_are_not() {
        let four = correction(4.0).unwrap();
        assert!((four - 0.797_884_560_802_865_4).abs() < 1e-13, "{four}");
        assert!((correction(1e5).unwrap() - 1.0).abs() < 1e-5);
        assert_eq!(correction(1.0), None);
    }

    #[test]
    fn the_sign_is_that_of_the_difference() {
        let of = |logs: &[f64]| effect(&LogRatios::of(logs).unwrap()).unwrap();
        let (more, less) = (of(&[0.1, 0.2, 0.1, 0.3, 0.2]), of(&[-0.1, -0.2, -0.1, -0.3, -0.2]));
        assert!(more > 1.0 && (more + less).abs() < 1e-15);
    }
}
