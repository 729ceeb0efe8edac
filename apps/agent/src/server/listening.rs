//! Where a server listens, in words, when it is not where it was asked to.

use std::net::{Ipv4Addr, SocketAddr};

use crate::text::plain;

/// Of where a server listens instead, in a message.
const MOST_PLACES: usize = 3;
/// Characters; a socket's path has at most 108 bytes.
const MOST_PATH: usize = 108;

/// In words, where it listens at all, but not where it is asked. `[::]` takes IPv4 too, unless it was set not to: then nobody
/// reaches it at 127.0.0.1.
pub(super) fn elsewhere(listening: &[SocketAddr], port: u16, reached: bool) -> Option<String> {
    let asked = |at: &SocketAddr| at.port() == port && is_here(at, reached);
    if listening.is_empty() || listening.iter().any(asked) {
        return None;
    }
    Some(addresses(listening))
}

/// What to do about it. A port of its own at 127.0.0.1 can be used as it is.
pub(super) fn cure(listening: &[SocketAddr], asked: u16) -> String {
    // What takes IPv6 mostly takes IPv4 too.
    let usable = listening.iter().filter(|at| is_here(at, true));
    let mut ports: Vec<u16> = usable.map(SocketAddr::port).collect();
    ports.sort_unstable();
    ports.dedup();
    let took_it = listening.iter().any(|at| at.port() == asked);
    match ports.as_slice() {
        [own] if !took_it => format!(
            "if port {own} is hard-coded, write `port = {own}` under [run] in its server.toml, and otherwise make it take the port that it is given"
        ),
        [_, _, ..] if !took_it => {
            "if the port that serves HTTP is hard-coded, write it as `port` under [run] in its server.toml, \
                                   and otherwise make it take the port that it is given"
                .to_owned()
        }
        _ => format!("make it listen at 127.0.0.1:{asked}"),
    }
}

/// May 127.0.0.1 lead there?
fn is_here(at: &SocketAddr, reached: bool) -> bool {
    let everywhere = at.ip().is_unspecified() && (at.is_ipv4() || reached);
    everywhere || at.ip().to_canonical() == Ipv4Addr::LOCALHOST
}

pub(super) fn addresses(listening: &[SocketAddr]) -> String {
    in_words(listening.iter().map(SocketAddr::to_string).collect())
}

pub(super) fn unix_sockets(paths: &[String]) -> Option<String> {
    // Every program on .NET has one for its debugger.
    let own = |path: &&String| !path.contains("/dotnet-diagnostic-");
    let named = |path: &String| format!("the Unix socket {}", plain(path, MOST_PATH));
    let places: Vec<String> = paths.iter().filter(own).map(named).collect();
    (!places.is_empty()).then(|| in_words(places))
}

fn in_words(mut places: Vec<String>) -> String {
    // Each worker may have its own.
    places.sort();
    places.dedup();
    places.truncate(MOST_PLACES);
    places.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_listens_elsewhere_is_told_where() {
        let of = |places: &[&str]| {
            let places: Vec<SocketAddr> = places.iter().map(|place| place.parse().unwrap()).collect();
            elsewhere(&places, 8080, true)
        };
        assert_eq!(of(&["[::1]:3000"]).as_deref(), Some("[::1]:3000"));
        let other_address = ["[::1]:8080", "[::1]:8080", "127.0.0.1:9229"];
        assert_eq!(of(&other_address).as_deref(), Some("127.0.0.1:9229 and [::1]:8080"));
        for here in ["127.0.0.1:8080", "0.0.0.0:8080", "[::]:8080", "[::ffff:127.0.0.1]:8080"] {
            assert_eq!(of(&["[::1]:3000", here]), None, "{here}");
        }
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn one_port_that_can_be_reached_may_be_used_as_it_is() {
        let of = |places: &[&str]| {
            let places: Vec<SocketAddr> = places.iter().map(|place| place.parse().unwrap()).collect();
            cure(&places, 8080)
        };
        for own in ["127.0.0.1:3000", "0.0.0.0:3000", "[::]:3000"] {
            assert!(of(&[own, own]).contains("`port = 3000`"), "{own}");
        }
        assert!(of(&["0.0.0.0:3000", "0.0.0.0:9090"]).contains("write it as `port`"));
        // Another address, and the port that was asked for, beside a debugger's.
        for unclear in [&["[::1]:3000"][..], &["[::1]:8080", "127.0.0.1:9229"], &["[::]:8080"]] {
            assert!(
                of(unclear).starts_with("make it listen at 127.0.0.1:8080"),
                "{unclear:?}"
            );
        }
    }

    #[test]
    fn one_that_listens_where_ipv4_does_not_reach_it_is_told_so() {
        let all: SocketAddr = "[::]:8080".parse().unwrap();
        assert_eq!(elsewhere(&[all], 8080, false).as_deref(), Some("[::]:8080"));
        assert_eq!(elsewhere(&[all], 8080, true), None);
        let ipv4: SocketAddr = "0.0.0.0:8080".parse().unwrap();
        assert_eq!(elsewhere(&[all, ipv4], 8080, false), None);
        let socket = unix_sockets(&["/run/a.sock".to_owned()]);
        assert_eq!(socket.as_deref(), Some("the Unix socket /run/a.sock"));
        let debugger = "/tmp/dotnet-diagnostic-12-345-socket".to_owned();
        assert_eq!((unix_sockets(&[]), unix_sockets(&[debugger])), (None, None));
    }
}
