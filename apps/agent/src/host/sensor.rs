//! Sensors that facts and samples both read.

use std::collections::BTreeSet;

use super::sysroot::SysRoot;

pub const CPUS: &str = "sys/devices/system/cpu";
const ZONES: &str = "sys/class/thermal";
const HWMON: &str = "sys/class/hwmon";

/// The file that holds the CPU's temperature in thousandths of a degree.
pub fn temperature_file(sys: &SysRoot) -> Option<String> {
    let zones: Vec<(String, String)> = sys
        .names(ZONES)
        .into_iter()
        .filter(|name| name.starts_with("thermal_zone"))
        .filter_map(|name| {
            Some((
                sys.text(&format!("{ZONES}/{name}/type"))?,
                format!("{ZONES}/{name}/temp"),
            ))
        })
        .collect();
    let of_cpu = |kind: &str| {
        ["cpu", "soc", "x86_pkg", "coretemp"]
            .iter()
            .any(|k| kind.to_lowercase().contains(k))
    };
    let by_zone = zones
        .iter()
        .find(|(kind, _)| of_cpu(kind))
        .map(|(_, file)| file.clone());
    let by_chip = || {
        let chip = |name: &String| {
            let known = ["coretemp", "k10temp", "zenpower", "cpu_thermal"];
            known.contains(&sys.text(&format!("{HWMON}/{name}/name")).unwrap_or_default().as_str())
        };
        sys.names(HWMON)
            .into_iter()
            .find(chip)
            .map(|name| format!("{HWMON}/{name}/temp1_input"))
    };
    // A board with one unnamed zone means its processor.
    let only = || (zones.len() == 1).then(|| zones[0].1.clone());
    [by_zone, by_chip(), only()]
        .into_iter()
        .flatten()
        .find(|file| sys.number(file).is_some())
}

pub fn temperature_millic(sys: &SysRoot) -> Option<i64> {
    sys.number(&temperature_file(sys)?)
}

/// Files with the frequency of each group of cores in kHz; at most eight, since reading one may wake a core.
pub fn frequency_files(sys: &SysRoot) -> Vec<String> {
    const POLICIES: &str = "sys/devices/system/cpu/cpufreq";
    sys.names(POLICIES)
        .into_iter()
        .filter(|name| name.starts_with("policy"))
        .map(|name| format!("{POLICIES}/{name}/scaling_cur_freq"))
        .filter(|file| sys.number(file).is_some())
        .take(8)
        .collect()
}

/// What the low four bits of a Raspberry Pi's flags say; see [`Throttle::flags`](super::throttle::Throttle::flags).
pub fn throttle_words(flags: u64) -> Vec<&'static str> {
    let names = [
        "under-voltage",
        "frequency capped",
        "throttled",
        "soft temperature limit",
    ];
    let set = |(bit, name)| (flags >> bit & 1 == 1).then_some(name);
    names.into_iter().enumerate().filter_map(set).collect()
}

pub fn cpu_folders(sys: &SysRoot) -> Vec<String> {
    let number = |name: &String| name.strip_prefix("cpu").is_some_and(|n| n.parse::<u32>().is_ok());
    sys.names(CPUS).into_iter().filter(number).collect()
}

/// One word, or several where cores differ.
pub fn governor(sys: &SysRoot) -> Option<String> {
    let value = |cpu: &String| sys.text(&format!("{CPUS}/{cpu}/cpufreq/scaling_governor"));
    let all: BTreeSet<String> = cpu_folders(sys).iter().filter_map(value).collect();
    (!all.is_empty()).then(|| all.into_iter().collect::<Vec<_>>().join(", "))
}
