//! Why an entry has no rank: a few words for a cell, which also end a sentence.

use super::number::count;
use crate::figures::Figures;
use crate::input::ScenarioInput;
use crate::math::positive;
use crate::summary::Metric;
use crate::unranked::Unranked;

/// Of an entry under a scenario.
#[must_use]
pub fn words(why: &Unranked<'_>, scenario: &ScenarioInput, figures: &Figures<'_>) -> String {
    let tool = &scenario.tool;
    match why {
        Unranked::FailedVerification(reason) => format!("failed verification: {reason}"),
        Unranked::NotMeasured => "not measured".to_owned(),
        Unranked::NoValidTrial(Some(reason)) => format!("no valid trial: {reason}"),
        Unranked::NoValidTrial(None) => "no valid trial".to_owned(),
        Unranked::OfferedUnknown => format!("{tool} did not say how many requests it offered or how many failed"),
        Unranked::ToolLimit => {
            let rate = scenario.rate_per_s.and_then(positive).map(count);
            let stated = rate.unwrap_or_else(|| "the stated".to_owned());
            format!("{tool} was the bottleneck: it did not send {stated} requests a second")
        }
        Unranked::NoFigure(Metric::CpuUsPerRequest) => "no trial gave the server's CPU time and requests".to_owned(),
        Unranked::NoFigure(_) => "no trial gave a rate that can be used".to_owned(),
        Unranked::PercentileDoesNotCount(p) => {
            let note = figures.percentile(*p).and_then(|found| found.note.as_deref());
            format!("p{p} {}", note.unwrap_or_default())
        }
    }
}
