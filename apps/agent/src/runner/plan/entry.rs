//! One server of a run with its options, and what its series is keyed by.

use std::collections::BTreeMap;

use serde::Serialize;
use sha2::{Digest, Sha256};

/// What series, history and colors hang on: sha256 over the canonical JSON (sorted keys, no spaces) of these four.
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
        serde_json::to_vec(&canonical).expect("strings and integers serialize"),
    ))
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
}
