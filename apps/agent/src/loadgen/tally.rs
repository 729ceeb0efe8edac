//! What was counted, by one thread and then by all.

use hdrhistogram::Histogram;

use super::over_time::OverTime;
use super::plan::LoadPlan;
use super::schedule::Schedule;

/// One hour: beyond it a latency is counted as that.
const MOST_NS: u64 = 3_600_000_000_000;
const DIGITS: u8 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadFault {
    Connect,
    Read,
    Write,
    Timeout,
    Status,
    Length,
    Content,
    Other,
}

pub const FAULTS: usize = 8;

pub struct LoadTally {
    pub requests: u64,
    pub faults: [u64; FAULTS],
    /// All that came in: heads, bodies and frames.
    pub bytes: u64,
    /// By the first digit.
    pub statuses: [u64; 6],
    pub latency: Histogram<u64>,
    pub over_time: OverTime,
    pub min_ns: u64,
    pub max_ns: u64,
    pub sum_ns: f64,
    pub squares: f64,
    /// Every single latency, where a load is small enough to keep them.
    pub samples: Option<Vec<u64>>,
    pub connections: u64,
    pub offered: u64,
    /// Never sent, and sent late.
    pub dropped: u64,
    /// Of these, sent late: they have a latency, counted from the moment that they were due.
    pub late: u64,
    /// From the begin to the end of the load.
    pub begin_ns: u64,
    pub end_ns: u64,
}

impl LoadTally {
    pub fn new(plan: &LoadPlan) -> Self {
        Self {
            requests: 0,
            faults: [0; FAULTS],
            bytes: 0,
            statuses: [0; 6],
            latency: Histogram::new_with_bounds(1, MOST_NS, DIGITS).expect("the bounds are fit"),
            over_time: OverTime::beginning(0),
            min_ns: u64::MAX,
            max_ns: 0,
            sum_ns: 0.0,
            squares: 0.0,
            samples: plan.keeps_samples.then(Vec::new),
            connections: 0,
            offered: 0,
            dropped: 0,
            late: 0,
            begin_ns: u64::MAX,
            end_ns: 0,
        }
    }

    pub fn fault(&mut self, fault: LoadFault) {
        self.faults[fault as usize] += 1;
    }

    /// The load begins, for all threads at once.
    pub fn begin(&mut self, begin_ns: u64) {
        self.over_time = OverTime::beginning(begin_ns);
    }

    /// A whole response, right or wrong, that came at `now_ns`.
    pub fn response(&mut self, now_ns: u64, latency_ns: u64) {
        self.requests += 1;
        let ns = latency_ns.clamp(1, MOST_NS);
        self.latency.saturating_record(ns);
        self.over_time.add(now_ns, ns);
        self.min_ns = self.min_ns.min(ns);
        self.max_ns = self.max_ns.max(ns);
        self.sum_ns += ns as f64;
        self.squares += (ns as f64) * (ns as f64);
        if let Some(samples) = &mut self.samples {
            samples.push(ns);
        }
    }

    pub fn status(&mut self, status: u16) {
        self.statuses[usize::from(status / 100).min(5)] += 1;
        if !(200..300).contains(&status) {
            self.fault(LoadFault::Status);
        }
    }

    /// When a thread is done: `last_ns` is the time of its last response.
    pub fn close(&mut self, schedule: &Schedule, begin_ns: u64, last_ns: u64) {
        self.begin_ns = begin_ns;
        self.end_ns = if schedule.is_count() {
            last_ns
        } else {
            schedule.end_ns()
        };
        if let Some((offered, unsent)) = schedule.offered() {
            (self.offered, self.dropped, self.late) = (offered, unsent + schedule.late, schedule.late);
        }
    }

    pub fn add(&mut self, other: LoadTally) {
        self.requests += other.requests;
        for (mine, theirs) in self.faults.iter_mut().zip(other.faults) {
            *mine += theirs;
        }
        for (mine, theirs) in self.statuses.iter_mut().zip(other.statuses) {
            *mine += theirs;
        }
        self.bytes += other.bytes;
        self.latency.add(&other.latency).expect("both have the same bounds");
        self.over_time.merge(other.over_time);
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
        self.sum_ns += other.sum_ns;
        self.squares += other.squares;
        if let (Some(mine), Some(theirs)) = (&mut self.samples, other.samples) {
            mine.extend(theirs);
        }
        self.connections += other.connections;
        self.offered += other.offered;
        self.dropped += other.dropped;
        self.late += other.late;
        self.begin_ns = self.begin_ns.min(other.begin_ns);
        self.end_ns = self.end_ns.max(other.end_ns);
    }
}
