//! Talks to the control plane: [`StateMachine`] decides (pure), [`driver`] does the I/O, [`client`] speaks HTTP.

mod attempt;
mod call_slot;
mod cause;
pub mod client;
mod codec;
mod connect;
pub mod driver;
mod event;
pub mod identity;
mod inventory;
mod loopback;
mod machine;
#[cfg(test)]
mod model;
mod proxy;
mod recovered;
mod responses;
mod transitions;
mod trust;

pub use event::{Action, AttemptRef, CallId, Failure, LogLevel, Reply, Request, SessionEnd, SessionEvent};
pub use inventory::Inventory;
pub use machine::{Config, StateMachine};
