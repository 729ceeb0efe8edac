//! `--out FILE`: every record as a JSON line, both streams in the order in which things happened.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Clock, Recorder, Sink, Store, StoreError};
use crate::protocol::journal::{Event, Record};
use crate::protocol::wire::StreamName;

struct FileStore {
    file: File,
    path: PathBuf,
    end: u64,
    /// A pipe or a terminal has no length, and nothing to synchronize.
    regular: bool,
    /// The first records, as long as the file has what was there before: a run that never begins costs nobody an earlier result.
    waiting: Option<Vec<u8>>,
}

impl Store for FileStore {
    /// One write a line: a run that is killed leaves everything that happened until then.
    fn keep(&mut self, record: &Record, _: StreamName, line: &str) -> Result<(), StoreError> {
        let waiting = self.waiting.take();
        let waits = waiting.is_some();
        let mut bytes = waiting.unwrap_or_default();
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        if !waits {
            return self.write(&bytes);
        }
        if !matches!(record.event, Event::Plan(_)) {
            self.waiting = Some(bytes);
            return Ok(());
        }
        let replaced = self.empty().and_then(|()| self.write(&bytes));
        // The numbers of what follows would begin in the middle.
        replaced.inspect_err(|_| self.waiting = Some(Vec::new()))
    }
}

impl FileStore {
    fn empty(&mut self) -> Result<(), StoreError> {
        let emptied = self.file.set_len(0);
        emptied.map_err(|error| StoreError(sentence(&self.path, &error)))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        if let Err(error) = self.file.write_all(bytes) {
            // Half a line would spoil the next one.
            let _ = self.file.set_len(self.end);
            return Err(StoreError(sentence(&self.path, &error)));
        }
        self.end += bytes.len() as u64;
        Ok(())
    }
}

fn sentence(path: &Path, error: &io::Error) -> String {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            format!("The disk that holds {path} is full; free some space and run again.")
        }
        _ => format!("{path} could not be written ({error}); name another file with --out."),
    }
}

pub struct FileSink(Recorder<FileStore>);

impl FileSink {
    /// Replaces what was there, as soon as there is a plan.
    pub fn create(path: &Path, clock: Clock) -> Result<Self, StoreError> {
        use std::os::unix::fs::OpenOptionsExt;
        let mut options = std::fs::OpenOptions::new();
        // Appending, so that a cut line leaves the position where the file ends.
        options.create(true).append(true).mode(0o644);
        let open = || {
            let file = options.open(path)?;
            let metadata = file.metadata()?;
            io::Result::Ok((file, metadata.is_file(), metadata.len() > 0))
        };
        let (file, regular, filled) = open().map_err(|error| StoreError(sentence(path, &error)))?;
        Ok(Self(Recorder::new(
            FileStore {
                file,
                path: path.to_owned(),
                end: 0,
                regular,
                waiting: (regular && filled).then(Vec::new),
            },
            clock,
        )))
    }

    /// Whether the file has nothing of this run, because something was there before and the run came to no plan.
    pub fn holds_earlier(&self) -> bool {
        self.0.with_store(|s| s.waiting.is_some())
    }

    /// Says that everything is on the disk, or why not.
    pub fn finish(&self) -> Result<(), StoreError> {
        self.health().map_err(StoreError)?;
        self.0.with_store(|s| match s.regular {
            true => s.file.sync_all().map_err(|error| StoreError(sentence(&s.path, &error))),
            false => Ok(()),
        })
    }
}

impl Sink for FileSink {
    fn append(&self, event: Event) {
        self.0.append(event);
    }
    fn health(&self) -> Result<(), String> {
        self.0.health()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::journal::{Raw, RunLabel};

    fn label(code: &str) -> Event {
        Event::Label(RunLabel {
            code: code.into(),
            message: String::new(),
            entry_key: None,
        })
    }
    fn raw(text: &str) -> Event {
        Event::Raw(Raw {
            trial_id: uuid::Uuid::nil(),
            name: "ab.stdout".into(),
            part: 0,
            text: text.into(),
            truncated: false,
        })
    }

    #[test]
    fn one_file_has_both_streams_in_order_and_each_counts_for_itself() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out.json");
        let sink = FileSink::create(&path, || 7).unwrap();
        for event in [label("a"), raw("x"), label("b"), raw("y")] {
            sink.append(event);
        }
        sink.finish().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let seqs: Vec<(u64, &str)> = text
            .lines()
            .map(|line| serde_json::from_str::<Record>(line).unwrap())
            .map(|r| (r.seq, r.event.stream().as_str()))
            .collect();
        assert_eq!(seqs, [(0, "journal"), (0, "raw"), (1, "journal"), (1, "raw")]);
    }

    #[test]
    fn what_was_there_stays_until_there_is_a_plan() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out.json");
        std::fs::write(&path, "old").unwrap();
        let sink = FileSink::create(&path, || 7).unwrap();
        let text = || std::fs::read_to_string(&path).unwrap();
        sink.append(label("a"));
        sink.append(raw("x"));
        assert_eq!((text().as_str(), sink.holds_earlier()), ("old", true));
        let plan = serde_json::json!({
            "seed": 1, "prng": "", "shuffle": "", "entries": [], "scenarios": [], "trials": [], "planned_s": 0.0,
        });
        sink.append(Event::Plan(serde_json::from_value(plan).unwrap()));
        assert!(!sink.holds_earlier());
        assert_eq!(text().lines().count(), 3);
        sink.append(label("b"));
        sink.finish().unwrap();
        let seqs = |line: &str| serde_json::from_str::<Record>(line).unwrap().seq;
        assert_eq!(text().lines().map(seqs).collect::<Vec<_>>(), [0, 0, 1, 2]);
    }

    #[test]
    fn a_pipe_takes_the_records_too() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let from = path.clone();
        // Opening either end waits for the other.
        let reader = std::thread::spawn(move || std::fs::read_to_string(from).unwrap());
        let sink = FileSink::create(&path, || 7).unwrap();
        sink.append(label("a"));
        sink.finish().unwrap();
        drop(sink);
        let text = reader.join().unwrap();
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap().event, label("a"));
    }

    #[test]
    fn a_record_longer_than_a_chunk_is_said_and_the_numbers_have_no_gap() {
        let dir = tempfile::tempdir().unwrap();
        let sink = FileSink::create(&dir.path().join("o"), || 0).unwrap();
        sink.append(raw(&"x".repeat(300_000)));
        assert!(sink.health().unwrap_err().contains("split the run"));
        sink.append(raw("y"));
        let text = std::fs::read_to_string(dir.path().join("o")).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap().seq, 0);
        assert!(sink.finish().is_err());
    }

    #[test]
    fn a_full_disk_is_one_sentence() {
        if !Path::new("/dev/full").exists() {
            return;
        }
        let sink = FileSink(Recorder::new(
            FileStore {
                file: File::options().write(true).open("/dev/full").unwrap(),
                path: "/dev/full".into(),
                end: 0,
                regular: false,
                waiting: None,
            },
            || 0,
        ));
        sink.append(label("a"));
        assert!(sink.health().unwrap_err().contains("is full"));
    }
}
