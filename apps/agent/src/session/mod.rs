//! Talks to the control plane: [`Machine`] decides (pure), [`driver`] does the I/O, [`client`] speaks HTTP.

mod advance;
mod answer;
mod attempt;
pub mod client;
mod codec;
pub mod driver;
mod event;
pub mod identity;
mod inventory;
mod lane;
mod machine;
#[cfg(test)]
mod model;
mod recovered;
mod trust;

pub use event::{Action, AttemptRef, CallId, Event, Exit, Failure, LogLevel, Reply, Request};
pub use inventory::Inventory;
pub use machine::{Config, Machine};
