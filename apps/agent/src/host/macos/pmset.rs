//! What `pmset` prints about power: settings in use, the source, and how far an Intel Mac holds its clock down.

/// What `pmset -g` says of the settings in use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Settings {
    pub low_power_mode: Option<bool>,
    /// Minutes without use until it sleeps; 0 is never.
    pub sleep_minutes: Option<u64>,
}

/// Lines of a name and a value under `Currently in use:`. Macs that also have a high power mode say `powermode` (1 is low) in
/// place of `lowpowermode`.
pub fn settings(text: &str) -> Settings {
    let value = |name: &str| {
        let of_line = |line: &str| {
            let mut words = line.split_whitespace();
            (words.next() == Some(name)).then(|| words.next()?.parse::<u64>().ok())?
        };
        text.lines().find_map(of_line)
    };
    Settings {
        low_power_mode: value("lowpowermode").or(value("powermode")).map(|mode| mode == 1),
        sleep_minutes: value("sleep"),
    }
}

/// The first line of `pmset -g batt`: `Now drawing from 'Battery Power'`. A Mac without a battery says `'AC Power'`.
pub fn on_battery(text: &str) -> Option<bool> {
    let line = text.lines().find(|line| line.contains("drawing from"))?;
    match line.split('\'').nth(1)? {
        "AC Power" => Some(false),
        "Battery Power" | "UPS Power" => Some(true),
        _ => None,
    }
}

/// `CPU_Speed_Limit = 78` of `pmset -g therm`, in percent: Intel only.
pub fn speed_limit(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.contains("CPU_Speed_Limit"))?;
    let limit: u64 = line.split_once('=')?.1.trim().parse().ok()?;
    (limit <= 100).then_some(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    // pmset(1) names the settings and the three `-g` commands. The layout is that of outputs which owners of Macs have published;
    // none was recorded by us.
    const LAPTOP: &str = "\
System-wide power settings:
Currently in use:
 standby              1
 Sleep On Power Button 1
 hibernatefile        /var/vm/sleepimage
 powernap             1
 networkoversleep     0
 disksleep            10
 sleep                1 (sleep prevented by sharingd, powerd, bluetoothd)
 hibernatemode        3
 ttyskeepawake        1
 displaysleep         30
 tcpkeepalive         1
 lowpowermode         0
 womp                 0
";

    #[test]
    fn settings_are_found_by_their_whole_name() {
        let all = |low, sleep| Settings {
            low_power_mode: low,
            sleep_minutes: sleep,
        };
        assert_eq!(settings(LAPTOP), all(Some(false), Some(1)));
        let changed = LAPTOP
            .replace("lowpowermode         0", "lowpowermode         1")
            .replace(" sleep                1", " sleep                0");
        assert_eq!(settings(&changed), all(Some(true), Some(0)));
        for (mode, low) in [("0", false), ("1", true), ("2", false)] {
            let text = format!("Currently in use:\n powermode            {mode}\n displaysleep 5\n disksleep 6\n");
            assert_eq!(settings(&text), all(Some(low), None), "{mode}");
        }
        assert_eq!(settings(""), Settings::default());
    }

    #[test]
    fn where_the_power_comes_from() {
        let battery = "Now drawing from 'Battery Power'\n -InternalBattery-0 (id=22806627)\t78%; discharging; 5:05 remaining present: true\n";
        assert_eq!(on_battery(battery), Some(true));
        let charging = "Now drawing from 'AC Power'\n -InternalBattery-0 (id=22806627)\t83%; charging; 1:00 remaining present: true\n";
        assert_eq!(on_battery(charging), Some(false));
        assert_eq!(on_battery("Now drawing from 'AC Power'\n"), Some(false));
        assert_eq!(on_battery("No batteries available.\n"), None);
        assert_eq!(on_battery(""), None);
    }

    #[test]
    fn intel_tells_its_speed_limit() {
        let hot = "2026-01-01 10:00:00 +0100 CPU Power notify\n\tCPU_Scheduler_Limit \t= 100\n\tCPU_Available_CPUs \t= 12\n\tCPU_Speed_Limit \t= 78\n";
        assert_eq!(speed_limit(hot), Some(78));
        let apple = "Note: No thermal warning level has been recorded\nNote: No performance warning level has been recorded\nNote: No CPU power status has been recorded\n";
        assert_eq!(speed_limit(apple), None);
        assert_eq!(speed_limit("CPU_Speed_Limit = 900"), None);
    }
}
