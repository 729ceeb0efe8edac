//! Where in a TOML file something stands, so that an error can be jumped to: `server.toml:12:9`.

use std::fmt;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Counted from 1; the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Of the file itself: what is missing stands nowhere else.
pub const FILE: Position = Position { line: 1, column: 1 };

pub fn of_error(text: &str, error: &toml::de::Error) -> Option<Position> {
    error.span().map(|span| at(text, span.start))
}

/// Of a key such as `run.ready.path` or `build.steps[0]`; where the last part of it is not there, of what would hold it.
/// `None` where the text is no TOML or has no part of the key.
pub fn of_key(text: &str, key: &str) -> Option<Position> {
    let document = DeTable::parse(text).ok()?;
    let mut found = None;
    in_table(document.get_ref(), key, &mut found);
    found.map(|offset| at(text, offset))
}

fn at(text: &str, offset: usize) -> Position {
    // What is missing at the end of the file is looked for beyond it.
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Position {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

/// A name may have dots in it, so the longest one that begins the rest of the key is taken.
fn in_table(table: &DeTable<'_>, key: &str, found: &mut Option<usize>) {
    let begins = |name: &str| {
        let rest = key.strip_prefix(name)?;
        (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest)
    };
    let candidates = table
        .iter()
        .filter_map(|(name, value)| Some((name.get_ref().len(), begins(name.get_ref())?, name, value)));
    if let Some((_, rest, name, value)) = candidates.max_by_key(|(length, ..)| *length) {
        // What holds the key is where its own name is, such as the header `[run]`; a value is where it is written.
        let is_held = !rest.is_empty() || matches!(value.get_ref(), DeValue::Table(_));
        *found = Some(if is_held { name.span().start } else { value.span().start });
        in_value(value, rest, found);
    }
}

fn in_value(value: &Spanned<DeValue<'_>>, rest: &str, found: &mut Option<usize>) {
    match value.get_ref() {
        DeValue::Table(table) => {
            if let Some(rest) = rest.strip_prefix('.') {
                in_table(table, rest, found);
            }
        }
        DeValue::Array(array) => {
            let index = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            if let Some((item, rest)) =
                index.and_then(|(index, rest)| Some((array.get(index.parse::<usize>().ok()?)?, rest)))
            {
                *found = Some(item.span().start);
                in_value(item, rest, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "name = \"é\" # ü\nlist = [\"a\", \"b\"]\n[run]\nready = { path = \"/\" }\n[options.\"a.b\"]\nmin = 1\n";

    fn of(key: &str) -> Option<String> {
        of_key(TEXT, key).map(|position| position.to_string())
    }

    #[test]
    fn a_key_is_found_where_its_value_is_written() {
        assert_eq!(of("name").as_deref(), Some("1:8"));
        assert_eq!(of("list[1]").as_deref(), Some("2:14"));
        assert_eq!(of("run.ready.path").as_deref(), Some("4:18"));
        assert_eq!(of("options.a.b.min").as_deref(), Some("6:7"));
    }

    #[test]
    fn what_is_not_there_is_where_it_would_be() {
        assert_eq!(of("run.ready.within_s").as_deref(), Some("4:1"));
        assert_eq!(of("run.command").as_deref(), Some("3:2"));
        assert_eq!(of("list[7]").as_deref(), Some("2:1"));
        assert_eq!(of("license"), None);
        assert_eq!(of_key("[", "name"), None);
    }

    #[test]
    fn columns_are_characters() {
        assert_eq!(at("éx", 2), Position { line: 1, column: 2 });
        assert_eq!(at("éx", 1), Position { line: 1, column: 1 });
        assert_eq!(at("a\n", 99), Position { line: 2, column: 1 });
    }
}
