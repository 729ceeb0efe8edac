//! Talks to the control plane: [`Machine`] decides (pure), [`driver`] does the I/O, [`client`] speaks HTTP.

mod attempt;
pub mod client;
mod codec;
mod connect;
pub mod driver;
mod event;
pub mod identity;
mod inventory;
mod machine;
#[cfg(test)]
mod model;
mod proxy;
mod recovered;
mod responses;
mod retry_queue;
mod transitions;
mod trust;

pub use event::{Action, AttemptRef, CallId, Event, Failure, LogLevel, Reply, Request, SessionEnd};
pub use inventory::Inventory;
pub use machine::{Config, Machine};
