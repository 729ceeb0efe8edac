//! tokio: works on every host. One runtime of one thread for each core; each connection is a task.

mod http;
mod stream;
mod ws;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use super::plan::{BackendName, LoadPlan};
use super::schedule::{NextRequest, Schedule};
use super::tally::{LoadFault, LoadTally};
use super::{Backend, LoadShared};
use stream::Received;

/// The timer's steps are whole milliseconds: for the last two the task yields and looks again.
const STRETCH_NS: u64 = 2_000_000;
const RETRY: Duration = Duration::from_millis(50);

pub struct Tokio;

impl Backend for Tokio {
    fn name(&self) -> BackendName {
        BackendName::Tokio
    }

    fn run(&self, shared: &LoadShared<'_>, thread: usize) -> Result<LoadTally, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| format!("The runtime could not be started: {e}."))?;
        Ok(tokio::task::LocalSet::new().block_on(&runtime, thread_load(shared, thread)))
    }
}

/// What the connections of one thread share.
struct ThreadState<'a> {
    shared: &'a LoadShared<'a>,
    plan: &'a LoadPlan,
    begin_ns: u64,
    received: Received,
    state: RefCell<ThreadCounts>,
}

struct ThreadCounts {
    schedule: Schedule,
    tally: LoadTally,
    last_ns: u64,
}

impl ThreadState<'_> {
    /// The moment that the next request's latency counts from; `None` when there is none.
    async fn next(&self) -> Option<u64> {
        loop {
            let now = self.shared.now_ns();
            let next = self.state.borrow_mut().schedule.take(now);
            match next {
                NextRequest::Now(due) => return Some(due),
                NextRequest::Never => return None,
                NextRequest::At(due) if due - now > STRETCH_NS => {
                    tokio::time::sleep(Duration::from_nanos(due - now - STRETCH_NS)).await;
                }
                NextRequest::At(_) => tokio::task::yield_now().await,
            }
        }
    }

    /// The same without waiting for it.
    fn try_next(&self) -> Option<u64> {
        match self.state.borrow_mut().schedule.take(self.shared.now_ns()) {
            NextRequest::Now(due) => Some(due),
            NextRequest::At(_) | NextRequest::Never => None,
        }
    }

    fn timeout(&self) -> Duration {
        Duration::from_nanos(self.plan.timeout_ns)
    }

    fn fault(&self, fault: LoadFault) {
        self.state.borrow_mut().tally.fault(fault);
    }

    fn connected(&self) {
        self.state.borrow_mut().tally.connections += 1;
    }

    /// Also true when the server stays silent: a count would never end.
    fn is_over(&self) -> bool {
        let (state, now) = (self.state.borrow(), self.shared.now_ns());
        let silent_ns = now.saturating_sub(state.last_ns);
        state.schedule.is_over(now) || state.schedule.is_count() && silent_ns > 2 * self.plan.timeout_ns
    }

    /// Counts a whole response, with what was wrong with it.
    fn completed(&self, due_ns: u64, until_ns: u64, status: Option<u16>, fault: Option<LoadFault>) {
        let now = self.shared.now_ns();
        let mut state = self.state.borrow_mut();
        state.last_ns = now;
        if !state.schedule.counts(now) {
            return;
        }
        status.into_iter().for_each(|s| state.tally.status(s));
        fault.into_iter().for_each(|f| state.tally.fault(f));
        state.tally.response(until_ns.saturating_sub(due_ns));
        self.shared.completed(1);
    }
}

async fn thread_load(shared: &LoadShared<'_>, thread: usize) -> LoadTally {
    let plan = &shared.plan;
    let numbers = (0..plan.connections_of(thread)).map(|i| (i * plan.threads + thread) as u64);
    let received = Received::default();
    let connections = futures_util::future::join_all(numbers.map(|number| open(plan, &received, number))).await;
    let Some(begin_ns) = shared.begin() else {
        return LoadTally::new(plan);
    };
    let thread = Rc::new(ThreadState {
        shared,
        plan,
        begin_ns,
        received,
        state: RefCell::new(ThreadCounts {
            schedule: Schedule::new(plan, thread, begin_ns),
            tally: LoadTally::new(plan),
            last_ns: begin_ns,
        }),
    });
    let loads = connections.into_iter().map(|connection| {
        let thread = thread.clone();
        async move {
            match connection {
                LoadConnection::Http(number, first) => {
                    http::load(&thread, number, first).await;
                    None
                }
                LoadConnection::Ws(number, first) => ws::load(&thread, number, first.map(|socket| *socket)).await,
            }
        }
    });
    futures_util::future::join_all(loads).await;
    let mut state = thread.state.borrow_mut();
    let mut tally = std::mem::replace(&mut state.tally, LoadTally::new(plan));
    tally.bytes = thread.received.get();
    tally.close(&state.schedule, thread.begin_ns, state.last_ns);
    tally
}

enum LoadConnection {
    Http(u64, Option<http::Sender>),
    Ws(u64, Option<Box<ws::Socket>>),
}

/// Before the clock starts; what fails is tried again, and counted, when it has started.
async fn open(plan: &LoadPlan, received: &Received, number: u64) -> LoadConnection {
    let within = Duration::from_nanos(plan.timeout_ns);
    if plan.message.is_some() {
        let socket = tokio::time::timeout(within, ws::open(plan, received))
            .await
            .ok()
            .flatten();
        return LoadConnection::Ws(number, socket.map(Box::new));
    }
    if !plan.keep_alive {
        return LoadConnection::Http(number, None);
    }
    LoadConnection::Http(
        number,
        tokio::time::timeout(within, http::open(plan, received))
            .await
            .ok()
            .flatten(),
    )
}
