//! What a server printed, as far as a message repeats it.

use std::collections::VecDeque;

use crate::text::plain;

/// The last lines that a message repeats.
const TAIL_LINES: usize = 5;
/// The most that a message repeats of a line, or of the last ones, in characters.
const WORDS_CHARS: usize = 600;

#[derive(Default)]
pub struct Words {
    /// The first line that names an error; what follows it is often a trace.
    error: Option<String>,
    tail: VecDeque<String>,
}

impl Words {
    pub fn hear(&mut self, line: &str) {
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

    pub fn name_a_taken_port(&self) -> bool {
        let taken =
            |line: &String| line.to_lowercase().contains("address already in use") || line.contains("EADDRINUSE");
        self.error.iter().chain(&self.tail).any(taken)
    }

    /// Fit for the terminal that the message goes to.
    pub fn said(&self) -> String {
        let gone = |line: &&String| !self.tail.contains(line);
        let error = self.error.as_ref().filter(gone).map(|line| plain(line, WORDS_CHARS));
        let last = plain(&self.last(), WORDS_CHARS);
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
        let mut words = Words::default();
        words.hear("\u{1b}]0;owned\u{7}panic");
        words.hear("\u{1b}[2Jat main\r");
        assert_eq!(words.said(), "; its last words were: ]0;ownedpanic / [2Jat main");
        let mut nothing = Words::default();
        nothing.hear("\u{1b}\r");
        assert_eq!(nothing.said(), "; it printed nothing");
    }

    #[test]
    fn a_taken_port_is_seen_above_its_trace() {
        let mut words = Words::default();
        words.hear("Error: listen EADDRINUSE 127.0.0.1:8080");
        assert!(words.name_a_taken_port());
        (0..20).for_each(|_| words.hear("    at Server.listen"));
        assert!(words.name_a_taken_port());
        assert!(!Words::default().name_a_taken_port());
    }

    #[test]
    fn an_error_is_repeated_whatever_trace_comes_after_it() {
        let mut words = Words::default();
        let trace = ["    at a", "    at b", "    at c", "    at d", "Node.js v20"];
        words.hear("Error: Cannot find module 'express'");
        trace.iter().for_each(|line| words.hear(line));
        let said = words.said();
        let error = "; it said: Error: Cannot find module 'express'; and last: ";
        assert!(said.starts_with(error) && said.ends_with("Node.js v20"), "{said}");
    }
}
