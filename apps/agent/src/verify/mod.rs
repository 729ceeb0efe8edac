//! Proves that a server responds correctly, in two parts. *Right* ([`right`]): a scenario's own requests get right responses
//! before, during and after its load; it decides whether an entry counts. *Conformance* ([`conformance`]): what else HTTP and the
//! contract ask for, once for each build; it is shown and leaves nobody out.
//!
//! The checks run in a child (`rigmark internal verify`) inside the trial's sandbox, because the agent itself never
//! enters it: the job comes on stdin, the report goes to stdout, both as JSON.

use crate::protocol::spec::Workload;

mod bodies;
pub mod child;
mod client_profiles;
pub mod conformance;
mod draw;
mod echo;
mod http;
mod http_semantics;
mod idle_connections;
mod job;
mod json_sum;
mod old_clients;
mod page;
mod plaintext;
mod post;
pub mod ready;
mod report;
mod reuse;
pub mod right;
pub mod spawn;
mod statics;
#[cfg(test)]
mod test_server;
mod unknown;
mod upload;
mod websocket;
mod ws_burst;
mod ws_echo;
mod ws_message;

pub use job::{Task, VerifyJob, VerifyReport, status};
pub use right::responses::Reference;
pub use right::{Closes, Depth, Seen};

/// Can this agent verify the workload?
pub fn knows(workload: Workload) -> bool {
    // Named one by one, so that the compiler asks for each new workload.
    match workload {
        Workload::Plaintext
        | Workload::Static
        | Workload::JsonSum
        | Workload::Upload
        | Workload::WsEcho
        | Workload::Http => true,
    }
}
