//! The one place where the session does I/O: it carries out the actions of the [`StateMachine`] and tells it what came of
//! them. Calls are tasks of their own, so none waits for another.

mod act;
mod send;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use bytes::Bytes;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use uuid::Uuid;

use super::client::Client;
use super::event::{AttemptRef, CallId, Failure, LogLevel, Reply, SessionEnd, SessionEvent};
use super::identity::Identity;
use super::inventory::Inventory;
use super::machine::{Config, StateMachine};
use super::recovered;
use crate::journal::{Recorder, Sink};
use crate::protocol::journal::{RunResult, RunStatus};
use crate::protocol::result::Reason;
use crate::protocol::wire::{Lease, StreamName};
use crate::spool::{AttemptSpool, Leftover, Spool, SpoolError, SpoolStore};

/// While nothing can be sent the journal still reaches the disk this often.
const SYNC_EVERY: Duration = Duration::from_secs(2);

/// How soon a server that the owner adds is seen.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// The host as the session sees it.
pub trait SessionHost: Send + Sync {
    /// May take seconds.
    fn inventory(&self) -> Inventory;
    /// Another number when the owner has added, changed or removed a server or a scenario. Quick.
    fn owner_files(&self) -> u64 {
        0
    }
    fn boot_id(&self) -> String;
    fn monotonic_us(&self) -> u64;
    /// Whether a run may begin now: the owner's hours, then the host-wide lock, held until dropped. `Err` says why not.
    fn lock(&self, owner: &str) -> Result<Box<dyn Send>, String>;
    /// Something big is over and nothing follows: memory can go back to the system.
    fn rest(&self) {}
}

#[async_trait]
pub trait LeaseExecutor: Send + Sync {
    /// Every record of the run goes to the sink; the result is the last one.
    async fn execute(&self, lease: Lease, sink: Arc<dyn Sink>, cancel: watch::Receiver<bool>) -> RunResult;
}

/// Where the session says what it does.
pub type LogFn = Box<dyn Fn(LogLevel, &str) + Send + Sync>;

pub struct Setup {
    pub identity: Identity,
    pub client: Client,
    pub spool: Spool,
    pub host: Arc<dyn SessionHost>,
    pub executor: Arc<dyn LeaseExecutor>,
    pub clock: crate::journal::Clock,
    pub once: bool,
    pub log: LogFn,
}

enum Message {
    Response {
        call: CallId,
        result: Result<Reply, Failure>,
        token: Option<String>,
    },
    Inventory(Box<Inventory>),
    Ended(RunResult),
}

struct Driver {
    identity: Arc<Identity>,
    client: Arc<Client>,
    spool: Spool,
    host: Arc<dyn SessionHost>,
    executor: Arc<dyn LeaseExecutor>,
    clock: crate::journal::Clock,
    log: LogFn,
    machine: StateMachine,
    began: Instant,
    tx: mpsc::UnboundedSender<Message>,
    boot_id: String,
    token: Option<Arc<str>>,
    facts: Bytes,
    catalogue: Bytes,
    lock: Option<Box<dyn Send>>,
    leftovers: HashMap<Uuid, Arc<AttemptSpool>>,
    current: Option<Current>,
    cancel: watch::Sender<bool>,
    exit: Option<SessionEnd>,
}

struct Current {
    at: AttemptRef,
    /// `None` when the disk could not take it: the control plane is told why.
    spool: Option<Arc<AttemptSpool>>,
    recorder: Option<Arc<Recorder<SpoolStore>>>,
    unspooled: Option<(RunStatus, Option<Reason>)>,
    running: bool,
    told_measuring: bool,
}

/// Until stopped, or for good when the control plane will not have this agent. A stop that comes again ends at once.
pub async fn run(setup: Setup, mut stop: watch::Receiver<bool>) -> Result<SessionEnd, SpoolError> {
    let (tx, mut rx) = mpsc::unbounded_channel();
    let mut driver = Driver::new(setup, tx)?;
    driver.tell(SessionEvent::Tick);
    let mut stopping = false;
    let mut sync = tokio::time::interval(SYNC_EVERY);
    sync.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut look = tokio::time::interval(LOOK_EVERY);
    look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut owner_files = driver.host.owner_files();
    while driver.exit.is_none() {
        let wake = driver
            .machine
            .wake_at()
            .map(|us| driver.began + Duration::from_micros(us));
        let spool = driver.current.as_ref().and_then(|c| c.spool.clone());
        let running = driver.current.as_ref().is_some_and(|c| c.running);
        tokio::select! {
            Some(message) = rx.recv() => driver.on_message(message),
            () = until(wake) => driver.tell(SessionEvent::Tick),
            () = changed(spool.as_deref()) => driver.tell_spooled(),
            _ = sync.tick(), if running => driver.sync(),
            _ = look.tick(), if !running => {
                let now = driver.host.owner_files();
                if std::mem::replace(&mut owner_files, now) != now {
                    driver.tell(SessionEvent::InventoryChanged);
                }
            }
            result = stop.changed(), if !stopping => {
                stopping = result.is_err() || *stop.borrow();
                if stopping {
                    driver.tell(SessionEvent::Stop);
                }
            }
        }
    }
    Ok(driver.exit.take().unwrap_or(SessionEnd::Stopped))
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

async fn changed(spool: Option<&AttemptSpool>) {
    match spool {
        Some(spool) => spool.changed().await,
        None => std::future::pending().await,
    }
}

impl Driver {
    fn new(setup: Setup, tx: mpsc::UnboundedSender<Message>) -> Result<Self, SpoolError> {
        let mut leftovers = HashMap::new();
        let mut order = Vec::new();
        for leftover in setup.spool.leftovers(setup.identity.host_id)? {
            match leftover {
                Leftover::Unreadable(sentence) => (setup.log)(LogLevel::Warn, &sentence),
                Leftover::Attempt(spool) => {
                    if let Err(error) = recovered::close(&spool, setup.clock) {
                        (setup.log)(LogLevel::Warn, &error.to_string());
                    }
                    let attempt = spool.attempt();
                    order.push(AttemptRef {
                        id: attempt.attempt_id,
                        no: attempt.attempt_no,
                    });
                    leftovers.insert(attempt.attempt_id, Arc::from(spool));
                }
            }
        }
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut seed = [0; 8];
        // Without random bytes retries are spread by the clock.
        let seed = getrandom::fill(&mut seed).map_or(wall.as_nanos() as u64, |()| u64::from_le_bytes(seed));
        let machine = StateMachine::new(Config {
            once: setup.once,
            wall_ms: wall.as_millis() as u64,
            seed,
            leftovers: order,
        });
        Ok(Self {
            identity: Arc::new(setup.identity),
            client: Arc::new(setup.client),
            spool: setup.spool,
            boot_id: setup.host.boot_id(),
            host: setup.host,
            executor: setup.executor,
            clock: setup.clock,
            log: setup.log,
            machine,
            began: Instant::now(),
            tx,
            token: None,
            facts: Bytes::new(),
            catalogue: Bytes::new(),
            lock: None,
            leftovers,
            current: None,
            cancel: watch::Sender::new(false),
            exit: None,
        })
    }

    fn on_message(&mut self, message: Message) {
        match message {
            Message::Response { call, result, token } => {
                if let Some(token) = token {
                    self.token = Some(token.into());
                }
                self.tell(SessionEvent::Response { call, result });
            }
            Message::Inventory(inventory) => {
                self.facts = serde_json::to_vec(&inventory.facts)
                    .expect("messages are plain data")
                    .into();
                self.catalogue = serde_json::to_vec(&inventory.catalogue)
                    .expect("messages are plain data")
                    .into();
                let digest = inventory.digest();
                drop(inventory);
                self.host.rest();
                self.tell(SessionEvent::Inventory { digest });
            }
            Message::Ended(result) => {
                let refused = self
                    .current
                    .as_ref()
                    .and_then(|c| c.recorder.as_ref())
                    .map_or(0, |r| r.refused());
                self.close(result.status, result.error, refused);
                self.tell_spooled();
                self.tell(SessionEvent::RunEnded);
            }
        }
    }

    fn tell(&mut self, event: SessionEvent) {
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            let now = self.began.elapsed().as_micros() as u64;
            let event = self.as_of_now(event);
            for action in self.machine.handle(now, event) {
                self.act(action, &mut events);
            }
        }
    }

    /// What an event before this one led to may have cut a chunk: a state of the disk that is told late would take it back, and
    /// the response to that chunk would be of one that nobody has.
    fn as_of_now(&self, event: SessionEvent) -> SessionEvent {
        match (event, self.attempt_spool()) {
            (SessionEvent::Spooled { stream, .. }, Some(spool)) => SessionEvent::Spooled {
                stream,
                status: spool.status(stream),
            },
            (event, _) => event,
        }
    }

    fn attempt_spool(&self) -> Option<&Arc<AttemptSpool>> {
        self.current.as_ref()?.spool.as_ref()
    }

    pub(super) fn spooled(&self) -> Vec<SessionEvent> {
        let Some(spool) = self.attempt_spool() else {
            return Vec::new();
        };
        let status = |stream| SessionEvent::Spooled {
            stream,
            status: spool.status(stream),
        };
        StreamName::ALL.into_iter().map(status).collect()
    }

    fn tell_spooled(&mut self) {
        for event in self.spooled() {
            self.tell(event);
        }
        if let Some(current) = &mut self.current
            && !current.told_measuring
            && current.spool.as_ref().is_some_and(|s| s.measuring())
        {
            current.told_measuring = true;
            self.tell(SessionEvent::Measuring);
        }
    }
}
