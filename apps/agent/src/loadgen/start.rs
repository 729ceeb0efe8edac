//! Where the threads of one load wait for each other: it begins for all of them at once, or for none where one has failed.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub struct Start {
    state: Mutex<StartState>,
    changed: Condvar,
}

struct StartState {
    /// Threads that have not come yet.
    missing: usize,
    began_ns: Option<u64>,
    failed: Option<String>,
}

impl Start {
    pub fn of(threads: usize) -> Self {
        let state = StartState {
            missing: threads,
            began_ns: None,
            failed: None,
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// Waits for the others. Returns when the load began, as the last thread read the clock; `None` where a thread has failed.
    pub fn wait(&self, now_ns: impl FnOnce() -> u64) -> Option<u64> {
        let mut state = self.lock();
        state.missing -= 1;
        if state.missing == 0 {
            state.began_ns = Some(now_ns());
            self.changed.notify_all();
        }
        let waits = |state: &mut StartState| state.began_ns.is_none() && state.failed.is_none();
        let state = self.changed.wait_while(state, waits);
        state.unwrap_or_else(PoisonError::into_inner).began_ns
    }

    /// A thread says why it failed, so that nobody waits for it. The first reason is kept: later ones may follow from it.
    pub fn fail(&self, why: &str) {
        self.lock().failed.get_or_insert_with(|| why.to_owned());
        self.changed.notify_all();
    }

    pub fn failed(&self) -> Option<String> {
        self.lock().failed.clone()
    }

    fn lock(&self) -> MutexGuard<'_, StartState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
