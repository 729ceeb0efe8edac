//! Many requests on several connections, because a server may be right only at first.

use std::sync::Mutex;

use super::draw::{between, rng};
use super::http::Connection;
use super::report::{Checks, Fault, Verdict};
use crate::runner::splitmix::SplitMix64;

const CONNECTIONS: usize = 4;

/// In `low..=high`, from 1 on, with as much between 10 and 100 as between 100 and 1,000: where lengths are drawn evenly, the small
/// ones that loads send are hardly among them.
pub fn log_between(rng: &mut SplitMix64, low: usize, high: usize) -> usize {
    let even = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let drawn = low as f64 * ((high + 1) as f64 / low as f64).powf(even);
    (drawn as usize).clamp(low, high)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_power_of_ten_is_drawn_as_often_and_the_bounds_hold() {
        let mut rng = SplitMix64::new(5);
        let mut counts = [0; 6];
        for _ in 0..6000 {
            let drawn = log_between(&mut rng, 1, 999_999);
            counts[drawn.ilog10() as usize] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert!((0..100).all(|_| log_between(&mut rng, 7, 7) == 7));
    }
}
