//! What the connections of one thread share.

use std::cell::RefCell;
use std::time::Duration;

use super::super::LoadShared;
use super::super::plan::LoadPlan;
use super::super::schedule::{NextRequest, Schedule};
use super::super::tally::{LoadFault, LoadTally};
use super::stream::Received;

/// The timer's steps are whole milliseconds: for the last two the task yields and looks again.
const STRETCH_NS: u64 = 2_000_000;
/// Before a connection is tried again.
pub const RETRY: Duration = Duration::from_millis(50);

pub struct ThreadState<'a> {
    pub shared: &'a LoadShared<'a>,
    pub plan: &'a LoadPlan,
    pub begin_ns: u64,
    pub received: Received,
    pub state: RefCell<ThreadCounts>,
}

pub struct ThreadCounts {
    pub schedule: Schedule,
    pub tally: LoadTally,
    pub last_ns: u64,
}

impl ThreadState<'_> {
    /// The moment that the next request's latency counts from; `None` when there is none.
    pub async fn next(&self) -> Option<u64> {
        loop {
            let now = self.shared.now_ns();
            let next = self.state.borrow_mut().schedule.take(now);
            match next {
                NextRequest::Now(due) => return Some(due),
                NextRequest::Never => return None,
                NextRequest::At(due) if due - now > STRETCH_NS => {
                    tokio::time::sleep(Duration::from_nanos(due - now - STRETCH_NS)).await;
                }
                NextRequest::At(_) => {
                    // Where the server shares the cores, it goes first.
                    if !self.plan.job.spin {
                        std::thread::yield_now();
                    }
                    tokio::task::yield_now().await;
                }
            }
        }
    }

    /// The same without waiting for it.
    pub fn try_next(&self) -> Option<u64> {
        match self.state.borrow_mut().schedule.take(self.shared.now_ns()) {
            NextRequest::Now(due) => Some(due),
            NextRequest::At(_) | NextRequest::Never => None,
        }
    }

    pub fn timeout(&self) -> Duration {
        Duration::from_nanos(self.plan.timeout_ns)
    }

    pub fn fault(&self, fault: LoadFault) {
        self.state.borrow_mut().tally.fault(fault);
    }

    pub fn connected(&self) {
        self.state.borrow_mut().tally.connections += 1;
    }

    /// Also true when the server stays silent: a count would never end.
    pub fn is_over(&self) -> bool {
        let (state, now) = (self.state.borrow(), self.shared.now_ns());
        let silent_ns = now.saturating_sub(state.last_ns);
        state.schedule.is_over(now) || state.schedule.is_count() && silent_ns > 2 * self.plan.timeout_ns
    }

    /// Counts a whole response, with what was wrong with it.
    pub fn completed(&self, due_ns: u64, until_ns: u64, status: Option<u16>, fault: Option<LoadFault>) {
        let now = self.shared.now_ns();
        let mut state = self.state.borrow_mut();
        state.last_ns = now;
        if !state.schedule.counts(now) {
            return;
        }
        status.into_iter().for_each(|s| state.tally.status(s));
        fault.into_iter().for_each(|f| state.tally.fault(f));
        state.tally.response(now, until_ns.saturating_sub(due_ns));
        self.shared.completed(1);
    }
}
