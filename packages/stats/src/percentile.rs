//! Which percentiles count. Percentile q of a trial with n answered requests counts when
//! (dropped + late + failed) ÷ offered ≤ (1 − q) ÷ 10 and n × (1 − q) ≥ 10; otherwise it is unknown.

use crate::input::{LoadKind, TrialInput};
use crate::math::positive;
use crate::sentence;
use crate::spread::spread_of_observed;
use crate::summary::{PercentileNoteCode, PercentileSummary};

/// The percentiles that are shown, in percent.
pub const SHOWN: [f64; 5] = [50.0, 90.0, 97.5, 99.0, 99.9];

/// The percentile that ranks under fixed-rate load, in percent.
pub const RANKING: f64 = 99.0;

/// 100 − 99.9 is not quite 0.1 in binary.
const ROUNDING: f64 = 1e-9;

/// What a trial says about one percentile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PercentileStatus {
    /// It counts: µs.
    Counts(f64),
    /// The tool printed none.
    NotPrinted,
    /// The tool printed something that is no time, such as 0 where its clock is too coarse.
    NotATime,
    /// n × (1 − q) < 10.
    TooFewRequests,
    /// This share of the offered requests was not answered rightly.
    Lost(f64),
    /// How many requests were answered, offered or failed is unknown.
    Unknown,
}

impl PercentileStatus {
    /// The latency, where it counts.
    #[must_use]
    pub fn us(self) -> Option<f64> {
        match self {
            Self::Counts(us) => Some(us),
            _ => None,
        }
    }

    /// Why it does not count; `None` where it does.
    fn code(self) -> Option<PercentileNoteCode> {
        match self {
            Self::Counts(_) => None,
            Self::NotPrinted => Some(PercentileNoteCode::NotPrinted),
            Self::NotATime => Some(PercentileNoteCode::NotATime),
            Self::TooFewRequests => Some(PercentileNoteCode::TooFewRequests),
            Self::Lost(_) => Some(PercentileNoteCode::Lost),
            Self::Unknown => Some(PercentileNoteCode::Unknown),
        }
    }
}

/// The share of the offered requests that were dropped, late or failed; `None` when unknown. Late are those that were
/// sent and not finished within the trial. A request that failed without a response is in both counts, so the larger of
/// the two is taken. Closed-loop load offers what it sends; a search that does not say what it offered is taken alike.
#[must_use]
pub fn lost_share(trial: &TrialInput, load: LoadKind) -> Option<f64> {
    let requests = positive(trial.requests?)?;
    let failed = trial.failures_total.filter(|n| n.is_finite() && *n >= 0.0)?;
    match (load, &trial.offered) {
        (LoadKind::Closed | LoadKind::Count, _) | (LoadKind::Knee, None) => Some(failed / requests),
        (LoadKind::Rate, None) => None,
        (LoadKind::Rate | LoadKind::Knee, Some(offered)) => {
            let meant = positive(offered.requests)?;
            let dropped = Some(offered.dropped).filter(|n| n.is_finite() && *n >= 0.0)?;
            let late = (meant - dropped - requests).max(0.0);
            Some((dropped + late.max(failed)) / meant)
        }
    }
}

/// The share of the offered requests that had no good answer, however late it came; `None` when unknown.
#[must_use]
pub fn unanswered_share(trial: &TrialInput) -> Option<f64> {
    let requests = positive(trial.requests?)?;
    let failed = trial.failures_total.filter(|n| n.is_finite() && *n >= 0.0)?;
    let meant = positive(trial.offered.as_ref()?.requests)?;
    Some((meant - (requests - failed)).max(0.0) / meant)
}

/// The share of the requests that may be lost where percentile `p` (in percent) counts: (1 − q) ÷ 10.
#[must_use]
pub const fn may_lose(p: f64) -> f64 {
    (100.0 - p) / 1_000.0
}

/// That of p99: a rate of which no more was lost is sustained.
pub const P99_MAY_LOSE: f64 = may_lose(RANKING);

/// Whether so few requests were lost that they could not move percentile `p` (in percent).
#[must_use]
pub fn counts(p: f64, lost: f64) -> bool {
    lost <= may_lose(p) * (1.0 + ROUNDING)
}

/// Applies the rule to percentile `p` (in percent) of a trial.
#[must_use]
pub fn standing(trial: &TrialInput, load: LoadKind, p: f64) -> PercentileStatus {
    let Some(printed) = trial.percentiles.iter().find(|other| (other.p - p).abs() < 1e-6) else {
        return PercentileStatus::NotPrinted;
    };
    let Some(us) = positive(printed.us) else {
        return PercentileStatus::NotATime;
    };
    let above = (100.0 - p) / 100.0;
    let (Some(lost), Some(n)) = (lost_share(trial, load), trial.requests) else {
        return PercentileStatus::Unknown;
    };
    if !counts(p, lost) {
        PercentileStatus::Lost(lost)
    } else if n * above * (1.0 + ROUNDING) < 10.0 {
        PercentileStatus::TooFewRequests
    } else {
        PercentileStatus::Counts(us)
    }
}

/// One percentile over the valid trials of an entry. Its median is that of one of the trials: percentiles are never
/// averaged, not even two of them.
#[must_use]
pub fn summarize(trials: &[&TrialInput], load: LoadKind, tool: &str, p: f64) -> PercentileSummary {
    let standings: Vec<PercentileStatus> = trials.iter().map(|trial| standing(trial, load, p)).collect();
    let us = spread_of_observed(standings.iter().filter_map(|s| s.us()));
    let trouble = standings.iter().copied().find(|s| s.us().is_none());
    let whole = standings
        .iter()
        .all(|s| matches!(s, PercentileStatus::Counts(_) | PercentileStatus::TooFewRequests));
    let note = match (&us, trouble) {
        (Some(counted), Some(others)) => Some(Note::InSome {
            counted: counted.n,
            of: trials.len(),
            others,
        }),
        (None, Some(standing)) => Some(Note::InNone(standing)),
        (None, None) => Some(Note::NoValidTrial),
        (Some(_), None) => match load {
            LoadKind::Closed | LoadKind::Count => Some(Note::ClosedLoop),
            LoadKind::Knee => Some(Note::AtFoundRate),
            LoadKind::Rate => None,
        },
    };
    PercentileSummary {
        p,
        rankable: load == LoadKind::Rate && us.is_some() && whole,
        us,
        note_code: note.and_then(Note::code),
        note: note.map(|note| sentence::percentile::words(note, tool, p)),
        note_zh: note.map(|note| sentence::zh::percentile::words(note, tool, p)),
    }
}

/// What a percentile over the trials of an entry needs to have said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Note {
    /// It counts in some trials; `others` is how the first of the rest stands.
    InSome {
        counted: u32,
        of: usize,
        others: PercentileStatus,
    },
    InNone(PercentileStatus),
    NoValidTrial,
    /// It counts in all, and a closed loop's latency does not rank.
    ClosedLoop,
    /// It counts in all, at the rate that a search found.
    AtFoundRate,
}

impl Note {
    fn code(self) -> Option<PercentileNoteCode> {
        match self {
            Self::InSome { .. } => Some(PercentileNoteCode::CountsInSome),
            Self::InNone(standing) => standing.code(),
            Self::NoValidTrial => Some(PercentileNoteCode::NoValidTrial),
            Self::ClosedLoop => Some(PercentileNoteCode::ClosedLoop),
            Self::AtFoundRate => Some(PercentileNoteCode::AtFoundRate),
        }
    }
}

/// Requests that a trial needs for percentile `p`: n × (1 − q) ≥ 10.
#[must_use]
pub fn least_requests(p: f64) -> f64 {
    (1_000.0 / (100.0 - p)).round()
}

/// The share of requests, in percent, that may be lost: (1 − q) ÷ 10. 100 − 99.9 is not quite 0.1 in binary.
#[must_use]
pub fn may_lose_percent(p: f64) -> f64 {
    ((100.0 - p) * 1e5).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Offered, Percentile};
    use crate::summary::PercentileNoteCode as Code;
    use crate::testing::trial;

    fn rated(requests: f64, dropped: f64, failed: f64) -> TrialInput {
        let mut t = trial("a", 1, 5_000.0);
        t.requests = Some(requests);
        t.failures_total = Some(failed);
        t.offered = Some(Offered {
            rate_per_s: 5_000.0,
            requests: requests + dropped,
            dropped,
        });
        t.percentiles = SHOWN.map(|p| Percentile { p, us: 10.0 * p }).to_vec();
        t
    }

    #[test]
    fn the_rule_at_its_edges() {
        let at = |n, dropped, p| standing(&rated(n, dropped, 0.0), LoadKind::Rate, p);
        assert_eq!(at(1_000.0, 0.0, 99.0), PercentileStatus::Counts(990.0));
        assert_eq!(at(999.0, 0.0, 99.0), PercentileStatus::TooFewRequests);
        assert_eq!(at(10_000.0, 0.0, 99.9), PercentileStatus::Counts(999.0));
        assert_eq!(at(9_999.0, 0.0, 99.9), PercentileStatus::TooFewRequests);
        assert_eq!(at(100.0, 0.0, 90.0), PercentileStatus::Counts(900.0));
        assert_eq!(at(9_990.0, 10.0, 99.0), PercentileStatus::Counts(990.0));
        assert_eq!(at(9_989.0, 11.0, 99.0), PercentileStatus::Lost(0.0011));
        assert_eq!(at(9_989.0, 11.0, 97.5), PercentileStatus::Counts(975.0));
    }

    #[test]
    fn a_thousandth_may_be_lost_of_p99() {
        assert_eq!(P99_MAY_LOSE, 0.001);
        assert!(counts(RANKING, P99_MAY_LOSE) && !counts(RANKING, P99_MAY_LOSE * 1.01));
    }

    #[test]
    fn a_note_has_a_code_exactly_where_it_has_words() {
        let code = |trials: &[&TrialInput], load: LoadKind, p: f64| {
            let found = summarize(trials, load, "k6", p);
            assert_eq!(found.note_code.is_some(), found.note.is_some());
            found.note_code
        };
        let (good, few, lost) = (
            rated(10_000.0, 0.0, 0.0),
            rated(999.0, 0.0, 0.0),
            rated(9_900.0, 100.0, 0.0),
        );
        assert_eq!(code(&[&good], LoadKind::Rate, 99.0), None);
        assert_eq!(code(&[&good], LoadKind::Count, 99.0), Some(Code::ClosedLoop));
        assert_eq!(code(&[&good], LoadKind::Knee, 99.0), Some(Code::AtFoundRate));
        assert_eq!(code(&[&good, &few], LoadKind::Rate, 99.0), Some(Code::CountsInSome));
        assert_eq!(code(&[&few], LoadKind::Rate, 99.0), Some(Code::TooFewRequests));
        assert_eq!(code(&[&lost], LoadKind::Rate, 99.0), Some(Code::Lost));
        assert_eq!(code(&[&good], LoadKind::Rate, 75.0), Some(Code::NotPrinted));
        assert_eq!(code(&[], LoadKind::Rate, 99.0), Some(Code::NoValidTrial));
        let mut odd = rated(10_000.0, 0.0, 0.0);
        odd.offered = None;
        assert_eq!(code(&[&odd], LoadKind::Rate, 99.0), Some(Code::Unknown));
        odd.percentiles = vec![Percentile { p: 99.0, us: 0.0 }];
        assert_eq!(code(&[&odd], LoadKind::Rate, 99.0), Some(Code::NotATime));
    }

    #[test]
    fn late_and_failed_requests_are_lost_too() {
        let mut t = rated(9_900.0, 0.0, 0.0);
        t.offered = Some(Offered {
            rate_per_s: 5_000.0,
            requests: 10_000.0,
            dropped: 0.0,
        });
        assert_eq!(lost_share(&t, LoadKind::Rate), Some(0.01));
        t.failures_total = Some(200.0);
        assert_eq!(lost_share(&t, LoadKind::Rate), Some(0.02));
        assert_eq!(lost_share(&rated(1_000.0, 0.0, 5.0), LoadKind::Closed), Some(0.005));
    }

    #[test]
    fn unknown_is_unknown() {
        let mut t = rated(1_000.0, 0.0, 0.0);
        t.failures_total = None;
        assert_eq!(standing(&t, LoadKind::Rate, 99.0), PercentileStatus::Unknown);
        t = rated(1_000.0, 0.0, 0.0);
        t.offered = None;
        assert_eq!(standing(&t, LoadKind::Rate, 99.0), PercentileStatus::Unknown);
        assert_eq!(standing(&t, LoadKind::Closed, 99.0), PercentileStatus::Counts(990.0));
        t.percentiles = vec![Percentile { p: 99.0, us: 0.0 }];
        assert_eq!(standing(&t, LoadKind::Closed, 99.0), PercentileStatus::NotATime);
        assert_eq!(standing(&t, LoadKind::Closed, 50.0), PercentileStatus::NotPrinted);
        for bad in [f64::NAN, -1.0, f64::INFINITY, 0.0] {
            assert_eq!(lost_share(&rated(bad, 0.0, 0.0), LoadKind::Rate), None);
        }
        assert_eq!(lost_share(&rated(1_000.0, f64::NAN, 0.0), LoadKind::Rate), None);
    }
}
