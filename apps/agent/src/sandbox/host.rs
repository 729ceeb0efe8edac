//! No sandbox: the host's own network. Ports are drawn, and byte counters say nothing.

use std::hash::{BuildHasher, RandomState};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

use tokio::process::Command;

use super::{Sandbox, harden};
#[cfg(target_os = "linux")]
use super::{inhabitants, listening};
use crate::splitmix::SplitMix64;

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
    #[cfg(target_os = "linux")]
    fn inhabitants(&self, root: u32, home: &Path) -> Vec<u32> {
        let mut found = inhabitants::at_home(home);
        // One that has overwritten what it was given is known by its group.
        found.extend(inhabitants::of_group(root));
        found.sort_unstable();
        found.dedup();
        found
    }
    /// A program's environment is not told to others here, but its group is.
    #[cfg(target_os = "macos")]
    fn inhabitants(&self, root: u32, _home: &Path) -> Vec<u32> {
        of_group(root)
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    fn inhabitants(&self, _root: u32, _home: &Path) -> Vec<u32> {
        Vec::new()
    }
    #[cfg(target_os = "linux")]
    fn listening(&self, root: u32, home: &Path) -> Vec<std::net::SocketAddr> {
        listening::of_processes(&self.inhabitants(root, home))
    }
    #[cfg(target_os = "linux")]
    fn unix_sockets(&self, root: u32, home: &Path) -> Vec<String> {
        listening::unix_of_processes(&self.inhabitants(root, home))
    }
    fn port(&self, own: Option<u16>) -> std::io::Result<u16> {
        match own {
            // Two servers with SO_REUSEPORT would share it, and each would get requests meant for the other.
            Some(own) if is_taken(own) => Err(std::io::ErrorKind::AddrInUse.into()),
            Some(own) => Ok(own),
            None => draw_port(),
        }
    }
    fn unsandboxed_reason(&self) -> Option<&str> {
        Some(&self.reason)
    }
}

/// Below 32768, where Linux's ephemeral ports begin (`net.ipv4.ip_local_port_range`): one of those may be any client's
/// before the server listens there, and a load tool asks for thousands. macOS's begin at 49152.
const DRAWN_PORTS: std::ops::Range<u16> = 10_240..32_768;

fn draw_port() -> std::io::Result<u16> {
    const TRIES: usize = 50;
    let mut draws = SplitMix64::new(RandomState::new().hash_one(()));
    for _ in 0..TRIES {
        let port = DRAWN_PORTS.start + draws.below(DRAWN_PORTS.len() as u64) as u16;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() && !is_taken(port) {
            return Ok(port);
        }
    }
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// On loopback a connection is refused at once, or made as soon as the other's queue has room.
fn is_taken(port: u16) -> bool {
    const PATIENCE: Duration = Duration::from_secs(1);
    let made = TcpStream::connect_timeout(&(Ipv4Addr::LOCALHOST, port).into(), PATIENCE);
    made.map_or_else(|error| error.kind() == std::io::ErrorKind::TimedOut, |_| true)
}

/// Those of the process group of this leader.
#[cfg(target_os = "macos")]
fn of_group(leader: u32) -> Vec<u32> {
    const MOST: usize = 1024;
    let Ok(leader) = libc::pid_t::try_from(leader) else {
        return Vec::new();
    };
    let mut found = [0 as libc::pid_t; MOST];
    let bytes = size_of_val(&found) as libc::c_int;
    // SAFETY: the buffer is as long as it is said to be.
    let count = unsafe { libc::proc_listpgrppids(leader, found.as_mut_ptr().cast(), bytes) };
    let count = usize::try_from(count).unwrap_or(0).min(MOST);
    let number = |pid: &libc::pid_t| u32::try_from(*pid).ok().filter(|pid| *pid > 0);
    found[..count].iter().filter_map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_gets_its_own_port_unless_another_has_it() {
        let network = HostNetwork::new(String::new());
        let free = network.port(None).unwrap();
        assert!(DRAWN_PORTS.contains(&free));
        assert_eq!(network.port(Some(free)).unwrap(), free);
        let other = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let taken = other.local_addr().unwrap().port();
        let kind = network.port(Some(taken)).unwrap_err().kind();
        assert_eq!(kind, std::io::ErrorKind::AddrInUse);
    }
}
