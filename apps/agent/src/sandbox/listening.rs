//! Where processes listen, as the kernel tells it in `/proc/net/tcp`, `/proc/net/tcp6` and `/proc/net/unix`.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;

/// The column `st` of a socket that listens.
const LISTEN: &str = "0A";
/// The column `Flags` of a Unix socket that listens.
const ACCEPTS: &str = "00010000";

/// All of a network; `net` is its `/proc/PID/net`.
pub fn of_network(net: &Path) -> Vec<SocketAddr> {
    sockets(net).into_iter().map(|(address, _)| address).collect()
}

/// Those of these processes, on the host's own network.
pub fn of_processes(pids: &[u32]) -> Vec<SocketAddr> {
    owned(pids, sockets(Path::new("/proc/net")))
}

/// Paths of the Unix sockets of a network.
pub fn unix_of_network(net: &Path) -> Vec<String> {
    unix_sockets(net).into_iter().map(|(path, _)| path).collect()
}

/// Paths of those of these processes, on the host's own network.
pub fn unix_of_processes(pids: &[u32]) -> Vec<String> {
    owned(pids, unix_sockets(Path::new("/proc/net")))
}

fn owned<T>(pids: &[u32], sockets: Vec<(T, u64)>) -> Vec<T> {
    let open: HashSet<u64> = pids.iter().flat_map(|pid| inodes(*pid)).collect();
    let all = sockets.into_iter();
    all.filter(|(_, inode)| open.contains(inode))
        .map(|(place, _)| place)
        .collect()
}

fn unix_sockets(net: &Path) -> Vec<(String, u64)> {
    let bytes = std::fs::read(net.join("unix")).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    text.lines().filter_map(unix_listening).collect()
}

/// Path and inode; a socket without a path is nobody's to find.
fn unix_listening(line: &str) -> Option<(String, u64)> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let [_, _, _, ACCEPTS, _, _, inode, path @ ..] = &fields[..] else {
        return None;
    };
    let path = path.join(" ");
    (!path.is_empty()).then_some((path, inode.parse().ok()?))
}

fn sockets(net: &Path) -> Vec<(SocketAddr, u64)> {
    let read = |name: &str| std::fs::read_to_string(net.join(name)).unwrap_or_default();
    let texts = ["tcp", "tcp6"].map(read);
    texts
        .iter()
        .flat_map(|text| text.lines().filter_map(listening))
        .collect()
}

/// Address and inode.
fn listening(line: &str) -> Option<(SocketAddr, u64)> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let [_, local, _, LISTEN, _, _, _, _, _, inode, ..] = fields[..] else {
        return None;
    };
    let (address, port) = local.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    // In words of 32 bits, each in the host's own order.
    let word = |at: usize| {
        let digits = address.get(at * 8..at * 8 + 8)?;
        Some(u32::from_str_radix(digits, 16).ok()?.to_ne_bytes())
    };
    let ip: IpAddr = match address.len() {
        8 => Ipv4Addr::from(word(0)?).into(),
        _ => {
            let bytes = [word(0)?, word(1)?, word(2)?, word(3)?].concat();
            Ipv6Addr::from(<[u8; 16]>::try_from(bytes).ok()?).into()
        }
    };
    Some((SocketAddr::new(ip, port), inode.parse().ok()?))
}

/// Of a process's sockets.
fn inodes(pid: u32) -> Vec<u64> {
    let open = std::fs::read_dir(format!("/proc/{pid}/fd"))
        .into_iter()
        .flatten()
        .flatten();
    let target = |entry: std::fs::DirEntry| std::fs::read_link(entry.path()).ok();
    let inode = |link: std::path::PathBuf| {
        let text = link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?;
        text.parse::<u64>().ok()
    };
    open.filter_map(target).filter_map(inode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[cfg(target_endian = "little")]
    #[test]
    fn the_kernels_lines_are_read() {
        let of = |line: &str| listening(line).map(|(address, inode)| (address.to_string(), inode));
        let rest = "00000000:00000000 00:00000000 00000000  1000        0 3312 1 0000000000000000 100 0 0 10 0";
        let v4 = format!("   0: 0100007F:1F90 00000000:0000 0A {rest}");
        assert_eq!(of(&v4), Some(("127.0.0.1:8080".to_owned(), 3312)));
        let zeros = "00000000000000000000000000000000:0000";
        let v6 = format!("   1: 00000000000000000000000001000000:0BB8 {zeros} 0A {rest}");
        assert_eq!(of(&v6), Some(("[::1]:3000".to_owned(), 3312)));
        assert_eq!(of(&v4.replace(" 0A ", " 01 ")), None, "connected");
        for other in [
            "",
            "  sl  local_address rem_address   st tx_queue",
            "0: 01:zz 0 0A 0 0 0 0 0 1",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn a_processs_own_unix_sockets_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a b.sock");
        let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
        let path = path.display().to_string();
        assert!(unix_of_processes(&[std::process::id()]).contains(&path));
        assert!(unix_of_network(Path::new("/proc/self/net")).contains(&path));
        drop(listener);
        assert!(!unix_of_processes(&[std::process::id()]).contains(&path));
        let connected = "ffff: 00000003 00000000 00000000 0001 03 21 /run/a.sock";
        assert_eq!(unix_listening(connected), None);
    }

    #[test]
    fn a_processs_own_listeners_are_found() {
        // An address of its own: at that of the other tests, one of them may be given the port as soon as it is free.
        let listener = TcpListener::bind("127.7.7.7:0").unwrap();
        let address = listener.local_addr().unwrap();
        assert!(of_processes(&[std::process::id()]).contains(&address));
        assert!(of_network(Path::new("/proc/self/net")).contains(&address));
        drop(listener);
        assert!(!of_processes(&[std::process::id()]).contains(&address));
        assert_eq!(of_processes(&[]), []);
    }
}
