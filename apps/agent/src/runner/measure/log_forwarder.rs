//! Lines of a child into the journal, and no more of them than a reader would read.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use uuid::Uuid;

use crate::journal::Sink;
use crate::protocol::journal::{Event, Level, Log, LogSource};
use crate::text;

/// Lines of one child that are kept.
const LINES: usize = 200;

pub struct LogForwarder {
    sink: Arc<dyn Sink>,
    source: LogSource,
    entry_key: Option<String>,
    trial_id: Option<Uuid>,
    passed: AtomicUsize,
}

impl LogForwarder {
    pub fn new(sink: Arc<dyn Sink>, source: LogSource, entry_key: &str, trial_id: Option<Uuid>) -> Self {
        Self {
            sink,
            source,
            entry_key: Some(entry_key.to_owned()),
            trial_id,
            passed: AtomicUsize::new(0),
        }
    }

    pub fn line(&self, level: Level, line: &str) {
        match self.passed.fetch_add(1, Ordering::Relaxed) {
            n if n < LINES => self.append(level, line),
            LINES => self.append(Level::Warn, "More lines followed; they are not kept."),
            _ => {}
        }
    }

    fn append(&self, level: Level, line: &str) {
        self.sink.append(Event::Log(Log {
            source: self.source,
            level,
            entry_key: self.entry_key.clone(),
            trial_id: self.trial_id,
            line: text::log_line(line),
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::MemorySink;

    #[test]
    fn a_flood_is_cut_once_and_said_once() {
        let sink = Arc::new(MemorySink::new(|| 0));
        let forwarder = LogForwarder::new(sink.clone(), LogSource::Server, "key", None);
        (0..1000).for_each(|i| forwarder.line(Level::Info, &i.to_string()));
        let events = sink.events();
        assert_eq!(events.len(), LINES + 1);
        assert!(matches!(events.last(), Some(Event::Log(log)) if log.line.contains("not kept")));
    }
}
