//! A server's text in a message.

use serde_json::Value;

pub(super) const SHOWN_CHARS: usize = 80;

pub(super) fn shown(value: Option<&Value>) -> String {
    match value {
        None => "nothing".to_owned(),
        Some(Value::String(plain)) => text(plain),
        Some(other) => cut(&other.to_string()),
    }
}

/// Escaped and short: a server's text may be anything.
pub(super) fn text(plain: &str) -> String {
    let cut: String = plain.chars().take(SHOWN_CHARS).collect();
    let more = if cut.len() < plain.len() { "…" } else { "" };
    format!("{cut:?}{more}")
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
