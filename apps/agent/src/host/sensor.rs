//! Sensors that facts and samples both read.

use super::sysroot::SysRoot;

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

/// Raspberry Pi, hexadecimal. Bit 0 under-voltage, 1 frequency capped, 2 throttled, 3 soft temperature limit, all now;
/// the same 16 bits higher: since the start.
pub fn throttle_flags(sys: &SysRoot) -> Option<u64> {
    let text = sys.text("sys/devices/platform/soc/soc:firmware/get_throttled")?;
    u64::from_str_radix(text.trim_start_matches("0x"), 16).ok()
}
