//! Why a scenario or a suite cannot be read.

use std::path::PathBuf;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum ScenarioError {
    #[error("{path} could not be read: {source}; install the agent again, or give another folder with --assets.", path = path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{path}: at `{key}`: {problem}; fix the file.", path = path.display())]
    Wrong {
        path: PathBuf,
        key: String,
        problem: String,
    },
    #[error("{path} could not be read ({source}); a scenario is a name of `rigmark scenarios` or the path of a TOML file.", path = path.display())]
    ReadFile { path: PathBuf, source: std::io::Error },
    /// Of somebody's own file. `at` is `:line:column`, or nothing.
    #[error("{path}{at}: {problem}", path = path.display())]
    WrongFile { path: PathBuf, at: String, problem: String },
}
