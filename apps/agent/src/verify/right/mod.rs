//! *Right*: the requests that this scenario's tool will really send get right responses. It alone decides whether an entry counts.
//!
//! The requests are the tool's own (method, version, headers, body), over as many connections, reused or not as the load has
//! it. Whatever the tool accepts is right: chunked or sized, any order of headers, a close that is announced.

use std::path::Path;
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};

use super::report::Checks;
use crate::protocol::spec::{Scenario, Workload};
use responses::Reference;

mod client;
mod difference;
mod expectation;
mod http;
mod load;
mod normal_json;
mod own;
#[cfg(test)]
mod own_tests;
mod paths;
pub mod responses;
pub mod sample;
#[cfg(test)]
mod tests;
mod ws;

pub use own::{needs_reference, record};

/// How many requests are sent. `Quick` is a spot check between two full ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depth {
    Full,
    Quick,
}

/// After how many responses the server ends a connection that should stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closes {
    pub after: u64,
    /// The last response said so.
    pub announced: bool,
}

/// The earliest end of a connection that any client saw.
#[derive(Default)]
pub(super) struct EarliestClose(Mutex<Option<Closes>>);

impl EarliestClose {
    fn note(&self, closes: Closes) {
        let mut seen = self.0.lock().unwrap_or_else(|e| e.into_inner());
        *seen = Some(seen.map_or(closes, |before| before.min(closes)));
    }

    fn get(&self) -> Option<Closes> {
        *self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
}

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
