//! A few answers in the middle of the load: a server may be right only while nobody hurries it.

use std::time::{Duration, Instant};

use super::super::draw::rng;
use super::super::report::{Checks, Fault};
use super::client::Client;
use super::load::Load;
use crate::protocol::spec::{Scenario, Workload};

/// Between two requests; longer where an exchange is so large that it would be felt.
const PAUSE: Duration = Duration::from_millis(250);
const BYTES_PER_S: f64 = 2e6;

/// Asks over one connection until `over` says so. WebSockets are left to the tools, which compare each echo.
pub fn check(checks: &mut Checks, scenario: &Scenario, mut over: impl FnMut(Duration) -> bool) {
    let load = Load::of(scenario, checks.server());
    let pause = PAUSE.max(Duration::from_secs_f64(load.exchange_bytes() as f64 / BYTES_PER_S));
    let (mut asked, mut wrong, mut first) = (0, 0, None::<Fault>);
    if scenario.workload != Workload::WsEcho {
        let (mut client, mut rng) = (Client::new(checks, &load, None), rng());
        while !over(pause) {
            asked += 1;
            if let Err(fault) = client.sampled(&load.next(&mut rng)) {
                wrong += 1;
                first.get_or_insert(fault);
            }
        }
    }
    let title = format!("answers during the load are right: {asked} asked, {wrong} wrong");
    checks.check("sampled", &title, |_| first.map_or(Ok(()), Err));
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
