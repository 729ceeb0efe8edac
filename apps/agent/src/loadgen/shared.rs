//! What the threads of one load share.

use std::time::Instant;

use super::plan::LoadPlan;
use super::start::Start;
use super::ticks::Ticks;

pub struct LoadShared<'a> {
    pub plan: LoadPlan,
    /// All threads have their connections: the load begins for all at once.
    start: Start,
    zero: Instant,
    ticks: &'a Ticks,
}

impl<'a> LoadShared<'a> {
    pub fn new(plan: LoadPlan, ticks: &'a Ticks) -> Self {
        Self {
            start: Start::of(plan.threads),
            plan,
            zero: Instant::now(),
            ticks,
        }
    }

    pub fn now_ns(&self) -> u64 {
        self.zero.elapsed().as_nanos() as u64
    }

    /// Waits for the other threads; when the load begins. `None` where one of them failed before, and there is no load.
    pub fn begin(&self) -> Option<u64> {
        self.start.wait(|| self.now_ns())
    }

    pub fn completed(&self, more: u64) {
        self.ticks.completed(more);
    }

    /// A thread says why it failed before the load began.
    pub fn fail(&self, why: &str) {
        self.start.fail(why);
    }

    pub fn failed(&self) -> Option<String> {
        self.start.failed()
    }
}
