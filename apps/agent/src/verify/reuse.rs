//! How often one connection is used again: beyond the limits on requests that servers have unless they are told otherwise,
//! which are 100 (Apache, Tomcat) and 1,000 (nginx).

use super::draw::between;
use super::http::HttpError;
use super::report::Fault;
use crate::splitmix::SplitMix64;

/// So many are asked as load tools ask: each after the answer to the one before.
const ONE_BY_ONE: usize = 100;
/// Of the others so many at most are in one packet. A server counts them all the same, and they cost far fewer round trips.
const AT_ONCE: usize = 20;

/// Requests on one connection, a number that nobody can know before.
pub fn turns(rng: &mut SplitMix64) -> usize {
    between(rng, 1_050, 1_300)
}

/// How many of `left` requests are sent at once after so many answers; 0 at the end.
pub fn burst(rng: &mut SplitMix64, answered: usize, left: usize) -> usize {
    let most = if answered < ONE_BY_ONE { 1 } else { AT_ONCE };
    between(rng, 1, most).min(left)
}

/// Of a connection on which each answer until now said that it stays.
pub fn ended(error: HttpError, answered: usize, what: &str) -> Fault {
    match (error, answered) {
        (HttpError::Closed, 1..) => Fault::new(format!(
            "The server said that it keeps the connection, but closed it after {}.",
            answers(answered)
        )),
        (other, _) => Fault::http(what, other),
    }
}

/// Of a connection on which the last of the answers said that it closes.
pub fn announced(answered: usize) -> Fault {
    Fault::new(format!(
        "The server says that it closes the connection after {}.",
        answers(answered)
    ))
}

fn answers(count: usize) -> String {
    if count == 1 {
        "1 answer".to_owned()
    } else {
        format!("{count} answers")
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
            let (mut answered, mut packets) = (0, 0);
            while answered < turns {
                let burst = burst(&mut rng, answered, turns - answered);
                assert!(
                    burst >= 1 && (burst == 1 || answered >= ONE_BY_ONE),
                    "{burst} at {answered}"
                );
                answered += burst;
                packets += 1;
            }
            assert_eq!(answered, turns);
            assert!(answered > 1_000 && packets < 400, "{answered} in {packets}");
        }
        assert_eq!(burst(&mut rng, 1_000, 0), 0);
    }
}
