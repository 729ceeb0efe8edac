//! What differences this host can show: the results of `rigmark calibrate`, kept in the state folder. Each belongs to the
//! host as it was (such as with and without `--tune`), so it is given out only while the host's fingerprint is the same.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::doctor::calibrated;
use super::fingerprint;
use crate::protocol::facts::{HostCalibration, HostFacts};

/// States of a host that somebody may go back to.
const KEPT: usize = 4;

/// Of the host alone: a calibration is believed under another tool too.
pub fn fingerprint(facts: &HostFacts) -> String {
    fingerprint::of_host(facts, &[], None)
}

fn path(state: &Path) -> PathBuf {
    state.join("calibration.json")
}

/// In place of the one with the same fingerprint; the oldest goes when there are too many. Whole or not at all. The error is
/// the file system's.
pub fn store(state: &Path, calibration: &HostCalibration) -> io::Result<PathBuf> {
    let (path, fresh) = (path(state), state.join("calibration.json.new"));
    let others = load(state)
        .into_iter()
        .filter(|c| c.fingerprint != calibration.fingerprint);
    let kept: Vec<HostCalibration> = std::iter::once(calibration.clone()).chain(others).take(KEPT).collect();
    std::fs::write(&fresh, serde_json::to_vec_pretty(&kept)?)?;
    std::fs::rename(&fresh, &path)?;
    Ok(path)
}

/// The newest first. A file that cannot be read is as good as none: the next calibration replaces it.
fn load(state: &Path) -> Vec<HostCalibration> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Stored {
        Several(Vec<HostCalibration>),
        /// As it was written before there could be several.
        One(Box<HostCalibration>),
    }
    let text = std::fs::read(path(state)).unwrap_or_default();
    match serde_json::from_slice(&text) {
        Ok(Stored::Several(all)) => all,
        Ok(Stored::One(one)) => vec![*one],
        Err(_) => Vec::new(),
    }
}

/// The facts with the calibration that fits them, and the doctor's line about it.
pub fn with_calibration(mut facts: HostFacts, state: &Path) -> HostFacts {
    let stored = load(state);
    let own = fingerprint(&facts);
    let fits = stored.iter().find(|c| c.fingerprint == own);
    facts.checks.push(calibrated(fits.or(stored.first()), fits.is_some()));
    facts.calibration = fits.cloned();
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
        let known = with_calibration(facts(), dir.path());
        assert_eq!(
            (known.calibration.is_none(), line(&known).0),
            (true, CheckStatus::Unknown)
        );
        assert_eq!(known.checks.last().unwrap().fix.as_deref(), Some("rigmark calibrate"));
        std::fs::write(path(dir.path()), b"{").unwrap();
        assert_eq!(
            line(&super::with_calibration(facts(), dir.path())).0,
            CheckStatus::Unknown
        );
    }

    #[test]
    fn what_was_stored_is_given_out_while_the_host_is_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let stored = calibration(&facts());
        store(dir.path(), &stored).unwrap();
        let same = with_calibration(facts(), dir.path());
        assert_eq!(same.calibration, Some(stored));
        assert_eq!(
            line(&same),
            (
                CheckStatus::Ok,
                "With 10 blocks and trials of 10 s, this host can show differences of 2.0 % or more in four of five runs (epoll, plaintext-loadgen)."
                    .to_owned()
            )
        );
        let changed = HostFacts {
            governor: Some("powersave".to_owned()),
            ..facts()
        };
        let changed = with_calibration(changed, dir.path());
        assert_eq!(
            (changed.calibration.is_none(), line(&changed).0),
            (true, CheckStatus::Warn)
        );
    }

    fn with(governor: &str) -> HostFacts {
        HostFacts {
            governor: Some(governor.to_owned()),
            ..facts()
        }
    }

    #[test]
    fn each_state_of_a_host_has_its_own_and_the_oldest_goes() {
        let dir = tempfile::tempdir().unwrap();
        let noisy = |facts: &HostFacts, sd_log_ratio| HostCalibration {
            sd_log_ratio,
            ..calibration(facts)
        };
        let of = |governor| {
            super::with_calibration(with(governor), dir.path())
                .calibration
                .map(|c| c.sd_log_ratio)
        };
        for (governor, sd) in [("a", 0.1), ("b", 0.2), ("a", 0.3)] {
            store(dir.path(), &noisy(&with(governor), sd)).unwrap();
        }
        assert_eq!((of("a"), of("b"), of("c")), (Some(0.3), Some(0.2), None));
        for governor in ["c", "d", "e"] {
            store(dir.path(), &noisy(&with(governor), 0.4)).unwrap();
        }
        assert_eq!((of("a"), of("b"), of("e")), (Some(0.3), None, Some(0.4)));
    }

    #[test]
    fn one_that_was_stored_alone_is_still_read() {
        let dir = tempfile::tempdir().unwrap();
        let stored = calibration(&facts());
        std::fs::write(path(dir.path()), serde_json::to_vec(&stored).unwrap()).unwrap();
        assert_eq!(with_calibration(facts(), dir.path()).calibration, Some(stored));
    }
}
