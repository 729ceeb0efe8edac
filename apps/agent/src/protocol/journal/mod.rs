//! The records of the journal: the same lines on disk, on the wire and in `--out`.

mod environment;
mod log;
mod plan;
mod run;
mod sample;
mod trial;
mod verification;

use serde::{Deserialize, Serialize};

pub use environment::{Environment, ToolVersion, Tuned};
pub use log::{Level, Log, LogSource, Phase, PhaseName, PhaseStatus, Raw};
pub use plan::{Plan, PlanBlocks, PlanEntry, PlanTrial, Revision};
pub use run::{Begin, RunLabel, RunResult, RunStatus, TimeSpent};
pub use sample::{HostCounters, ProcessCounters, Sample, Window};
pub use trial::{Histogram, Rounds, Slice, SliceCounters, Trial};
pub use verification::{Conformance, Verify, VerifyCheck, VerifyStatus, When};

use super::stream::StreamName;

pub const VERSION: u32 = 1;
/// Longest `log.line`, in characters.
pub const LOG_LINE_CHARS: usize = 4096;
/// Longest message, in characters.
pub const MESSAGE_CHARS: usize = 2000;

/// One line. `seq` counts from 0 within its stream without gaps; `t_us` is monotonic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub v: u32,
    pub seq: u64,
    pub t_us: u64,
    #[serde(flatten)]
    pub event: Event,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "kebab-case")]
// Made one at a time and written at once: a box would save nothing.
#[expect(clippy::large_enum_variant)]
pub enum Event {
    Begin(Begin),
    Environment(Environment),
    Plan(Plan),
    Phase(Phase),
    Log(Log),
    Verify(Verify),
    Conformance(Conformance),
    Sample(Sample),
    Histogram(Histogram),
    Trial(Trial),
    Label(RunLabel),
    Result(RunResult),
    Raw(Raw),
}

impl Event {
    /// Raw tool output travels in a stream of its own.
    pub fn stream(&self) -> StreamName {
        match self {
            Event::Raw(_) => StreamName::Raw,
            _ => StreamName::Journal,
        }
    }
}
