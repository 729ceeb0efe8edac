//! What came in on one connection, and what it means for the counts.

use std::io;

use super::super::head::{self, ParsedHead};
use super::super::tally::LoadFault;
use super::conn::{ConnState, ResponseReader};
use super::worker::Worker;
use super::{http, ws};

impl Worker<'_> {
    pub(super) fn received(&mut self, index: u32, mut bytes: &[u8], now: u64) -> io::Result<()> {
        let generation = self.conns[index as usize].generation;
        while !bytes.is_empty() && self.conns[index as usize].generation == generation {
            let taken = match (self.conns[index as usize].state, self.plan.message.is_some()) {
                (ConnState::Shaking, _) => self.handshake_bytes(index, bytes),
                (ConnState::Up, true) => self.echo_bytes(index, bytes, now),
                (ConnState::Up, false) => self.response_bytes(index, bytes, now),
                // Bytes after the last response belong to no request.
                _ => bytes.len(),
            };
            bytes = &bytes[taken..];
        }
        Ok(())
    }

    fn handshake_bytes(&mut self, index: u32, bytes: &[u8]) -> usize {
        let conn = &mut self.conns[index as usize];
        let before = conn.shake.len();
        conn.shake.extend_from_slice(bytes);
        match head::parse(&conn.shake) {
            ParsedHead::Incomplete => bytes.len(),
            ParsedHead::Head(head) if head.status == 101 => {
                self.up(index);
                head.bytes - before
            }
            ParsedHead::Head(_) | ParsedHead::Broken => {
                self.lost(index, LoadFault::Connect);
                bytes.len()
            }
        }
    }

    fn response_bytes(&mut self, index: u32, bytes: &[u8], now: u64) -> usize {
        let plan = self.plan;
        let conn = &mut self.conns[index as usize];
        let (Some(flight), ResponseReader::Http(reader)) = (conn.pending.front_mut(), &mut conn.reader) else {
            return self.unexpected_bytes(index, bytes);
        };
        if flight.first_ns == 0 {
            flight.first_ns = now;
        }
        let (taken, step) = reader.feed(bytes, &plan.requests[flight.number as usize], conn.responses);
        self.step(index, step, now);
        taken
    }

    /// A body of unknown length ends with its connection.
    pub(super) fn response_ended_by_close(&mut self, index: u32) {
        let plan = self.plan;
        let conn = &mut self.conns[index as usize];
        if let (Some(flight), ResponseReader::Http(reader)) = (conn.pending.front(), &mut conn.reader)
            && let Some(step) = reader.ended(&plan.requests[flight.number as usize])
        {
            let now = self.shared.now_ns();
            self.step(index, step, now);
        }
    }

    fn step(&mut self, index: u32, step: http::HttpStep, now: u64) {
        let plan = self.plan;
        let conn = &mut self.conns[index as usize];
        match step {
            http::HttpStep::Wait => {}
            http::HttpStep::Broken(fault) => self.lost(index, fault),
            http::HttpStep::Response { status, fault, closes } => {
                let Some(flight) = conn.pending.front() else { return };
                let until = if plan.first_byte { flight.first_ns } else { now };
                let latency_ns = until.saturating_sub(flight.due_ns);
                conn.pending.pop_front();
                conn.responses += 1;
                let ends = closes || !plan.keep_alive;
                if ends {
                    (conn.state, conn.since_ns) = (ConnState::Ending, now);
                }
                if self.landed(now) {
                    self.tally.status(status);
                    fault.into_iter().for_each(|f| self.tally.fault(f));
                    self.tally.response(now, latency_ns);
                }
                if !ends {
                    self.idle.push_back(index);
                } else if !closes && self.leaves_ends {
                    self.renew(index);
                }
            }
        }
    }

    fn echo_bytes(&mut self, index: u32, bytes: &[u8], now: u64) -> usize {
        let plan = self.plan;
        let conn = &mut self.conns[index as usize];
        let (Some(kind), ResponseReader::Ws(reader)) = (&plan.message, &mut conn.reader) else {
            return self.unexpected_bytes(index, bytes);
        };
        let waiting = conn.pending.front().map(|f| f.number);
        let (taken, step) = reader.feed(bytes, kind, conn.number, waiting);
        match step {
            ws::WsStep::Wait => {}
            ws::WsStep::Ping(payload) => {
                ws::write_pong(&mut conn.queued, &payload, conn.mask);
                self.mark(index);
            }
            ws::WsStep::Close => self.ended(index),
            ws::WsStep::Broken(fault) if waiting.is_some() => self.lost(index, fault),
            ws::WsStep::Broken(_) => return self.unexpected_bytes(index, bytes),
            ws::WsStep::Echo(fault) => {
                let due_ns = conn.pending.pop_front().map_or(now, |f| f.due_ns);
                conn.responses += 1;
                if self.landed(now) {
                    fault.into_iter().for_each(|f| self.tally.fault(f));
                    self.tally.response(now, now.saturating_sub(due_ns));
                }
                if fault.is_some() && plan.in_flight > 1 {
                    // Nothing shows any more which message a later echo belongs to.
                    self.lost(index, LoadFault::Other);
                } else {
                    self.idle.push_back(index);
                }
            }
        }
        taken
    }

    /// Bytes without a request: the connection cannot be trusted any more.
    fn unexpected_bytes(&mut self, index: u32, bytes: &[u8]) -> usize {
        self.tally.fault(LoadFault::Other);
        self.lost(index, LoadFault::Read);
        bytes.len()
    }
}
