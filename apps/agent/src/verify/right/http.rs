//! The checks of an HTTP load: the body many times, one connection for as long as a load uses it, a new file,
//! and an unknown path.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use super::super::draw::{between, random_name, rng};
use super::super::report::{CheckFault, CheckResult, Checks};
use super::client::LoadClient;
use super::closes::EarliestClose;
use super::depth::Depth;
use super::load::{Effort, LoadRequest, LoadRequests};
use super::paths;
use crate::protocol::spec::{Scenario, Workload};
use crate::splitmix::SplitMix64;
use crate::workload::files::random;

pub fn check(checks: &mut Checks, scenario: &Scenario, root: &Path, depth: Depth, seen: &EarliestClose) {
    let load = LoadRequests::of(scenario, checks.server());
    let effort = Effort::of(&load, depth);
    let connections = effort.connections;
    let over = if load.keep_alive {
        "connections"
    } else {
        "connections at once, a new one for each request"
    };
    let title = format!("{} gets right responses over {connections} {over}", load.name());
    checks.check("body", &title, |c| crowd(c, &load, &effort));
    if load.keep_alive && effort.in_a_row > 1 {
        checks.check("keep-alive", "a connection is used again", |c| {
            in_a_row(c, &load, &effort, seen)
        });
    }
    if scenario.workload == Workload::Static {
        checks.check("fresh-file", "a file made after the start is served", |c| {
            fresh_files(c, &load, root, effort.fresh_files)
        });
    }
    checks.check(
        "unknown-path",
        "a random path does not get the known path's response",
        |c| paths::unknown(c, &load, effort.unknown_paths),
    );
}

/// All are open before the first request, where they stay and the server takes so many; each asks while the others do.
pub fn crowd(checks: &Checks, load: &LoadRequests<'_>, effort: &Effort) -> CheckResult {
    let first: Mutex<Option<CheckFault>> = Mutex::new(None);
    let failed = || first.lock().unwrap_or_else(|e| e.into_inner()).is_some();
    let mut clients = Vec::new();
    let mut takes_more = load.keep_alive;
    for _ in 0..effort.connections {
        let mut client = LoadClient::new(checks, load, None);
        // One that serves a connection at a time, with a short queue behind it, takes the others once the first have asked.
        takes_more = takes_more && client.connect().is_ok();
        clients.push(client);
    }
    let (each, until) = (
        effort.requests.div_ceil(effort.connections),
        Instant::now() + effort.within,
    );
    std::thread::scope(|scope| {
        for mut client in clients {
            let (first, failed) = (&first, &failed);
            scope.spawn(move || {
                let mut rng = rng();
                let mut left = each;
                // A slow server is asked once on each connection, and then as long as there is time.
                while left > 0 && !failed() && (left == each || Instant::now() < until) {
                    let asks = together(load, &mut rng, left);
                    left -= asks.len();
                    if let Err(fault) = client.ask(&asks) {
                        fault.keep_in(first);
                    }
                }
            });
        }
    });
    match first.into_inner().unwrap_or_else(|e| e.into_inner()) {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

fn together(load: &LoadRequests<'_>, rng: &mut SplitMix64, left: usize) -> Vec<LoadRequest> {
    (0..load.together.min(left)).map(|_| load.next(rng)).collect()
}

pub fn in_a_row(checks: &Checks, load: &LoadRequests<'_>, effort: &Effort, seen: &EarliestClose) -> CheckResult {
    let mut client = LoadClient::new(checks, load, Some(seen));
    let (mut rng, until) = (rng(), Instant::now() + effort.in_a_row_within);
    // A number that nobody can know before.
    let mut left = effort.in_a_row + between(&mut rng, 0, effort.in_a_row / 10);
    while left > 0 && Instant::now() < until {
        let asks = together(load, &mut rng, left);
        left -= asks.len();
        client.ask(&asks)?;
    }
    Ok(())
}

/// About as large as what the load asks for.
fn fresh_files(checks: &Checks, load: &LoadRequests<'_>, root: &Path, count: usize) -> CheckResult {
    let mut rng = rng();
    let body = (load.scenario.body_bytes as usize).clamp(512, 4 << 20);
    for _ in 0..count {
        let size = between(&mut rng, body / 2, body);
        let ending = load.scenario.path.rsplit_once('.').map_or("bin", |(_, ending)| ending);
        let name = format!("{}.{ending}", random_name());
        let (path, body) = (root.join(&name), random(&mut rng, size));
        if let Err(error) = std::fs::write(&path, &body) {
            // A part of it may be there.
            let _ = std::fs::remove_file(&path);
            let text = format!("{name}, a file made after the start, could not be written ({error}).");
            return Err(match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                    CheckFault::ours(format!("{text} Free some space."))
                }
                // The folder was there and could be written to before the server came.
                _ => CheckFault::new(text),
            });
        }
        let ask = load.ask(&format!("/{name}"), None, body.into());
        let verdict = LoadClient::new(checks, load, None).ask(&[ask]);
        let _ = std::fs::remove_file(&path);
        verdict.map_err(|fault| CheckFault {
            message: format!("A file that was made after the start: {}", fault.message),
            ..fault
        })?;
    }
    Ok(())
}
