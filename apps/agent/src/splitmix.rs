//! SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the stated generator of plans and of file contents.

#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Even over `0..n`. Draws below 2^64 mod n are thrown away, because they would make small results more likely.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "nothing is below zero");
        let reject = n.wrapping_neg() % n;
        loop {
            let draw = self.next_u64();
            if draw >= reject {
                return draw % n;
            }
        }
    }

    /// Fisher and Yates, from the end: swaps `i` with a draw from `0..=i` for `i` from the last down to 1.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i as u64 + 1) as usize;
            items.swap(i, j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence() {
        let mut rng = SplitMix64::new(1234567);
        let drawn: Vec<u64> = (0..5).map(|_| rng.next_u64()).collect();
        assert_eq!(
            drawn,
            [
                6457827717110365317,
                3203168211198807973,
                9817491932198370423,
                4593380528125082431,
                16408922859458223821
            ]
        );
    }

    #[test]
    fn bounded_draws_stay_in_bounds_and_reach_everything() {
        let mut rng = SplitMix64::new(7);
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[rng.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (800..1200).contains(n)), "{seen:?}");
        assert_eq!(rng.below(1), 0);
    }
}
