//! The line about what differences this host can show.

use super::check::Check;
use crate::protocol::facts::{CheckStatus, DoctorCheck, HostCalibration};

const COMMAND: &str = "rigmark calibrate";

/// `fits`: the host is as it was when it was calibrated.
pub fn calibrated(stored: Option<&HostCalibration>, fits: bool) -> DoctorCheck {
    let check = Check::new("calibration", "Calibration");
    match stored {
        None => check.came_to(
            CheckStatus::Unknown,
            "Never done.",
            Some("Until a server is measured against itself here, it is unknown which differences this host can show."),
            Some(COMMAND.to_owned()),
        ),
        Some(_) if !fits => check.warn(
            "Out of date: the host has changed since.",
            "Kernel, governor, memory, compiler or another part of the fingerprint has changed, and the noise with it.",
            COMMAND,
        ),
        Some(calibration) => check.ok(found(calibration)),
    }
}

fn found(calibration: &HostCalibration) -> String {
    let of = format!("({}, {})", calibration.server, calibration.scenario);
    let own = calibration.smallest.iter().find(|s| s.blocks == calibration.blocks);
    match own.or(calibration.smallest.first()) {
        Some(least) => format!(
            "With {} blocks and trials of {} s, this host can show differences of {:.1} % or more in four of five runs {of}.",
            least.blocks,
            calibration.duration_s,
            least.difference * 100.0
        ),
        None => format!("Done {of}."),
    }
}
