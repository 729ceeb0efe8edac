//! The messages that agent and app exchange. `packages/protocol` is where they are written down; `golden/` there is
//! parsed by the tests of both sides. Every struct refuses unknown fields: what is not understood is not guessed.

pub mod catalogue;
pub mod facts;
pub mod http;
pub mod journal;
pub mod ranges;
pub mod result;
pub mod spec;
mod stream;
pub mod wire;

#[cfg(test)]
mod golden;
