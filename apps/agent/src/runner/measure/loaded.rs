//! What one window of load came to.

use crate::protocol::journal::Slice;
use crate::protocol::result::{Reason, Resources, ToolResult};
use crate::runner::validity::clock::WallClock;
use crate::runner::validity::cpu_frequency::CpuConditions;
use crate::runner::validity::socket_counters::SocketCounts;
use crate::tool::output::ParseError;

pub struct Loaded {
    pub result: Result<ToolResult, ParseError>,
    /// What the first tool run said, where there are several.
    pub single_shot: Option<ToolResult>,
    pub labels: Vec<Reason>,
    pub resources: Resources,
    /// Of all cores together, as ratios: everything, and what was neither the server nor the tool.
    pub host_busy: Option<f64>,
    pub others_busy: Option<f64>,
    /// What the host took away from the trial, as a part of all cores' time.
    pub taken: Option<f64>,
    /// As long as the tool measured, left-out rounds included.
    pub measured_us: u64,
    pub slices: Vec<Slice>,
    pub cpu: CpuConditions,
    pub clock: WallClock,
    pub counted: SocketCounts,
    /// Latencies in the tool's histograms, as they were decoded.
    pub histogram_count: Option<u64>,
}
