//! A host and a run that do what a test wants.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use rigmark::journal::Sink;
use rigmark::protocol::catalogue::Catalogue;
use rigmark::protocol::facts::HostFacts;
use rigmark::protocol::journal::{Event, Raw, RunLabel, RunResult, RunStatus};
use rigmark::protocol::result::Reason;
use rigmark::protocol::wire::Lease;
use rigmark::session::Inventory;
use rigmark::session::driver::{LeaseExecutor, SessionHost};
use tokio::sync::watch;
use uuid::Uuid;

pub fn clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros() as u64
}

#[derive(Clone, Default)]
pub struct TestHost {
    pub busy: Arc<Mutex<Option<String>>>,
}

impl SessionHost for TestHost {
    fn inventory(&self) -> Inventory {
        let golden = include_str!("../../../../../packages/protocol/golden/host-facts.json");
        Inventory {
            facts: serde_json::from_str::<HostFacts>(golden).unwrap(),
            catalogue: Catalogue {
                servers: vec![],
                scenarios: vec![],
                tools: vec![],
                suites: Vec::new(),
            },
        }
    }
    fn boot_id(&self) -> String {
        "boot".into()
    }
    fn monotonic_us(&self) -> u64 {
        1
    }
    fn lock(&self, _: &str) -> Result<Box<dyn Send>, String> {
        self.busy.lock().unwrap().clone().map_or(Ok(Box::new(())), Err)
    }
}

/// A run that writes `records` lines, one every `every`, and remembers what it wrote.
#[derive(Clone, Default)]
pub struct Script {
    pub records: u32,
    pub every: Duration,
    pub big: bool,
    pub written: Arc<Mutex<Vec<Event>>>,
    pub runs: Arc<Mutex<u32>>,
    pub cancelled: Arc<Mutex<bool>>,
}

#[async_trait]
impl LeaseExecutor for Script {
    async fn execute(&self, _: Lease, sink: Arc<dyn Sink>, mut cancel: watch::Receiver<bool>) -> RunResult {
        *self.runs.lock().unwrap() += 1;
        let append = |event: Event| {
            self.written.lock().unwrap().push(event.clone());
            sink.append(event);
        };
        let mut status = RunStatus::Succeeded;
        for n in 0..self.records {
            append(Event::Label(RunLabel {
                code: format!("l{n}"),
                message: clock().to_string(),
                entry_key: None,
            }));
            append(Event::Raw(Raw {
                trial_id: Uuid::nil(),
                name: "ab.stdout".into(),
                part: n,
                text: "é\u{1b}\n".repeat(if self.big { 5000 } else { 3 }),
                truncated: false,
            }));
            tokio::select! {
                () = tokio::time::sleep(self.every) => {}
                _ = cancel.changed() => {
                    *self.cancelled.lock().unwrap() = true;
                    status = RunStatus::Cancelled;
                    break;
                }
            }
        }
        let result = RunResult {
            status,
            error: (status != RunStatus::Succeeded).then(|| Reason::new("cancelled", "Cancelled.")),
            trials_valid: 0,
            trials_invalid: 0,
            time: None,
        };
        append(Event::Result(result.clone()));
        result
    }
}
