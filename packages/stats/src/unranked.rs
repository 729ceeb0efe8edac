//! Why an entry is compared with nobody under a scenario.

use crate::figures::{Figures, Sustained};
use crate::input::ScenarioInput;
use crate::percentile::RANKING;
use crate::summary::{Metric, UnrankedCode};

/// A code with what its sentence needs. Texts from elsewhere (reasons of trials and of verification) stay as they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unranked<'a> {
    FailedVerification(&'a str),
    NotMeasured,
    /// With the first reason of a trial that does not count.
    NoValidTrial(Option<&'a str>),
    /// The tool did not say what it offered or what failed.
    OfferedUnknown,
    /// The tool did not send the fixed rate.
    ToolLimit,
    /// No trial gave what ranks.
    NoFigure(Metric),
    /// This percentile, in percent, counts in no trial.
    PercentileDoesNotCount(f64),
}

impl Unranked<'_> {
    /// The code without its details.
    #[must_use]
    pub fn code(&self) -> UnrankedCode {
        match self {
            Self::FailedVerification(_) => UnrankedCode::FailedVerification,
            Self::NotMeasured => UnrankedCode::NotMeasured,
            Self::NoValidTrial(_) => UnrankedCode::NoValidTrial,
            Self::OfferedUnknown => UnrankedCode::OfferedUnknown,
            Self::ToolLimit => UnrankedCode::ToolLimit,
            Self::NoFigure(_) => UnrankedCode::NoFigure,
            Self::PercentileDoesNotCount(_) => UnrankedCode::PercentileDoesNotCount,
        }
    }
}

/// Why the entry has no rank; `None` when it can have one.
#[must_use]
pub fn unranked<'a>(scenario: &ScenarioInput, figures: &Figures<'a>) -> Option<Unranked<'a>> {
    if let Some(reason) = figures.failed {
        return Some(Unranked::FailedVerification(reason));
    }
    if figures.valid.is_empty() {
        return Some(match figures.invalid {
            0 => Unranked::NotMeasured,
            _ => Unranked::NoValidTrial(figures.reason),
        });
    }
    match figures.sustained {
        Sustained::Unknown => return Some(Unranked::OfferedUnknown),
        Sustained::No { .. } if figures.lower_bound => return Some(Unranked::ToolLimit),
        Sustained::No { .. } => return None,
        Sustained::NotAsked | Sustained::Yes => {}
    }
    if figures.metric.is_some() {
        return None;
    }
    Some(match scenario.metric() {
        Metric::P99Us => Unranked::PercentileDoesNotCount(RANKING),
        Metric::FirstByteP50Us => Unranked::PercentileDoesNotCount(50.0),
        metric => Unranked::NoFigure(metric),
    })
}
