//! One connection: what it is sending, what it waits for, what has come in.

use std::collections::VecDeque;
use std::os::fd::OwnedFd;

use super::http::HttpReader;
use super::ws::WsReader;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnState {
    Down,
    Connecting,
    /// Waits for the 101 of a WebSocket.
    Shaking,
    Up,
    /// The response announced the connection's end, or it was the only one: the end is waited for.
    Ending,
}

/// A request under way.
#[derive(Debug, Clone, Copy)]
pub struct SentRequest {
    /// Latency counts from here.
    pub due_ns: u64,
    pub sent_ns: u64,
    pub first_ns: u64,
    /// Which request of the plan, or the message's number.
    pub number: u64,
}

pub enum ResponseReader {
    Http(HttpReader),
    Ws(WsReader),
}

pub struct Conn {
    /// Among those of the whole run.
    pub number: u64,
    pub generation: u32,
    pub state: ConnState,
    /// Since when it is in this state; when it is down, when it is tried again.
    pub since_ns: u64,
    pub fd: Option<OwnedFd>,
    pub reader: ResponseReader,
    pub pending: VecDeque<SentRequest>,
    /// Sent so far, over all its lives.
    pub sent: u64,
    /// Responses since the connection was made.
    pub responses: u64,
    pub mask: [u8; 4],
    /// What has arrived of the handshake's response.
    pub shake: Vec<u8>,
    /// The kernel reads it now: it must not change.
    pub leaving: Vec<u8>,
    pub sending: bool,
    /// Leaves next.
    pub queued: Vec<u8>,
    pub dirty: bool,
}

impl Conn {
    pub fn new(number: u64, reader: ResponseReader, mask: [u8; 4], in_flight: usize) -> Self {
        Self {
            number,
            generation: 0,
            state: ConnState::Down,
            since_ns: 0,
            fd: None,
            reader,
            pending: VecDeque::with_capacity(in_flight),
            sent: 0,
            responses: 0,
            mask,
            shake: Vec::new(),
            leaving: Vec::new(),
            sending: false,
            queued: Vec::new(),
            dirty: false,
        }
    }

    /// The connection is gone; what belongs to the next one begins anew.
    pub fn down(&mut self, retry_ns: u64) {
        self.fd.take().into_iter().for_each(super::socket::close);
        self.generation = (self.generation + 1) & 0xff_ffff;
        self.state = ConnState::Down;
        self.since_ns = retry_ns;
        self.responses = 0;
        self.pending.clear();
        self.queued.clear();
        self.shake.clear();
        self.dirty = false;
        if self.sending {
            // The kernel may still read it.
            std::mem::forget(std::mem::take(&mut self.leaving));
            self.sending = false;
        }
        match &mut self.reader {
            ResponseReader::Http(reader) => reader.reset(),
            ResponseReader::Ws(reader) => reader.reset(),
        }
    }
}
