//! JSON from elsewhere, with nothing in its texts that a terminal or a page would obey.

use serde_json::Value;

use crate::text::plain;

/// Longest text, in characters: a command that repeats a large run.
const TEXT_CHARS: usize = 20_000;
/// The field of a scenario with its requests and scripts.
const SENT: &str = "http";

/// Every text without control characters, and none without an end. What a scenario sends stays as it is: its lines are part
/// of the load, two loads are compared by them, and no form of a report shows them.
pub fn cleaned(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(plain(&text, TEXT_CHARS)),
        Value::Array(values) => values.into_iter().map(cleaned).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| match name.as_str() {
                SENT => (name, value),
                _ => (plain(&name, TEXT_CHARS), cleaned(value)),
            })
            .collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn text_is_plain_and_what_is_sent_is_as_it_was() {
        let script = json!({ "script": { "name": "load.js", "text": "a\nb\n" } });
        let value = json!({ "title": "a\u{1b}[2Jb\n", "scenarios": [{ "id": "x\u{7}", "http": script }] });
        let wanted = json!({ "title": "a[2Jb", "scenarios": [{ "id": "x", "http": script }] });
        assert_eq!(cleaned(value), wanted);
    }
}
