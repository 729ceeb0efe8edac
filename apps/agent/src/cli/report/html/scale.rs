//! Where a value stands on an axis, and which values are written on it.

/// A straight axis with whole steps at its ticks.
pub struct Scale {
    low: f64,
    high: f64,
    pub ticks: Vec<f64>,
}

impl Scale {
    /// Covers all values with some room; `None` without a finite one.
    pub fn around(values: impl Iterator<Item = f64>) -> Option<Self> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|v| v.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            return None;
        }
        let room = ((high - low) * 0.06).max(high.abs() * 1e-3).max(1e-9);
        let (low, high) = (low - room, high + room);
        let step = step((high - low) / 3.0);
        let first = (low / step).ceil() as i64;
        let last = (high / step).floor() as i64;
        let ticks = (first..=last.min(first + 12)).map(|n| n as f64 * step).collect();
        Some(Self { low, high, ticks })
    }

    /// In percent of the axis.
    pub fn at(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low) * 100.0).clamp(0.0, 100.0)
    }
}

/// 1, 2 or 5 times a power of ten, at least so much.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|n| n * power)
        .find(|s| *s >= least * 0.999)
        .unwrap_or(10.0 * power)
}

/// The logarithms of 1, 2 and 5 times powers of ten that lie in a range of positive values; powers of ten alone where that is
/// enough.
pub fn log_ticks(low: f64, high: f64) -> Vec<f64> {
    let wide = high / low > 1_000.0;
    let steps: &[f64] = if wide { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let all = (first..=last).flat_map(|power| steps.iter().map(move |s| s * 10_f64.powi(power)));
    all.filter(|v| (low..=high).contains(v)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_whole_steps_within_the_axis() {
        let scale = Scale::around([9_870.0, 10_200.0].into_iter()).unwrap();
        assert_eq!(scale.ticks, [10_000.0, 10_200.0]);
        assert!(scale.at(9_870.0) > 0.0 && scale.at(10_200.0) < 100.0);
        let around = Scale::around([-0.04, 0.0].into_iter()).unwrap();
        assert_eq!(around.ticks.len(), 3, "{:?}", around.ticks);
        assert!(Scale::around([f64::NAN].into_iter()).is_none());
        assert!(Scale::around([5.0].into_iter()).is_some());
        assert_eq!(log_ticks(0.9, 12.0), [1.0, 2.0, 5.0, 10.0]);
    }
}
