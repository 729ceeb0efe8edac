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

/// The files of this name that groups of cores have: a group has one frequency and one governor.
fn policy_files(sys: &SysRoot, name: &str) -> Vec<String> {
    let folder = format!("{CPUS}/cpufreq");
    let policies = sys
        .names(&folder)
        .into_iter()
        .filter(|policy| policy.starts_with("policy"));
    policies.map(|policy| format!("{folder}/{policy}/{name}")).collect()
}

/// Files with the frequency of each group of cores in kHz; at most eight, since reading one may wake a core.
pub fn frequency_files(sys: &SysRoot) -> Vec<String> {
    let files = policy_files(sys, "scaling_cur_freq").into_iter();
    files.filter(|file| sys.number(file).is_some()).take(8).collect()
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

/// Files with the governor, which a run looks at and `--tune` sets: of each group of cores, else of each core.
pub fn governor_files(sys: &SysRoot) -> Vec<String> {
    const NAME: &str = "scaling_governor";
    let there = |file: &String| sys.path(file).is_file();
    let by_policy: Vec<String> = policy_files(sys, NAME).into_iter().filter(there).collect();
    if !by_policy.is_empty() {
        return by_policy;
    }
    let by_cpu = cpu_folders(sys).into_iter();
    by_cpu
        .map(|cpu| format!("{CPUS}/{cpu}/cpufreq/{NAME}"))
        .filter(there)
        .collect()
}

/// One word, or several where cores differ.
pub fn governor(sys: &SysRoot) -> Option<String> {
    let all: BTreeSet<String> = governor_files(sys).iter().filter_map(|file| sys.text(file)).collect();
    (!all.is_empty()).then(|| all.into_iter().collect::<Vec<_>>().join(", "))
}
