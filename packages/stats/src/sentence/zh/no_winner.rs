//! Why nobody wins a scenario, for a cell.

use super::single_requests;
use crate::sentence::number::count;
use crate::summary::NoWinnerCode;
use crate::winner::NoWinner;

/// A few words.
#[must_use]
pub fn words(why: NoWinner) -> String {
    match why.code {
        NoWinnerCode::NothingRanked => "所有参赛项均未排名".to_owned(),
        NoWinnerCode::RateNotSustained => "未能维持规定的速率".to_owned(),
        NoWinnerCode::NothingToCompare => "没有可比较的对象".to_owned(),
        NoWinnerCode::NoVerdict => "没有结论".to_owned(),
        NoWinnerCode::TooFewBlocks => format!("{} 个区组，没有结论", count(f64::from(why.blocks))),
        NoWinnerCode::NoDifference => "没有显示出差异".to_owned(),
        NoWinnerCode::NotComparable => "不可比".to_owned(),
        NoWinnerCode::EqualMedians => "中位数相同".to_owned(),
        NoWinnerCode::MediansAndRatiosDisagree => "中位数与比值不一致".to_owned(),
        NoWinnerCode::SingleRequests => single_requests::NOT_RANKED.to_owned(),
    }
}
