//! A few responses during the load: a server may be right only while it is idle.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::draw::rng;
use super::super::report::{CheckFault, Checks};
use super::client::LoadClient;
use super::headers::OtherHeaders;
use super::load::LoadRequests;
use super::own;
use super::own_request::OwnRequest;
use super::responses::Reference;
use crate::protocol::spec::{Scenario, Workload};

/// Between two requests; longer where an exchange is so large that it would be felt.
const PAUSE: Duration = Duration::from_millis(250);
const BYTES_PER_S: f64 = 2e6;

/// Asks over one connection until `over` says so. WebSockets are left to the tools, which compare each echo.
pub fn check(
    checks: &mut Checks,
    scenario: &Scenario,
    reference: Option<&Arc<Reference>>,
    mut over: impl FnMut(Duration) -> bool,
) -> Option<OtherHeaders> {
    // What cannot be compared was said before the load.
    let reference = reference.filter(|r| r.unusable.is_none());
    let load = LoadRequests::with(scenario, checks.server(), OwnRequest::all(scenario, reference, None));
    let pause = PAUSE.max(Duration::from_secs_f64(load.exchange_bytes() as f64 / BYTES_PER_S));
    let (mut seen, mut wrong, mut first) = (0, 0, None::<CheckFault>);
    if scenario.workload != Workload::WsEcho {
        let (mut client, mut rng) = (LoadClient::new(checks, &load, None), rng());
        while !over(pause) {
            match client.sampled(&load.next(&mut rng)) {
                Ok(responded) => seen += u32::from(responded),
                Err(fault) => {
                    (seen, wrong) = (seen + 1, wrong + 1);
                    first.get_or_insert(fault);
                }
            }
        }
    }
    let title = format!("responses during the load are right: {seen} checked, {wrong} wrong");
    checks.check("sampled", &title, |_| first.map_or(Ok(()), Err));
    own::other_headers(&load)
}

/// For tests and the child: sleeps so long, unless it is over before.
pub fn sleeps(is_over: impl Fn() -> bool) -> impl FnMut(Duration) -> bool {
    move |pause| {
        let until = Instant::now() + pause;
        while !is_over() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20).min(until.saturating_duration_since(Instant::now())));
        }
        is_over()
    }
}
