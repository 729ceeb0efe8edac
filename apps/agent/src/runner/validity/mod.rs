//! Whether a measured trial counts, and what it shows: docs/method.md, "What makes a trial invalid". Pure.

pub mod clock;
pub mod closes;
pub mod consistency;
pub mod cpu_frequency;
pub mod disturbance;
pub mod judge;
pub mod judgement;
pub mod knee;
pub mod limit;
pub mod socket_counters;
