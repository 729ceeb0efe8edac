//! Keeps the records in memory, for tests and for the table at the end of a local run.

use super::{Clock, Recorder, Sink, Store, StoreError};
use crate::protocol::journal::{Event, Record};
use crate::protocol::wire::StreamName;

#[derive(Default)]
struct MemoryStore {
    records: Vec<Record>,
    lines: Vec<(StreamName, String)>,
}

impl Store for MemoryStore {
    fn keep(&mut self, record: &Record, stream: StreamName, line: &str) -> Result<(), StoreError> {
        self.records.push(record.clone());
        self.lines.push((stream, line.to_owned()));
        Ok(())
    }
}

pub struct MemorySink(Recorder<MemoryStore>);

impl MemorySink {
    pub fn new(clock: Clock) -> Self {
        Self(Recorder::new(MemoryStore::default(), clock))
    }
    /// Both streams, in the order in which things happened.
    pub fn records(&self) -> Vec<Record> {
        self.0.with_store(|store| store.records.clone())
    }
    pub fn events(&self) -> Vec<Event> {
        self.records().into_iter().map(|record| record.event).collect()
    }
    pub fn lines(&self) -> Vec<(StreamName, String)> {
        self.0.with_store(|store| store.lines.clone())
    }
}

impl Sink for MemorySink {
    fn append(&self, event: Event) {
        self.0.append(event);
    }
    fn health(&self) -> Result<(), String> {
        self.0.health()
    }
}
