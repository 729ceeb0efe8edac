//! What the session is told and what it asks for: the whole surface between the pure machine and its driver.

use uuid::Uuid;

use crate::protocol::journal::RunStatus;
use crate::protocol::result::Reason;
use crate::protocol::wire::{AttemptState, ErrorDetail, HeartbeatResponse, Lease, LeaseResponse, RunState, StreamName};
use crate::spool::StreamStatus;

pub type CallId = u64;

/// One call of the agent's HTTP endpoint, without what only the driver has (token, key, bodies from the disk).
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    Challenge,
    Session {
        nonce: String,
        protocol: u32,
    },
    Facts,
    Catalogue,
    Lease {
        request_id: Uuid,
        digest: String,
    },
    Start(AttemptRef),
    Heartbeat(AttemptRef, AttemptState),
    Chunk(AttemptRef, StreamName, u64),
    Finish(AttemptRef),
    /// Closes the attempt with what did arrive, and says why there is no more.
    Abandon(AttemptRef, String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptRef {
    pub id: Uuid,
    pub no: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    Challenge {
        nonce: String,
        protocol: u32,
    },
    /// The driver keeps the token itself.
    Session {
        expires_in_s: u64,
    },
    Stored,
    Lease(Box<LeaseResponse>),
    Started {
        state: RunState,
        heartbeat_s: f64,
    },
    Heartbeat(HeartbeatResponse),
    Chunk {
        next_seq: u64,
    },
    Finished,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// No response, or none that this protocol knows: the other side may or may not have acted.
    Lost(String),
    /// The proxy did not let us through: a whole sentence.
    Proxy(String),
    Refused(ErrorDetail),
    /// A proxy in between takes nothing of this size, and says so in its own words: a whole sentence.
    TooLarge(String),
    /// The chunk could not be read from the disk.
    Unreadable(String),
}

#[derive(Debug, Clone, PartialEq)]
pub enum SessionEvent {
    /// Time has passed.
    Tick,
    Response {
        call: CallId,
        result: Result<Reply, Failure>,
    },
    /// Facts and catalogue were collected.
    Inventory { digest: String },
    /// The owner added, changed or removed a server or a scenario.
    InventoryChanged,
    /// The host-wide lock; `Err` says who has it.
    Locked(Result<(), String>),
    /// The spool of the leased attempt is there; `Err` is why not.
    Prepared(Result<(), Reason>),
    /// What the spool of the current attempt holds.
    Spooled { stream: StreamName, status: StreamStatus },
    /// After [`Action::Cut`], whose [`SessionEvent::Spooled`] came before; `Err` when the disk did not take it.
    Cut {
        stream: StreamName,
        result: Result<(), String>,
    },
    /// After [`Action::Rebase`]; `Err` when it cannot be fixed.
    Rebased {
        stream: StreamName,
        result: Result<StreamStatus, String>,
    },
    /// Load has begun to run.
    Measuring,
    /// The run is over and its last record is spooled.
    RunEnded,
    /// SIGTERM.
    Stop,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    Call {
        id: CallId,
        request: Request,
    },
    /// Collect facts and catalogue, then [`SessionEvent::Inventory`].
    Inventory,
    Lock,
    Unlock,
    /// Make the spool, before anything is asked or spawned.
    Prepare(Box<Lease>),
    Run(Box<Lease>),
    CancelRun,
    /// Close an attempt that never ran, then [`SessionEvent::RunEnded`].
    End {
        status: RunStatus,
        error: Option<Reason>,
    },
    /// This leftover is now the current attempt: tell [`SessionEvent::Spooled`] of both streams.
    Adopt(AttemptRef),
    Cut(StreamName),
    Acknowledge {
        stream: StreamName,
        next_seq: u64,
    },
    Rebase {
        stream: StreamName,
        next_seq: u64,
    },
    /// The control plane has it all, or nothing was measured.
    Discard,
    /// It can never be delivered: keep it where nothing tries again, and say why and where.
    SetAside {
        why: String,
    },
    Log {
        level: LogLevel,
        text: String,
    },
    EndSession(SessionEnd),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    Info,
    Warn,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionEnd {
    Stopped,
    Once,
    /// The control plane speaks another protocol. An update of either side may fix it.
    Refused(String),
    /// The control plane does not know this host (any more): it needs a new key.
    Revoked(String),
}
