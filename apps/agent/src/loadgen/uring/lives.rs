//! How a connection begins and ends, and what that means for what was under way on it.

use std::io;

use io_uring::opcode;

use super::super::tally::LoadFault;
use super::arrival;
use super::conn::ConnState;
use super::worker::{Op, Worker};

const RETRY_NS: u64 = 50_000_000;

impl Worker<'_> {
    pub(super) fn connect(&mut self, index: u32) -> io::Result<()> {
        let now = self.shared.now_ns();
        match self.address.socket() {
            Ok(fd) => {
                if self.shape.is_some() {
                    arrival::stamp(&fd);
                }
                let conn = &mut self.conns[index as usize];
                conn.fd = Some(fd);
                (conn.state, conn.since_ns) = (ConnState::Connecting, now);
                self.connecting += 1;
            }
            Err(_) => {
                self.lost(index, LoadFault::Connect);
                return Ok(());
            }
        }
        let Some(fd) = self.fd(index) else { return Ok(()) };
        let entry = opcode::Connect::new(fd, self.address.pointer(), self.address.bytes())
            .build()
            .user_data(self.tag(Op::Connect, index));
        self.ring.push(&entry)
    }

    pub(super) fn connected(&mut self, index: u32) -> io::Result<()> {
        self.tally.connections += 1;
        self.receive(index)?;
        let plan = self.plan;
        let conn = &mut self.conns[index as usize];
        conn.since_ns = self.shared.now_ns();
        if plan.message.is_some() {
            conn.state = ConnState::Shaking;
            super::handshake::ask(&mut conn.queued, plan, conn.number);
            return self.flush(index);
        }
        // Without keep-alive each connection is made for one request.
        let request = conn.pending.front().map(|f| f.number as usize);
        self.up(index);
        request.map_or(Ok(()), |number| self.send_whole(index, number))
    }

    /// It may be sent on.
    pub(super) fn up(&mut self, index: u32) {
        self.conns[index as usize].state = ConnState::Up;
        self.connecting -= 1;
        if self.plan.keep_alive {
            self.idle.extend(std::iter::repeat_n(index, self.plan.in_flight));
        }
    }

    /// The server closed it, which may be the end of a response.
    pub(super) fn ended(&mut self, index: u32) {
        self.response_ended_by_close(index);
        let conn = &self.conns[index as usize];
        match (conn.state, conn.pending.is_empty()) {
            (ConnState::Ending, true) => {
                (self.leaves_ends, self.sees_ends) = (false, true);
                self.renew(index);
            }
            (ConnState::Up, true) => self.renew(index),
            (ConnState::Connecting | ConnState::Shaking, _) => self.lost(index, LoadFault::Connect),
            _ => self.lost(index, LoadFault::Read),
        }
    }

    /// The connection is lost, with all requests under way on it.
    pub(super) fn lost(&mut self, index: u32, fault: LoadFault) {
        let conn = &mut self.conns[index as usize];
        let waiting = conn.pending.len();
        for _ in 0..waiting.max(usize::from(waiting == 0 && fault == LoadFault::Connect)) {
            self.tally.fault(fault);
        }
        self.under_way -= waiting;
        let now = self.shared.now_ns();
        self.drop_conn(index, now + if fault == LoadFault::Connect { RETRY_NS } else { 0 });
    }

    /// An end that is nobody's fault.
    pub(super) fn renew(&mut self, index: u32) {
        let now = self.shared.now_ns();
        self.drop_conn(index, now);
    }

    fn drop_conn(&mut self, index: u32, retry_ns: u64) {
        let keep_alive = self.plan.keep_alive;
        let conn = &self.conns[index as usize];
        self.connecting -= usize::from(matches!(conn.state, ConnState::Connecting | ConnState::Shaking));
        if keep_alive && conn.pending.len() < self.plan.in_flight {
            self.idle.retain(|i| *i != index);
        }
        self.conns[index as usize].down(retry_ns);
        let now = self.shared.now_ns();
        if !keep_alive && retry_ns <= now {
            self.idle.push_back(index);
        } else if keep_alive && retry_ns <= now && !self.schedule.is_over(now) {
            // A ring that takes no entry ends the next turn with the same error.
            let _ = self.connect(index);
        }
    }

    /// Looks for connections that have waited too long, and for those that may be tried again.
    pub(super) fn look(&mut self, now: u64, over: bool) -> io::Result<()> {
        for index in 0..self.conns.len() as u32 {
            let conn = &self.conns[index as usize];
            let waits = conn.pending.front().map(|f| f.sent_ns);
            let timeout = self.plan.timeout_ns;
            match conn.state {
                ConnState::Down if now >= conn.since_ns && !over => {
                    if self.plan.keep_alive {
                        self.connect(index)?;
                    } else if !self.idle.contains(&index) {
                        self.idle.push_back(index);
                    }
                }
                ConnState::Down => {}
                ConnState::Ending if now.saturating_sub(conn.since_ns) > timeout.min(RETRY_NS) => {
                    self.leaves_ends |= !self.plan.keep_alive && !self.sees_ends;
                    self.renew(index);
                }
                _ if waits.is_some_and(|sent| now.saturating_sub(sent) > timeout) => {
                    self.lost(index, LoadFault::Timeout)
                }
                ConnState::Connecting | ConnState::Shaking if now.saturating_sub(conn.since_ns) > timeout => {
                    self.tally.fault(LoadFault::Timeout);
                    self.lost(index, LoadFault::Timeout);
                }
                _ => {}
            }
        }
        Ok(())
    }
}
