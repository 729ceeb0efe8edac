//! The session as a pure state machine: events in, actions out. It has no clock, no network, no disk and no
//! randomness of its own, so that every interleaving can be tried in a test.
//!
//! After each event [`Machine::advance`] looks at what is known and starts whatever may start. Nothing is remembered
//! as "the next step", so that a lost answer or a crash leaves no step that never comes.

use std::collections::VecDeque;

use uuid::Uuid;

use super::attempt::{Attempt, GiveUp, Phase};
use super::event::{Action, AttemptRef, CallId, Event, Exit, LogLevel, Request};
use super::lane::{Call, Lane, Rng, S, Wake};
use crate::protocol::journal::RunStatus;
use crate::protocol::result::Reason;
use crate::protocol::wire::StreamName;

/// How old facts and catalogue may get while nothing runs.
const INVENTORY_AGE: u64 = 300 * S;
/// How long a stopping agent goes on delivering.
const STOP_GRACE: u64 = 10 * S;

#[derive(Debug, Clone)]
pub struct Config {
    /// End after one leased run.
    pub once: bool,
    /// Unix time at machine time 0, for request ids.
    pub wall_ms: u64,
    /// For jitter and request ids.
    pub seed: u64,
    /// Leftovers of earlier processes, oldest first.
    pub leftovers: Vec<AttemptRef>,
}

pub struct Machine {
    pub(super) config: Config,
    pub(super) now: u64,
    pub(super) out: Vec<Action>,
    pub(super) rng: Rng,
    wake: Wake,
    next_call: CallId,
    pub(super) session: Session,
    /// Facts, catalogue, lease.
    pub(super) control: Lane,
    pub(super) inventory: Inventory,
    pub(super) request_id: Option<Uuid>,
    /// Somebody measures here; the lock is tried before the next lease.
    pub(super) host_busy: bool,
    pub(super) current: Option<Attempt>,
    leftovers: VecDeque<AttemptRef>,
    /// Attempts that this process has seen to the end: a lease of one of them is an echo.
    pub(super) past: Vec<Uuid>,
    /// Runs that were leased and are over.
    pub(super) runs_done: u32,
    stop_at: Option<u64>,
    exit: Option<Exit>,
    exited: bool,
    pub(super) offline: bool,
}

#[derive(Default)]
pub(super) struct Session {
    pub lane: Lane,
    pub no: u64,
    pub open: bool,
    pub renew_at: u64,
    pub rejected: u32,
}

#[derive(Default)]
pub(super) struct Inventory {
    pub digest: Option<String>,
    pub collected_at: u64,
    pub collecting: bool,
    pub facts_sent: Option<String>,
    pub catalogue_sent: Option<String>,
    pub sent_at: Option<u64>,
}

impl Machine {
    pub fn new(config: Config) -> Self {
        Self {
            now: 0,
            out: Vec::new(),
            rng: Rng::new(config.seed),
            wake: Wake::default(),
            next_call: 0,
            session: Session::default(),
            control: Lane::default(),
            inventory: Inventory::default(),
            request_id: None,
            host_busy: false,
            current: None,
            leftovers: config.leftovers.iter().copied().collect(),
            past: Vec::new(),
            runs_done: 0,
            stop_at: None,
            exit: None,
            exited: false,
            offline: false,
            config,
        }
    }

    /// `now`: microseconds, never going back.
    pub fn handle(&mut self, now: u64, event: Event) -> Vec<Action> {
        self.now = self.now.max(now);
        if !self.exited {
            self.on_event(event);
            self.advance();
        }
        std::mem::take(&mut self.out)
    }

    /// When [`Event::Tick`] is due.
    pub fn wake_at(&self) -> Option<u64> {
        self.wake.0
    }

    fn on_event(&mut self, event: Event) {
        match event {
            Event::Tick => {}
            Event::Answer { call, result } => self.on_answer(call, result),
            Event::Inventory { digest } => {
                self.inventory.collecting = false;
                self.inventory.collected_at = self.now;
                self.inventory.digest = Some(digest);
            }
            Event::Locked(result) => self.on_locked(result),
            Event::Prepared(result) => {
                if let Some(attempt) = &mut self.current
                    && attempt.phase == Phase::Preparing
                {
                    let doomed = result.err();
                    attempt.phase = Phase::Starting { doomed };
                }
            }
            Event::Spooled { stream, status } => {
                let now = self.now;
                if let Some(attempt) = &mut self.current {
                    attempt.stream(stream).spooled(stream, status, now);
                }
            }
            Event::Rebased { stream, result } => {
                let now = self.now;
                let Some(attempt) = &mut self.current else { return };
                attempt.stream(stream).rebasing = false;
                match result {
                    Ok(status) => attempt.stream(stream).spooled(stream, status, now),
                    Err(why) => self.give_up(GiveUp::SetAside(why)),
                }
            }
            Event::Measuring => {
                if let Some(attempt) = &mut self.current {
                    attempt.measuring = true;
                }
            }
            Event::RunEnded => self.on_run_ended(),
            Event::Stop => {
                self.stop_at.get_or_insert(self.now + 2 * STOP_GRACE);
            }
        }
    }

    fn on_locked(&mut self, result: Result<(), String>) {
        let now = self.now;
        match (&mut self.current, result) {
            (Some(attempt), Ok(())) if matches!(attempt.phase, Phase::Locking { .. }) => {
                attempt.locked = true;
                attempt.control.not_before = now;
                attempt.phase = Phase::Preparing;
                let lease = attempt.lease.clone().expect("only a leased attempt locks");
                self.out.push(Action::Prepare(lease));
            }
            (Some(attempt), Err(who)) if matches!(attempt.phase, Phase::Locking { .. }) => {
                attempt.control.not_before = now + S;
                if !std::mem::replace(&mut self.host_busy, true) {
                    self.log(LogLevel::Warn, format!("A run is waiting: {who}"));
                }
            }
            (_, Ok(())) => {
                self.host_busy = false;
                self.control.not_before = now;
                self.out.push(Action::Unlock);
            }
            (_, Err(_)) => self.control.not_before = now + 2 * S,
        }
    }

    fn on_run_ended(&mut self) {
        let Some(attempt) = &mut self.current else { return };
        attempt.phase = Phase::Delivering;
        // The host is free and its page waits for the end: no pause after a heartbeat of the run.
        attempt.beat.not_before = self.now;
        if std::mem::take(&mut attempt.locked) {
            self.out.push(Action::Unlock);
        }
        if let Some(stop_at) = &mut self.stop_at {
            *stop_at = self.now + STOP_GRACE;
        }
    }

    pub(super) fn log(&mut self, level: LogLevel, text: String) {
        self.out.push(Action::Log { level, text });
    }

    pub(super) fn leave(&mut self, exit: Exit) {
        self.exit.get_or_insert(exit);
    }

    pub(super) fn stopping(&self) -> bool {
        self.stop_at.is_some() || self.exit.is_some()
    }

    /// Nothing of this attempt is sent any more; where its run is still going, it is stopped first.
    pub(super) fn give_up(&mut self, how: GiveUp) {
        if let Some(attempt) = &mut self.current {
            attempt.give_up.get_or_insert(how);
        }
    }

    /// The attempt is no longer ours to care for.
    pub(super) fn drop_attempt(&mut self, spooled: Option<Action>) {
        if let Some(attempt) = self.current.take() {
            self.past.push(attempt.at.id);
            self.out.extend(spooled);
            if attempt.locked {
                self.out.push(Action::Unlock);
            }
        }
    }

    pub(super) fn call(&mut self, request: Request) -> Call {
        self.next_call += 1;
        let id = self.next_call;
        self.out.push(Action::Call {
            id,
            request: request.clone(),
        });
        Call {
            id,
            request,
            session_no: self.session.no,
            sent_at: self.now,
        }
    }

    /// Starts whatever may start now.
    fn advance(&mut self) {
        self.wake = Wake::default();
        self.settle_current();
        if self.leave_if_due() {
            return;
        }
        self.open_session();
        if self.current.is_none()
            && let Some(at) = self.leftovers.pop_front()
        {
            self.current = Some(Attempt::leftover(at));
            self.log(LogLevel::Info, format!("Delivering what an earlier process left of attempt {}.", at.id));
            self.out.push(Action::Adopt(at));
        }
        if self.current.is_some() {
            self.advance_attempt();
        } else {
            self.advance_idle();
        }
    }

    /// Ends what has been given up or has no point, as soon as nothing runs any more.
    fn settle_current(&mut self) {
        let stopping = self.stopping();
        let Some(attempt) = &mut self.current else { return };
        if let Phase::Running { cancelled } = &mut attempt.phase {
            if (stopping || attempt.give_up.is_some()) && !std::mem::replace(cancelled, true) {
                self.out.push(Action::CancelRun);
            }
            return;
        }
        match attempt.give_up.take() {
            Some(GiveUp::Discard(why)) => {
                self.log(LogLevel::Warn, why);
                self.finished(Action::Discard);
            }
            Some(GiveUp::SetAside(why)) => {
                self.log(LogLevel::Warn, why.clone());
                self.finished(Action::SetAside { why });
            }
            None if stopping && matches!(attempt.phase, Phase::Locking { .. } | Phase::Preparing) => {
                let spooled = (attempt.phase == Phase::Preparing).then_some(Action::Discard);
                self.drop_attempt(spooled);
            }
            None => {}
        }
    }

    pub(super) fn finished(&mut self, spooled: Action) {
        if self.current.as_ref().is_some_and(|a| a.lease.is_some()) {
            self.runs_done += 1;
        }
        self.drop_attempt(Some(spooled));
    }

    fn leave_if_due(&mut self) -> bool {
        let running = self.current.as_ref().is_some_and(Attempt::running);
        let exit = match (&self.exit, self.stop_at) {
            (Some(exit), _) if !running => Some(exit.clone()),
            (_, Some(at)) if self.current.is_none() || self.wake.due(self.now, at) => Some(Exit::Stopped),
            _ if self.config.once && self.runs_done > 0 && self.current.is_none() => Some(Exit::Once),
            _ => None,
        };
        self.exited = exit.is_some();
        self.out.extend(exit.map(Action::Exit));
        self.exited
    }

    fn open_session(&mut self) {
        let renew = !self.session.open || self.wake.due(self.now, self.session.renew_at);
        if renew && self.session.lane.call.is_none() && self.wake.due(self.now, self.session.lane.not_before) {
            self.session.lane.call = Some(self.call(Request::Challenge));
        }
    }

    fn advance_idle(&mut self) {
        let stale = self.inventory.digest.is_none() || self.wake.due(self.now, self.inventory.collected_at + INVENTORY_AGE);
        if stale && !std::mem::replace(&mut self.inventory.collecting, true) {
            self.out.push(Action::Inventory);
        }
        let Some(digest) = self.inventory.digest.clone() else { return };
        if !self.session.open || self.control.call.is_some() || !self.wake.due(self.now, self.control.not_before) {
            return;
        }
        let sent = Some(&digest);
        let request = if self.inventory.facts_sent.as_ref() != sent {
            Request::Facts
        } else if self.inventory.catalogue_sent.as_ref() != sent {
            Request::Catalogue
        } else if self.host_busy {
            self.control.not_before = u64::MAX;
            return self.out.push(Action::Lock);
        } else {
            let request_id = *self.request_id.get_or_insert_with(|| {
                let mut random = [0; 10];
                random[..8].copy_from_slice(&self.rng.next().to_le_bytes());
                random[8..].copy_from_slice(&self.rng.next().to_le_bytes()[..2]);
                let ms = self.config.wall_ms + self.now / 1000;
                uuid::Builder::from_unix_timestamp_millis(ms, &random).into_uuid()
            });
            Request::Lease { request_id, digest }
        };
        self.control.call = Some(self.call(request));
    }

    fn advance_attempt(&mut self) {
        let Some(mut attempt) = self.current.take() else { return };
        match attempt.phase.clone() {
            Phase::Locking { give_up_at } => {
                if self.now >= give_up_at {
                    // Never started, so the control plane gives it out again when the lease is over.
                    return self.log(LogLevel::Warn, "The run went back to the queue: this host stayed busy.".into());
                }
                self.wake.due(self.now, give_up_at);
                if self.wake.due(self.now, attempt.control.not_before) {
                    attempt.control.not_before = u64::MAX;
                    self.out.push(Action::Lock);
                }
            }
            Phase::Preparing => {}
            Phase::Starting { .. } => {
                if self.may_call(&attempt.control) {
                    attempt.control.call = Some(self.call(Request::Start(attempt.at)));
                }
            }
            Phase::Running { .. } | Phase::Delivering => {
                if !attempt.beats_over && self.may_call(&attempt.beat) {
                    let request = Request::Heartbeat(attempt.at, attempt.state());
                    attempt.beat.call = Some(self.call(request));
                }
                if attempt.heard && attempt.give_up.is_none() {
                    StreamName::ALL.into_iter().for_each(|name| self.advance_stream(&mut attempt, name));
                }
                if attempt.delivered() && self.may_call(&attempt.control) {
                    attempt.finish_sent = true;
                    attempt.control.call = Some(self.call(Request::Finish(attempt.at)));
                }
            }
        }
        self.current = Some(attempt);
    }

    fn advance_stream(&mut self, attempt: &mut Attempt, name: StreamName) {
        let (at, ended) = (attempt.at, attempt.phase == Phase::Delivering);
        let stream = attempt.stream(name);
        let (status, next_seq) = (stream.status, stream.acked);
        if status.damaged {
            if !std::mem::replace(&mut stream.rebasing, true) {
                self.out.push(Action::Rebase { stream: name, next_seq });
            }
        } else if stream.acked < status.chunks {
            if self.may_call(&stream.lane) {
                stream.lane.call = Some(self.call(Request::Chunk(at, name, next_seq)));
            }
        } else if status.pending && !stream.cutting {
            let now = self.now;
            if stream.lane.call.is_none() && (ended || self.wake.due(now, stream.flush_at.unwrap_or(now))) {
                stream.cutting = true;
                self.out.push(Action::Cut(name));
            }
        }
    }

    fn may_call(&mut self, lane: &Lane) -> bool {
        self.session.open && lane.call.is_none() && self.wake.due(self.now, lane.not_before)
    }

    /// An attempt that may not run any more is closed without one.
    pub(super) fn end_unstarted(&mut self, status: RunStatus, error: Option<Reason>) {
        self.out.push(Action::End { status, error });
    }
}
