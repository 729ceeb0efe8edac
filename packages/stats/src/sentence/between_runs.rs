//! How an entry did in one run against another run on the same host.

use super::number::{count, ratio as times, things};
use crate::between_runs::{LEAST_DEGREES, NoVerdictBetween, PairSummary};
use crate::sentence::head;
use crate::summary::{Metric, Ratio, Verdict};

/// One sentence, or two where there is no verdict: why, and what to do.
#[must_use]
pub fn sentence(metric: Metric, pair: &PairSummary) -> String {
    if let (Some(ratio), Some(verdict)) = (&pair.ratio, pair.verdict) {
        return format!(
            "{} ({}).",
            shown(metric, verdict, ratio),
            certainty(ratio, pair.history_runs)
        );
    }
    let figure = pair.ratio_of_medians.map_or(String::new(), |ratio| {
        format!("The ratio of the medians is {}. ", times(ratio))
    });
    format!("{figure}{}", pair.reason.as_deref().unwrap_or_default())
}

fn shown(metric: Metric, verdict: Verdict, ratio: &Ratio) -> String {
    let value = times(ratio.estimate);
    let what = match metric {
        Metric::RequestsPerS => format!("{value} × the requests per second"),
        Metric::P99Us | Metric::FirstByteP50Us => format!("{value} × the p99 latency"),
        Metric::CpuUsPerRequest => format!("{value} × the CPU time per request"),
    };
    match verdict {
        Verdict::Faster | Verdict::Slower => {
            format!("{}: {what} of the other run", head(metric, verdict == Verdict::Faster))
        }
        Verdict::NoDifference | Verdict::NotComparable => format!("No difference was shown: {what} of the other run"),
    }
}

fn certainty(ratio: &Ratio, runs: u32) -> String {
    format!(
        "{:.0} % interval {} to {}, which includes the variation between {} on this host",
        ratio.confidence * 100.0,
        times(ratio.low),
        times(ratio.high),
        things(runs, "other run")
    )
}

/// Why there is no verdict. `runs` of one unchanged build, at most, are known.
#[must_use]
pub fn why(code: NoVerdictBetween, runs: u32) -> String {
    match code {
        NoVerdictBetween::NotRanked => "Single requests are shown and never ranked.".to_owned(),
        NoVerdictBetween::ToolLimit => {
            "The load tool was the bottleneck in one of the runs, so its figure is a bound and there is no verdict."
                .to_owned()
        }
        NoVerdictBetween::NoFigure => "One of the runs has no figure that counts.".to_owned(),
        NoVerdictBetween::EnvironmentDiffers => {
            "There is no verdict: the environments of the two runs differ. Measure both in one run instead.".to_owned()
        }
        NoVerdictBetween::TooLittleHistory => format!(
            "There is no verdict: it is not known yet how much this host varies from run to run. {} other runs of one unchanged \
             build would show it; there {} {}. Measure both in one run instead.",
            LEAST_DEGREES + 1,
            if runs == 1 { "is" } else { "are" },
            if runs == 0 {
                "none".to_owned()
            } else {
                count(f64::from(runs))
            }
        ),
    }
}
