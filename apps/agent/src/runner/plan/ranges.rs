//! What a run may be at least and at most.

/// As RUN_RANGES of packages/protocol/src/run-spec.ts.
pub const ENTRIES: (usize, usize) = (1, 16);
pub const SCENARIOS: (usize, usize) = (1, 32);
pub const REPEATS: (u32, u32) = (1, 100);
pub const DURATION_S: (f64, f64) = (0.2, 3600.0);
pub const WARMUP_S: (f64, f64) = (0.0, 600.0);
pub const SLICE_S: (f64, f64) = (0.2, 1.0);
pub const TIME_LIMIT_S: (f64, f64) = (1.0, 86_400.0);
pub const PRECISION: (f64, f64) = (0.001, 0.5);
/// MAX_TRIALS there: entries × scenarios × blocks.
pub const MAX_TRIALS: usize = 1000;
/// Seeds survive JSON.
pub const SEED_MAX: u64 = (1 << 53) - 1;
