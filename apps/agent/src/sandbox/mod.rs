//! Where a trial runs: on Linux in a network namespace of its own with only `lo`, elsewhere on the host itself.
//!
//! Everything of a trial (server, tool, verifier) is a child process prepared by the same [`Sandbox`], so all of them
//! see the same loopback and nothing else does. The agent itself never changes its namespaces.

use std::net::SocketAddr;
use std::path::Path;

use tokio::process::Command;

pub mod child;
mod create;
mod harden;
mod host;
#[cfg(target_os = "linux")]
pub mod inhabitants;
#[cfg(target_os = "linux")]
pub mod listening;
#[cfg(target_os = "linux")]
pub mod netns;

pub use create::{create, unsandboxed_reason};
pub use harden::{getrlimit, harden, keep_orphans, most_open_files, raise_own_limit, rlimit, scrub, self_command};
pub use host::HostNetwork;

/// What the kernel counted so far on the trial's own network, whatever tool and server say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traffic {
    /// Received on `lo`: each packet of either side once.
    pub packets: u64,
    /// Connections that were made, as the side counts them that listens.
    pub accepted: u64,
}

pub trait Sandbox: Send + Sync {
    /// Makes the child start inside: namespaces, limits, `no_new_privs`, its own process group, death with the agent.
    fn prepare(&self, command: &mut Command);
    /// Bytes received so far on the trial's own loopback; `None` when it is not the trial's own.
    fn loopback_bytes(&self) -> Option<u64>;
    /// `None` where the network is not the trial's own.
    fn traffic(&self) -> Option<Traffic> {
        None
    }
    /// Processes that belong to the server `root` (it is one of them, and was given this `home`), whoever their parents are
    /// now. Empty where the system does not tell.
    fn inhabitants(&self, root: u32, home: &Path) -> Vec<u32>;
    /// Where the server `root`, which was given this `home`, listens before there is load. Empty where the system does not tell.
    fn listening(&self, _root: u32, _home: &Path) -> Vec<SocketAddr> {
        Vec::new()
    }
    /// The same of Unix sockets: their paths.
    fn unix_sockets(&self, _root: u32, _home: &Path) -> Vec<String> {
        Vec::new()
    }
    /// The port for a server: its own, if it always listens on one, else one that is free inside. `AddrInUse` where its own is taken.
    fn port(&self, own: Option<u16>) -> std::io::Result<u16>;
    /// Why it is no sandbox; `None` when it is one.
    fn unsandboxed_reason(&self) -> Option<&str>;
}

/// Kills every process that was given this home.
#[cfg(target_os = "linux")]
pub fn end_at_home(home: &Path) {
    inhabitants::end(|| inhabitants::at_home(home));
}

#[cfg(not(target_os = "linux"))]
pub fn end_at_home(_home: &Path) {}

/// A network of its own does not confine root: what a run says where the agent has all rights.
pub fn privileged_reason() -> Option<&'static str> {
    // SAFETY: geteuid cannot fail and touches no memory.
    (unsafe { libc::geteuid() } == 0).then_some(
        "Servers and tools ran as root, with every right on this host; run the agent as a user of its own to confine them.",
    )
}
