//! The session as a pure state machine: events in, actions out. It has no clock, no network, no disk and no
//! randomness of its own, so that every interleaving can be tried in a test.
//!
//! After each event [`StateMachine::advance`] looks at what is known and starts whatever may start. Nothing is remembered
//! as "the next step", so that a lost response or a crash leaves no step that never comes.

use std::collections::VecDeque;

use uuid::Uuid;

use super::attempt::{Attempt, GiveUp, LeasePhase};
use super::call_slot::{Call, CallSlot, Rng, S, Wake};
use super::event::{Action, AttemptRef, CallId, LogLevel, Request, SessionEnd, SessionEvent};
use crate::protocol::wire::StreamName;

/// How long a stopping agent goes on delivering.
const STOP_GRACE: u64 = 10 * S;
/// A full or failing disk is asked again after this long: each try costs a write, and people need minutes to fix it.
const CUT_AGAIN_AFTER: u64 = 2 * S;
/// A disk that has taken nothing for so long is the end of the attempt, and the control plane is told.
pub(super) const UNCUT_AT_MOST: u64 = 600 * S;

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

pub struct StateMachine {
    pub(super) config: Config,
    pub(super) now: u64,
    pub(super) out: Vec<Action>,
    pub(super) rng: Rng,
    pub(super) wake: Wake,
    next_call: CallId,
    pub(super) session: Session,
    /// Facts, catalogue, lease.
    pub(super) control: CallSlot,
    pub(super) inventory: InventoryState,
    pub(super) request_id: Option<Uuid>,
    /// Somebody measures here; the lock is tried before the next lease.
    pub(super) host_busy: bool,
    pub(super) current: Option<Attempt>,
    pub(super) leftovers: VecDeque<AttemptRef>,
    /// Attempts that this process has seen to the end: a lease of one of them is an echo.
    pub(super) past: Vec<Uuid>,
    /// Runs that were leased and are over.
    pub(super) runs_done: u32,
    pub(super) stop_at: Option<u64>,
    pub(super) exit: Option<SessionEnd>,
    pub(super) exited: bool,
    pub(super) offline: bool,
}

#[derive(Default)]
pub(super) struct Session {
    pub slot: CallSlot,
    pub no: u64,
    pub open: bool,
    pub renew_at: u64,
    pub rejected: u32,
}

#[derive(Default)]
pub(super) struct InventoryState {
    pub digest: Option<String>,
    pub collected_at: u64,
    pub collecting: bool,
    pub changed: bool,
    pub facts_sent: Option<String>,
    pub catalogue_sent: Option<String>,
    pub sent_at: Option<u64>,
    /// When the control plane last took or gave something of this machine.
    pub heard_at: u64,
}

impl StateMachine {
    pub fn new(config: Config) -> Self {
        Self {
            now: 0,
            out: Vec::new(),
            rng: Rng::new(config.seed),
            wake: Wake::default(),
            next_call: 0,
            session: Session::default(),
            control: CallSlot::default(),
            inventory: InventoryState::default(),
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
    pub fn handle(&mut self, now: u64, event: SessionEvent) -> Vec<Action> {
        self.now = self.now.max(now);
        if !self.exited {
            self.on_event(event);
            self.advance();
        }
        std::mem::take(&mut self.out)
    }

    /// When [`SessionEvent::Tick`] is due.
    pub fn wake_at(&self) -> Option<u64> {
        self.wake.0
    }

    fn on_event(&mut self, event: SessionEvent) {
        match event {
            SessionEvent::Tick => {}
            SessionEvent::Response { call, result } => self.on_response(call, result),
            SessionEvent::Inventory { digest } => {
                self.inventory.collecting = false;
                self.inventory.collected_at = self.now;
                self.inventory.digest = Some(digest);
            }
            SessionEvent::InventoryChanged => self.inventory.changed = true,
            SessionEvent::Locked(result) => self.on_locked(result),
            SessionEvent::Prepared(result) => {
                if let Some(attempt) = &mut self.current
                    && attempt.phase == LeasePhase::Preparing
                {
                    let doomed = result.err();
                    attempt.phase = LeasePhase::Starting { doomed };
                }
            }
            SessionEvent::Spooled { stream, status } => {
                let now = self.now;
                if let Some(attempt) = &mut self.current {
                    attempt.stream(stream).spooled(stream, status, now);
                }
            }
            SessionEvent::Cut { stream, result } => self.on_cut(stream, result),
            SessionEvent::Rebased { stream, result } => {
                let now = self.now;
                let Some(attempt) = &mut self.current else { return };
                attempt.stream(stream).rebasing = false;
                match result {
                    Ok(status) => attempt.stream(stream).spooled(stream, status, now),
                    Err(why) => self.give_up(GiveUp::SetAside(why)),
                }
            }
            SessionEvent::Measuring => {
                if let Some(attempt) = &mut self.current {
                    attempt.measuring = true;
                }
            }
            SessionEvent::RunEnded => self.on_run_ended(),
            SessionEvent::Stop => {
                self.stop_at.get_or_insert(self.now + 2 * STOP_GRACE);
            }
        }
    }

    fn on_locked(&mut self, result: Result<(), String>) {
        let now = self.now;
        match (&mut self.current, result) {
            (Some(attempt), Ok(())) if matches!(attempt.phase, LeasePhase::Locking { .. }) => {
                attempt.locked = true;
                attempt.control.not_before = now;
                attempt.phase = LeasePhase::Preparing;
                let lease = attempt.lease.clone().expect("only a leased attempt locks");
                self.out.push(Action::Prepare(lease));
            }
            (Some(attempt), Err(who)) if matches!(attempt.phase, LeasePhase::Locking { .. }) => {
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

    /// What could not be cut stays where it is, and is tried again: room may be made for it.
    fn on_cut(&mut self, name: StreamName, result: Result<(), String>) {
        let now = self.now;
        let Some(attempt) = &mut self.current else { return };
        let stream = attempt.stream(name);
        stream.cutting = false;
        let Err(why) = result else {
            stream.uncut_since = None;
            return;
        };
        stream.cut_not_before = now + CUT_AGAIN_AFTER;
        match stream.uncut_since {
            None => {
                stream.uncut_since = Some(now);
                self.log(
                    LogLevel::Warn,
                    format!("{why} What was recorded is sent when the disk takes it again."),
                );
            }
            Some(since) if now >= since + UNCUT_AT_MOST => self.give_up(GiveUp::SetAside(why)),
            Some(_) => {}
        }
    }

    fn on_run_ended(&mut self) {
        let Some(attempt) = &mut self.current else { return };
        attempt.phase = LeasePhase::Delivering;
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

    pub(super) fn leave(&mut self, exit: SessionEnd) {
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
}
