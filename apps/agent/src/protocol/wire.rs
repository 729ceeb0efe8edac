//! Requests and responses of `/api/agent/v1`.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::journal::RunStatus;
use super::result::Reason;
use super::spec::RunSpec;
pub use super::stream::StreamName;

pub const PROTOCOL_MIN: u32 = 1;
pub const PROTOCOL_MAX: u32 = 1;
/// Largest chunk, uncompressed.
pub const CHUNK_BYTES: usize = 256 * 1024;
pub const HEADER_SHA256: &str = "x-rigmark-sha256";
pub const HEADER_RECORDS: &str = "x-rigmark-records";
pub const HEADER_ATTEMPT_NO: &str = "x-rigmark-attempt-no";

/// The bytes that the agent signs to open a session.
pub fn session_message(host_id: &Uuid, nonce: &str) -> String {
    format!("rigmark-session-v1\n{host_id}\n{nonce}")
}

macro_rules! message {
    ($(#[$doc:meta])* $name:ident { $($field:ident : $type:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $(pub $field: $type),* }
    };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    Queued,
    Leased,
    Preparing,
    Measuring,
    Uploading,
    Cancelling,
    Succeeded,
    Failed,
    Cancelled,
    TimedOut,
    Incomplete,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptState {
    Preparing,
    Measuring,
    Uploading,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeartbeatCommand {
    None,
    Cancel,
}

message!(EnrollRequest {
    key: String,
    public_key: String,
    hostname: String,
    agent_version: String
});
message!(EnrollResponse {
    host_id: Uuid,
    host_name: String,
    host_url: String
});
message!(ChallengeRequest {
    host_id: Uuid,
    protocol_min: u32,
    protocol_max: u32
});
message!(ChallengeResponse {
    nonce: String,
    protocol: u32
});
message!(SessionRequest {
    host_id: Uuid,
    nonce: String,
    protocol: u32,
    signature: String
});
message!(SessionResponse {
    token: String,
    expires_in_s: u64
});
message!(LeaseRequest {
    request_id: Uuid,
    boot_id: String,
    catalogue_digest: String
});
message!(Lease {
    run_id: Uuid,
    attempt_id: Uuid,
    attempt_no: u32,
    spec: RunSpec,
    lease_s: u64,
    heartbeat_s: f64,
    control_plane_same_host: bool,
});
message!(LeaseResponse { lease: Option<Lease>, catalogue_wanted: bool });
message!(StartRequest { attempt_no: u32 });
message!(StartResponse {
    state: RunState,
    heartbeat_s: f64
});
message!(HeartbeatRequest {
    attempt_no: u32,
    state: AttemptState,
    t_us: u64
});
message!(NextSeq { journal: u64, raw: u64 });
message!(HeartbeatResponse {
    lease_s: u64,
    heartbeat_s: f64,
    command: HeartbeatCommand,
    next_seq: NextSeq
});
message!(ChunkResponse { next_seq: u64 });
message!(
    /// `digest` is rolling: d(0) = sha256(""), d(n+1) = sha256(d(n) ‖ sha256(chunk n)).
    StreamTotals { chunks: u64, records: u64, bytes: u64, digest: String }
);
message!(FinishStreams {
    journal: StreamTotals,
    raw: StreamTotals
});
message!(FinishRequest {
    attempt_no: u32,
    status: RunStatus,
    error: Option<Reason>,
    corrupt_records: u64,
    streams: FinishStreams,
});
message!(FinishResponse { state: RunState });
message!(
    /// `to_seq` is exclusive.
    MissingRange { stream: StreamName, from_seq: u64, to_seq: u64 }
);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    Invalid,
    Unauthenticated,
    KeyUnknown,
    KeyUsed,
    KeyExpired,
    Revoked,
    NotFound,
    State,
    ChunkGap,
    ChunksMissing,
    Superseded,
    Digest,
    TooLarge,
    ChunkConflict,
    Protocol,
    RateLimited,
    Internal,
    Unavailable,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorDetail {
    pub code: ErrorCode,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_seq: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<MissingRange>>,
}

message!(WireError { error: ErrorDetail });
