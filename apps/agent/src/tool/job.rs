//! One window of load, and the command that makes it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::protocol::spec::Scenario;

/// One window of load.
#[derive(Debug, Clone)]
pub struct ToolJob<'a> {
    pub scenario: &'a Scenario,
    /// Always loopback: `127.0.0.1`.
    pub address: &'a str,
    pub port: u16,
    pub duration_s: f64,
    /// Of the whole trial, of which this may be a slice: how long a response is waited for depends on it.
    pub patience_s: f64,
    /// CPUs that the tool may use.
    pub cpus: usize,
    /// Private and writable; the tool's output files go here.
    pub work_dir: &'a Path,
}

/// What to spawn. `files` are read after the tool ended, and kept as raw output under these names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCommand {
    pub argv: Vec<OsString>,
    pub env: Vec<(String, String)>,
    pub files: Vec<(String, PathBuf)>,
}

pub fn url(job: &ToolJob<'_>) -> String {
    format!("http://{}:{}{}", job.address, job.port, job.scenario.path)
}
