//! How a command ends.

use std::process::ExitCode;

/// The exit codes that are promised to scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Done = 0,
    /// Failed, or what was asked about is invalid.
    Failed = 1,
    Usage = 2,
    /// Measured, but the gate of `--fail-on` was not met.
    GateNotMet = 3,
    /// Of `rigmark agent`: the app does not know this host any more. A service that starts it again would change nothing.
    Revoked = 4,
    Unsupported = 77,
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// One sentence that says what happened and what to do next, with a stable code for scripts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CliError {
    pub exit: Exit,
    pub code: String,
    pub message: String,
}

impl CliError {
    pub fn new(exit: Exit, code: &str, message: impl Into<String>) -> Self {
        Self {
            exit,
            code: code.to_owned(),
            message: message.into(),
        }
    }
    pub fn failed(code: &str, message: impl Into<String>) -> Self {
        Self::new(Exit::Failed, code, message)
    }
    pub fn usage(code: &str, message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, code, message)
    }
    pub fn unsupported(code: &str, message: impl Into<String>) -> Self {
        Self::new(Exit::Unsupported, code, message)
    }
}

impl From<crate::assets::AssetsError> for CliError {
    fn from(error: crate::assets::AssetsError) -> Self {
        Self::failed("assets", error.to_string())
    }
}

impl From<crate::state::StateError> for CliError {
    fn from(error: crate::state::StateError) -> Self {
        Self::failed("state", error.to_string())
    }
}

impl From<crate::scenario::ScenarioError> for CliError {
    fn from(error: crate::scenario::ScenarioError) -> Self {
        use crate::scenario::ScenarioError::{Read, ReadFile, Wrong, WrongFile};
        match error {
            Read { .. } | Wrong { .. } => Self::failed("scenarios", error.to_string()),
            // Somebody's own file was typed.
            ReadFile { .. } | WrongFile { .. } => Self::usage("scenario-file", error.to_string()),
        }
    }
}
