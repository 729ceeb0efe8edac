//! How long a forge is waited for.

use std::time::Duration;

/// How long to wait, and how often to ask.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    pub timeout: Duration,
    pub attempts: u32,
    /// Before the second attempt; doubled for each one after it.
    pub backoff: Duration,
    /// A forge that asks for more is asked no more.
    pub longest_wait: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(20),
            attempts: 4,
            backoff: Duration::from_secs(1),
            longest_wait: Duration::from_secs(60),
        }
    }
}

/// Seconds between attempts, where the forge names none: 1, 2, 4…
pub fn backoff(attempt: u32, first: Duration) -> Duration {
    first.saturating_mul(1 << attempt.min(6))
}
