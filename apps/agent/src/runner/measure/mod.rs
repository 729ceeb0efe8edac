//! What a trial's load came to: counters read at its edges, the tool's output, and what server and tool used.

pub mod count;
pub mod histograms;
pub mod meter;
pub mod observe;
pub mod quiet;
pub mod raw;
pub mod resource_usage;
pub mod time;
pub mod tool_output;
