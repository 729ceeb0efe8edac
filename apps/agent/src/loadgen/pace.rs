//! When the next request is due: at once (closed loop), so many times (count), or at its moment (rate).
//!
//! At a rate, thread `t` of `T` has the moments t, t + T, t + 2T… of the whole schedule, and latency is counted from
//! the moment, not from the sending: a server that stalls makes those wait who would have come meanwhile.

use super::plan::Plan;
use crate::protocol::spec::Load;

/// A request that left this much after its moment was late.
pub const LATE_NS: u64 = 1_000_000;

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Closed,
    Count {
        left: u64,
    },
    Rate {
        interval_ns: f64,
        next: u64,
        step: u64,
        moments: u64,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Pace {
    kind: Kind,
    begin_ns: u64,
    end_ns: u64,
    pub late: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Send; latency counts from this moment.
    Now(u64),
    At(u64),
    Never,
}

impl Pace {
    pub fn new(plan: &Plan, thread: usize, begin_ns: u64) -> Self {
        let kind = match plan.job.scenario.load {
            // A search's steps have rates of their own (`knee`).
            Load::Closed { .. } | Load::Knee { .. } => Kind::Closed,
            Load::Count { requests, .. } => Kind::Count {
                left: plan.count_of(thread, requests),
            },
            Load::Rate { rate_per_s, .. } => Kind::Rate {
                interval_ns: 1e9 / f64::from(rate_per_s),
                next: thread as u64,
                step: plan.threads as u64,
                moments: (f64::from(rate_per_s) * plan.job.duration_s).round() as u64,
            },
        };
        Self {
            kind,
            begin_ns,
            end_ns: begin_ns + plan.duration_ns,
            late: 0,
        }
    }

    /// Takes the next request, if its time has come.
    pub fn take(&mut self, now_ns: u64) -> Next {
        match &mut self.kind {
            Kind::Closed if now_ns >= self.end_ns => Next::Never,
            Kind::Closed => Next::Now(now_ns),
            Kind::Count { left: 0 } => Next::Never,
            Kind::Count { left } => {
                *left -= 1;
                Next::Now(now_ns)
            }
            Kind::Rate {
                interval_ns,
                next,
                step,
                moments,
            } => {
                // What could not be sent before the end was dropped.
                if *next >= *moments || now_ns >= self.end_ns {
                    return Next::Never;
                }
                let due = self.begin_ns + (*next as f64 * *interval_ns) as u64;
                if due > now_ns {
                    return Next::At(due);
                }
                *next += *step;
                self.late += u64::from(now_ns - due > LATE_NS);
                Next::Now(due)
            }
        }
    }

    /// The load is over: what was under way may still be answered.
    pub fn is_over(&self, now_ns: u64) -> bool {
        match self.kind {
            Kind::Closed => now_ns >= self.end_ns,
            Kind::Count { left } => left == 0,
            Kind::Rate { next, moments, .. } => next >= moments || now_ns >= self.end_ns,
        }
    }

    /// Closed loop: an answer after the end is waited for and not counted.
    pub fn counts(&self, now_ns: u64) -> bool {
        self.kind != Kind::Closed || now_ns <= self.end_ns
    }

    pub fn is_count(&self) -> bool {
        matches!(self.kind, Kind::Count { .. })
    }

    pub fn end_ns(&self) -> u64 {
        self.end_ns
    }

    /// How many were meant to be sent, and how many never were.
    pub fn offered(&self) -> Option<(u64, u64)> {
        let Kind::Rate {
            next, step, moments, ..
        } = self.kind
        else {
            return None;
        };
        let all = |from: u64| moments.saturating_sub(from).div_ceil(step);
        let first = next % step;
        Some((all(first), all(next)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(moments: u64, step: u64, next: u64) -> Pace {
        Pace {
            kind: Kind::Rate {
                interval_ns: 1000.0,
                next,
                step,
                moments,
            },
            begin_ns: 500,
            end_ns: 500 + moments * 1000,
            late: 0,
        }
    }

    #[test]
    fn latency_counts_from_the_moment_and_late_ones_are_counted() {
        let mut pace = rate(3000, 1, 0);
        assert_eq!(pace.take(400), Next::At(500));
        assert_eq!(pace.take(500), Next::Now(500));
        assert_eq!(pace.take(600), Next::At(1500));
        assert_eq!(pace.take(1_000_000), Next::Now(1500));
        assert_eq!(pace.late, 0);
        assert_eq!(pace.take(1_003_000), Next::Now(2500));
        assert_eq!(pace.late, 1);
        assert_eq!(pace.take(3_000_500), Next::Never);
        assert_eq!(pace.offered(), Some((3000, 2997)));
    }

    #[test]
    fn threads_share_the_schedule_out() {
        let all: u64 = (0..3).map(|t| rate(10, 3, t).offered().unwrap().0).sum();
        assert_eq!(all, 10);
        let mut pace = rate(10, 3, 1);
        let mut taken = 0;
        while let Next::Now(due) = pace.take(10_000) {
            assert_eq!((due - 500) / 1000 % 3, 1);
            taken += 1;
        }
        assert_eq!((taken, pace.offered()), (3, Some((3, 0))));
    }
}
