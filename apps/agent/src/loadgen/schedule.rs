//! When the next request is due: at once (closed loop), until the count is reached (count), or at its scheduled time (rate).
//!
//! At a rate, thread `t` of `T` sends the requests t, t + T, t + 2T… of the whole schedule. Latency is counted from the
//! scheduled time and not from the send: while a server stalls, requests that are due must wait, and that is its delay.

use super::plan::LoadPlan;
use crate::protocol::spec::Load;

/// A request that was sent this much after its scheduled time was late.
pub const LATE_NS: u64 = 1_000_000;

#[derive(Debug, Clone, PartialEq)]
enum ScheduleKind {
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
pub struct Schedule {
    kind: ScheduleKind,
    begin_ns: u64,
    end_ns: u64,
    pub late: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextRequest {
    /// Send; latency counts from this moment.
    Now(u64),
    At(u64),
    Never,
}

impl Schedule {
    pub fn new(plan: &LoadPlan, thread: usize, begin_ns: u64) -> Self {
        let kind = match plan.job.scenario.load {
            // A search's steps have rates of their own (`knee`).
            Load::Closed { .. } | Load::Knee { .. } => ScheduleKind::Closed,
            Load::Count { requests, .. } => ScheduleKind::Count {
                left: plan.count_of(thread, requests),
            },
            Load::Rate { rate_per_s, .. } => ScheduleKind::Rate {
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
    pub fn take(&mut self, now_ns: u64) -> NextRequest {
        match &mut self.kind {
            ScheduleKind::Closed if now_ns >= self.end_ns => NextRequest::Never,
            ScheduleKind::Closed => NextRequest::Now(now_ns),
            ScheduleKind::Count { left: 0 } => NextRequest::Never,
            ScheduleKind::Count { left } => {
                *left -= 1;
                NextRequest::Now(now_ns)
            }
            ScheduleKind::Rate {
                interval_ns,
                next,
                step,
                moments,
            } => {
                // What could not be sent before the end was dropped.
                if *next >= *moments || now_ns >= self.end_ns {
                    return NextRequest::Never;
                }
                let due = self.begin_ns + (*next as f64 * *interval_ns) as u64;
                if due > now_ns {
                    return NextRequest::At(due);
                }
                *next += *step;
                self.late += u64::from(now_ns - due > LATE_NS);
                NextRequest::Now(due)
            }
        }
    }

    /// The load is over; responses to requests under way may still arrive.
    pub fn is_over(&self, now_ns: u64) -> bool {
        match self.kind {
            ScheduleKind::Closed => now_ns >= self.end_ns,
            ScheduleKind::Count { left } => left == 0,
            ScheduleKind::Rate { next, moments, .. } => next >= moments || now_ns >= self.end_ns,
        }
    }

    /// Closed loop: a response after the end is waited for and not counted.
    pub fn counts(&self, now_ns: u64) -> bool {
        self.kind != ScheduleKind::Closed || now_ns <= self.end_ns
    }

    pub fn is_count(&self) -> bool {
        matches!(self.kind, ScheduleKind::Count { .. })
    }

    pub fn end_ns(&self) -> u64 {
        self.end_ns
    }

    /// How many were meant to be sent, and how many never were.
    pub fn offered(&self) -> Option<(u64, u64)> {
        let ScheduleKind::Rate {
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

    fn rate(moments: u64, step: u64, next: u64) -> Schedule {
        Schedule {
            kind: ScheduleKind::Rate {
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
        let mut schedule = rate(3000, 1, 0);
        assert_eq!(schedule.take(400), NextRequest::At(500));
        assert_eq!(schedule.take(500), NextRequest::Now(500));
        assert_eq!(schedule.take(600), NextRequest::At(1500));
        assert_eq!(schedule.take(1_000_000), NextRequest::Now(1500));
        assert_eq!(schedule.late, 0);
        assert_eq!(schedule.take(1_003_000), NextRequest::Now(2500));
        assert_eq!(schedule.late, 1);
        assert_eq!(schedule.take(3_000_500), NextRequest::Never);
        assert_eq!(schedule.offered(), Some((3000, 2997)));
    }

    #[test]
    fn threads_share_the_schedule_out() {
        let all: u64 = (0..3).map(|t| rate(10, 3, t).offered().unwrap().0).sum();
        assert_eq!(all, 10);
        let mut schedule = rate(10, 3, 1);
        let mut taken = 0;
        while let NextRequest::Now(due) = schedule.take(10_000) {
            assert_eq!((due - 500) / 1000 % 3, 1);
            taken += 1;
        }
        assert_eq!((taken, schedule.offered()), (3, Some((3, 0))));
    }
}
