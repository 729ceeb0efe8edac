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

    pub fn names_a_taken_port(&self) -> bool {
        let taken =
            |line: &String| line.to_lowercase().contains("address already in use") || line.contains("EADDRINUSE");
        self.error.iter().chain(&self.tail).any(taken)
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
        assert!(printed.names_a_taken_port());
        (0..20).for_each(|_| printed.add("    at Server.listen"));
        assert!(printed.names_a_taken_port());
        assert!(!OutputSummary::default().names_a_taken_port());
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
