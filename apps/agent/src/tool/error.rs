//! Why a tool makes no load.

use thiserror::Error;

#[derive(Debug, Error)]
pub enum ToolError {
    #[error("{0} cannot do this scenario: {1}")]
    Unsupported(&'static str, String),
    #[error("{}", crate::fix::with_reason(&format!("{} is not installed.", .0), Some(.1)))]
    NotInstalled(&'static str, String),
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
