//! tokio: everywhere, also where io_uring is not. One runtime of one thread for each core; each connection is a task.

mod http;
mod stream;
mod ws;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use super::pace::{Next, Pace};
use super::plan::{BackendName, Plan};
use super::tally::{Fault, Tally};
use super::{Backend, Shared};
use stream::Received;

/// The timer's steps are whole milliseconds: the last stretch is spent yielding.
const STRETCH_NS: u64 = 2_000_000;
const RETRY: Duration = Duration::from_millis(50);

pub struct Steady;

impl Backend for Steady {
    fn name(&self) -> BackendName {
        BackendName::Tokio
    }

    fn run(&self, shared: &Shared<'_>, thread: usize) -> Result<Tally, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| format!("The runtime could not be started: {e}."))?;
        Ok(tokio::task::LocalSet::new().block_on(&runtime, thread_load(shared, thread)))
    }
}

/// What the connections of one thread share.
struct Desk<'a> {
    shared: &'a Shared<'a>,
    plan: &'a Plan,
    begin_ns: u64,
    received: Received,
    state: RefCell<DeskState>,
}

struct DeskState {
    pace: Pace,
    tally: Tally,
    last_ns: u64,
}

impl Desk<'_> {
    /// The moment that the next request's latency counts from; `None` when there is none.
    async fn next(&self) -> Option<u64> {
        loop {
            let now = self.shared.now_ns();
            let next = self.state.borrow_mut().pace.take(now);
            match next {
                Next::Now(due) => return Some(due),
                Next::Never => return None,
                Next::At(due) if due - now > STRETCH_NS => {
                    tokio::time::sleep(Duration::from_nanos(due - now - STRETCH_NS)).await;
                }
                Next::At(_) => tokio::task::yield_now().await,
            }
        }
    }

    /// The same without waiting for it.
    fn try_next(&self) -> Option<u64> {
        match self.state.borrow_mut().pace.take(self.shared.now_ns()) {
            Next::Now(due) => Some(due),
            Next::At(_) | Next::Never => None,
        }
    }

    fn timeout(&self) -> Duration {
        Duration::from_nanos(self.plan.timeout_ns)
    }

    fn fault(&self, fault: Fault) {
        self.state.borrow_mut().tally.fault(fault);
    }

    fn connected(&self) {
        self.state.borrow_mut().tally.connections += 1;
    }

    /// Also where a server is gone for good: a count has no other end.
    fn is_over(&self) -> bool {
        let (state, now) = (self.state.borrow(), self.shared.now_ns());
        let silent_ns = now.saturating_sub(state.last_ns);
        state.pace.is_over(now) || state.pace.is_count() && silent_ns > 2 * self.plan.timeout_ns
    }

    /// A whole answer, with what was wrong with it.
    fn answered(&self, due_ns: u64, until_ns: u64, status: Option<u16>, fault: Option<Fault>) {
        let now = self.shared.now_ns();
        let mut state = self.state.borrow_mut();
        state.last_ns = now;
        if !state.pace.counts(now) {
            return;
        }
        status.into_iter().for_each(|s| state.tally.status(s));
        fault.into_iter().for_each(|f| state.tally.fault(f));
        state.tally.answer(until_ns.saturating_sub(due_ns));
        self.shared.answered(1);
    }
}

async fn thread_load(shared: &Shared<'_>, thread: usize) -> Tally {
    let plan = &shared.plan;
    let numbers = (0..plan.connections_of(thread)).map(|i| (i * plan.threads + thread) as u64);
    let received = Received::default();
    let lines = futures_util::future::join_all(numbers.map(|number| open(plan, &received, number))).await;
    let Some(begin_ns) = shared.begin() else {
        return Tally::new(plan);
    };
    let desk = Rc::new(Desk {
        shared,
        plan,
        begin_ns,
        received,
        state: RefCell::new(DeskState {
            pace: Pace::new(plan, thread, begin_ns),
            tally: Tally::new(plan),
            last_ns: begin_ns,
        }),
    });
    let loads = lines.into_iter().map(|line| {
        let desk = desk.clone();
        async move {
            match line {
                Line::Http(number, first) => {
                    http::load(&desk, number, first).await;
                    None
                }
                Line::Ws(number, first) => ws::load(&desk, number, first.map(|socket| *socket)).await,
            }
        }
    });
    futures_util::future::join_all(loads).await;
    let mut state = desk.state.borrow_mut();
    let mut tally = std::mem::replace(&mut state.tally, Tally::new(plan));
    tally.bytes = desk.received.get();
    tally.close(&state.pace, desk.begin_ns, state.last_ns);
    tally
}

enum Line {
    Http(u64, Option<http::Sender>),
    Ws(u64, Option<Box<ws::Socket>>),
}

/// Before the clock starts; what fails is tried again, and counted, when it has started.
async fn open(plan: &Plan, received: &Received, number: u64) -> Line {
    let within = Duration::from_nanos(plan.timeout_ns);
    if plan.message.is_some() {
        let socket = tokio::time::timeout(within, ws::open(plan, received))
            .await
            .ok()
            .flatten();
        return Line::Ws(number, socket.map(Box::new));
    }
    if !plan.keep_alive {
        return Line::Http(number, None);
    }
    Line::Http(
        number,
        tokio::time::timeout(within, http::open(plan, received))
            .await
            .ok()
            .flatten(),
    )
}
