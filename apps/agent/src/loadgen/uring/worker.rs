//! One thread: its ring, its connections, and which of them sends next.
//!
//! What the kernel is pointed at lives long enough: the plan outlives the workers, a connection's `leaving` is left
//! alone until its completion, and the receive buffers are never unmapped.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsRawFd, RawFd};

use io_uring::squeue::Flags;
use io_uring::{opcode, types};

use super::super::LoadShared;
use super::super::plan::LoadPlan;
use super::super::schedule::{NextRequest, Schedule};
use super::super::tally::{LoadFault, LoadTally};
use super::arrival;
use super::conn::{Conn, ConnState, ResponseReader, SentRequest};
use super::http::HttpReader;
use super::ring::{BUFFERS, Completion, Ring};
use super::socket::Address;
use super::ws::{self, WsReader};
use crate::protocol::spec::Load;
use crate::splitmix::SplitMix64;

const ENTRIES: u32 = 1024;
/// Buffers of all connections together.
const BUFFER_BYTES: usize = 16 << 20;
const MOST_BUFFERS: usize = 4096;
/// Connections that are being made at once: fewer than any server's backlog.
const AT_ONCE: usize = 128;
const LOOK_NS: u64 = 20_000_000;
/// Sleeping and waking takes longer than the wait.
const SPIN_NS: u64 = 200_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Connect = 1,
    Receive = 2,
    Send = 3,
    /// Completes only when it failed.
    SendWhole = 4,
}

pub struct Worker<'a> {
    pub(super) shared: &'a LoadShared<'a>,
    pub(super) plan: &'a LoadPlan,
    pub(super) ring: Ring,
    pub(super) address: Address,
    pub(super) conns: Vec<Conn>,
    /// A connection for each request that it may send.
    pub(super) idle: VecDeque<u32>,
    dirty: Vec<u32>,
    batch: Vec<Completion>,
    pub(super) schedule: Schedule,
    pub(super) tally: LoadTally,
    pub(super) last_ns: u64,
    ticked: u64,
    pub(super) under_way: usize,
    pub(super) connecting: usize,
    /// The server does not end connections that it was asked to end: they are not waited for any more.
    pub(super) leaves_ends: bool,
    /// It has ended one: then a late end is a pause and no habit.
    pub(super) sees_ends: bool,
    /// Responses carry the kernel's time of arrival: at a fixed rate only, because it costs other loads throughput.
    pub(super) shape: Option<Box<libc::msghdr>>,
    thread: usize,
}

/// Two for each request under way, as many as there is memory for; the kernel takes powers of two only.
fn buffers_for(under_way: usize, bytes: usize) -> usize {
    let most = MOST_BUFFERS.min(BUFFER_BYTES / bytes);
    (under_way * 2).next_power_of_two().clamp(16, 1 << most.ilog2())
}

impl<'a> Worker<'a> {
    pub fn new(shared: &'a LoadShared<'a>, thread: usize) -> io::Result<Self> {
        let plan = &shared.plan;
        let longest = plan
            .requests
            .iter()
            .map(|r| r.length.unwrap_or(1024) as usize)
            .max()
            .unwrap_or(1024);
        let shape = matches!(plan.job.scenario.load, Load::Rate { .. } | Load::Knee { .. }).then(arrival::shape);
        let head = if shape.is_some() {
            arrival::HEADER_BYTES.next_multiple_of(64)
        } else {
            0
        };
        let size = head + if longest <= 3 << 10 { 4 << 10 } else { 64 << 10 };
        let buffers = buffers_for(plan.connections_of(thread) * plan.in_flight, size);
        let mut rng = SplitMix64::new(plan.job.seed ^ thread as u64);
        let conns = (0..plan.connections_of(thread)).map(|i| {
            let number = (i * plan.threads + thread) as u64;
            let reader = match plan.message {
                Some(_) => ResponseReader::Ws(WsReader::default()),
                None => ResponseReader::Http(HttpReader::default()),
            };
            Conn::new(number, reader, (rng.next_u64() as u32).to_ne_bytes(), plan.in_flight)
        });
        Ok(Self {
            shared,
            plan,
            ring: Ring::new(ENTRIES, buffers as u16, size)?,
            address: Address::new(plan.job.address),
            conns: conns.collect(),
            idle: VecDeque::new(),
            dirty: Vec::new(),
            batch: Vec::new(),
            schedule: Schedule::new(plan, thread, u64::MAX / 2),
            tally: LoadTally::new(plan),
            last_ns: 0,
            ticked: 0,
            under_way: 0,
            connecting: 0,
            leaves_ends: false,
            sees_ends: false,
            shape,
            thread,
        })
    }

    pub fn run(mut self) -> io::Result<LoadTally> {
        if self.plan.keep_alive {
            self.open_all()?;
        } else {
            self.idle.extend(0..self.conns.len() as u32);
        }
        let Some(begin_ns) = self.shared.begin() else {
            return Ok(self.tally);
        };
        self.schedule = Schedule::new(self.plan, self.thread, begin_ns);
        self.tally.begin(begin_ns);
        self.last_ns = begin_ns;
        let mut over_ns = None;
        let mut look_ns = begin_ns + LOOK_NS;
        loop {
            let due = self.pump()?;
            let now = self.shared.now_ns();
            if self.schedule.is_over(now) {
                let since = *over_ns.get_or_insert(now);
                if self.under_way == 0 || now - since > self.plan.timeout_ns {
                    break;
                }
            }
            if now >= look_ns {
                look_ns = now + LOOK_NS;
                self.look(now, over_ns.is_some())?;
                // A server that stays silent ends a count, which would never end.
                if self.schedule.is_count() && now - self.last_ns > 2 * self.plan.timeout_ns {
                    break;
                }
            }
            self.turn(due.unwrap_or(u64::MAX).min(look_ns), now, due.is_some())?;
        }
        for _ in 0..self.under_way {
            self.tally.fault(LoadFault::Timeout);
        }
        self.tally.close(&self.schedule, begin_ns, self.last_ns);
        self.count_ticks();
        Ok(self.tally)
    }

    /// All connections, a few at a time, before the clock starts. Those that fail are tried again later.
    fn open_all(&mut self) -> io::Result<()> {
        let until = self.shared.now_ns() + self.plan.timeout_ns;
        let mut next = 0;
        while (next < self.conns.len() || self.connecting > 0) && self.shared.now_ns() < until {
            while next < self.conns.len() && self.connecting < AT_ONCE {
                self.connect(next as u32)?;
                next += 1;
            }
            let now = self.shared.now_ns();
            self.turn(now + LOOK_NS, now, false)?;
        }
        Ok(())
    }

    /// Submits, waits until something happens or it is `until`, and handles all that has come.
    fn turn(&mut self, until: u64, now: u64, due: bool) -> io::Result<()> {
        let wait = until.saturating_sub(now);
        if due && self.plan.job.spin && wait < SPIN_NS {
            self.ring.poll()?;
        } else {
            // Waking takes a while: the last stretch is spun.
            let early = if due && self.plan.job.spin { SPIN_NS / 2 } else { 0 };
            self.ring.wait(wait.saturating_sub(early).max(1))?;
        }
        // Taken out and put back, so that a turn allocates nothing.
        let mut batch = std::mem::take(&mut self.batch);
        self.ring.take(&mut batch);
        for completion in batch.drain(..) {
            self.complete(completion)?;
        }
        self.batch = batch;
        self.count_ticks();
        Ok(())
    }

    fn count_ticks(&mut self) {
        self.shared.completed(self.tally.requests - self.ticked);
        self.ticked = self.tally.requests;
    }

    /// Sends all that is due on connections that are free; when the next is due.
    fn pump(&mut self) -> io::Result<Option<u64>> {
        let mut due = None;
        while let Some(&index) = self.idle.front() {
            let conn = &self.conns[index as usize];
            if self.plan.share_of(conn.number).is_some_and(|share| conn.sent >= share) {
                self.idle.pop_front(); // it stays open until the others have sent theirs
                continue;
            }
            let now = self.shared.now_ns();
            match self.schedule.take(now) {
                NextRequest::Now(due_ns) => {
                    self.idle.pop_front();
                    self.send(index, due_ns, now)?;
                }
                NextRequest::At(at) => {
                    due = Some(at);
                    break;
                }
                NextRequest::Never => break,
            }
        }
        while let Some(index) = self.dirty.pop() {
            self.flush(index)?;
        }
        Ok(due)
    }

    fn send(&mut self, index: u32, due_ns: u64, now: u64) -> io::Result<()> {
        let plan = self.plan;
        let conn = &mut self.conns[index as usize];
        let number = match plan.message {
            Some(_) => conn.sent,
            // Neighbors begin at different bodies.
            None => plan.request_of(conn.number, conn.sent),
        };
        conn.sent += 1;
        conn.pending.push_back(SentRequest {
            due_ns,
            sent_ns: now,
            first_ns: 0,
            number,
        });
        self.under_way += 1;
        if let Some(kind) = &plan.message {
            ws::write(&mut conn.queued, kind, conn.number, number, conn.mask);
        } else if !plan.keep_alive {
            return self.connect(index);
        } else if plan.in_flight > 1 {
            conn.queued.extend_from_slice(&plan.requests[number as usize].bytes);
        } else {
            return self.send_whole(index, number as usize);
        }
        self.mark(index);
        Ok(())
    }

    pub(super) fn mark(&mut self, index: u32) {
        let conn = &mut self.conns[index as usize];
        if !conn.dirty {
            conn.dirty = true;
            self.dirty.push(index);
        }
    }

    pub(super) fn fd(&self, index: u32) -> Option<types::Fd> {
        self.conns[index as usize]
            .fd
            .as_ref()
            .map(|fd| types::Fd(fd.as_raw_fd() as RawFd))
    }

    pub(super) fn tag(&self, op: Op, index: u32) -> u64 {
        (op as u64) << 56 | u64::from(self.conns[index as usize].generation) << 32 | u64::from(index)
    }

    /// One request of the plan, as it lies there.
    pub(super) fn send_whole(&mut self, index: u32, number: usize) -> io::Result<()> {
        let Some(fd) = self.fd(index) else { return Ok(()) };
        let bytes = &self.plan.requests[number].bytes;
        let entry = opcode::Send::new(fd, bytes.as_ptr(), bytes.len() as u32)
            .flags(libc::MSG_NOSIGNAL | libc::MSG_WAITALL)
            .build()
            .flags(Flags::SKIP_SUCCESS)
            .user_data(self.tag(Op::SendWhole, index));
        self.ring.push(&entry)
    }

    pub(super) fn flush(&mut self, index: u32) -> io::Result<()> {
        let tag = self.tag(Op::Send, index);
        let fd = self.fd(index);
        let conn = &mut self.conns[index as usize];
        conn.dirty = false;
        let Some(fd) = fd.filter(|_| !conn.sending && !conn.queued.is_empty()) else {
            return Ok(());
        };
        conn.leaving.clear();
        std::mem::swap(&mut conn.leaving, &mut conn.queued);
        conn.sending = true;
        let entry = opcode::Send::new(fd, conn.leaving.as_ptr(), conn.leaving.len() as u32)
            .flags(libc::MSG_NOSIGNAL | libc::MSG_WAITALL)
            .build()
            .user_data(tag);
        self.ring.push(&entry)
    }

    pub(super) fn receive(&mut self, index: u32) -> io::Result<()> {
        let Some(fd) = self.fd(index) else { return Ok(()) };
        let entry = match &self.shape {
            Some(shape) => opcode::RecvMsgMulti::new(fd, &raw const **shape, BUFFERS).build(),
            None => opcode::RecvMulti::new(fd, BUFFERS).build(),
        };
        self.ring.push(&entry.user_data(self.tag(Op::Receive, index)))
    }

    fn complete(&mut self, done: Completion) -> io::Result<()> {
        let index = done.user_data as u32;
        let generation = (done.user_data >> 32) as u32 & 0xff_ffff;
        let current = self.conns[index as usize].generation == generation;
        match done.user_data >> 56 {
            op if op == Op::Receive as u64 => {
                let mut got = 0;
                if let Some(buffer) = done.buffer {
                    if current && done.result > 0 {
                        let whole = self.ring.received(buffer, done.result as usize);
                        let (bytes, ago_ns) = match &self.shape {
                            Some(shape) => arrival::opened(whole, shape),
                            None => (whole, None),
                        };
                        got = bytes.len();
                        self.tally.bytes += got as u64;
                        let now = self.shared.now_ns().saturating_sub(ago_ns.unwrap_or(0));
                        self.received(index, bytes, now)?;
                    }
                    self.ring.give_back(buffer);
                }
                let current = current && self.conns[index as usize].generation == generation;
                if current && !done.more {
                    // With a stamp the end is a receive that brings a head and no bytes.
                    if got > 0 || done.result == -libc::ENOBUFS {
                        self.receive(index)?;
                    } else {
                        self.ended(index);
                    }
                }
            }
            _ if !current => {}
            op if op == Op::Connect as u64 => {
                if done.result < 0 {
                    self.lost(index, LoadFault::Connect);
                } else {
                    self.connected(index)?;
                }
            }
            op if op == Op::Send as u64 => {
                let conn = &mut self.conns[index as usize];
                conn.sending = false;
                if done.result < conn.leaving.len() as i32 {
                    self.lost(index, LoadFault::Write);
                } else {
                    self.flush(index)?;
                }
            }
            // It reports failures only. A response that came before the whole request was sent is read first.
            _ => {
                if done.result < 0 && self.conns[index as usize].state == ConnState::Up {
                    self.lost(index, LoadFault::Write);
                }
            }
        }
        Ok(())
    }

    /// A response is complete; does it count?
    pub(super) fn landed(&mut self, now: u64) -> bool {
        self.under_way -= 1;
        self.last_ns = now;
        self.schedule.counts(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_takes_every_number_of_buffers() {
        for bytes in [4096, 4224, 65_536, 65_664] {
            for under_way in [1, 16, 100, 1600, 5000, 100_000] {
                let buffers = buffers_for(under_way, bytes);
                assert!(buffers.is_power_of_two() && buffers >= 16, "{under_way} of {bytes}");
                assert!(buffers * bytes <= BUFFER_BYTES, "{under_way} of {bytes}");
            }
        }
    }
}
