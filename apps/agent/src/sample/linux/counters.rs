//! Counters of a process tree that go by name: from here to a trial's `resources.counters`, and from there to the pages.
//!
//! The next one: a line in [`COUNTERS`], and its entry in `packages/metrics/src/catalogue/counters.ts`.

use crate::sample::Named;

/// From a thread's `/proc/<pid>/task/<tid>/status`; `None` where the kernel does not say it.
type Read = fn(&str) -> Option<u64>;

/// Each under the name that it has in `packages/metrics`.
pub const COUNTERS: [(&str, Read); 2] = [
    ("server_context_switches", context_switches),
    ("server_involuntary_context_switches", involuntary_context_switches),
];

/// Cumulative, one for each of [`COUNTERS`]; `None` where it is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterValues([Option<u64>; COUNTERS.len()]);

impl CounterValues {
    pub const ZERO: Self = Self([Some(0); COUNTERS.len()]);
    pub const UNKNOWN: Self = Self([None; COUNTERS.len()]);

    pub fn read(status: &str) -> Self {
        Self(COUNTERS.map(|(_, read)| read(status)))
    }

    pub fn plus(self, more: Self) -> Self {
        Self(std::array::from_fn(|at| Some(self.0[at]? + more.0[at]?)))
    }

    /// Never less than what was seen before.
    pub fn since(self, before: Self) -> Self {
        Self(std::array::from_fn(|at| {
            Some(self.0[at]?.max(before.0[at].unwrap_or(0)))
        }))
    }

    pub fn context_switches(self) -> Option<u64> {
        self.0[0]
    }

    pub fn named(self) -> Named {
        let names = COUNTERS.map(|(name, _)| name);
        names
            .into_iter()
            .zip(self.0)
            .filter_map(|(name, n)| Some((name, n?)))
            .collect()
    }
}

/// The number behind a word that begins a line. These lines stand near the end of the file.
fn line(status: &str, word: &str) -> Option<u64> {
    let found = status.lines().rev().find_map(|line| line.strip_prefix(word));
    found?.trim().parse().ok()
}

/// Voluntary and involuntary together.
fn context_switches(status: &str) -> Option<u64> {
    line(status, "voluntary_ctxt_switches:")?.checked_add(line(status, "nonvoluntary_ctxt_switches:")?)
}

fn involuntary_context_switches(status: &str) -> Option<u64> {
    line(status, "nonvoluntary_ctxt_switches:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_switches_count() {
        let status = "Name:\tx\nvoluntary_ctxt_switches:\t7\nnonvoluntary_ctxt_switches:\t5\nx86_Thread_features:\t\n";
        assert_eq!(context_switches(status), Some(12));
        assert_eq!(involuntary_context_switches(status), Some(5));
        // What is not said is not 0.
        assert_eq!(context_switches(""), None);
        assert_eq!(context_switches("voluntary_ctxt_switches:\t7\n"), None);
        assert_eq!(
            context_switches("voluntary_ctxt_switches:\t7\nnonvoluntary_ctxt_switches:\tmany\n"),
            None
        );
    }

    #[test]
    fn what_is_unknown_of_one_is_unknown_of_all_and_not_named() {
        assert_eq!(CounterValues::ZERO.plus(CounterValues::UNKNOWN), CounterValues::UNKNOWN);
        assert!(CounterValues::UNKNOWN.named().is_empty());
        assert_eq!(CounterValues::ZERO.named().len(), COUNTERS.len());
        assert_eq!(CounterValues::ZERO.since(CounterValues::UNKNOWN), CounterValues::ZERO);
    }
}
