//! Where a flag is taken, and how sources write names.

/// What stands before the flag, where that is known; empty for a flag of the program itself.
pub type Place = Option<Vec<String>>;

/// The name that the text ends with.
pub fn last_name(text: &str) -> &str {
    let before = text.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    &text[before.len()..]
}

/// The first string in quotes.
pub fn quoted(text: &str) -> Option<&str> {
    let start = text.find(['"', '\'', '`'])?;
    let quote = text[start..].chars().next()?;
    text[start + 1..].split(quote).next()
}

/// Is it the string, in quotes?
pub fn is_quoted(text: &str, wanted: &str) -> bool {
    let text = text.trim();
    ['"', '\'']
        .iter()
        .any(|quote| text.strip_prefix(*quote).and_then(|text| text.strip_suffix(*quote)) == Some(wanted))
}
