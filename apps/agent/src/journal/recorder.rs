//! Numbers records per stream and stamps the monotonic clock, whatever keeps them afterwards.

use std::sync::{Mutex, MutexGuard};

use thiserror::Error;

use super::Sink;
use crate::protocol::journal::{Event, Record, VERSION};
use crate::protocol::wire::{CHUNK_BYTES, StreamName};

/// Microseconds of the monotonic clock.
pub type Clock = fn() -> u64;

/// Why a record is not kept, as one sentence.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct StoreError(pub String);

/// What keeps the lines that a [`Recorder`] makes.
pub trait Store: Send {
    /// `line` is one record as JSON, without a line feed.
    fn keep(&mut self, record: &Record, stream: StreamName, line: &str) -> Result<(), StoreError>;
    /// A sentence although everything was kept so far: the space that is left is for the end of the run.
    fn warning(&self) -> Option<String> {
        None
    }
}

pub struct Recorder<S> {
    clock: Clock,
    inner: Mutex<Inner<S>>,
}

struct Inner<S> {
    store: S,
    next: [u64; 2],
    refused: u64,
    trouble: Option<String>,
}

impl<S: Store> Recorder<S> {
    pub fn new(store: S, clock: Clock) -> Self {
        Self {
            clock,
            inner: Mutex::new(Inner {
                store,
                next: [0, 0],
                refused: 0,
                trouble: None,
            }),
        }
    }

    /// Records that could not be kept.
    pub fn refused(&self) -> u64 {
        self.lock().refused
    }

    pub fn with_store<T>(&self, f: impl FnOnce(&mut S) -> T) -> T {
        f(&mut self.lock().store)
    }

    fn lock(&self) -> MutexGuard<'_, Inner<S>> {
        // A panic elsewhere must not take the journal of the run with it.
        self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl<S: Store> Sink for Recorder<S> {
    fn append(&self, event: Event) {
        let mut guard = self.lock();
        let inner = &mut *guard;
        let stream = event.stream();
        let next = &mut inner.next[stream as usize];
        let record = Record {
            v: VERSION,
            seq: *next,
            t_us: (self.clock)(),
            event,
        };
        let kept = match serde_json::to_string(&record) {
            Err(error) => Err(StoreError(format!("A record could not be written as JSON ({error})."))),
            // A line travels whole within one chunk, line feed included.
            Ok(line) if line.len() >= CHUNK_BYTES => Err(StoreError(format!(
                "A record of {} bytes is longer than the {CHUNK_BYTES} that fit into a chunk; split the run into smaller ones.",
                line.len()
            ))),
            Ok(line) => inner.store.keep(&record, stream, &line),
        };
        match kept {
            // The number goes to the next record when this one is not kept: a gap would mean damage.
            Ok(()) => *next += 1,
            Err(StoreError(sentence)) => {
                inner.refused += 1;
                inner.trouble.get_or_insert(sentence);
            }
        }
    }

    fn health(&self) -> Result<(), String> {
        let inner = self.lock();
        inner
            .trouble
            .clone()
            .or_else(|| inner.store.warning())
            .map_or(Ok(()), Err)
    }
}
