//! The two streams that a run's records travel in.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StreamName {
    Journal,
    Raw,
}

impl StreamName {
    pub const ALL: [StreamName; 2] = [StreamName::Journal, StreamName::Raw];
    pub fn as_str(self) -> &'static str {
        match self {
            StreamName::Journal => "journal",
            StreamName::Raw => "raw",
        }
    }
}
