//! What a trial's load came to: counters read at its edges, the tool's output, and what server and tool used.

pub mod count;
pub mod escape;
pub mod histograms;
pub mod load;
pub mod loaded;
pub mod log_forwarder;
pub mod meter;
pub mod metered;
pub mod observe;
pub mod over_time;
pub mod quiet;
pub mod raw;
pub mod resource_usage;
pub mod time;
pub mod tool_output;
pub mod tool_run;
pub mod tool_runs;
