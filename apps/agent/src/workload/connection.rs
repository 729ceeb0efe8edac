//! The header `Connection` as RFC 9110, 7.6.1 has it: a list of words, in any case.

/// Does the value of such a header say this word?
pub fn says(value: &[u8], word: &str) -> bool {
    let mut words = value.split(|byte| *byte == b',');
    words.any(|one| one.trim_ascii().eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_anywhere_in_the_list_and_in_any_case() {
        for value in ["close", "Close", " CLOSE ", "foo, close", "close,foo", "a,\tClose , b"] {
            assert!(says(value.as_bytes(), "close"), "{value}");
        }
        for value in ["", "closed", "keep-alive", "close foo", "no-close"] {
            assert!(!says(value.as_bytes(), "close"), "{value}");
        }
    }
}
