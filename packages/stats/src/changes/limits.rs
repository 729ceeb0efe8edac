//! How large the largest rank difference of a history may be while nothing changed.
//!
//! Drawn by `cargo run --release -p rigmark-stats --example change_limits`, which prints the table below: of 400,000
//! histories without a change, those without an alarm so far have a larger difference at each length with a probability of at
//! most 0.001. Ranks of such histories are the same for every continuous distribution. With equal values, the limits hold
//! more often.

/// Values that are looked at, the newest ones: beyond this, the limits hardly change and a change is found as soon.
pub const WINDOW: usize = 100;

/// With fewer values, even the clearest change is likelier than 0.001 by chance.
pub const LEAST: u32 = 14;

/// The limit for a history of this many values; `None` where there can be no alarm.
pub fn limit(values: usize) -> Option<f64> {
    let place = values.checked_sub(LEAST as usize)?;
    Some(*LIMITS.get(place).unwrap_or(&LIMITS[LIMITS.len() - 1]))
}

/// From `LEAST` values on.
const LIMITS: [f64; 87] = [
    3.0984, 3.1820, 3.1506, 3.1754, 3.2036, 3.2203, 3.2289, 3.2392, 3.2514, 3.2740, 3.2708, 3.2836, 3.2863, 3.2998,
    3.3034, 3.3127, 3.3111, 3.3255, 3.3314, 3.3225, 3.3292, 3.3335, 3.3428, 3.3416, 3.3428, 3.3472, 3.3474, 3.3556,
    3.3614, 3.3575, 3.3607, 3.3594, 3.3567, 3.3669, 3.3610, 3.3566, 3.3665, 3.3689, 3.3852, 3.3691, 3.3758, 3.3669,
    3.3761, 3.3748, 3.3679, 3.3731, 3.3653, 3.3682, 3.3806, 3.3820, 3.3837, 3.3914, 3.3809, 3.3851, 3.3804, 3.3847,
    3.3891, 3.3947, 3.3886, 3.3908, 3.3959, 3.3962, 3.3843, 3.3840, 3.3915, 3.3961, 3.3898, 3.3966, 3.3912, 3.3876,
    3.3888, 3.3892, 3.3970, 3.3921, 3.3955, 3.3928, 3.3966, 3.3908, 3.4019, 3.3985, 3.3993, 3.4002, 3.4068, 3.4069,
    3.4122, 3.4070, 3.4074,
];
