//! Many requests on several connections, because a server may be right only at first.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::draw::{between, rng};
use super::http::Connection;
use super::report::{Checks, Fault, Verdict};
use crate::runner::splitmix::SplitMix64;

const CONNECTIONS: usize = 4;
/// So many more are open meanwhile, as many as loads have, and ask all at once: a server may mix up the answers only then.
const OTHERS: (usize, usize) = (60, 110);
/// For the last of them to be open. They are in far less.
const PATIENCE: Duration = Duration::from_secs(1);

/// In `low..=high`, from 1 on, with as much between 10 and 100 as between 100 and 1,000: where lengths are drawn evenly, the small
/// ones that loads send are hardly among them.
pub fn log_between(rng: &mut SplitMix64, low: usize, high: usize) -> usize {
    let even = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let drawn = low as f64 * ((high + 1) as f64 / low as f64).powf(even);
    (drawn as usize).clamp(low, high)
}

/// More than 300 turns over few connections, a number that nobody can know before, and a few over each of many others. `what`
/// begins the sentence that says how far it was right, such as "The sum".
pub fn stays_right(
    checks: &Checks,
    what: &str,
    turn: impl Fn(&mut Connection, &mut SplitMix64) -> Verdict + Sync,
) -> Verdict {
    let mut seeded = rng();
    let each = between(&mut seeded, 80, 140);
    let others = between(&mut seeded, OTHERS.0, OTHERS.1);
    let mut turns = vec![each; CONNECTIONS];
    turns.extend((0..others).map(|_| between(&mut seeded, 2, 4)));
    let (all, open) = (turns.len(), AtomicUsize::new(0));
    let first: Mutex<Option<Fault>> = Mutex::new(None);
    let lock = || first.lock().unwrap_or_else(|e| e.into_inner());
    std::thread::scope(|scope| {
        for turns in turns {
            let (turn, lock, open) = (&turn, &lock, &open);
            scope.spawn(move || {
                let mut rng = rng();
                // By this thread: who seems to ask is drawn for each.
                let mut connection = match checks.connect() {
                    Ok(connection) => connection,
                    Err(fault) => {
                        lock().get_or_insert(fault);
                        return;
                    }
                };
                open.fetch_add(1, Ordering::SeqCst);
                let since = Instant::now();
                while open.load(Ordering::SeqCst) < all && since.elapsed() < PATIENCE {
                    std::thread::sleep(Duration::from_millis(1));
                }
                for _ in 0..turns {
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
    use super::super::manners::{self, Page};
    use super::super::tiny::{self, Said};
    use super::*;

    #[test]
    fn an_answer_that_is_wrong_only_among_many_clients_is_found() {
        let asking = AtomicUsize::new(0);
        let server = tiny::serve(move |_| {
            let others = asking.fetch_add(1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(20));
            asking.fetch_sub(1, Ordering::SeqCst);
            Said::ok(if others < 40 { "right" } else { "other" })
        });
        let page = Page {
            path: "/page".to_owned(),
            body: b"right".to_vec(),
        };
        let checks = tiny::checks(server);
        let fault = stays_right(&checks, "The answer", |connection, _| {
            manners::get(connection, &page).map(|_| ())
        });
        let said = fault.unwrap_err().message;
        assert!(
            said.ends_with("page has wrong bytes: 5 of 5 differ, the first is number 0."),
            "{said}"
        );
    }

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
