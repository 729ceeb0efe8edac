//! What stands beside a percentile that does not count, or that counts and does not rank.

use crate::percentile::{Note, PercentileStatus, least_requests, may_lose_percent};
use crate::sentence::number::{count, figure};

/// A few words.
#[must_use]
pub fn words(note: Note, tool: &str, p: f64) -> String {
    match note {
        Note::InSome { counted, of, others } => {
            format!("{of} 次试验中有 {counted} 次计入；其余试验中，{}", why(others, tool, p))
        }
        Note::InNone(standing) => format!("不计入：{}", why(standing, tool, p)),
        Note::NoValidTrial => "没有有效的试验".to_owned(),
        Note::ClosedLoop => "来自闭环负载：只展示，不排名".to_owned(),
        Note::AtFoundRate => "在找到的速率下：只展示，不排名".to_owned(),
    }
}

fn why(standing: PercentileStatus, tool: &str, p: f64) -> String {
    match standing {
        PercentileStatus::Counts(_) => String::new(),
        PercentileStatus::NotPrinted => format!("{tool} 没有输出该分位数"),
        PercentileStatus::NotATime => format!("{tool} 输出的时间不大于零，说明它低于工具的分辨率"),
        PercentileStatus::TooFewRequests => format!("一次试验至少需要 {} 个得到响应的请求", count(least_requests(p))),
        PercentileStatus::Lost(share) => format!(
            "{} % 的请求被丢弃、迟到或失败，最多允许 {} %",
            figure(share * 100.0),
            count(may_lose_percent(p))
        ),
        PercentileStatus::Unknown => "不知道有多少请求应当发出、得到响应或失败".to_owned(),
    }
}
