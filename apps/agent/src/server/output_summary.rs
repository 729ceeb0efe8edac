//! What a server printed, as far as a message repeats it.

use std::collections::VecDeque;

use crate::text::plain;

/// The last lines that a message repeats.
const TAIL_LINES: usize = 5;
/// The most that a message repeats of a line, or of the last ones, in characters.
const MOST_CHARS: usize = 600;

#[derive(Default)]
pub struct OutputSummary {
    /// The first line that names an error; what follows it is often a trace.
    error: Option<String>,
    tail: VecDeque<String>,
}

impl OutputSummary {
    pub fn add(&mut self, line: &str) {
        if self.error.is_none() && names_an_error(line) {
            self.error = Some(line.to_owned());
        }
        self.tail.push_back(line.to_owned());
        if self.tail.len() > TAIL_LINES {
            self.tail.pop_front();
        }
    }

    fn last(&self) -> String {
        self.tail.iter().map(String::as_str).collect::<Vec<_>>().join(" / ")
    }

    /// Does it say that this port is taken? Where the lines that say so name others only, it was one of those.
    pub fn says_taken(&self, port: u16) -> bool {
        let taken =
            |line: &&String| line.to_lowercase().contains("address already in use") || line.contains("EADDRINUSE");
        let mut lines = self.error.iter().chain(&self.tail).filter(taken).peekable();
        let some = lines.peek().is_some();
        let named: Vec<u16> = lines.flat_map(|line| ports(line)).collect();
        some && (named.is_empty() || named.contains(&port))
    }

    /// What to do about an end whose cause it printed. What it could not reach is another matter, and so is a socket in a folder.
    pub fn advice(&self) -> Option<&'static str> {
        let lines = self.error.iter().chain(&self.tail).map(|line| line.to_lowercase());
        lines
            .filter(|line| !line.contains("connect") && !line.contains("dial"))
            .find_map(|line| {
                let says = |words: &[&str]| words.iter().any(|word| line.contains(word));
                if says(&[
                    "eaddrnotavail",
                    "cannot assign requested address",
                    "address not available",
                ]) {
                    return Some("make it listen at 127.0.0.1: the address that it asked for does not exist here");
                }
                let low = !line.contains('/') && ports(&line).iter().all(|port| *port < 1024);
                (says(&["listen", "bind"]) && says(&["eacces", "permission denied"]) && low)
                    .then_some("it may not open a port below 1024 here: use a higher port")
            })
    }

    /// Fit for the terminal that the message goes to.
    pub fn in_words(&self) -> String {
        let gone = |line: &&String| !self.tail.contains(line);
        let error = self.error.as_ref().filter(gone).map(|line| plain(line, MOST_CHARS));
        let last = plain(&self.last(), MOST_CHARS);
        match error {
            Some(error) => format!("; it said: {error}; and last: {last}"),
            None if last.is_empty() => "; it printed nothing".to_owned(),
            None => format!("; its last words were: {last}"),
        }
    }
}

/// The numbers of a line that are ports: behind an address and a colon, or behind the word. Shorter ones may be a clock's.
fn ports(line: &str) -> Vec<u16> {
    let line = line.to_lowercase();
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(digit) = line[at..].find(|c: char| c.is_ascii_digit()) {
        let begin = at + digit;
        let end = line[begin..].find(|c: char| !c.is_ascii_digit()).map(|n| begin + n);
        at = end.unwrap_or(line.len());
        let before = &line[..begin];
        let ends_an_address = |c: char| c.is_ascii_digit() || "]:*".contains(c);
        let host = before.strip_suffix(':');
        let behind_host = host.is_some_and(|host| host.ends_with(ends_an_address) || host.ends_with("localhost"));
        if at - begin >= 3 && (behind_host || before.ends_with("port ")) {
            found.extend(line[begin..at].parse::<u16>());
        }
    }
    found
}

fn names_an_error(line: &str) -> bool {
    let line = line.to_lowercase();
    ["error", "exception", "panic", "fatal"]
        .iter()
        .any(|word| line.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_printed_moves_no_cursor_and_sets_no_title() {
        let mut printed = OutputSummary::default();
        printed.add("\u{1b}]0;owned\u{7}panic");
        printed.add("\u{1b}[2Jat main\r");
        assert_eq!(printed.in_words(), "; its last words were: ]0;ownedpanic / [2Jat main");
        let mut nothing = OutputSummary::default();
        nothing.add("\u{1b}\r");
        assert_eq!(nothing.in_words(), "; it printed nothing");
    }

    #[test]
    fn a_taken_port_is_seen_above_its_trace() {
        let mut printed = OutputSummary::default();
        printed.add("Error: listen EADDRINUSE 127.0.0.1:8080");
        assert!(printed.says_taken(8080));
        (0..20).for_each(|_| printed.add("    at Server.listen"));
        assert!(printed.says_taken(8080));
        assert!(!OutputSummary::default().says_taken(8080));
    }

    #[test]
    fn a_cause_that_is_printed_has_its_own_advice() {
        let of = |line: &str| {
            let mut printed = OutputSummary::default();
            printed.add(line);
            printed.advice()
        };
        for address in [
            "Error: listen EADDRNOTAVAIL: address not available ::1:3000",
            "OSError: [Errno 99] Cannot assign requested address",
        ] {
            assert!(of(address).unwrap().contains("127.0.0.1"), "{address}");
        }
        for port in [
            "Error: listen EACCES: permission denied 0.0.0.0:80",
            "bind: Permission denied",
        ] {
            assert!(of(port).unwrap().contains("below 1024"), "{port}");
        }
        for other in [
            "open config.json: permission denied",
            "Error 99 connecting to localhost:6379. Cannot assign requested address.",
            "listen unix /run/app.sock: bind: permission denied",
            "listen tcp 127.0.0.1:8080: bind: permission denied",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn another_port_that_is_taken_is_not_taken_for_the_given_one() {
        let says = |line: &str| {
            let mut printed = OutputSummary::default();
            printed.add(line);
            printed.says_taken(8080)
        };
        for other in [
            "Error: listen EADDRINUSE: address already in use :::9090",
            "listen tcp 127.0.0.1:9090: bind: address already in use",
            "10:11:12 bind() to [::1]:443 failed (98: Address already in use)",
            "metrics: port 9090: Address already in use",
        ] {
            assert!(!says(other), "{other}");
        }
        for given in [
            "listen tcp 127.0.0.1:8080: bind: address already in use",
            "10:11:12 [emerg] bind() to 0.0.0.0:8080 failed (98: Address already in use)",
            "localhost:8080: address already in use",
            // No port is named.
            "2026-11-25 10:11:12 OSError: [Errno 98] Address already in use",
            "bind: Address already in use",
        ] {
            assert!(says(given), "{given}");
        }
    }

    #[test]
    fn an_error_is_repeated_whatever_trace_comes_after_it() {
        let mut printed = OutputSummary::default();
        let trace = ["    at a", "    at b", "    at c", "    at d", "Node.js v20"];
        printed.add("Error: Cannot find module 'express'");
        trace.iter().for_each(|line| printed.add(line));
        let in_words = printed.in_words();
        let error = "; it said: Error: Cannot find module 'express'; and last: ";
        assert!(
            in_words.starts_with(error) && in_words.ends_with("Node.js v20"),
            "{in_words}"
        );
    }
}
