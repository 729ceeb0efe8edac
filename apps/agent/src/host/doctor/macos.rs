//! Checks that only a Mac needs: power, sleep, translation, and what the system does by itself. What was looked at comes in, so
//! that they are tested anywhere.

use super::check::Check;
use crate::host::macos::background::Work;
use crate::host::macos::pmset::Settings;
use crate::protocol::facts::DoctorCheck;

/// Of one core.
#[cfg(target_os = "macos")]
const BUSY_PERCENT: f64 = 10.0;

/// As many as most loads open at once.
const CONNECTIONS_AT_ONCE: u64 = 1024;

/// `None` where the Mac did not say.
#[derive(Debug, Clone, Default)]
pub struct Look {
    pub settings: Settings,
    pub on_battery: Option<bool>,
    /// Intel only.
    pub speed_limit: Option<u64>,
    pub background: Option<Vec<(Work, f64)>>,
    /// An agent for Intel on Apple silicon.
    pub translated: Option<bool>,
    /// Connections that may wait for a server to accept them.
    pub listen_queue: Option<u64>,
}

impl Look {
    #[cfg(target_os = "macos")]
    pub fn here() -> Self {
        use crate::host::macos::{background, pmset, sysctl};
        use crate::program::ask;
        use std::path::Path;
        let pmset = |arguments: &[&str]| ask(Path::new("/usr/bin/pmset"), arguments);
        let ps = ask(Path::new("/bin/ps"), &["-A", "-c", "-o", "pcpu=", "-o", "comm="]);
        Self {
            settings: pmset(&["-g"]).map(|text| pmset::settings(&text)).unwrap_or_default(),
            on_battery: pmset(&["-g", "batt"]).and_then(|text| pmset::on_battery(&text)),
            speed_limit: pmset(&["-g", "therm"]).and_then(|text| pmset::speed_limit(&text)),
            background: ps.map(|text| background::busy(&text, BUSY_PERCENT)),
            translated: sysctl("sysctl.proc_translated").map(|said| said == "1"),
            listen_queue: sysctl("kern.ipc.somaxconn").and_then(|said| said.parse().ok()),
        }
    }
}

pub fn checks(look: &Look) -> Vec<DoctorCheck> {
    let always = [
        source(look),
        low_power(look),
        sleep(look),
        background(look),
        listen_queue(look),
    ];
    always
        .into_iter()
        .chain(speed_limit(look))
        .chain(translated(look))
        .collect()
}

fn source(look: &Look) -> DoctorCheck {
    let check = Check::new("power-source", "Power source");
    match look.on_battery {
        None => check.unknown("the system does not say"),
        Some(false) => check.ok("power adapter"),
        Some(true) => check.warn(
            "battery",
            "On battery the system slows the cores down at any time.",
            "Connect the power adapter.",
        ),
    }
}

fn low_power(look: &Look) -> DoctorCheck {
    let check = Check::new("low-power-mode", "Low Power Mode");
    match look.settings.low_power_mode {
        None => check.unknown("the system does not say"),
        Some(false) => check.ok("off"),
        Some(true) => check.fail(
            "on",
            "The cores are held far below their speed, so every number is too low.",
            "sudo pmset -a lowpowermode 0",
        ),
    }
}

fn sleep(look: &Look) -> DoctorCheck {
    let check = Check::new("sleep", "Sleep");
    match look.settings.sleep_minutes {
        None => check.unknown("the system does not say"),
        Some(0) => check.ok("never"),
        Some(minutes) => check.warn(
            format!("after {minutes} min without use"),
            "While it measures, the agent keeps it awake; asleep, it takes no runs from the app.",
            "sudo pmset -c sleep 0",
        ),
    }
}

fn background(look: &Look) -> DoctorCheck {
    let check = Check::new("background", "Background work of macOS");
    let Some(found) = &look.background else {
        return check.unknown("the system does not say");
    };
    let Some((busiest, _)) = found.first() else {
        return check.ok("next to none");
    };
    let words: Vec<String> = found
        .iter()
        .map(|(work, share)| format!("{} uses {share:.0} % of a core", work.name()))
        .collect();
    check.warn(
        words.join(", "),
        "It uses cores and disk during trials, and may go on for hours.",
        busiest.fix(),
    )
}

fn listen_queue(look: &Look) -> DoctorCheck {
    let check = Check::new("listen-queue", "Connections that may wait");
    match look.listen_queue {
        None => check.unknown("the system does not say"),
        Some(most) if most < CONNECTIONS_AT_ONCE => check.warn(
            most.to_string(),
            "More connections than this at once are dropped or reset before the server sees them.",
            format!("sudo sysctl -w kern.ipc.somaxconn={CONNECTIONS_AT_ONCE}"),
        ),
        Some(most) => check.ok(most.to_string()),
    }
}

fn speed_limit(look: &Look) -> Option<DoctorCheck> {
    let limit = look.speed_limit?;
    let check = Check::new("speed-limit", "Speed limit from heat");
    Some(match limit {
        100.. => check.ok("none"),
        _ => check.fail(
            format!("{limit} % of full speed"),
            "The processor holds itself down because of heat or power, so every number is too low.",
            "Let it cool, free its vents, and use the power adapter that came with it.",
        ),
    })
}

fn translated(look: &Look) -> Option<DoctorCheck> {
    let check = Check::new("translation", "Rosetta");
    look.translated?.then(|| {
        check.fail(
            "this agent was built for Intel and is translated",
            "Its load generator and its clocks are then Rosetta's, and so may be the servers that it builds.",
            "Install the agent for aarch64-apple-darwin.",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::facts::CheckStatus;

    fn fit() -> Look {
        Look {
            settings: Settings {
                low_power_mode: Some(false),
                sleep_minutes: Some(0),
            },
            on_battery: Some(false),
            speed_limit: Some(100),
            background: Some(Vec::new()),
            translated: Some(false),
            listen_queue: Some(4096),
        }
    }

    #[test]
    fn a_mac_at_rest_passes_and_one_that_says_nothing_is_unknown() {
        let all = checks(&fit());
        assert_eq!(all.len(), 6);
        assert!(all.iter().all(|check| check.status == CheckStatus::Ok), "{all:?}");
        let all = checks(&Look::default());
        assert_eq!(all.len(), 5);
        assert!(all.iter().all(|check| check.status == CheckStatus::Unknown), "{all:?}");
    }

    #[test]
    fn each_fault_has_a_reason_and_a_fix() {
        type Fault = fn(&mut Look);
        let faults: [(&str, CheckStatus, Fault); 7] = [
            ("power-source", CheckStatus::Warn, |l| l.on_battery = Some(true)),
            ("low-power-mode", CheckStatus::Fail, |l| {
                l.settings.low_power_mode = Some(true)
            }),
            ("sleep", CheckStatus::Warn, |l| l.settings.sleep_minutes = Some(1)),
            ("background", CheckStatus::Warn, |l| {
                l.background = Some(vec![(Work::TimeMachine, 40.0), (Work::Spotlight, 12.4)])
            }),
            ("speed-limit", CheckStatus::Fail, |l| l.speed_limit = Some(78)),
            ("translation", CheckStatus::Fail, |l| l.translated = Some(true)),
            ("listen-queue", CheckStatus::Warn, |l| l.listen_queue = Some(128)),
        ];
        for (id, status, fault) in faults {
            let mut look = fit();
            fault(&mut look);
            let all = checks(&look);
            let check = all.iter().find(|check| check.id == id).unwrap();
            assert_eq!(check.status, status, "{check:?}");
            assert!(check.why.is_some() && check.fix.is_some(), "{check:?}");
            let others = all.iter().filter(|other| other.id != id);
            assert!(others.into_iter().all(|other| other.status == CheckStatus::Ok));
        }
    }

    #[test]
    fn the_busiest_work_is_stopped_first() {
        let look = Look {
            background: Some(vec![(Work::TimeMachine, 40.0), (Work::Spotlight, 12.4)]),
            ..fit()
        };
        let check = background(&look);
        assert_eq!(
            check.found,
            "Time Machine uses 40 % of a core, Spotlight uses 12 % of a core"
        );
        assert_eq!(check.fix.as_deref(), Some("tmutil stopbackup"));
    }
}
