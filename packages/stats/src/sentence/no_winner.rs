//! Why nobody wins a scenario, for a cell.

use super::number::things;
use super::single_requests;
use crate::summary::NoWinnerCode;
use crate::winner::NoWinner;

/// A few words.
#[must_use]
pub fn words(why: NoWinner) -> String {
    match why.code {
        NoWinnerCode::NothingRanked => "nothing ranked".to_owned(),
        NoWinnerCode::RateNotSustained => "rate not sustained".to_owned(),
        NoWinnerCode::NothingToCompare => "nothing to compare".to_owned(),
        NoWinnerCode::NoVerdict => "no verdict".to_owned(),
        NoWinnerCode::TooFewBlocks => format!("{}, no verdict", things(why.blocks, "block")),
        NoWinnerCode::NoDifference => "no difference shown".to_owned(),
        NoWinnerCode::NotComparable => "not comparable".to_owned(),
        NoWinnerCode::EqualMedians => "equal medians".to_owned(),
        NoWinnerCode::MediansAndRatiosDisagree => "medians and ratios disagree".to_owned(),
        NoWinnerCode::SingleRequests => single_requests::NOT_RANKED.to_owned(),
    }
}
