//! How an entry did in one run against another run on the same host.

use crate::between_runs::{LEAST_DEGREES, NoVerdictBetween, PairSummary};
use crate::sentence::number::{count, ratio as times};
use crate::sentence::zh::head;
use crate::summary::{Metric, Ratio, Verdict};

/// One sentence, or two where there is no verdict: why, and what to do.
#[must_use]
pub fn sentence(metric: Metric, pair: &PairSummary) -> String {
    if let (Some(ratio), Some(verdict)) = (&pair.ratio, pair.verdict) {
        return format!(
            "{}（{}）。",
            shown(metric, verdict, ratio),
            certainty(ratio, pair.history_runs)
        );
    }
    let figure = pair
        .ratio_of_medians
        .map_or(String::new(), |ratio| format!("中位数之比为 {}。", times(ratio)));
    format!("{figure}{}", pair.reason_zh.as_deref().unwrap_or_default())
}

fn shown(metric: Metric, verdict: Verdict, ratio: &Ratio) -> String {
    let what = match metric {
        Metric::RequestsPerS => "每秒请求数",
        Metric::P99Us | Metric::FirstByteP50Us => "p99 延迟",
        Metric::CpuUsPerRequest => "每个请求的 CPU 时间",
    };
    let value = times(ratio.estimate);
    match verdict {
        Verdict::Faster | Verdict::Slower => format!(
            "{}：{what}是另一次运行的 {value} 倍",
            head(metric, verdict == Verdict::Faster)
        ),
        Verdict::NoDifference | Verdict::NotComparable => format!("没有显示出差异：{what}之比为 {value}"),
    }
}

fn certainty(ratio: &Ratio, runs: u32) -> String {
    format!(
        "{:.0} % 置信区间 {} 到 {}，已计入这台主机另外 {} 次运行之间的波动",
        ratio.confidence * 100.0,
        times(ratio.low),
        times(ratio.high),
        count(f64::from(runs))
    )
}

/// Why there is no verdict. `runs` of one unchanged build, at most, are known.
#[must_use]
pub fn why(code: NoVerdictBetween, runs: u32) -> String {
    match code {
        NoVerdictBetween::NotRanked => "单个请求只展示，不排名。".to_owned(),
        NoVerdictBetween::ToolLimit => "其中一次运行的瓶颈在压测工具，数值只是一个界限，因此没有结论。".to_owned(),
        NoVerdictBetween::NoFigure => "其中一次运行没有有效的数值。".to_owned(),
        NoVerdictBetween::EnvironmentDiffers => {
            "没有结论：两次运行的环境不同。请改为在同一次运行中测量两者。".to_owned()
        }
        NoVerdictBetween::TooLittleHistory => format!(
            "没有结论：还不知道这台主机各次运行之间的波动有多大。需要同一构建的另外 {} 次运行，现有 {} 次。请改为在同一次运行中测量两者。",
            LEAST_DEGREES + 1,
            count(f64::from(runs))
        ),
    }
}
