//! The machine against a model of everything around it: a control plane that keeps the promises of `docs/protocol.md`,
//! a network that loses what it likes, a disk that survives crashes and may be full, and a host that runs what it is
//! told to.

use std::collections::{BTreeMap, VecDeque};

mod plane;
mod stream;
mod tests;

use plane::ModelControlPlane;
use stream::ModelStream;
use uuid::Uuid;

use super::call_slot::S;
use super::event::*;
use super::machine::{Config, StateMachine, UNCUT_AT_MOST};
use crate::protocol::wire::StreamName;

struct CallInFlight {
    id: CallId,
    request: Request,
    token: u64,
    response: Option<Result<Reply, Failure>>,
}

struct Simulation {
    machine: StateMachine,
    now: u64,
    plane: ModelControlPlane,
    disk: BTreeMap<Uuid, [ModelStream; 2]>,
    flights: Vec<CallInFlight>,
    token: u64,
    current: Option<Uuid>,
    running: Option<Uuid>,
    cancelled_at: Option<u64>,
    started: BTreeMap<Uuid, u32>,
    delivered: Vec<Uuid>,
    set_aside: Vec<Uuid>,
    lock_taken: bool,
    /// No chunk can be closed.
    disk_full: bool,
    failed_cuts: u32,
    /// Of each stream: when the first of the cuts failed since which none succeeded.
    uncut_since: [Option<u64>; 2],
    written: u32,
    exit: Option<SessionEnd>,
    crashes: u64,
    log: Vec<String>,
}

impl Simulation {
    fn new(runs: u128) -> Self {
        let mut simulation = Self {
            machine: StateMachine::new(config(0, vec![])),
            now: 0,
            plane: ModelControlPlane {
                queue: (0..runs).map(|i| Uuid::from_u128(1000 + i)).collect(),
                ..ModelControlPlane::default()
            },
            disk: BTreeMap::new(),
            flights: vec![],
            token: 0,
            current: None,
            running: None,
            cancelled_at: None,
            started: BTreeMap::new(),
            delivered: vec![],
            set_aside: vec![],
            lock_taken: false,
            disk_full: false,
            failed_cuts: 0,
            uncut_since: [None; 2],
            written: 0,
            exit: None,
            crashes: 0,
            log: vec![],
        };
        simulation.tell(SessionEvent::Tick);
        simulation
    }

    fn tell(&mut self, event: SessionEvent) {
        let mut events = VecDeque::from([event]);
        let mut told = 0;
        while let Some(event) = events.pop_front() {
            told += 1;
            assert!(told < 1000, "no time passes: {event:?}");
            for action in self.machine.handle(self.now, event.clone()) {
                self.act(action, &mut events);
            }
        }
    }

    fn stored(&mut self, stream: StreamName) -> Option<&mut ModelStream> {
        let id = self.current?;
        Some(&mut self.disk.get_mut(&id)?[stream as usize])
    }

    fn spooled(&mut self, stream: StreamName) -> Option<SessionEvent> {
        let status = self.stored(stream)?.status();
        Some(SessionEvent::Spooled { stream, status })
    }

    fn act(&mut self, action: Action, events: &mut VecDeque<SessionEvent>) {
        match action {
            Action::Call { id, request } => {
                if let Request::Abandon(..) = request {
                    let waited = |since: &u64| self.now >= since + UNCUT_AT_MOST;
                    assert!(self.uncut_since.iter().flatten().any(waited), "gave up a disk too soon");
                }
                self.flights.push(CallInFlight {
                    id,
                    request,
                    token: self.token,
                    response: None,
                });
            }
            Action::Inventory => events.push_back(SessionEvent::Inventory { digest: "d".into() }),
            Action::Lock => events.push_back(SessionEvent::Locked(if self.lock_taken {
                Err("busy".into())
            } else {
                Ok(())
            })),
            Action::Prepare(lease) => {
                assert!(self.current.is_none());
                self.current = Some(lease.attempt_id);
                self.disk.insert(lease.attempt_id, Default::default());
                events.push_back(SessionEvent::Prepared(Ok(())));
            }
            Action::Run(lease) => {
                let id = lease.attempt_id;
                assert!(self.plane.attempts[&id].started, "spawned before start succeeded");
                assert_eq!(self.running, None, "two runs at once");
                *self.started.entry(id).or_default() += 1;
                assert_eq!(self.started[&id], 1, "an attempt ran twice");
                self.running = Some(id);
            }
            Action::CancelRun => {
                assert!(self.running.is_some());
                self.cancelled_at = Some(self.now);
            }
            Action::End { .. } => events.push_back(SessionEvent::RunEnded),
            Action::Adopt(at) => {
                self.current = Some(at.id);
                events.extend(StreamName::ALL.into_iter().filter_map(|s| self.spooled(s)));
            }
            Action::Cut(stream) => {
                let uncut = &mut self.uncut_since[stream as usize];
                let result = if self.disk_full {
                    self.failed_cuts += 1;
                    uncut.get_or_insert(self.now);
                    Err("The disk is full.".into())
                } else {
                    *uncut = None;
                    let stored = self.stored(stream).unwrap();
                    let open = std::mem::take(&mut stored.open);
                    assert!(!open.is_empty());
                    stored.chunks.push(open);
                    Ok(())
                };
                events.extend(self.spooled(stream));
                events.push_back(SessionEvent::Cut { stream, result });
            }
            Action::Acknowledge { stream, next_seq } => {
                let id = self.current.unwrap();
                let have = self.plane.attempts[&id].streams[stream as usize].len() as u64;
                assert!(next_seq <= have, "forgot what the control plane has not");
                let stored = self.stored(stream).unwrap();
                stored.acknowledged = stored.acknowledged.max(next_seq);
            }
            Action::Discard | Action::SetAside { .. } => {
                let id = self.current.take().expect("something to discard");
                self.uncut_since = [None; 2];
                assert_ne!(self.running, Some(id), "discarded under a running run");
                let attempt = &self.plane.attempts[&id];
                if let Action::SetAside { .. } = action {
                    assert!(
                        attempt.forgotten || attempt.superseded || attempt.abandoned,
                        "not delivered: {action:?}"
                    );
                    self.set_aside.push(id);
                } else if attempt.finished {
                    self.delivered.push(id);
                } else {
                    assert!(!self.started.contains_key(&id), "thrown away: {action:?}");
                }
            }
            Action::Rebase { .. } => unreachable!("the model's disk does not rot"),
            Action::EndSession(exit) => self.exit = Some(exit),
            Action::Log { text, .. } => self.log.push(text),
            Action::Unlock => {}
        }
    }

    fn reach(&mut self, which: usize) {
        let now = self.now;
        if let Some(flight) = pick(&mut self.flights, which)
            && flight.response.is_none()
        {
            flight.response = Some(self.plane.answer(&flight.request, flight.token, &self.disk, now));
        }
    }

    fn arrive(&mut self, which: usize, lost: bool) {
        if self.flights.is_empty() {
            return;
        }
        let which = which % self.flights.len();
        if self.flights[which].response.is_none() && !lost {
            return;
        }
        let flight = self.flights.remove(which);
        let result = match flight.response {
            Some(response) if !lost => response,
            _ => Err(Failure::Lost("gone".into())),
        };
        if let Ok(Reply::Session { .. }) = &result {
            self.token = self.plane.token;
        }
        self.tell(SessionEvent::Response {
            call: flight.id,
            result,
        });
    }

    fn write(&mut self, stream: StreamName) {
        if self.running.is_some() {
            self.written += 1;
            let number = self.written;
            self.stored(stream).unwrap().open.push(number);
            let event = self.spooled(stream).unwrap();
            self.tell(event);
        }
    }

    fn end_run(&mut self) {
        if self.running.take().is_some() {
            self.cancelled_at = None;
            for stream in StreamName::ALL {
                let event = self.spooled(stream).unwrap();
                self.tell(event);
            }
            self.tell(SessionEvent::RunEnded);
        }
    }

    /// The process is gone with everything that it had started; the disk stays.
    fn crash(&mut self) {
        self.crashes += 1;
        self.flights.clear();
        self.running = None;
        self.cancelled_at = None;
        self.uncut_since = [None; 2];
        let left = self.current.take();
        let leftovers = left.map(|id| AttemptRef {
            id,
            no: self.plane.attempts.keys().position(|k| *k == id).unwrap() as u32 + 1,
        });
        self.machine = StateMachine::new(config(self.crashes, leftovers.into_iter().collect()));
        self.exit = None;
        self.tell(SessionEvent::Tick);
    }

    fn pass(&mut self, us: u64) {
        self.now += us;
        self.tell(SessionEvent::Tick);
    }

    /// Whatever is under way arrives, and time passes until something is due.
    fn turn(&mut self) {
        (0..self.flights.len()).for_each(|i| self.reach(i));
        let flying = self.flights.len();
        (0..flying).for_each(|_| self.arrive(0, false));
        let wake = self.machine.wake_at().unwrap_or(self.now + S).max(self.now + 1);
        self.pass((wake - self.now).min(S));
    }

    /// Network and disk are well again: everything must be over after a while.
    fn heal(&mut self) {
        self.lock_taken = false;
        self.disk_full = false;
        for _ in 0..2000 {
            self.plane.expire(self.now);
            let idle = self.current.is_none() && self.plane.queue.is_empty();
            if idle && !self.plane.attempts.values().any(|d| d.live()) {
                return;
            }
            if self.running.is_some() {
                self.write(StreamName::Journal);
                self.end_run();
            }
            self.turn();
        }
        panic!("no progress although all is well: {:?}", self.log);
    }

    fn check(&self) {
        for (id, attempt) in &self.plane.attempts {
            for stream in StreamName::ALL {
                let stored = &self.disk.get(id).map(|t| t[stream as usize].all()).unwrap_or_default();
                let have: Vec<u32> = attempt.streams[stream as usize].iter().flatten().copied().collect();
                assert!(stored.starts_with(&have), "{stored:?} {have:?}");
                if attempt.finished {
                    assert_eq!(*stored, have);
                }
            }
            if self.started.contains_key(id) {
                let kept = self.set_aside.contains(id);
                assert!(
                    attempt.finished || (attempt.abandoned || attempt.forgotten) && kept,
                    "an attempt that ran was lost"
                );
            }
        }
    }
}

fn config(seed: u64, leftovers: Vec<AttemptRef>) -> Config {
    Config {
        once: false,
        wall_ms: 1_700_000_000_000,
        seed,
        leftovers,
    }
}

fn pick<T>(from: &mut [T], which: usize) -> Option<&mut T> {
    let n = from.len();
    (n > 0).then(|| &mut from[which % n])
}
