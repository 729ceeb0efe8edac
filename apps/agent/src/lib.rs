//! `rigmark`, the agent of a benchmark host.
//!
//! Talks to the control plane: `session` (a pure state machine with one driver) in the words of
//! `protocol`, out of `spool`. Orders a run's steps: `runner`. Knows a tool's flags: `tool`. Knows a tool's output:
//! `parser`. Proves answers: `verify`. Knows a server's folder: `server`. Touches the kernel: `host`, `sandbox`,
//! `sample`. Talks to the person: `cli`, whose `output` is the only place that prints.

pub mod assets;
pub mod cli;
pub mod fix;
pub mod host;
pub mod journal;
pub mod loadgen;
pub mod parser;
pub mod protocol;
pub mod runner;
pub mod sample;
pub mod sandbox;
pub mod scenario;
pub mod server;
pub mod session;
pub mod splitmix;
pub mod spool;
pub mod state;
pub mod text;
pub mod tool;
pub mod verify;
