//! Cumulative counters, read about once a second while a trial runs. What the kernel does not tell is `None`.

#[cfg(target_os = "linux")]
pub mod linux;
#[cfg(any(target_os = "macos", test))]
pub mod macos;
pub mod own;
mod sampler;

pub use sampler::{Edge, Named, NullSampler, Sampler};

/// This system's.
#[cfg(target_os = "linux")]
pub fn sampler() -> Box<dyn Sampler> {
    Box::new(linux::LinuxSampler::new(crate::host::sysroot::SysRoot::host()))
}

#[cfg(target_os = "macos")]
pub fn sampler() -> Box<dyn Sampler> {
    Box::new(macos::MacSampler::new())
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub fn sampler() -> Box<dyn Sampler> {
    Box::new(NullSampler)
}
