//! Many requests on several connections, because a server may be right only at first.

use std::sync::Mutex;

use super::draw::{between, rng};
use super::http::Connection;
use super::report::{Checks, Fault, Verdict};
use crate::runner::splitmix::SplitMix64;

const CONNECTIONS: usize = 4;

/// More than 300 turns over the connections, a number that nobody can know before. `what` begins the sentence that says how
/// far it was right, such as "The sum".
pub fn stays_right(
    checks: &Checks,
    what: &str,
    turn: impl Fn(&mut Connection, &mut SplitMix64) -> Verdict + Sync,
) -> Verdict {
    let each = between(&mut rng(), 80, 140);
    let first: Mutex<Option<Fault>> = Mutex::new(None);
    let lock = || first.lock().unwrap_or_else(|e| e.into_inner());
    std::thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| {
                let mut rng = rng();
                let mut connection = match checks.connect() {
                    Ok(connection) => connection,
                    Err(fault) => {
                        lock().get_or_insert(fault);
                        return;
                    }
                };
                for _ in 0..each {
                    let verdict = turn(&mut connection, &mut rng);
                    // Held while it is counted: the first wrong answer says how many were right before it.
                    let mut first = lock();
                    if first.is_some() {
                        return;
                    }
                    match verdict {
                        Ok(()) => checks.count_right(),
                        Err(fault) => {
                            *first = Some(checks.until_now(what, fault));
                            return;
                        }
                    }
                }
            });
        }
    });
    match lock().take() {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}
