//! The app as a person's or a script's commands use it: `/api/v1` with a token, where that token is kept, and how a result
//! file is published. The agent of a host has `session` instead.

pub mod client;
mod error;
pub mod login_file;
pub mod message;
pub mod publish;
pub mod remote;
pub mod result_file;
pub mod token;

pub use client::{Api, Call};
pub use error::{ApiError, Problem};
pub use remote::Remote;
pub use token::Token;
