//! What the contract of a workload fixes: the files that are served, the bodies that requests carry with the right response to
//! each, how a response says that its connection ends, and how long a response is waited for. Whoever loads and whoever verifies takes it from here.

pub mod connection;
pub mod files;
pub mod http;
pub mod payload;

/// How long any tool waits for one response: short enough to be seen within the trial, at most ten seconds.
pub fn timeout_s(duration_s: f64) -> u64 {
    (duration_s / 2.0).ceil().clamp(1.0, 10.0) as u64
}
