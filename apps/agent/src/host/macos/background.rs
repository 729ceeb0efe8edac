//! What macOS does by itself and a trial would be disturbed by, as `ps -A -c -o pcpu= -o comm=` shows it.

use std::collections::BTreeMap;

/// Work of the system that has a name and a way to stop it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    Spotlight,
    TimeMachine,
    Updates,
    Photos,
    Malware,
}

impl Work {
    fn of(program: &str) -> Option<Self> {
        Some(match program {
            "mds" | "mds_stores" | "mdbulkimport" => Self::Spotlight,
            name if name.starts_with("mdworker") => Self::Spotlight,
            "backupd" | "backupd-helper" => Self::TimeMachine,
            "softwareupdated" | "installd" | "mobileassetd" => Self::Updates,
            "photoanalysisd" | "mediaanalysisd" | "photolibraryd" => Self::Photos,
            name if name.starts_with("XProtect") => Self::Malware,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Spotlight => "Spotlight",
            Self::TimeMachine => "Time Machine",
            Self::Updates => "software update",
            Self::Photos => "analysis of photos",
            Self::Malware => "XProtect",
        }
    }

    pub fn fix(self) -> &'static str {
        match self {
            Self::Spotlight => "sudo mdutil -a -i off     (and -i on when the run is over)",
            Self::TimeMachine => "tmutil stopbackup",
            Self::Updates | Self::Photos | Self::Malware => "Wait until it is done; `top -o cpu` shows it.",
        }
    }
}

/// Those that use at least `percent` of one core, the busiest first.
pub fn busy(ps: &str, percent: f64) -> Vec<(Work, f64)> {
    let mut used: BTreeMap<Work, f64> = BTreeMap::new();
    for line in ps.lines() {
        let Some((share, program)) = line.trim().split_once(char::is_whitespace) else {
            continue;
        };
        // Where numbers are written so, ps writes a comma.
        let Ok(share) = share.replace(',', ".").parse::<f64>() else {
            continue;
        };
        if let Some(work) = Work::of(program.trim()).filter(|_| share.is_finite() && share > 0.0) {
            *used.entry(work).or_default() += share;
        }
    }
    let mut found: Vec<(Work, f64)> = used.into_iter().filter(|(_, share)| *share >= percent).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    // ps(1): `-c` names the program only, `pcpu` and `comm` are its keywords, and `=` leaves out the head.
    const BUSY: &str = "  0.3 launchd
 42.1 mds_stores
  0.0 mds
  7.5 mdworker_shared
  7,5 mdworker_shared
 12.0 backupd
  3.0 softwareupdated
 99.9 Google Chrome Helper (Renderer)
";

    #[test]
    fn what_the_system_does_is_added_by_kind() {
        assert_eq!(busy(BUSY, 10.0), [(Work::Spotlight, 57.1), (Work::TimeMachine, 12.0)]);
        assert_eq!(busy(BUSY, 60.0), []);
        assert_eq!(busy("nonsense\n-- mds\nNaN mds\n", 0.0), []);
    }
}
