//! Why a latency curve has no points, or ends early.

use crate::curve::NoCurve;
use crate::sentence::number::figure;

/// A few words.
#[must_use]
pub fn words(why: &NoCurve) -> String {
    match why {
        NoCurve::NoHistogram => "没有直方图".to_owned(),
        NoCurve::NoLatency => "直方图中没有延迟值".to_owned(),
        NoCurve::TooFew(n) => format!("只有 {n} 个延迟值，不足以给出分位数"),
        NoCurve::Unreadable { at, of, error } => format!("{of} 个直方图中的第 {at} 个无法读取：{error}"),
        NoCurve::Lost(share) => format!("{} % 的请求被丢弃、迟到或失败", figure(share * 100.0)),
    }
}
