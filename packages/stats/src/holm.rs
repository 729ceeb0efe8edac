//! Holm's adjustment for several comparisons in one run (S. Holm, Scand. J. Statist. 6 (1979) 65–70): the chance of
//! even one wrong difference among all of them stays at or below that of one comparison.

/// A p-value after the adjustment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adjusted {
    /// Adjusted p-value, at most 1.
    pub p: f64,
    /// What it was multiplied by, between 1 and the number of comparisons. An interval made with the error level
    /// divided by this factor leaves out 1 exactly when the adjusted p-value is below that level, so the interval and
    /// the verdict always agree.
    pub factor: f64,
}

/// Adjusts p-values; the result has the order of the argument. The k-th smallest of m (k from 0) is multiplied by
/// m − k and is at least as large as the one before it. What is no probability counts as 1.
///
/// The family-wise error of the *verdicts* is what this controls. Each interval alone covers with at least the stated
/// confidence; that all of them cover at once is not promised (only Bonferroni's wider ones would).
#[must_use]
pub fn adjust(p_values: &[f64]) -> Vec<Adjusted> {
    let p_values: Vec<f64> = p_values
        .iter()
        .map(|p| if (0.0..=1.0).contains(p) { *p } else { 1.0 })
        .collect();
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut adjusted = vec![Adjusted { p: 1.0, factor: 1.0 }; p_values.len()];
    let mut largest = 0.0_f64;
    for (k, index) in order.iter().enumerate() {
        let own = (p_values.len() - k) as f64;
        let p = p_values[*index];
        let factor = if largest > own * p { largest / p } else { own };
        largest = largest.max(own * p);
        adjusted[*index] = Adjusted {
            p: largest.min(1.0),
            factor,
        };
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_example_and_edges() {
        let p: Vec<f64> = adjust(&[0.01, 0.04, 0.03, 0.005]).iter().map(|a| a.p).collect();
        assert_eq!(p, [0.03, 0.06, 0.06, 0.02]);
        assert_eq!(adjust(&[]), []);
        assert_eq!(adjust(&[0.2]), [Adjusted { p: 0.2, factor: 1.0 }]);
        assert_eq!(adjust(&[f64::NAN, 0.0])[1], Adjusted { p: 0.0, factor: 2.0 });
        assert!(adjust(&[0.0, 0.0, 0.0]).iter().all(|a| a.p == 0.0 && a.factor >= 1.0));
    }
}
