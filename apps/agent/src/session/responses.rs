//! What each response of the control plane means.

use super::attempt::{Attempt, GiveUp, LeasePhase, revoked, seconds};
use super::call_slot::{Call, CallSlot, S};
use super::event::{Action, CallId, Failure, LogLevel, Reply, Request, SessionEnd};
use super::machine::StateMachine;
use crate::protocol::journal::RunStatus;
use crate::protocol::result::Reason;
use crate::protocol::wire::{
    ErrorCode, ErrorDetail, HeartbeatCommand, HeartbeatResponse, LeaseResponse, NextSeq, RunState, StreamName,
};

/// After so many signatures that were not taken the key itself is wrong.
const REJECTED_AT_MOST: u32 = 5;
/// A control plane that wants the catalogue again at once would be asked in a circle.
const CATALOGUE_AGAIN_AFTER: u64 = 10 * S;

impl StateMachine {
    pub(super) fn on_response(&mut self, id: CallId, result: Result<Reply, Failure>) {
        let Some(call) = self.take_call(id) else { return };
        match &result {
            Ok(_) => self.reached(),
            // An error in the protocol's own words comes from the control plane, too.
            Err(Failure::Refused(detail)) if !is_passing(detail.code) => self.reached(),
            Err(Failure::Lost(why)) => {
                self.lost(format!("The control plane does not respond ({why}); trying again."));
            }
            Err(Failure::TooLarge(_)) if matches!(call.request, Request::Chunk(..)) => {}
            Err(Failure::Proxy(sentence) | Failure::TooLarge(sentence)) => {
                self.lost(format!("{sentence} Trying again."));
            }
            Err(Failure::Refused(detail)) => {
                self.log(
                    LogLevel::Warn,
                    format!("The control plane could not do it now: {}", detail.message),
                );
            }
            Err(Failure::Unreadable(_)) => {}
        }
        match result {
            Ok(reply) => self.on_reply(call, reply),
            Err(failure) => self.on_failure(call, failure),
        }
    }

    fn lost(&mut self, text: String) {
        if !std::mem::replace(&mut self.offline, true) {
            self.log(LogLevel::Warn, text);
        }
    }

    fn take_call(&mut self, id: CallId) -> Option<Call> {
        let own = [&mut self.session.slot, &mut self.control];
        let attempts = self.current.iter_mut().flat_map(Attempt::slots);
        own.into_iter().chain(attempts).find_map(|slot| slot.take(id))
    }

    fn reached(&mut self) {
        if std::mem::take(&mut self.offline) {
            self.log(LogLevel::Info, "The control plane responds again.".into());
        }
        let now = self.now;
        let own = [&mut self.session.slot, &mut self.control];
        let attempts = self.current.iter_mut().flat_map(Attempt::slots);
        own.into_iter().chain(attempts).for_each(|slot| slot.reached(now));
    }

    fn on_reply(&mut self, call: Call, reply: Reply) {
        match (call.request.clone(), reply) {
            (Request::Challenge, Reply::Challenge { nonce, protocol }) => {
                self.session.slot.call = Some(self.call(Request::Session { nonce, protocol }));
            }
            (Request::Session { .. }, Reply::Session { expires_in_s }) => {
                self.session.slot.succeeded();
                self.session.no += 1;
                self.session.open = true;
                self.session.rejected = 0;
                self.session.renew_at = self.now + expires_in_s.clamp(1, 86_400) * S * 4 / 5;
            }
            (Request::Facts, Reply::Stored) => {
                self.control.succeeded();
                self.inventory.heard_at = self.now;
                self.inventory.facts_sent = self.inventory.digest.clone();
            }
            (Request::Catalogue, Reply::Stored) => {
                self.control.succeeded();
                self.inventory.catalogue_sent = self.inventory.facts_sent.clone();
                self.inventory.sent_at = Some(self.now);
            }
            (Request::Lease { .. }, Reply::Lease(response)) => self.on_lease(&call, *response),
            (Request::Start(_), Reply::Started { state, heartbeat_s }) => self.on_started(state, heartbeat_s),
            (Request::Heartbeat(..), Reply::Heartbeat(response)) => self.on_heartbeat(&response),
            (Request::Chunk(_, name, seq), Reply::Chunk { next_seq }) => self.on_chunk(name, seq, next_seq),
            (Request::Finish(at), Reply::Finished) => {
                self.log(LogLevel::Info, format!("Attempt {} is delivered.", at.id));
                self.finished(Action::Discard);
            }
            (Request::Abandon(_, why), Reply::Finished) => self.set_aside(why),
            (_, _) => self.on_failure(call, Failure::Lost("a response to another request".into())),
        }
    }

    fn on_lease(&mut self, call: &Call, response: LeaseResponse) {
        self.control.succeeded();
        self.inventory.heard_at = self.now;
        self.request_id = None;
        let now = self.now;
        if response.catalogue_wanted
            && self
                .inventory
                .sent_at
                .is_none_or(|at| now >= at + CATALOGUE_AGAIN_AFTER)
        {
            self.inventory.facts_sent = None;
            self.inventory.catalogue_sent = None;
        }
        match response.lease {
            // A poll that is not held must not become a busy loop.
            None => self.control.not_before = call.sent_at + S,
            Some(lease) if self.past.contains(&lease.attempt_id) => self.control.not_before = call.sent_at + S,
            Some(lease) if !self.stopping() => {
                self.log(
                    LogLevel::Info,
                    format!("Leased run {} (attempt {}).", lease.run_id, lease.attempt_no),
                );
                self.current = Some(Attempt::leased(Box::new(lease), now));
            }
            Some(_) => {}
        }
    }

    fn on_started(&mut self, state: RunState, heartbeat_s: f64) {
        let (stopping, now) = (self.stopping(), self.now);
        let Some(attempt) = &mut self.current else { return };
        let LeasePhase::Starting { doomed } = attempt.phase.clone() else {
            return;
        };
        attempt.control.succeeded();
        attempt.beat_every = seconds(heartbeat_s);
        attempt.beat.not_before = now + attempt.beat_every;
        let unwanted = stopping || matches!(state, RunState::Cancelling | RunState::Cancelled);
        // From here on the control plane expects an end, so even a run that never happens is reported.
        attempt.phase = LeasePhase::Running {
            cancelled: unwanted || doomed.is_some(),
        };
        let lease = attempt.lease.clone().expect("only a leased attempt starts");
        match doomed {
            Some(reason) => self.end_unstarted(RunStatus::Failed, Some(reason)),
            None if unwanted => {
                let why = if stopping {
                    "The agent was stopped before the run began; queue it again."
                } else {
                    "The run was cancelled before it began."
                };
                self.end_unstarted(RunStatus::Cancelled, Some(Reason::new("cancelled", why)));
            }
            None => self.out.push(Action::Run(lease)),
        }
    }

    fn on_heartbeat(&mut self, response: &HeartbeatResponse) {
        let now = self.now;
        let Some(attempt) = &mut self.current else { return };
        attempt.beat.succeeded();
        attempt.beat_every = seconds(response.heartbeat_s);
        attempt.beat.not_before = now + attempt.beat_every;
        if response.command == HeartbeatCommand::Cancel
            && let LeasePhase::Running { cancelled } = &mut attempt.phase
            && !std::mem::replace(cancelled, true)
        {
            self.log(LogLevel::Info, "The run is being cancelled, as asked.".into());
            self.out.push(Action::CancelRun);
        }
        self.on_next_seq(response.next_seq.clone());
    }

    /// What the control plane has. For a leftover this is the first that is heard, and decides where sending begins.
    fn on_next_seq(&mut self, next: NextSeq) {
        let Some(attempt) = &mut self.current else { return };
        let first = !std::mem::replace(&mut attempt.heard, true);
        for (name, next_seq) in [(StreamName::Journal, next.journal), (StreamName::Raw, next.raw)] {
            let stream = &mut attempt.streams[name as usize];
            let status = stream.status;
            if status.damaged {
                stream.acked = next_seq;
            } else if first && (next_seq < status.held_from || next_seq > status.chunks) {
                return self.give_up(GiveUp::SetAside(not_held(name, next_seq)));
            } else if next_seq > stream.acked && next_seq <= status.chunks {
                stream.acked = next_seq;
                self.out.push(Action::Acknowledge { stream: name, next_seq });
            }
        }
    }

    fn on_chunk(&mut self, name: StreamName, seq: u64, next_seq: u64) {
        let Some(attempt) = &mut self.current else { return };
        let stream = attempt.stream(name);
        stream.slot.succeeded();
        if next_seq > stream.status.chunks {
            return self.give_up(GiveUp::SetAside(not_held(name, next_seq)));
        }
        // This chunk is there, whatever else is.
        let next_seq = next_seq.max(seq + 1);
        if next_seq > stream.acked {
            stream.acked = next_seq;
            self.out.push(Action::Acknowledge { stream: name, next_seq });
        }
    }

    fn on_failure(&mut self, call: Call, failure: Failure) {
        let detail = match failure {
            // A chunk stays as large as it is.
            Failure::TooLarge(why) if matches!(call.request, Request::Chunk(..)) => {
                self.failed(&call.request, false);
                return self.give_up(GiveUp::SetAside(why));
            }
            Failure::Lost(_) | Failure::Proxy(_) | Failure::TooLarge(_) => return self.failed(&call.request, true),
            Failure::Unreadable(why) => {
                self.failed(&call.request, false);
                return self.give_up(GiveUp::SetAside(why));
            }
            Failure::Refused(detail) => detail,
        };
        let code = detail.code;
        match code {
            _ if is_passing(code) => self.failed(&call.request, false),
            ErrorCode::Revoked => self.leave(revoked(&detail.message)),
            ErrorCode::Protocol => self.leave(SessionEnd::Refused(detail.message)),
            _ if matches!(call.request, Request::Challenge | Request::Session { .. }) => {
                self.failed(&call.request, false);
                self.on_session_refused(&detail);
            }
            ErrorCode::Unauthenticated => {
                self.failed(&call.request, false);
                // The token may have been replaced while this call was under way.
                if call.session_no == self.session.no {
                    self.session.open = false;
                }
                let now = self.now;
                if let Some(slot) = self.slot(&call.request) {
                    slot.retry_first_at_once(now);
                }
            }
            _ => {
                self.failed(&call.request, false);
                self.on_refused(&call.request, detail);
            }
        }
    }

    fn failed(&mut self, request: &Request, lost: bool) {
        let (now, draw) = (self.now, self.rng.next());
        if let Some(slot) = self.slot(request) {
            slot.failed(now, lost, draw);
        }
        if let (Request::Heartbeat(..), Some(attempt)) = (request, &mut self.current) {
            attempt.beat.wait_at_most(now, attempt.beat_every);
        }
    }

    fn slot(&mut self, request: &Request) -> Option<&mut CallSlot> {
        let attempt = self.current.as_mut();
        match request {
            Request::Challenge | Request::Session { .. } => Some(&mut self.session.slot),
            Request::Facts | Request::Catalogue | Request::Lease { .. } => Some(&mut self.control),
            Request::Start(_) | Request::Finish(_) | Request::Abandon(..) => attempt.map(|a| &mut a.control),
            Request::Heartbeat(..) => attempt.map(|a| &mut a.beat),
            Request::Chunk(_, name, _) => attempt.map(|a| &mut a.stream(*name).slot),
        }
    }

    fn on_session_refused(&mut self, detail: &ErrorDetail) {
        self.session.rejected += 1;
        let unknown = detail.code == ErrorCode::NotFound;
        if unknown || self.session.rejected >= REJECTED_AT_MOST {
            self.leave(revoked(&detail.message));
        }
    }

    fn on_refused(&mut self, request: &Request, detail: ErrorDetail) {
        let gone = matches!(detail.code, ErrorCode::Superseded | ErrorCode::NotFound);
        match request {
            Request::Start(at) => {
                self.log(
                    LogLevel::Warn,
                    format!("Attempt {} may not start: {}", at.id, detail.message),
                );
                self.drop_attempt(Some(Action::Discard));
            }
            Request::Heartbeat(..) if detail.code == ErrorCode::State => {
                // Over for the control plane; what is still here may complete it.
                let Some(attempt) = &mut self.current else { return };
                attempt.beats_over = true;
                if !std::mem::replace(&mut attempt.heard, true) {
                    attempt.streams.iter_mut().for_each(|s| s.acked = s.status.held_from);
                }
                if let LeasePhase::Running { .. } = attempt.phase {
                    self.give_up(GiveUp::SetAside(detail.message));
                }
            }
            // Told or not, it ends here.
            Request::Abandon(_, why) => self.set_aside(why.clone()),
            Request::Heartbeat(..) | Request::Chunk(..) | Request::Finish(_) if gone => {
                self.give_up(GiveUp::Keep(format!(
                    "The control plane refused this run: {}",
                    detail.message
                )));
            }
            Request::Chunk(_, name, _) if detail.code == ErrorCode::ChunkGap && detail.next_seq.is_some() => {
                self.resend_from(*name, detail.next_seq.unwrap_or(0), &detail.message);
            }
            Request::Chunk(..) => self.give_up(GiveUp::SetAside(detail.message)),
            Request::Finish(_) if detail.code == ErrorCode::ChunksMissing => {
                for range in detail.missing.unwrap_or_default() {
                    self.resend_from(range.stream, range.from_seq, &detail.message);
                }
            }
            // A first `finish` was heard and its response lost; everything was acknowledged before it.
            Request::Finish(_) if detail.code == ErrorCode::State => self.give_up(GiveUp::Discard(detail.message)),
            Request::Finish(_) => self.give_up(GiveUp::SetAside(detail.message)),
            _ => self.log(LogLevel::Warn, format!("The control plane refused: {}", detail.message)),
        }
    }

    fn resend_from(&mut self, name: StreamName, seq: u64, message: &str) {
        let Some(attempt) = &mut self.current else { return };
        let stream = attempt.stream(name);
        if seq >= stream.status.held_from && seq <= stream.status.chunks {
            stream.acked = seq;
        } else {
            self.give_up(GiveUp::SetAside(format!("{message} {}", not_held(name, seq))));
        }
    }
}

/// It may well work in a moment.
fn is_passing(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::Internal | ErrorCode::Unavailable | ErrorCode::RateLimited
    )
}

fn not_held(name: StreamName, seq: u64) -> String {
    format!(
        "The control plane waits for chunk {seq} of the {}, which this disk does not have (any more).",
        name.as_str()
    )
}
