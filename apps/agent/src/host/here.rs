//! This machine, which the system that it runs describes.

#[cfg(target_os = "linux")]
use super::linux;
use super::machine::Machine;
#[cfg(target_os = "macos")]
use super::macos;
#[cfg(target_os = "linux")]
use super::sysroot::SysRoot;

impl Machine {
    #[cfg(target_os = "linux")]
    pub fn here() -> Self {
        linux::machine(&SysRoot::host())
    }

    #[cfg(target_os = "macos")]
    pub fn here() -> Self {
        Self {
            thermal_pressure: macos::thermal_pressure(),
            ..macos::machine(&macos::sysctl)
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    pub fn here() -> Self {
        Self::default()
    }
}

/// The same until the machine starts again.
#[cfg(target_os = "linux")]
pub fn boot_id() -> String {
    linux::boot_id(&SysRoot::host())
}

#[cfg(target_os = "macos")]
pub fn boot_id() -> String {
    macos::boot_id(&macos::sysctl)
}
