//! What each action of the machine means to disk, lock and run.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::watch;

use super::super::event::{Action, AttemptRef, LogLevel, SessionEvent};
use super::super::recovered;
use super::{Current, Driver, Message};
use crate::journal::{Recorder, Sink};
use crate::protocol::journal::RunStatus;
use crate::protocol::result::Reason;
use crate::protocol::wire::{Lease, StreamName};
use crate::spool::{AttemptPhase, SpoolStore, SpooledAttempt};

impl Driver {
    pub(super) fn act(&mut self, action: Action, events: &mut VecDeque<SessionEvent>) {
        match action {
            Action::Call { id, request } => self.call(id, request),
            Action::Inventory => {
                let (host, tx) = (self.host.clone(), self.tx.clone());
                tokio::task::spawn_blocking(move || tx.send(Message::Inventory(Box::new(host.inventory()))));
            }
            Action::Lock => {
                let result = self.host.lock("a run of `rigmark agent`");
                events.push_back(SessionEvent::Locked(result.map(|lock| self.lock = Some(lock))));
            }
            Action::Unlock => self.lock = None,
            Action::Prepare(lease) => events.push_back(SessionEvent::Prepared(self.prepare(&lease))),
            Action::Run(lease) => self.start(*lease),
            Action::CancelRun => {
                self.cancel.send_replace(true);
            }
            Action::End { status, error } => {
                self.close(status, error, 0);
                events.extend(self.spooled());
                events.push_back(SessionEvent::RunEnded);
            }
            Action::Adopt(at) => {
                self.current = Some(Current {
                    at,
                    spool: self.leftovers.remove(&at.id),
                    recorder: None,
                    unspooled: None,
                    running: false,
                    told_measuring: true,
                });
                events.extend(self.spooled());
            }
            Action::Cut(stream) => {
                let result = self.attempt_spool().map_or(Ok(()), |spool| spool.cut(stream));
                let result = result.map_err(|e| e.to_string());
                events.extend(self.spooled());
                events.push_back(SessionEvent::Cut { stream, result });
            }
            Action::Acknowledge { stream, next_seq } => {
                if let Some(Err(error)) = self.attempt_spool().map(|spool| spool.acknowledge(stream, next_seq)) {
                    (self.log)(LogLevel::Warn, &error.to_string());
                }
                events.extend(self.spooled());
            }
            Action::Rebase { stream, next_seq } => {
                let Some(spool) = self.attempt_spool() else { return };
                let result = spool.rebase(stream, next_seq).map(|()| spool.status(stream));
                let result = result.map_err(|e| e.to_string());
                let lost = spool.lost_of(stream);
                if result.is_ok() && lost > 0 {
                    (self.log)(LogLevel::Warn, &unreadable(lost, stream));
                }
                events.push_back(SessionEvent::Rebased { stream, result });
            }
            Action::Discard => self.discard(),
            Action::SetAside { why } => self.set_aside(&why),
            Action::Log { level, text } => (self.log)(level, &text),
            Action::EndSession(exit) => self.exit = Some(exit),
        }
    }

    fn discard(&mut self) {
        if let Some(spool) = self.current.take().and_then(|c| c.spool)
            && let Err(error) = spool.discard()
        {
            (self.log)(LogLevel::Warn, &error.to_string());
        }
        self.host.rest();
    }

    fn set_aside(&mut self, why: &str) {
        let Some(spool) = self.current.as_ref().and_then(|c| c.spool.clone()) else {
            (self.log)(LogLevel::Warn, why);
            return self.discard();
        };
        if spool.is_bare() {
            (self.log)(LogLevel::Warn, &format!("{why} Nothing was measured yet."));
            return self.discard();
        }
        self.current = None;
        match spool.set_aside(why) {
            Ok(path) => (self.log)(LogLevel::Warn, &format!("{why} {}", kept_in(&path))),
            Err(error) => (self.log)(LogLevel::Warn, &format!("{why} {error}")),
        }
        self.host.rest();
    }

    fn prepare(&mut self, lease: &Lease) -> Result<(), Reason> {
        let spool = self.spool.create(SpooledAttempt {
            schema: 1,
            run_id: lease.run_id,
            attempt_id: lease.attempt_id,
            attempt_no: lease.attempt_no,
            host_id: self.identity.host_id,
            phase: AttemptPhase::Starting,
            ended: None,
        });
        let (spool, result) = match spool {
            Ok(spool) => (Some(Arc::new(spool)), Ok(())),
            Err(error) => (None, Err(Reason::new("spool", error.to_string()))),
        };
        self.current = Some(Current {
            at: AttemptRef {
                id: lease.attempt_id,
                no: lease.attempt_no,
            },
            spool,
            recorder: None,
            unspooled: None,
            running: false,
            told_measuring: false,
        });
        result
    }

    fn start(&mut self, lease: Lease) {
        let Some(current) = &mut self.current else { return };
        let Some(spool) = current.spool.clone() else { return };
        if let Err(error) = spool.set_running() {
            (self.log)(LogLevel::Warn, &error.to_string());
        }
        let recorder = Arc::new(Recorder::new(SpoolStore(spool), self.clock));
        current.recorder = Some(recorder.clone());
        current.running = true;
        self.cancel = watch::Sender::new(false);
        let (executor, cancel, tx) = (self.executor.clone(), self.cancel.subscribe(), self.tx.clone());
        tokio::spawn(async move {
            let sink: Arc<dyn Sink> = recorder.clone();
            let run = tokio::spawn(async move { executor.execute(lease, sink, cancel).await });
            let result = run
                .await
                .unwrap_or_else(|panic| recovered::panicked(&*recorder, &panic.to_string()));
            let _ = tx.send(Message::Ended(result));
        });
    }

    pub(super) fn close(&mut self, status: RunStatus, error: Option<Reason>, refused: u64) {
        let Some(current) = &mut self.current else { return };
        current.running = false;
        match &current.spool {
            None => current.unspooled = Some((status, error)),
            Some(spool) => {
                if let Err(error) = spool.set_ended(status, error, refused) {
                    (self.log)(LogLevel::Warn, &error.to_string());
                }
            }
        }
    }

    pub(super) fn sync(&self) {
        if let Some(spool) = self.current.as_ref().and_then(|c| c.spool.clone()) {
            tokio::task::spawn_blocking(move || spool.sync());
        }
    }
}

/// What happened to the records, and what one can do about it.
fn kept_in(path: &Path) -> String {
    format!(
        "What this host recorded and still had is kept in {}: copy it, or delete it if you do not need it.",
        path.display()
    )
}

fn unreadable(lost: u64, stream: StreamName) -> String {
    let records = if lost == 1 { "record" } else { "records" };
    format!(
        "The disk lost {lost} {records} of the {}; the rest is delivered, and the run says what is missing.",
        stream.as_str()
    )
}
