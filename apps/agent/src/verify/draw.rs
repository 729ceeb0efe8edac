//! Random inputs: no server can have prepared responses for them.

use crate::splitmix::SplitMix64;

pub fn rng() -> SplitMix64 {
    SplitMix64::new(random_u64())
}

pub fn random_name() -> String {
    format!("r{:016x}", random_u64())
}

fn random_u64() -> u64 {
    getrandom::u64().unwrap_or_else(|_| {
        // Without entropy the verification goes on: the name only has to be new.
        let now = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        now.as_nanos() as u64 ^ u64::from(std::process::id())
    })
}

/// Even over `low..=high`.
pub fn between(rng: &mut SplitMix64, low: usize, high: usize) -> usize {
    low + rng.below((high - low + 1) as u64) as usize
}

pub fn one_of<T: Copy>(rng: &mut SplitMix64, items: &[T]) -> T {
    items[rng.below(items.len() as u64) as usize]
}

/// In `low..=high`, from 1 on, with as much between 10 and 100 as between 100 and 1,000: where lengths are drawn evenly, the small
/// ones that loads send are hardly among them.
pub fn log_between(rng: &mut SplitMix64, low: usize, high: usize) -> usize {
    let even = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let drawn = low as f64 * ((high + 1) as f64 / low as f64).powf(even);
    (drawn as usize).clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_power_of_ten_is_drawn_as_often_and_the_bounds_hold() {
        let mut rng = SplitMix64::new(5);
        let mut counts = [0; 6];
        for _ in 0..6000 {
            let drawn = log_between(&mut rng, 1, 999_999);
            counts[drawn.ilog10() as usize] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert!((0..100).all(|_| log_between(&mut rng, 7, 7) == 7));
    }
}
