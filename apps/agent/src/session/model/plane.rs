//! A control plane that keeps the promises of `docs/protocol.md`.

use std::collections::{BTreeMap, VecDeque};

use uuid::Uuid;

use super::super::call_slot::S;
use super::super::event::*;
use super::stream::ModelStream;
use crate::protocol::spec::RunSpec;
use crate::protocol::wire::{
    ErrorCode, ErrorDetail, HeartbeatCommand, HeartbeatResponse, Lease, LeaseResponse, MissingRange, NextSeq, RunState,
    StreamName,
};

const LEASE_S: u64 = 60;

#[derive(Default)]
pub struct ModelControlPlane {
    pub token: u64,
    pub token_good: bool,
    pub queue: VecDeque<Uuid>,
    pub leases: BTreeMap<Uuid, AttemptRef>,
    pub attempts: BTreeMap<Uuid, ModelAttempt>,
    pub next: u128,
    /// When it last had to do with the host.
    pub heard_at: u64,
}

pub struct ModelAttempt {
    pub run: Uuid,
    pub leased_at: u64,
    pub started: bool,
    pub finished: bool,
    pub superseded: bool,
    /// The database was restored from before this attempt.
    pub forgotten: bool,
    /// Closed without everything that was recorded.
    pub abandoned: bool,
    pub cancel: bool,
    pub streams: [Vec<Vec<u32>>; 2],
}

impl ModelAttempt {
    pub fn live(&self) -> bool {
        !self.finished && !self.superseded && !self.abandoned && !self.forgotten
    }
}

fn refusal(code: ErrorCode) -> Failure {
    Failure::Refused(ErrorDetail {
        code,
        message: "No.".into(),
        next_seq: None,
        missing: None,
    })
}

impl ModelControlPlane {
    pub fn expire(&mut self, now: u64) {
        for attempt in self.attempts.values_mut() {
            if attempt.live() && !attempt.started && now > attempt.leased_at + LEASE_S * S {
                attempt.superseded = true;
                self.queue.push_back(attempt.run);
            }
        }
    }

    pub fn answer(
        &mut self,
        request: &Request,
        token: u64,
        disk: &BTreeMap<Uuid, [ModelStream; 2]>,
        now: u64,
    ) -> Result<Reply, Failure> {
        self.expire(now);
        match request {
            Request::Challenge => {
                return Ok(Reply::Challenge {
                    nonce: "n".into(),
                    protocol: 1,
                });
            }
            Request::Session { .. } => {
                self.token += 1;
                self.token_good = true;
                return Ok(Reply::Session { expires_in_s: 3600 });
            }
            _ if !self.token_good || token != self.token => return Err(refusal(ErrorCode::Unauthenticated)),
            _ => self.heard_at = now,
        }
        match request {
            Request::Lease { request_id, .. } => Ok(Reply::Lease(Box::new(LeaseResponse {
                lease: self.lease(*request_id, now),
                catalogue_wanted: false,
            }))),
            Request::Start(at) => {
                let attempt = self.attempt(at)?;
                attempt.started = true;
                Ok(Reply::Started {
                    state: if attempt.cancel {
                        RunState::Cancelling
                    } else {
                        RunState::Preparing
                    },
                    heartbeat_s: 5.0,
                })
            }
            Request::Heartbeat(at, _) => {
                let attempt = self.attempt(at)?;
                let [journal, raw] = [0, 1].map(|i| attempt.streams[i].len() as u64);
                Ok(Reply::Heartbeat(HeartbeatResponse {
                    lease_s: LEASE_S,
                    heartbeat_s: 5.0,
                    command: if attempt.cancel {
                        HeartbeatCommand::Cancel
                    } else {
                        HeartbeatCommand::None
                    },
                    next_seq: NextSeq { journal, raw },
                }))
            }
            Request::Chunk(at, name, seq) => {
                let content = disk[&at.id][*name as usize].chunks[*seq as usize].clone();
                let have = &mut self.attempt(at)?.streams[*name as usize];
                let next_seq = have.len() as u64;
                match have.get(*seq as usize) {
                    Some(known) if *known != content => return Err(refusal(ErrorCode::ChunkConflict)),
                    Some(_) => {}
                    None if *seq == next_seq => have.push(content),
                    None => {
                        return Err(Failure::Refused(ErrorDetail {
                            code: ErrorCode::ChunkGap,
                            message: "Gap.".into(),
                            next_seq: Some(next_seq),
                            missing: None,
                        }));
                    }
                }
                Ok(Reply::Chunk {
                    next_seq: have.len() as u64,
                })
            }
            Request::Finish(at) => {
                let tapes = &disk[&at.id];
                let attempt = self.attempt(at)?;
                let missing: Vec<MissingRange> = StreamName::ALL
                    .into_iter()
                    .map(|stream| MissingRange {
                        stream,
                        from_seq: attempt.streams[stream as usize].len() as u64,
                        to_seq: tapes[stream as usize].chunks.len() as u64,
                    })
                    .filter(|range| range.from_seq < range.to_seq)
                    .collect();
                assert!(
                    missing.is_empty(),
                    "finish before everything was acknowledged: {missing:?}"
                );
                attempt.finished = true;
                Ok(Reply::Finished)
            }
            Request::Abandon(at, _) => {
                self.attempt(at)?.abandoned = true;
                Ok(Reply::Finished)
            }
            _ => Ok(Reply::Stored),
        }
    }

    pub fn attempt(&mut self, at: &AttemptRef) -> Result<&mut ModelAttempt, Failure> {
        let attempt = self
            .attempts
            .get_mut(&at.id)
            .expect("the agent asks for its own attempts");
        if attempt.forgotten {
            return Err(refusal(ErrorCode::NotFound));
        }
        if attempt.superseded {
            return Err(refusal(ErrorCode::Superseded));
        }
        Ok(attempt)
    }

    pub fn lease(&mut self, request_id: Uuid, now: u64) -> Option<Lease> {
        if !self.leases.contains_key(&request_id) {
            if self.attempts.values().any(ModelAttempt::live) {
                return None;
            }
            let run = self.queue.pop_front()?;
            self.next += 1;
            let at = AttemptRef {
                id: Uuid::from_u128(self.next),
                no: self.attempts.len() as u32 + 1,
            };
            self.leases.insert(request_id, at);
            let attempt = ModelAttempt {
                run,
                leased_at: now,
                started: false,
                finished: false,
                superseded: false,
                forgotten: false,
                abandoned: false,
                cancel: false,
                streams: Default::default(),
            };
            self.attempts.insert(at.id, attempt);
        }
        let at = self.leases[&request_id];
        let attempt = &self.attempts[&at.id];
        attempt.live().then(|| Lease {
            run_id: attempt.run,
            attempt_id: at.id,
            attempt_no: at.no,
            spec: RunSpec {
                schema: 1,
                title: String::new(),
                entries: vec![],
                scenarios: vec![],
                repeats: 1,
                duration_s: None,
                warmup_s: None,
                baseline: None,
                seed: 0,
                suite: None,
                slice_s: None,
                precision: None,
                max_repeats: None,
                time_limit_s: None,
                tune: None,
            },
            lease_s: LEASE_S,
            heartbeat_s: 5.0,
            control_plane_same_host: false,
        })
    }
}
