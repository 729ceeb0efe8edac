//! Why something is not there, as codes. `sentence` has the words.

use serde::{Deserialize, Serialize};

/// Why a scenario has no winner. INTERFACE.md says when each is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoWinnerCode {
    NothingRanked,
    /// Nobody sustained the rate.
    RateNotSustained,
    /// There is one entry.
    NothingToCompare,
    /// The baseline, or every rival, is out of the race.
    NoVerdict,
    /// The two have too few blocks in common for a verdict.
    TooFewBlocks,
    NoDifference,
    NotComparable,
    EqualMedians,
    /// The one with the better median was shown to be the slower one.
    MediansAndRatiosDisagree,
    /// [`crate::summary::Metric::FirstByteP50Us`] ranks nobody.
    SingleRequests,
}

/// Figures of blocks are in [`crate::summary::Blocks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoVerdictCode {
    /// There is one entry, or none.
    NothingToCompare,
    /// No entry but the baseline gave right responses.
    FailedVerification,
    BaselineFailedVerification,
    /// Fewer than five blocks were asked for.
    TooFewBlocksAsked,
    /// Five or more were asked for, and fewer count because the host disturbed the others.
    HostNoisy,
    /// Five or more were asked for, and fewer were measured: the run is not over, or ended early.
    BlocksMissing,
    /// Five or more were measured, and fewer count for other reasons than the host's.
    BlocksInvalid,
    /// The load tool was the bottleneck.
    ToolLimit,
    RateNotSustained,
    /// Trials are valid, and give no figure that can be compared.
    NoFigure,
    /// All blocks gave the same ratio.
    NoSpread,
    TooUncertain,
    NoDifference,
}

/// Why an entry is compared with nobody. docs/method.md says when each is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnrankedCode {
    FailedVerification,
    NotMeasured,
    NoValidTrial,
    /// The tool did not say how many requests it offered or how many failed.
    OfferedUnknown,
    /// The tool did not send the fixed rate.
    ToolLimit,
    NoFigure,
    PercentileDoesNotCount,
    /// [`crate::summary::Metric::FirstByteP50Us`] ranks nobody.
    SingleRequests,
}

/// Why `cpu_us_per_request` is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoCpuCode {
    NotMeasured,
    NoValidTrial,
    /// A search has counters of all its steps together.
    Search,
    /// Too many were under way when a window ended, for so few that were answered.
    TooFewRequests,
    /// The host could not tell.
    NotRead,
}

/// What there is to say about a percentile over the trials of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PercentileNoteCode {
    /// In some of the valid trials, and not in all.
    CountsInSome,
    NoValidTrial,
    /// It counts in all, and a closed loop's latency does not rank.
    ClosedLoop,
    /// It counts in all, at the rate that a search found.
    AtFoundRate,
    /// It counts in none: the tool printed none.
    NotPrinted,
    /// It counts in none: the tool printed something that is no time.
    NotATime,
    /// It counts in none: too few requests were answered.
    TooFewRequests,
    /// It counts in none: too many requests were dropped, late or failed.
    Lost,
    /// It counts in none: how many requests were answered, offered or failed is unknown.
    Unknown,
}
