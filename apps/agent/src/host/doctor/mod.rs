//! How fit the host is to measure: what was looked at, what was found, why it matters, and one act that fixes it.

mod calibration;
mod cpu;
#[cfg(any(target_os = "macos", test))]
mod macos;
mod system;
mod tools;

use std::path::Path;

pub(super) use calibration::calibrated;

use super::Machine;
use crate::assets::Assets;
use crate::protocol::facts::{CheckStatus, DoctorCheck};
use crate::protocol::journal::MESSAGE_CHARS;

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

/// A check in the making. `id` and `title` are its name, the rest is what it came to.
struct Check {
    id: String,
    title: String,
}

impl Check {
    fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
        }
    }

    fn ok(&self, found: impl Into<String>) -> DoctorCheck {
        self.came_to(CheckStatus::Ok, found, None, None)
    }

    fn unknown(&self, found: impl Into<String>) -> DoctorCheck {
        self.came_to(CheckStatus::Unknown, found, None, None)
    }

    fn warn(&self, found: impl Into<String>, why: &str, fix: impl Into<String>) -> DoctorCheck {
        self.came_to(CheckStatus::Warn, found, Some(why), Some(fix.into()))
    }

    fn fail(&self, found: impl Into<String>, why: &str, fix: impl Into<String>) -> DoctorCheck {
        self.came_to(CheckStatus::Fail, found, Some(why), Some(fix.into()))
    }

    fn came_to(
        &self,
        status: CheckStatus,
        found: impl Into<String>,
        why: Option<&str>,
        fix: Option<String>,
    ) -> DoctorCheck {
        let clip = |text: String| text.chars().take(MESSAGE_CHARS).collect::<String>();
        DoctorCheck {
            id: self.id.clone(),
            title: self.title.clone(),
            status,
            found: clip(found.into()),
            why: why.map(str::to_owned),
            fix: fix.map(clip),
        }
    }
}

/// `1.5 GiB`
fn size(bytes: u64) -> String {
    let gib = bytes as f64 / f64::from(1 << 30);
    if gib >= 1.0 {
        format!("{gib:.1} GiB")
    } else {
        format!("{:.0} MiB", gib * 1024.0)
    }
}

#[cfg(test)]
mod tests;
