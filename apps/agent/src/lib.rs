//! `rigmark`, the agent of a benchmark host.
//!
//! Talks to the control plane: `session` (a pure state machine with one driver) in the words of
//! `protocol`, out of `spool`. Orders a run's steps: `runner`. Knows a tool's flags: `tool`. Knows a tool's output:
//! `parser`. Uses the app as a person does: `control`. Knows what requests carry: `workload`. Verifies responses: `verify`.
//! Knows a server's folder: `server`. Touches the kernel: `host`, `sandbox`, `sample`. Comments on pull requests: `forge`.
//! Talks to the person: `cli`, whose `output` is the only place that prints for one.
//!
//! Who may use whom: `layers.rs`, drawn in docs/architecture.md.

pub mod assets;
pub mod cli;
pub mod control;
pub mod fix;
pub mod forge;
pub mod host;
pub mod journal;
pub mod json;
#[cfg(test)]
mod layers;
pub mod loadgen;
pub mod minisign;
pub mod parser;
pub mod program;
pub mod protocol;
pub mod runner;
pub mod sample;
pub mod sandbox;
pub mod scenario;
pub mod server;
pub mod session;
pub mod source;
pub mod splitmix;
pub mod spool;
pub mod state;
pub mod stdout;
pub mod text;
pub mod toml_position;
pub mod tool;
pub mod verify;
pub mod workload;
