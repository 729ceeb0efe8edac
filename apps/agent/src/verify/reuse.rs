//! How often one connection is used again: beyond the usual default limits on requests per connection,
//! which are 100 (Apache, Tomcat) and 1,000 (nginx).

use super::draw::between;
use super::http::HttpError;
use super::report::CheckFault;
use crate::splitmix::SplitMix64;

/// This many are sent as load tools send them: each after the response to the one before.
const ONE_BY_ONE: usize = 100;
/// After that, at most this many are in one packet. A server still counts each, and they cost far fewer round trips.
const AT_ONCE: usize = 20;

/// Requests on one connection, a number that nobody can know before.
pub fn turns(rng: &mut SplitMix64) -> usize {
    between(rng, 1_050, 1_300)
}

/// How many of `left` requests are sent at once after this many responses; 0 at the end.
pub fn burst(rng: &mut SplitMix64, completed: usize, left: usize) -> usize {
    let most = if completed < ONE_BY_ONE { 1 } else { AT_ONCE };
    between(rng, 1, most).min(left)
}

/// The fault of a connection that ended although each response so far said that it stays.
pub fn ended(error: HttpError, completed: usize, what: &str) -> CheckFault {
    match (error, completed) {
        (HttpError::Closed, 1..) => CheckFault::new(format!(
            "The server said that it keeps the connection, but closed it after {}.",
            responses(completed)
        )),
        (other, _) => CheckFault::http(what, other),
    }
}

/// The fault of a connection whose last response said that it closes.
pub fn announced(completed: usize) -> CheckFault {
    CheckFault::new(format!(
        "The server says that it closes the connection after {}.",
        responses(completed)
    ))
}

fn responses(count: usize) -> String {
    if count == 1 {
        "1 response".to_owned()
    } else {
        format!("{count} responses")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_any_usual_limit_first_one_by_one_and_never_more_than_are_left() {
        let mut rng = SplitMix64::new(7);
        for _ in 0..200 {
            let turns = turns(&mut rng);
            let (mut completed, mut packets) = (0, 0);
            while completed < turns {
                let burst = burst(&mut rng, completed, turns - completed);
                assert!(
                    burst >= 1 && (burst == 1 || completed >= ONE_BY_ONE),
                    "{burst} at {completed}"
                );
                completed += burst;
                packets += 1;
            }
            assert_eq!(completed, turns);
            assert!(completed > 1_000 && packets < 400, "{completed} in {packets}");
        }
        assert_eq!(burst(&mut rng, 1_000, 0), 0);
    }
}
