//! The attempt that the session is busy with: leased and running, or left by an earlier process.

use super::call_slot::{CallSlot, MS, S};
use super::event::{AttemptRef, SessionEnd};
use crate::protocol::result::Reason;
use crate::protocol::wire::{AttemptState, Lease, StreamName};
use crate::spool::StreamStatus;

/// A record waits this long at most before its chunk is cut: live pages draw the journal.
const FLUSH_JOURNAL: u64 = 300 * MS;
const FLUSH_RAW: u64 = 2 * S;

#[derive(Debug, Clone, PartialEq)]
pub enum LeasePhase {
    /// Somebody may be measuring on this host; not for longer than the lease allows.
    Locking {
        give_up_at: u64,
    },
    Preparing,
    /// Asking whether it may start. With a reason it will not run, and only reports that.
    Starting {
        doomed: Option<Reason>,
    },
    Running {
        cancelled: bool,
    },
    /// The run is over, or was another process's.
    Delivering,
}

/// What becomes of the records when sending them has no point any more.
#[derive(Debug, Clone, PartialEq)]
pub enum GiveUp {
    /// The control plane took all of it, and does not say so again.
    Discard(String),
    /// The control plane is told first.
    SetAside(String),
    /// The control plane has no such attempt (any more), so nobody can be told and this may be the only copy.
    Keep(String),
}

#[derive(Debug, Default)]
pub struct StreamDelivery {
    pub slot: CallSlot,
    pub status: StreamStatus,
    /// The control plane has all chunks before.
    pub acked: u64,
    pub flush_at: Option<u64>,
    pub cutting: bool,
    /// A disk that did not take the end of a chunk is left alone until then.
    pub cut_not_before: u64,
    /// When the first of the cuts failed since which none succeeded.
    pub uncut_since: Option<u64>,
    pub rebasing: bool,
}

#[derive(Debug)]
pub struct Attempt {
    pub at: AttemptRef,
    /// `None` for a leftover.
    pub lease: Option<Box<Lease>>,
    pub phase: LeasePhase,
    pub control: CallSlot,
    pub beat: CallSlot,
    pub beat_every: u64,
    /// Heartbeats are answered with an error that means: no longer.
    pub beats_over: bool,
    pub streams: [StreamDelivery; 2],
    pub measuring: bool,
    /// What the control plane has is known; always so for a run of this process.
    pub heard: bool,
    /// The totals were sent at least once.
    pub finish_sent: bool,
    pub locked: bool,
    pub give_up: Option<GiveUp>,
}

impl Attempt {
    pub fn leased(lease: Box<Lease>, now: u64) -> Self {
        let at = AttemptRef {
            id: lease.attempt_id,
            no: lease.attempt_no,
        };
        let phase = LeasePhase::Locking {
            give_up_at: now + lease.lease_s * S * 2 / 3,
        };
        Self {
            beat_every: seconds(lease.heartbeat_s),
            lease: Some(lease),
            heard: true,
            ..Self::new(at, phase)
        }
    }

    pub fn leftover(at: AttemptRef) -> Self {
        Self::new(at, LeasePhase::Delivering)
    }

    fn new(at: AttemptRef, phase: LeasePhase) -> Self {
        Self {
            at,
            lease: None,
            phase,
            control: CallSlot::default(),
            beat: CallSlot::default(),
            beat_every: 5 * S,
            beats_over: false,
            streams: Default::default(),
            measuring: false,
            heard: false,
            finish_sent: false,
            locked: false,
            give_up: None,
        }
    }

    pub fn stream(&mut self, name: StreamName) -> &mut StreamDelivery {
        &mut self.streams[name as usize]
    }

    pub fn running(&self) -> bool {
        matches!(self.phase, LeasePhase::Running { .. })
    }

    pub fn state(&self) -> AttemptState {
        match self.phase {
            LeasePhase::Delivering => AttemptState::Uploading,
            _ if self.measuring => AttemptState::Measuring,
            _ => AttemptState::Preparing,
        }
    }

    pub fn slots(&mut self) -> [&mut CallSlot; 4] {
        let [journal, raw] = &mut self.streams;
        [&mut self.control, &mut self.beat, &mut journal.slot, &mut raw.slot]
    }

    /// Everything that was recorded is with the control plane.
    pub fn delivered(&self) -> bool {
        self.phase == LeasePhase::Delivering && self.heard && self.streams.iter().all(StreamDelivery::delivered)
    }
}

impl StreamDelivery {
    fn delivered(&self) -> bool {
        let s = &self.status;
        !s.damaged && !s.pending && !self.cutting && self.acked == s.chunks && self.slot.call.is_none()
    }

    pub fn spooled(&mut self, name: StreamName, status: StreamStatus, now: u64) {
        if status.pending {
            let flush = match name {
                StreamName::Journal => FLUSH_JOURNAL,
                StreamName::Raw => FLUSH_RAW,
            };
            // A cut takes what was waiting; what came since then waits anew.
            if !self.status.pending || self.cutting {
                self.flush_at = Some(now + flush);
            }
        } else {
            self.flush_at = None;
        }
        self.status = status;
    }
}

/// Any finite, sensible interval: an absurd one from outside must not stop the heartbeats or flood the control plane.
pub fn seconds(value: f64) -> u64 {
    (value.clamp(0.05, 60.0) * S as f64) as u64
}

/// For a host that the control plane does not know (any more): its own sentence, and the command that helps.
pub fn revoked(message: &str) -> SessionEnd {
    SessionEnd::Revoked(format!(
        "{message} The command is `rigmark enroll --replace`, with a new key; then start the agent again."
    ))
}
