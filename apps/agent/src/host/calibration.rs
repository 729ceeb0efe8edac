//! What differences this host can show: the result of `rigmark calibrate`, kept in the state folder. It belongs to the
//! host as it was, so it is given out only while the host's fingerprint is the same.

use std::io;
use std::path::{Path, PathBuf};

use super::doctor::calibrated;
use super::fingerprint;
use crate::protocol::facts::{HostCalibration, HostFacts};

/// Of the host alone: a calibration is believed under another tool too.
pub fn fingerprint(facts: &HostFacts) -> String {
    fingerprint::of_host(facts, &[], None)
}

fn path(state: &Path) -> PathBuf {
    state.join("calibration.json")
}

/// Whole or not at all. The error is the file system's.
pub fn store(state: &Path, calibration: &HostCalibration) -> io::Result<PathBuf> {
    let (path, fresh) = (path(state), state.join("calibration.json.new"));
    std::fs::write(&fresh, serde_json::to_vec_pretty(calibration)?)?;
    std::fs::rename(&fresh, &path)?;
    Ok(path)
}

/// A file that cannot be read is as good as none: the next calibration replaces it.
fn load(state: &Path) -> Option<HostCalibration> {
    serde_json::from_slice(&std::fs::read(path(state)).ok()?).ok()
}

/// The facts with the calibration that fits them, and the doctor's line about it.
pub fn told(mut facts: HostFacts, state: &Path) -> HostFacts {
    let stored = load(state);
    let fits = stored.clone().filter(|c| c.fingerprint == fingerprint(&facts));
    facts.checks.push(calibrated(stored.as_ref(), fits.is_some()));
    facts.calibration = fits;
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::facts::{CheckStatus, Smallest};
    use crate::protocol::spec::JudgedBy;

    fn facts() -> HostFacts {
        let golden = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../packages/protocol/golden/host-facts.json"
        );
        let facts: HostFacts = serde_json::from_str(&std::fs::read_to_string(golden).unwrap()).unwrap();
        HostFacts {
            calibration: None,
            ..facts
        }
    }

    fn calibration(facts: &HostFacts) -> HostCalibration {
        HostCalibration {
            measured_wall_us: 1_790_000_000_000_000,
            server: "epoll".to_owned(),
            scenario: "plaintext-loadgen".to_owned(),
            metric: JudgedBy::RequestsPerS,
            blocks: 10,
            duration_s: 10.0,
            sd_log_ratio: 0.02,
            smallest: vec![Smallest {
                blocks: 10,
                difference: 0.0201,
            }],
            fingerprint: fingerprint(facts),
        }
    }

    fn line(facts: &HostFacts) -> (CheckStatus, String) {
        let check = facts.checks.last().unwrap();
        assert_eq!(check.id, "calibration");
        (check.status, check.found.clone())
    }

    #[test]
    fn a_host_that_was_never_calibrated_is_told_how() {
        let dir = tempfile::tempdir().unwrap();
        let told = told(facts(), dir.path());
        assert_eq!(
            (told.calibration.is_none(), line(&told).0),
            (true, CheckStatus::Unknown)
        );
        assert_eq!(told.checks.last().unwrap().fix.as_deref(), Some("rigmark calibrate"));
        std::fs::write(path(dir.path()), b"{").unwrap();
        assert_eq!(line(&super::told(facts(), dir.path())).0, CheckStatus::Unknown);
    }

    #[test]
    fn what_was_stored_is_given_out_while_the_host_is_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let stored = calibration(&facts());
        store(dir.path(), &stored).unwrap();
        let same = told(facts(), dir.path());
        assert_eq!(same.calibration, Some(stored));
        assert_eq!(
            line(&same),
            (
                CheckStatus::Ok,
                "With 10 blocks of 10 s differences from 2.0 % show (epoll, plaintext-loadgen).".to_owned()
            )
        );
        let changed = HostFacts {
            governor: Some("powersave".to_owned()),
            ..facts()
        };
        let changed = told(changed, dir.path());
        assert_eq!(
            (changed.calibration.is_none(), line(&changed).0),
            (true, CheckStatus::Warn)
        );
    }
}
