//! *Right*: the requests that this scenario's tool will really send get right responses. It alone decides whether an entry counts.
//!
//! The requests are the tool's own (method, version, headers, body), over as many connections, reused or not as the load has
//! it. Whatever the tool accepts is right: chunked or sized, any order of headers, a close that is announced.

use std::path::Path;
use std::sync::Arc;

use super::report::Checks;
use crate::protocol::spec::{Scenario, Workload};
use closes::EarliestClose;
use responses::Reference;

mod client;
mod closes;
mod depth;
mod difference;
mod expectation;
mod http;
mod json_fields;
mod load;
mod normal_json;
mod own;
mod own_request;
#[cfg(test)]
mod own_tests;
mod paths;
pub mod responses;
pub mod sample;
mod shown;
#[cfg(test)]
mod tests;
mod ws;

pub use closes::Closes;
pub use depth::Depth;
pub use own::{needs_reference, record};

/// `reference` is what another server answers, where the scenario does not say what is right.
pub fn check(
    checks: &mut Checks,
    scenario: &Scenario,
    root: &Path,
    depth: Depth,
    reference: Option<&Arc<Reference>>,
) -> Option<Closes> {
    let seen = EarliestClose::default();
    match scenario.workload {
        Workload::Http => own::check(checks, scenario, depth, reference, &seen),
        Workload::WsEcho => ws::check(checks, scenario, depth),
        _ => http::check(checks, scenario, root, depth, &seen),
    }
    seen.get()
}
