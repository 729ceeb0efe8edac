//! What the [`StateMachine`] starts when it may: nothing here remembers a "next step".

use super::attempt::{Attempt, GiveUp, LeasePhase};
use super::call_slot::{CallSlot, S, Wake};
use super::event::{Action, LogLevel, Request, SessionEnd};
use super::machine::StateMachine;
use crate::protocol::journal::RunStatus;
use crate::protocol::result::Reason;
use crate::protocol::wire::StreamName;

/// How old facts and catalogue may get while nothing runs.
const INVENTORY_AGE: u64 = 300 * S;
/// While no run may begin here, no lease is asked for, and the app takes a host that it has not heard of for 60 s for offline.
const SIGN_OF_LIFE: u64 = 30 * S;

impl StateMachine {
    /// Starts whatever may start now.
    pub(super) fn advance(&mut self) {
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
            self.log(
                LogLevel::Info,
                format!("Delivering what an earlier process left of attempt {}.", at.id),
            );
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
        if let LeasePhase::Running { cancelled } = &mut attempt.phase {
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
            Some(GiveUp::SetAside(why)) if attempt.phase == LeasePhase::Delivering => {
                // The control plane is told first: see `advance_attempt`.
                attempt.give_up = Some(GiveUp::SetAside(why));
            }
            Some(GiveUp::SetAside(why) | GiveUp::Keep(why)) => self.set_aside(why),
            None if stopping && matches!(attempt.phase, LeasePhase::Locking { .. } | LeasePhase::Preparing) => {
                let spooled = (attempt.phase == LeasePhase::Preparing).then_some(Action::Discard);
                self.drop_attempt(spooled);
            }
            None => {}
        }
    }

    pub(super) fn set_aside(&mut self, why: String) {
        self.finished(Action::SetAside { why });
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
            (_, Some(at)) if self.current.is_none() || self.wake.due(self.now, at) => Some(SessionEnd::Stopped),
            _ if self.config.once && self.runs_done > 0 && self.current.is_none() => Some(SessionEnd::Once),
            _ => None,
        };
        self.exited = exit.is_some();
        self.out.extend(exit.map(Action::EndSession));
        self.exited
    }

    fn open_session(&mut self) {
        let renew = !self.session.open || self.wake.due(self.now, self.session.renew_at);
        if renew && self.session.slot.call.is_none() && self.wake.due(self.now, self.session.slot.not_before) {
            self.session.slot.call = Some(self.call(Request::Challenge));
        }
    }

    fn advance_idle(&mut self) {
        let stale = self.inventory.digest.is_none()
            || self.inventory.changed
            || self.wake.due(self.now, self.inventory.collected_at + INVENTORY_AGE);
        if stale && !std::mem::replace(&mut self.inventory.collecting, true) {
            self.inventory.changed = false;
            self.out.push(Action::Inventory);
        }
        let Some(digest) = self.inventory.digest.clone() else {
            return;
        };
        if !self.session.open || self.control.call.is_some() || !self.wake.due(self.now, self.control.not_before) {
            return;
        }
        let sent = Some(&digest);
        let silent = self.host_busy && self.wake.due(self.now, self.inventory.heard_at + SIGN_OF_LIFE);
        let request = if silent || self.inventory.facts_sent.as_ref() != sent {
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
            LeasePhase::Locking { give_up_at } => {
                if self.now >= give_up_at {
                    // Never started, so the control plane gives it out again when the lease is over.
                    return self.log(LogLevel::Warn, "The run went back to the queue.".into());
                }
                self.wake.due(self.now, give_up_at);
                if self.wake.due(self.now, attempt.control.not_before) {
                    attempt.control.not_before = u64::MAX;
                    self.out.push(Action::Lock);
                }
            }
            LeasePhase::Preparing => {}
            LeasePhase::Starting { .. } => {
                if self.may_call(&attempt.control) {
                    attempt.control.call = Some(self.call(Request::Start(attempt.at)));
                }
            }
            LeasePhase::Running { .. } | LeasePhase::Delivering => {
                if !attempt.beats_over && self.may_call(&attempt.beat) {
                    let request = Request::Heartbeat(attempt.at, attempt.state());
                    attempt.beat.call = Some(self.call(request));
                }
                if attempt.heard && attempt.give_up.is_none() {
                    StreamName::ALL
                        .into_iter()
                        .for_each(|name| self.advance_stream(&mut attempt, name));
                }
                if let Some(GiveUp::SetAside(why)) = &attempt.give_up {
                    if attempt.phase == LeasePhase::Delivering && self.may_call(&attempt.control) {
                        attempt.control.call = Some(self.call(Request::Abandon(attempt.at, why.clone())));
                    }
                } else if attempt.delivered() && self.may_call(&attempt.control) {
                    attempt.finish_sent = true;
                    attempt.control.call = Some(self.call(Request::Finish(attempt.at)));
                }
            }
        }
        self.current = Some(attempt);
    }

    fn advance_stream(&mut self, attempt: &mut Attempt, name: StreamName) {
        let (at, ended) = (attempt.at, attempt.phase == LeasePhase::Delivering);
        let stream = attempt.stream(name);
        let (status, next_seq) = (stream.status, stream.acked);
        if status.damaged {
            if !std::mem::replace(&mut stream.rebasing, true) {
                self.out.push(Action::Rebase { stream: name, next_seq });
            }
        } else if stream.acked < status.chunks {
            if self.may_call(&stream.slot) {
                stream.slot.call = Some(self.call(Request::Chunk(at, name, next_seq)));
            }
        } else if status.pending && !stream.cutting {
            let now = self.now;
            if stream.slot.call.is_none()
                && self.wake.due(now, stream.cut_not_before)
                && (ended || self.wake.due(now, stream.flush_at.unwrap_or(now)))
            {
                stream.cutting = true;
                self.out.push(Action::Cut(name));
            }
        }
    }

    fn may_call(&mut self, slot: &CallSlot) -> bool {
        self.session.open && slot.call.is_none() && self.wake.due(self.now, slot.not_before)
    }

    /// An attempt that may not run any more is closed without one.
    pub(super) fn end_unstarted(&mut self, status: RunStatus, error: Option<Reason>) {
        self.out.push(Action::End { status, error });
    }
}
