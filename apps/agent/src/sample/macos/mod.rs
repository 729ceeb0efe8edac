//! macOS: libproc and Mach, which need no framework and no privilege for one's own processes.
//!
//! Energy, and on Intel the temperature, come from `powermetrics`, which only root may start. Null on every Mac: stolen time, the
//! cores' frequency, involuntary context switches (`ru_nivcsw` counts all switches but those in BSD's own sleeps) and the bytes
//! of the loopback, which is not the trial's own.

pub mod host;
#[cfg(target_os = "macos")]
mod mach;
pub mod power;
pub mod powermetrics;
#[cfg(target_os = "macos")]
mod sampler;
pub mod tree;

#[cfg(target_os = "macos")]
pub use sampler::MacSampler;
