//! A network namespace with only `lo`, held open by a child of the agent.
//!
//! The holder (`rigmark internal hold-netns`) unshares, brings `lo` up, says `ready` and waits for its stdin to close,
//! which happens when the agent drops it or dies. Before it ends it kills whatever still lives in its namespace, so
//! that not even a SIGKILL of the agent leaves a server's forked workers behind.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use tokio::process::Command;

use super::{Sandbox, Traffic, harden, inhabitants, listening, self_command};

/// Free in every fresh namespace.
const PORT: u16 = 8080;

pub struct Netns {
    holder: Child,
    /// Entered first; only where root's own rights do not suffice: it gives the right to enter the other.
    user: Option<File>,
    net: File,
    counters: PathBuf,
}

impl Netns {
    /// `Err` is one sentence for the label of the run.
    pub fn create() -> Result<Self, String> {
        // SAFETY: geteuid cannot fail and touches no memory.
        let root = unsafe { libc::geteuid() } == 0;
        match Self::create_in(!root) {
            // Root of a container has no right to a network, and may have one to a user namespace, in which it has.
            Err(why) if root => Self::create_in(true).map_err(|_| why),
            made => made,
        }
    }

    fn create_in(user: bool) -> Result<Self, String> {
        let refused = |why: String| {
            format!(
                "The kernel refused a network namespace ({why}), so ports and byte counters are shared with the host."
            )
        };
        let mut command = self_command().map_err(|e| refused(e.to_string()))?;
        command.args(["internal", "hold-netns"]).process_group(0);
        if user {
            command.arg("--user");
        }
        let piped = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut holder = piped.spawn().map_err(|e| refused(e.to_string()))?;
        let mut line = String::new();
        let came = BufReader::new(holder.stdout.take().expect("stdout is piped")).read_line(&mut line);
        if came.is_err() || line.trim() != "ready" {
            let mut why = String::new();
            let _ = holder.stderr.take().expect("stderr is piped").read_to_string(&mut why);
            let _ = holder.wait();
            return Err(refused(why.trim().to_owned()));
        }
        let proc = PathBuf::from(format!("/proc/{}", holder.id()));
        let open = |name: &str| File::open(proc.join("ns").join(name)).map_err(|e| refused(e.to_string()));
        Ok(Self {
            user: user.then(|| open("user")).transpose()?,
            net: open("net")?,
            counters: proc.join("net/dev"),
            holder,
        })
    }
}

impl Sandbox for Netns {
    fn prepare(&self, command: &mut Command) {
        // Each with its kind: `RestrictNamespaces=` of the systemd unit lets nobody enter one of any kind.
        let user: Option<(RawFd, _)> = self.user.as_ref().map(|f| (f.as_raw_fd(), libc::CLONE_NEWUSER));
        let both = [user, Some((self.net.as_raw_fd(), libc::CLONE_NEWNET))];
        let enter = move || {
            for (fd, kind) in both.into_iter().flatten() {
                // SAFETY: the descriptors are open as long as the sandbox, which outlives the spawn; setns is a plain
                // system call, and the child has one thread.
                if unsafe { libc::setns(fd, kind) } != 0 {
                    return Err(io::Error::last_os_error());
                }
            }
            Ok(())
        };
        // SAFETY: `enter` only makes system calls.
        unsafe { command.as_std_mut().pre_exec(enter) };
        harden(command.as_std_mut());
    }

    fn loopback_bytes(&self) -> Option<u64> {
        parse_loopback(&std::fs::read_to_string(&self.counters).ok()?)
    }

    fn traffic(&self) -> Option<Traffic> {
        let snmp = std::fs::read_to_string(self.counters.with_file_name("snmp")).ok()?;
        Some(Traffic {
            packets: parse_lo(&std::fs::read_to_string(&self.counters).ok()?, PACKETS)?,
            accepted: parse_accepted(&snmp)?,
        })
    }

    fn inhabitants(&self, root: u32, home: &Path) -> Vec<u32> {
        let Ok(inode) = self.net.metadata().map(|m| m.ino()) else {
            return Vec::new();
        };
        // What a tool left behind lives here too, and in a folder beside the server's.
        let is_tools = |pid: u32| {
            let other = inhabitants::home_of(pid).filter(|other| other != home);
            other.is_some_and(|other| home.parent().is_some_and(|trial| other.starts_with(trial)))
        };
        let mut found = inhabitants::of_namespace(inode);
        found.retain(|pid| *pid != self.holder.id() && (*pid == root || !is_tools(*pid)));
        found
    }

    /// Nobody else listens here.
    fn listening(&self, _root: u32, _home: &Path) -> Vec<SocketAddr> {
        self.counters.parent().map(listening::of_network).unwrap_or_default()
    }

    fn unix_sockets(&self, _root: u32, _home: &Path) -> Vec<String> {
        let net = self.counters.parent();
        net.map(listening::unix_of_network).unwrap_or_default()
    }

    fn port(&self, own: Option<u16>) -> io::Result<u16> {
        Ok(own.unwrap_or(PORT))
    }

    fn unsandboxed_reason(&self) -> Option<&str> {
        None
    }
}

impl Drop for Netns {
    fn drop(&mut self) {
        drop(self.holder.stdin.take());
        let _ = self.holder.wait();
    }
}

/// Places in the line of an interface in `/proc/net/dev`.
const BYTES: usize = 0;
const PACKETS: usize = 1;

/// Bytes received on `lo` in the text of `/proc/net/dev`.
fn parse_loopback(text: &str) -> Option<u64> {
    parse_lo(text, BYTES)
}

fn parse_lo(text: &str, place: usize) -> Option<u64> {
    let line = text.lines().find_map(|l| l.trim_start().strip_prefix("lo:"))?;
    line.split_whitespace().nth(place)?.parse().ok()
}

/// `PassiveOpens` in the text of `/proc/net/snmp`: a line of names, then one of numbers.
fn parse_accepted(text: &str) -> Option<u64> {
    let mut lines = text.lines().filter_map(|l| l.strip_prefix("Tcp:"));
    let (names, numbers) = (lines.next()?, lines.next()?);
    let place = names.split_whitespace().position(|n| n == "PassiveOpens")?;
    numbers.split_whitespace().nth(place)?.parse().ok()
}

/// The holder's life. Must be called while the process has one thread.
pub fn hold(user: bool) -> io::Result<()> {
    // SAFETY: plain system calls; they cannot fail and touch no memory.
    let (uid, gid) = unsafe { (libc::geteuid(), libc::getegid()) };
    let flags = libc::CLONE_NEWNET | if user { libc::CLONE_NEWUSER } else { 0 };
    // SAFETY: unshare only changes this process.
    if unsafe { libc::unshare(flags) } != 0 {
        return Err(io::Error::last_os_error());
    }
    if user {
        std::fs::write("/proc/self/setgroups", "deny")?;
        std::fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
        std::fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"))?;
    }
    loopback_up()?;
    // Without IPv6 there is nothing to take away. A server that listens at each address of `localhost` still can.
    let _ = std::fs::write("/proc/sys/net/ipv6/ip_nonlocal_bind", "1").and_then(|()| without_ipv6_address());
    // A server may always listen on port 80, here too where it has no rights. Where this is refused, the server says so itself.
    let _ = std::fs::write("/proc/sys/net/ipv4/ip_unprivileged_port_start", "0");
    let mut stdout = io::stdout();
    stdout.write_all(b"ready\n")?;
    stdout.flush()?;
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    // Everyone else in this network namespace.
    if let Ok(inode) = std::fs::metadata("/proc/self/ns/net").map(|m| m.ino()) {
        inhabitants::end(|| inhabitants::of_namespace(inode));
    }
    Ok(())
}

/// What an interface is asked and told through.
fn datagram_socket(family: libc::c_int) -> io::Result<OwnedFd> {
    // SAFETY: a plain system call, whose descriptor has no other owner.
    unsafe {
        match libc::socket(family, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0) {
            socket if socket < 0 => Err(io::Error::last_os_error()),
            socket => Ok(OwnedFd::from_raw_fd(socket)),
        }
    }
}

fn loopback_up() -> io::Result<()> {
    let socket = datagram_socket(libc::AF_INET)?;
    // SAFETY: `request` is a valid ifreq that outlives both ioctls.
    unsafe {
        let mut request: libc::ifreq = std::mem::zeroed();
        for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
            *to = *from as libc::c_char;
        }
        if libc::ioctl(socket.as_raw_fd(), libc::SIOCGIFFLAGS as _, &mut request) != 0 {
            return Err(io::Error::last_os_error());
        }
        request.ifr_ifru.ifru_flags |= (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
        if libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS as _, &request) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// `struct in6_ifreq` of linux/ipv6.h.
#[repr(C)]
struct AddressOfInterface {
    address: libc::in6_addr,
    prefix_bits: u32,
    interface: libc::c_int,
}

/// Makes `localhost` 127.0.0.1 here, as in most containers. Tools connect there, and many servers listen only at the first address
/// of that name, which would be `::1`.
fn without_ipv6_address() -> io::Result<()> {
    let socket = datagram_socket(libc::AF_INET6)?;
    // SAFETY: `request` is a valid in6_ifreq that outlives the ioctl.
    unsafe {
        let mut request = AddressOfInterface {
            address: libc::in6_addr {
                s6_addr: std::net::Ipv6Addr::LOCALHOST.octets(),
            },
            prefix_bits: 128,
            interface: libc::if_nametoindex(c"lo".as_ptr()) as libc::c_int,
        };
        if libc::ioctl(socket.as_raw_fd(), libc::SIOCDIFADDR as _, &mut request) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loopback_line_is_found() {
        let text = "Inter-|   Receive\n face |bytes    packets\n  eth0: 77 1\n    lo: 1234567     89 0 0\n";
        assert_eq!(parse_loopback(text), Some(1234567));
        assert_eq!(parse_loopback("lo:99 1"), Some(99));
        assert_eq!(parse_loopback("eth0: 1"), None);
        assert_eq!(parse_lo("lo:99 7 0", PACKETS), Some(7));
    }

    #[test]
    fn accepted_connections_are_found_by_their_name() {
        let text = "Ip: Forwarding\nIp: 1\nTcp: RtoMin ActiveOpens PassiveOpens\nTcp: 200 -1 64\nUdp: InDatagrams\n";
        assert_eq!(parse_accepted(text), Some(64));
        assert_eq!(parse_accepted("Tcp: RtoMin\nTcp: 200\n"), None);
        assert_eq!(parse_accepted(""), None);
    }
}
