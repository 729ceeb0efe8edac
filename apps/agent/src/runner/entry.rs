//! A server as it competes.

use std::collections::BTreeMap;

use serde::Serialize;
use sha2::{Digest, Sha256};

/// What series, history and colours hang on: sha256 over the canonical JSON (sorted keys, no spaces) of these four.
pub fn entry_key(server: &str, content_hash: &str, options: &BTreeMap<String, i64>, label: &str) -> String {
    #[derive(Serialize)]
    struct Canonical<'a> {
        content_hash: &'a str,
        label: &'a str,
        options: &'a BTreeMap<String, i64>,
        server: &'a str,
    }
    let canonical = Canonical {
        content_hash,
        label,
        options,
        server,
    };
    hex::encode(Sha256::digest(
        serde_json::to_vec(&canonical).expect("strings and integers serialise"),
    ))
}

/// `[label=]server[:option=value,…]` as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedEntry {
    pub label: Option<String>,
    /// Bundled name or path.
    pub server: String,
    pub options: BTreeMap<String, i64>,
}

impl TypedEntry {
    /// `Err` is one sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| {
            Err(format!(
                "{text:?} {what}; write it as label=server:option=value,option=value."
            ))
        };
        let (head, options) = split_options(text);
        let (label, server) = match head.split_once('=') {
            Some((label, server)) => (Some(label.to_owned()), server),
            None => (None, head),
        };
        if server.is_empty() {
            return wrong("names no server");
        }
        if label.as_deref() == Some("") {
            return wrong("has an empty label");
        }
        let mut parsed = BTreeMap::new();
        for option in options.into_iter().flat_map(|o| o.split(',')) {
            let Some((name, value)) = option.split_once('=') else {
                return wrong(&format!("has {option:?} where option=value must stand"));
            };
            let Ok(value) = value.parse::<i64>() else {
                return wrong(&format!("gives {name} the value {value:?}, which is no integer"));
            };
            if parsed.insert(name.to_owned(), value).is_some() {
                return wrong(&format!("gives {name} twice"));
            }
        }
        Ok(Self {
            label,
            server: server.to_owned(),
            options: parsed,
        })
    }
}

/// The options begin at the last colon, because a path may have others.
fn split_options(text: &str) -> (&str, Option<&str>) {
    match text.rsplit_once(':') {
        Some((head, options)) if !options.contains('/') => (head, Some(options)),
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_the_hash_of_the_canonical_json() {
        let options = BTreeMap::from([("workers".to_owned(), 2), ("mimalloc".to_owned(), 1)]);
        let canonical = r#"{"content_hash":"aa","label":"fast","options":{"mimalloc":1,"workers":2},"server":"libuv"}"#;
        let expected = hex::encode(Sha256::digest(canonical));
        assert_eq!(entry_key("libuv", "aa", &options, "fast"), expected);
        assert_ne!(entry_key("libuv", "aa", &options, "slow"), expected);
    }

    #[test]
    fn entries_are_read_as_typed() {
        let parse = |text| TypedEntry::parse(text).unwrap();
        assert_eq!(parse("epoll").server, "epoll");
        let full = parse("a b=epoll:workers=4,x=-1");
        assert_eq!((full.label.as_deref(), full.server.as_str()), (Some("a b"), "epoll"));
        assert_eq!(full.options, BTreeMap::from([("workers".into(), 4), ("x".into(), -1)]));
        let path = parse("mine=./a:b/server:workers=1");
        assert_eq!((path.server.as_str(), path.options.len()), ("./a:b/server", 1));
        assert_eq!(parse("epoll:workers=4").label, None);
        for wrong in [
            "",
            "=epoll",
            "x=",
            "epoll:",
            "epoll:workers",
            "epoll:workers=two",
            "epoll:a=1,a=2",
        ] {
            assert!(TypedEntry::parse(wrong).is_err(), "{wrong}");
        }
    }
}
