//! What came in on one connection, and what it means for the counts.

use std::io;

use super::super::head::{self, Parsed};
use super::super::tally::Fault;
use super::conn::{Reader, State};
use super::worker::Worker;
use super::{http, ws};

impl Worker<'_> {
    pub(super) fn received(&mut self, index: u32, mut bytes: &[u8], now: u64) -> io::Result<()> {
        let generation = self.conns[index as usize].generation;
        while !bytes.is_empty() && self.conns[index as usize].generation == generation {
            let taken = match (self.conns[index as usize].state, self.plan.message.is_some()) {
                (State::Shaking, _) => self.shaken(index, bytes),
                (State::Up, true) => self.echoed(index, bytes, now),
                (State::Up, false) => self.answered(index, bytes, now),
                // What follows the last answer is nobody's.
                _ => bytes.len(),
            };
            bytes = &bytes[taken..];
        }
        Ok(())
    }

    fn shaken(&mut self, index: u32, bytes: &[u8]) -> usize {
        let conn = &mut self.conns[index as usize];
        let before = conn.shake.len();
        conn.shake.extend_from_slice(bytes);
        match head::parse(&conn.shake) {
            Parsed::Incomplete => bytes.len(),
            Parsed::Head(head) if head.status == 101 => {
                self.up(index);
                head.bytes - before
            }
            Parsed::Head(_) | Parsed::Broken => {
                self.lost(index, Fault::Connect);
                bytes.len()
            }
        }
    }

    fn answered(&mut self, index: u32, bytes: &[u8], now: u64) -> usize {
        let plan = self.plan;
        let conn = &mut self.conns[index as usize];
        let (Some(flight), Reader::Http(reader)) = (conn.pending.front_mut(), &mut conn.reader) else {
            return self.unasked(index, bytes);
        };
        if flight.first_ns == 0 {
            flight.first_ns = now;
        }
        let (taken, step) = reader.feed(bytes, &plan.requests[flight.number as usize], conn.answers);
        self.step(index, step, now);
        taken
    }

    /// A body whose length nobody said is over when its connection is.
    pub(super) fn answered_by_end(&mut self, index: u32) {
        let plan = self.plan;
        let conn = &mut self.conns[index as usize];
        if let (Some(flight), Reader::Http(reader)) = (conn.pending.front(), &mut conn.reader)
            && let Some(step) = reader.ended(&plan.requests[flight.number as usize])
        {
            let now = self.shared.now_ns();
            self.step(index, step, now);
        }
    }

    fn step(&mut self, index: u32, step: http::Step, now: u64) {
        let plan = self.plan;
        let conn = &mut self.conns[index as usize];
        match step {
            http::Step::Wait => {}
            http::Step::Broken(fault) => self.lost(index, fault),
            http::Step::Answer { status, fault, closes } => {
                let Some(flight) = conn.pending.front() else { return };
                let until = if plan.first_byte { flight.first_ns } else { now };
                let latency_ns = until.saturating_sub(flight.due_ns);
                conn.pending.pop_front();
                conn.answers += 1;
                let ends = closes || !plan.keep_alive;
                if ends {
                    (conn.state, conn.since_ns) = (State::Ending, now);
                }
                if self.landed(now) {
                    self.tally.status(status);
                    fault.into_iter().for_each(|f| self.tally.fault(f));
                    self.tally.answer(latency_ns);
                }
                if !ends {
                    self.idle.push_back(index);
                }
            }
        }
    }

    fn echoed(&mut self, index: u32, bytes: &[u8], now: u64) -> usize {
        let plan = self.plan;
        let conn = &mut self.conns[index as usize];
        let (Some(kind), Reader::Ws(reader)) = (&plan.message, &mut conn.reader) else {
            return self.unasked(index, bytes);
        };
        let waiting = conn.pending.front().map(|f| f.number);
        let (taken, step) = reader.feed(bytes, kind, conn.number, waiting);
        match step {
            ws::Step::Wait => {}
            ws::Step::Ping(payload) => {
                ws::write_pong(&mut conn.queued, &payload, conn.mask);
                self.mark(index);
            }
            ws::Step::Close => self.ended(index),
            ws::Step::Broken(fault) if waiting.is_some() => self.lost(index, fault),
            ws::Step::Broken(_) => return self.unasked(index, bytes),
            ws::Step::Echo(fault) => {
                let due_ns = conn.pending.pop_front().map_or(now, |f| f.due_ns);
                conn.answers += 1;
                if self.landed(now) {
                    fault.into_iter().for_each(|f| self.tally.fault(f));
                    self.tally.answer(now.saturating_sub(due_ns));
                }
                if fault.is_some() && plan.in_flight > 1 {
                    // Which of the others an echo belongs to cannot be told any more.
                    self.lost(index, Fault::Other);
                } else {
                    self.idle.push_back(index);
                }
            }
        }
        taken
    }

    /// Bytes that nobody asked for: the connection cannot be trusted any more.
    fn unasked(&mut self, index: u32, bytes: &[u8]) -> usize {
        self.tally.fault(Fault::Other);
        self.lost(index, Fault::Read);
        bytes.len()
    }
}
