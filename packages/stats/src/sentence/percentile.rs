//! What stands beside a percentile that does not count, or that counts and does not rank.

use super::number::{count, figure};
use crate::percentile::{Note, PercentileStatus, least_requests, may_lose_percent};

/// A few words.
#[must_use]
pub fn words(note: Note, tool: &str, p: f64) -> String {
    match note {
        Note::InSome { counted, of, others } => {
            format!(
                "counts in {counted} of {of} trials: in the others, {}",
                why(others, tool, p)
            )
        }
        Note::InNone(standing) => format!("does not count: {}", why(standing, tool, p)),
        Note::NoValidTrial => "no valid trial".to_owned(),
        Note::ClosedLoop => "from closed-loop load: shown, not ranked".to_owned(),
        Note::AtFoundRate => "at the rate that was found: shown, not ranked".to_owned(),
    }
}

fn why(standing: PercentileStatus, tool: &str, p: f64) -> String {
    match standing {
        PercentileStatus::Counts(_) => String::new(),
        PercentileStatus::NotPrinted => format!("{tool} did not print it"),
        PercentileStatus::NotATime => {
            format!("{tool} printed no time above 0, so the time is shorter than the tool can show")
        }
        PercentileStatus::TooFewRequests => {
            format!(
                "it needs at least {} answered requests in a trial",
                count(least_requests(p))
            )
        }
        PercentileStatus::Lost(share) => format!(
            "{} % of the requests were dropped, late or failed, and at most {} % may be",
            figure(share * 100.0),
            count(may_lose_percent(p))
        ),
        PercentileStatus::Unknown => "how many requests were offered, answered or failed is unknown".to_owned(),
    }
}
