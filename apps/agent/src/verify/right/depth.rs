//! How much of a load is sent to verify a server.

use serde::{Deserialize, Serialize};

/// How many requests are sent. `Quick` is a spot check between two full ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depth {
    Full,
    Quick,
}
