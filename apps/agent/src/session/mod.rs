//! Talks to the control plane: [`Machine`] decides (pure), [`driver`] does the I/O, [`client`] speaks HTTP.

mod answer;
mod attempt;
mod event;
mod lane;
mod machine;
#[cfg(test)]
mod model;

pub use event::{Action, AttemptRef, CallId, Event, Exit, Failure, LogLevel, Reply, Request};
pub use machine::{Config, Machine};
