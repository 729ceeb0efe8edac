//! The `tick` lines: how many requests were completed, about once a second.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_secs(1);

/// What a `tick` line says about once a second, over all loads of a search.
pub struct Ticks {
    zero: Instant,
    completed: AtomicU64,
    over: AtomicBool,
}

impl Ticks {
    pub fn begin() -> Self {
        Self {
            zero: Instant::now(),
            completed: AtomicU64::new(0),
            over: AtomicBool::new(false),
        }
    }

    pub fn completed(&self, more: u64) {
        self.completed.fetch_add(more, Ordering::Relaxed);
    }

    /// The lines, until it is over.
    pub fn tell(&self) {
        let mut next = TICK;
        while !self.over.load(Ordering::Relaxed) {
            std::thread::park_timeout(next.saturating_sub(self.zero.elapsed()));
            if self.zero.elapsed() >= next && !self.over.load(Ordering::Relaxed) {
                next += TICK;
                let requests = self.completed.load(Ordering::Relaxed);
                say(&format!(r#"{{"type":"tick","requests":{requests}}}"#));
            }
        }
    }

    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

pub fn say(line: &str) {
    crate::stdout::line(line);
}
