//! Text as the protocol takes it and as people read it. The other side counts UTF-16 units, so this does too.

use crate::protocol::journal::{LOG_LINE_CHARS, MESSAGE_CHARS};
use crate::protocol::result::Reason;

pub fn clip(text: &str, most: usize) -> String {
    let mut left = most;
    let fits = |c: &char| {
        let fits = c.len_utf16() <= left;
        left = left.saturating_sub(c.len_utf16());
        fits
    };
    text.chars().take_while(fits).collect()
}

/// Text from the control plane, fit for a terminal: without control characters, so that it moves no cursor and sets no
/// title, and no longer than the protocol allows.
pub fn plain(text: &str, most: usize) -> String {
    let shown: String = text.chars().filter(|c| !c.is_control()).take(most).collect();
    clip(&shown, most)
}

pub fn log_line(text: &str) -> String {
    clip(text, LOG_LINE_CHARS)
}

pub fn message(text: &str) -> String {
    clip(text, MESSAGE_CHARS)
}

pub fn reason(code: &str, text: &str) -> Reason {
    Reason::new(code, message(text))
}

/// `a, b and c`.
pub fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [start @ .., last] => format!("{} and {last}", start.join(", ")),
    }
}

/// Quoted where a POSIX shell would take it for something else.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.,:=@/+-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_takes_a_word_as_it_is() {
        assert_eq!(shell_word("--server=a@v1.0:workers=2"), "--server=a@v1.0:workers=2");
        assert_eq!(shell_word("it's $HOME"), "'it'\\''s $HOME'");
        assert_eq!(shell_word(""), "''");
    }

    #[test]
    fn no_escape_reaches_a_terminal() {
        assert_eq!(plain("a\u{1b}]0;owned\u{7}b\u{9b}2Jc\r\n", 99), "a]0;ownedb2Jc");
        assert_eq!(plain(&"x".repeat(900_000), 20).len(), 20);
    }

    #[test]
    fn the_last_name_of_a_list_comes_after_and() {
        let of = |names: &[&str]| listed(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&[]), "");
        assert_eq!(of(&["a"]), "a");
        assert_eq!(of(&["a", "b"]), "a and b");
        assert_eq!(of(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn units_of_utf_16_are_counted() {
        assert_eq!(clip("abc", 2), "ab");
        assert_eq!(clip("é😀x", 3), "é😀");
        assert_eq!(clip("é😀x", 2), "é");
        assert_eq!(clip("😀😀", 1), "");
    }
}
