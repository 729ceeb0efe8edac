//! `{name}` in the argv arrays of a manifest. There is no shell and no escape: a brace is always a placeholder's.

use std::collections::{BTreeMap, BTreeSet};

/// Names with a fixed meaning when a server is started; options come on top.
pub const FIXED: [&str; 6] = ["build_dir", "server_dir", "work_dir", "address", "port", "root"];

/// `Err` says which placeholder is unknown.
pub fn check(text: &str, known: &BTreeSet<&str>) -> Result<(), String> {
    for name in names(text)? {
        if !known.contains(name) {
            let known: Vec<String> = known.iter().map(|k| format!("{{{k}}}")).collect();
            return Err(format!("{{{name}}} means nothing here; there are {}.", known.join(" ")));
        }
    }
    Ok(())
}

/// The names in the text, in order.
pub fn names(text: &str) -> Result<Vec<&str>, String> {
    let unclosed = || format!("{text:?} has an unclosed brace.");
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let inner = rest[at..].strip_prefix('{').ok_or_else(unclosed)?;
        let end = inner
            .find(['{', '}'])
            .filter(|e| inner[*e..].starts_with('}'))
            .ok_or_else(unclosed)?;
        found.push(&inner[..end]);
        rest = &inner[end + 1..];
    }
    Ok(found)
}

/// The text must have been checked: an unknown placeholder stays as it is.
pub fn fill(text: &str, values: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        let inner = &rest[at + 1..];
        match inner
            .find('}')
            .and_then(|end| values.get(&inner[..end]).map(|v| (v, end)))
        {
            Some((value, end)) => {
                out.push_str(value);
                rest = &inner[end + 1..];
            }
            None => {
                out.push('{');
                rest = inner;
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_not_read_again() {
        let values = BTreeMap::from([("a".to_owned(), "{b}".to_owned()), ("b".to_owned(), "x".to_owned())]);
        assert_eq!(fill("-{a}-{b}-", &values), "-{b}-x-");
    }

    #[test]
    fn braces_must_match() {
        assert_eq!(names("{a}/{b}"), Ok(vec!["a", "b"]));
        for wrong in ["{a", "a}", "{a{b}}", "{", "}"] {
            assert!(names(wrong).is_err(), "{wrong}");
        }
        assert!(
            check("{c}", &BTreeSet::from(["a"]))
                .unwrap_err()
                .contains("{c} means nothing")
        );
    }
}
