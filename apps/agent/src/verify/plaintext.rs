//! `plaintext`: the 13 bytes `Hello, World!`, as text.

use super::http_semantics;
use super::page::{self, Page};
use super::report::{CheckFault, Checks};

pub fn check(checks: &mut Checks) {
    let page = || Page {
        path: "/plaintext".to_owned(),
        body: b"Hello, World!".to_vec(),
    };
    checks.check("plaintext-type", "the type is text/plain", |c| {
        let head = page::fetch(c, &page())?;
        let kind = head.header("content-type").unwrap_or_default();
        match kind.split(';').next().unwrap_or_default().trim() {
            "text/plain" => Ok(()),
            _ => Err(CheckFault::new(format!("Content-Type is {kind:?} and not text/plain."))),
        }
    });
    let unknown = format!("/{}", super::draw::random_name());
    http_semantics::check(checks, &[page(), page()], &page(), &unknown);
}
