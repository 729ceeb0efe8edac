//! No sandbox: the host's own network. Ports are drawn, and byte counters say nothing.

use std::net::{Ipv4Addr, TcpListener};

use tokio::process::Command;

use super::{Sandbox, harden};

pub struct HostNetwork {
    reason: String,
}

impl HostNetwork {
    pub fn new(reason: String) -> Self {
        Self { reason }
    }
}

impl Sandbox for HostNetwork {
    fn prepare(&self, command: &mut Command) {
        harden(command.as_std_mut());
    }
    fn loopback_bytes(&self) -> Option<u64> {
        None
    }
    fn free_port(&self) -> std::io::Result<u16> {
        Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
    }
    fn unsandboxed_reason(&self) -> Option<&str> {
        Some(&self.reason)
    }
}
