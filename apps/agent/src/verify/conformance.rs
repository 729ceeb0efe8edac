//! *Conformance*: what HTTP and the contract ask for beyond what a load sends. It is shown beside an entry's figures, once for
//! each build, and leaves nobody out; `rigmark verify --strict` asks for all of it.

use std::path::Path;

use super::idle_connections::IdleConnections;
use super::report::Checks;
use super::{json_sum, plaintext, statics, upload, ws_echo};
use crate::protocol::journal::{VerifyCheck, VerifyStatus};
use crate::protocol::spec::Workload;

pub fn check(checks: &mut Checks, workload: Workload, root: &Path, secret: &Path) {
    let waiting = IdleConnections::open(checks, workload);
    match workload {
        Workload::Plaintext => plaintext::check(checks),
        Workload::Static => statics::check(checks, root, secret),
        Workload::JsonSum => json_sum::check(checks),
        Workload::Upload => upload::check(checks),
        // Nobody promised anything.
        Workload::Http => {}
        Workload::WsEcho => ws_echo::check(checks),
    }
    waiting.check(checks);
}

/// "HTTP: 9 of 11; HEAD /plaintext has status 404 and not 200."
pub fn sentence(workload: Workload, checks: &[VerifyCheck]) -> String {
    let protocol = match workload {
        Workload::WsEcho => "WebSocket",
        _ => "HTTP",
    };
    let failed: Vec<&VerifyCheck> = checks.iter().filter(|c| c.status == VerifyStatus::Failed).collect();
    let score = format!("{protocol}: {} of {}", checks.len() - failed.len(), checks.len());
    let Some(first) = failed.first() else { return score };
    let text = first.message.as_deref().unwrap_or(&first.title);
    let more = match failed.len() {
        1 => String::new(),
        n => format!(" And {} more.", n - 1),
    };
    format!("{score}; {text}{more}")
}
