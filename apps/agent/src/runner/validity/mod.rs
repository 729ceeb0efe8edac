//! Whether a measured trial counts, and what it shows: docs/method.md, "What makes a trial invalid". Pure. [`judge`] has
//! one trial, [`disturbance`] a block; nothing outside of this folder makes a trial invalid but by [`judgment`].

pub mod bottleneck;
pub mod clock;
pub mod closes;
pub mod consistency;
pub mod cpu_frequency;
pub mod disturbance;
pub mod judge;
pub mod judgment;
pub mod knee;
pub mod socket_counters;
