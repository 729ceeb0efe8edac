//! How fit the host is to measure: what was looked at, what was found, why it matters, and one act that fixes it.

mod calibration;
mod check;
mod cpu;
#[cfg(any(target_os = "macos", test))]
mod macos;
mod system;
mod tools;

use std::path::Path;

pub(super) use calibration::calibrated;

use super::Machine;
use crate::assets::Assets;
use crate::protocol::facts::DoctorCheck;

/// All checks, in the order in which one would fix what they find. `state` is where the agent writes.
pub fn checks(
    machine: &Machine,
    unsandboxed_reason: Option<&str>,
    assets: Option<&Assets>,
    state: &Path,
) -> Vec<DoctorCheck> {
    let mut all = tools::checks(assets);
    all.extend(system::checks(machine, unsandboxed_reason, state));
    all.extend(cpu::checks(machine));
    #[cfg(target_os = "macos")]
    all.extend(macos::checks(&macos::Look::here()));
    all
}

#[cfg(test)]
mod tests;
