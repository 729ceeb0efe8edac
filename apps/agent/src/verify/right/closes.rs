//! A server that ends connections which should stay.

use std::sync::Mutex;

use serde::{Deserialize, Serialize};

/// After how many responses the server ends a connection that should stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closes {
    pub after: u64,
    /// The last response said so.
    pub announced: bool,
}

/// The earliest end of a connection that any client saw.
#[derive(Default)]
pub struct EarliestClose(Mutex<Option<Closes>>);

impl EarliestClose {
    pub fn note(&self, closes: Closes) {
        let mut seen = self.0.lock().unwrap_or_else(|e| e.into_inner());
        *seen = Some(seen.map_or(closes, |before| before.min(closes)));
    }

    pub fn get(&self) -> Option<Closes> {
        *self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
}
