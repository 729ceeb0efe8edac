//! Cuts text to what the protocol takes. The other side counts UTF-16 units, so this does too.

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

pub fn log_line(text: &str) -> String {
    clip(text, LOG_LINE_CHARS)
}

pub fn message(text: &str) -> String {
    clip(text, MESSAGE_CHARS)
}

pub fn reason(code: &str, text: &str) -> Reason {
    Reason::new(code, message(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_utf_16_are_counted() {
        assert_eq!(clip("abc", 2), "ab");
        assert_eq!(clip("é😀x", 3), "é😀");
        assert_eq!(clip("é😀x", 2), "é");
        assert_eq!(clip("😀😀", 1), "");
    }
}
