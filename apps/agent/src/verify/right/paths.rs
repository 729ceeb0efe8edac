//! A random path must not get the response of a known one: a server that does so looks nothing up. A router that
//! matches by prefix, or a page that says "not found" with status 200, is no cheat.

use super::super::draw::{random_name, rng};
use super::super::report::{CheckFault, CheckResult, Checks};
use super::load::{Expected, LoadRequest, LoadRequests};

pub fn unknown(checks: &Checks, load: &LoadRequests<'_>, count: usize) -> CheckResult {
    let mut rng = rng();
    let drawn = || [random_name(), format!("{}/{}.html", random_name(), random_name())];
    let drawn = std::iter::repeat_with(drawn).flatten();
    for path in drawn.take(count).map(|name| format!("/{name}")) {
        let mut connection = checks.connect()?;
        let LoadRequest { bytes, right, .. } = load.next_at(&path, &mut rng);
        // It may be refused in any way: no load requests it.
        if connection.send(&bytes).is_err() {
            continue;
        }
        let Ok(head) = connection.head() else { continue };
        let Expected::Body(known) = right else { continue };
        let Ok(body) = connection.any_body(&head, known.len() + 1) else {
            continue;
        };
        if (200..300).contains(&head.status) && body == *known {
            return Err(CheckFault::new(format!(
                "{path}, a random path, got status {} and the body of {}: every path seems to get the \
                 same response.",
                head.status, load.scenario.path
            )));
        }
    }
    Ok(())
}
