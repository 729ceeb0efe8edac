//! Draws the limits of `src/changes/limits.rs` and prints them: for each length the smallest difference that at most one in
//! a thousand histories without a change exceeds, of those that raised no alarm before.
//!
//!     cargo run --release -p rigmark-stats --example change_limits

use std::io::Write;

const HISTORIES: usize = 400_000;
const LENGTH: usize = 100;
const FALSE_ALARM: f64 = 0.001;
const SEED: u64 = 20_261_126;

fn main() -> std::io::Result<()> {
    let mut state = SEED;
    let mut out = std::io::stdout().lock();
    // The rank of each value among those so far, which is all that the statistic sees: a newcomer's is uniform.
    let mut histories: Vec<Vec<u8>> = vec![Vec::new(); HISTORIES];
    for n in 1..=LENGTH {
        let mut differences: Vec<f64> = Vec::with_capacity(histories.len());
        for ranks in &mut histories {
            insert(ranks, draw(&mut state, n));
            differences.push(largest_difference(ranks));
        }
        let mut sorted = differences.clone();
        sorted.sort_by(f64::total_cmp);
        let may_exceed = (FALSE_ALARM * sorted.len() as f64) as usize;
        let limit = sorted[sorted.len() - 1 - may_exceed];
        let most = sorted[sorted.len() - 1];
        if limit < most {
            writeln!(out, "{n}: {limit:.4},")?;
            let mut differences = differences.iter();
            histories.retain(|_| differences.next().is_some_and(|d| *d <= limit));
        } else {
            writeln!(out, "{n}: none")?;
        }
    }
    Ok(())
}

fn insert(ranks: &mut Vec<u8>, rank: u8) {
    for other in ranks.iter_mut().filter(|other| **other >= rank) {
        *other += 1;
    }
    ranks.push(rank);
}

fn largest_difference(ranks: &[u8]) -> f64 {
    let n = ranks.len() as f64;
    let (mut sum, mut largest) = (0.0, 0.0_f64);
    for (place, rank) in ranks.iter().enumerate().take(ranks.len() - 1) {
        sum += f64::from(*rank);
        let left = (place + 1) as f64;
        let variance = left * (n - left) * (n + 1.0) / 12.0;
        largest = largest.max((sum - left * (n + 1.0) / 2.0).abs() / variance.sqrt());
    }
    largest
}

/// A rank from 1 to n, by SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, Fast Splittable Pseudorandom Number
/// Generators, 2014).
fn draw(state: &mut u64, n: usize) -> u8 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    let scaled = (u128::from(z) * n as u128) >> 64;
    u8::try_from(scaled + 1).unwrap_or(u8::MAX)
}
