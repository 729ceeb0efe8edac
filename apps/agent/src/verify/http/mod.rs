//! A small HTTP/1.x client that is strict about bytes. It blocks, with a limit on each silence.

mod connection;
mod head;

use std::time::Duration;

use thiserror::Error;

pub use connection::Connection;
pub use head::{Framing, Head};

/// Longest silence that conformance waits for: long, because a server that compiles its code as it runs shares two cores.
pub const SILENCE: Duration = Duration::from_secs(5);
/// More than a page that says what is wrong has.
pub const REFUSAL_BYTES: usize = 1 << 20;

#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum HttpError {
    #[error("no connection could be made ({0})")]
    Connect(String),
    /// This program or its host has no more descriptors, ports or memory, which says nothing about the server.
    #[error("this program could not make a connection ({0})")]
    Ours(String),
    #[error("the connection was closed before a response came")]
    Closed,
    #[error("there was no response within {0} s")]
    Silent(u64),
    #[error("what came is not an HTTP response: {0}")]
    Malformed(String),
    /// Than so many bytes.
    #[error("its body is longer than {} MiB, the most that is read here", .0 >> 20)]
    TooLong(u64),
    #[error("the response has no Content-Length")]
    NoLength,
    #[error("{got} of {announced} announced bytes arrived")]
    CutOff { announced: u64, got: u64 },
    #[error("the response came, but the server kept open the connection that the tool asked it to close")]
    StaysOpen,
    #[error("the response does not say keep-alive, so the tool waits for the connection's end, which did not come")]
    NotSaidKept,
    #[error("the server closed the connection without announcing it, and the tool loses its next request on it")]
    ClosesUnsaid,
    #[error("the time for verification is over")]
    Deadline,
    #[error("the connection failed ({0})")]
    Io(String),
}
