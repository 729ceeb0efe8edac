//! tokio: works on every host. One runtime of one thread for each core; each connection is a task.

mod http;
mod stream;
mod thread;
mod ws;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use super::plan::{BackendName, LoadPlan};
use super::schedule::Schedule;
use super::tally::LoadTally;
use super::{Backend, LoadShared};
use stream::Received;
use thread::{ThreadCounts, ThreadState};

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

async fn thread_load(shared: &LoadShared<'_>, thread: usize) -> LoadTally {
    let plan = &shared.plan;
    let numbers = (0..plan.connections_of(thread)).map(|i| (i * plan.threads + thread) as u64);
    let received = Received::default();
    let connections = futures_util::future::join_all(numbers.map(|number| open(plan, &received, number))).await;
    let Some(begin_ns) = shared.begin() else {
        return LoadTally::new(plan);
    };
    let mut tally = LoadTally::new(plan);
    tally.begin(begin_ns);
    let thread = Rc::new(ThreadState {
        shared,
        plan,
        begin_ns,
        received,
        state: RefCell::new(ThreadCounts {
            schedule: Schedule::new(plan, thread, begin_ns),
            tally,
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
