//! Random inputs: nobody can have prepared an answer for what is drawn here.

use crate::runner::splitmix::SplitMix64;

pub fn rng() -> SplitMix64 {
    SplitMix64::new(random_u64())
}

pub fn random_name() -> String {
    format!("r{:016x}", random_u64())
}

fn random_u64() -> u64 {
    getrandom::u64().unwrap_or_else(|_| {
        // No entropy is no reason to stop: the name only has to be new.
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
