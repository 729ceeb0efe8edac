//! What a run and a scenario may have at least and at most.

use std::ops::RangeInclusive;

/// Of a run, as RUN_RANGES of packages/protocol/src/run-ranges.ts.
pub const ENTRIES: RangeInclusive<usize> = 1..=16;
pub const SCENARIOS: RangeInclusive<usize> = 1..=32;
pub const REPEATS: RangeInclusive<u32> = 1..=100;
pub const DURATION_S: RangeInclusive<f64> = 0.2..=3600.0;
pub const WARMUP_S: RangeInclusive<f64> = 0.0..=600.0;
pub const SLICE_S: RangeInclusive<f64> = 0.2..=1.0;
pub const TIME_LIMIT_S: RangeInclusive<f64> = 1.0..=86_400.0;
pub const PRECISION: RangeInclusive<f64> = 0.001..=0.5;
/// As there: entries × scenarios × blocks.
pub const MAX_TRIALS: usize = 1000;
/// Seeds survive JSON.
pub const SEED_MAX: u64 = (1 << 53) - 1;

/// Of a scenario, as packages/protocol/src/scenario.ts; the times are those of a run.
pub const CONNECTIONS: RangeInclusive<u32> = 1..=10_000;
pub const IN_FLIGHT: RangeInclusive<u32> = 1..=1000;
pub const RATE_PER_S: RangeInclusive<u32> = 1..=1_000_000;
