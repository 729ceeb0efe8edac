//! *Right*: the requests that this scenario's tool will really send get right responses. It alone decides whether an entry counts.
//!
//! The requests are the tool's own (method, version, headers, body), over as many connections, reused or not as the load has
//! it. Whatever the tool accepts is right: chunked or sized, any order of headers, a close that is announced.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::report::Checks;
use crate::protocol::spec::{Scenario, Workload};
use closes::EarliestClose;
use responses::Reference;

mod client;
mod closes;
mod depth;
mod difference;
mod expectation;
mod headers;
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
pub use headers::OtherHeaders;
pub use own::{needs_reference, record};

/// What was right, and is told all the same.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// The earliest end of a connection that was to stay.
    pub closes: Option<Closes>,
    /// Headers that it sends and the one it is compared with does not, or the other way round.
    pub other_headers: Option<OtherHeaders>,
}

impl Seen {
    /// As it is told of this entry: headers that its own responses have only now and then are no difference to anybody.
    pub fn beside(mut self, label: &str) -> Self {
        self.other_headers = self.other_headers.filter(|other| other.than != label);
        self
    }

    pub fn add(&mut self, later: Self) {
        self.closes = self.closes.into_iter().chain(later.closes).min();
        self.other_headers = match (self.other_headers.take(), later.other_headers) {
            (Some(known), Some(more)) => Some(known.and(&more)),
            (known, more) => known.or(more),
        };
    }
}

/// `reference` is what another server answers, where the scenario does not say what is right.
pub fn check(
    checks: &mut Checks,
    scenario: &Scenario,
    root: &Path,
    depth: Depth,
    reference: Option<&Arc<Reference>>,
) -> Seen {
    let seen = EarliestClose::default();
    let mut other_headers = None;
    match scenario.workload {
        Workload::Http => other_headers = own::check(checks, scenario, depth, reference, &seen),
        Workload::WsEcho => ws::check(checks, scenario, depth),
        _ => http::check(checks, scenario, root, depth, &seen),
    }
    Seen {
        closes: seen.get(),
        other_headers,
    }
}
