//! A power sensor of the INA family between the supply and the board, by its driver in the kernel (hwmon).

use crate::host::sysroot::SysRoot;

const HWMON: &str = "sys/class/hwmon";
/// Channels of an INA3221. Its fourth is a sum of currents.
const CHANNELS: std::ops::RangeInclusive<u32> = 1..=3;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Reading {
    /// A file in microwatts.
    Power(String),
    /// Millivolts and milliamperes.
    Product(String, String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Supply {
    chip: String,
    label: Option<String>,
    reading: Reading,
}

impl Supply {
    /// The one that is labeled as the board's input, or the only one. Where there are several, none is it: they may measure
    /// parts of the board, parts of each other, or something else altogether.
    pub fn find(sys: &SysRoot) -> Option<Self> {
        let all: Vec<Self> = sys.names(HWMON).iter().flat_map(|name| sensors(sys, name)).collect();
        let inputs: Vec<&Self> = all.iter().filter(|sensor| sensor.is_input()).collect();
        match (&inputs[..], &all[..]) {
            ([input], _) => Some((*input).clone()),
            ([], [only]) => Some(only.clone()),
            _ => None,
        }
    }

    pub fn name(&self) -> String {
        match &self.label {
            Some(label) => format!("{} ({label})", self.chip),
            None => self.chip.clone(),
        }
    }

    pub fn microwatts(&self, sys: &SysRoot) -> Option<u64> {
        let number = |file: &String| u64::try_from(sys.number(file)?).ok();
        match &self.reading {
            Reading::Power(file) => number(file),
            Reading::Product(millivolts, milliamperes) => number(millivolts)?.checked_mul(number(milliamperes)?),
        }
    }

    fn is_input(&self) -> bool {
        let label = self.label.as_deref().unwrap_or_default().to_ascii_uppercase();
        label == "VIN" || label.ends_with("_IN")
    }
}

/// Those of one chip that can be read.
fn sensors(sys: &SysRoot, name: &str) -> Vec<Supply> {
    let folder = format!("{HWMON}/{name}");
    let chip = sys.text(&format!("{folder}/name")).unwrap_or_default();
    let is_ina = chip
        .strip_prefix("ina")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if !is_ina {
        return Vec::new();
    }
    let sensor = |label: &str, reading| Supply {
        chip: chip.clone(),
        label: sys.text(&format!("{folder}/{label}")),
        reading,
    };
    let power = format!("{folder}/power1_input");
    if sys.path(&power).exists() {
        return vec![sensor("power1_label", Reading::Power(power))];
    }
    let channel = |n: u32| {
        let (volts, amperes) = (format!("{folder}/in{n}_input"), format!("{folder}/curr{n}_input"));
        // One that is switched off has files that cannot be read.
        let on = sys.number(&volts).is_some() && sys.number(&amperes).is_some();
        on.then(|| sensor(&format!("in{n}_label"), Reading::Product(volts, amperes)))
    };
    CHANNELS.filter_map(channel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files as the kernel's documentation of the drivers names them (Documentation/hwmon/ina2xx, ina3221).
    fn root(files: &[(&str, &str)]) -> (tempfile::TempDir, SysRoot) {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(HWMON).join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, format!("{text}\n")).unwrap();
        }
        let sys = SysRoot::at(dir.path());
        (dir, sys)
    }

    fn found(files: &[(&str, &str)]) -> Option<(String, Option<u64>)> {
        let (_dir, sys) = root(files);
        Supply::find(&sys).map(|supply| (supply.name(), supply.microwatts(&sys)))
    }

    const ONE: [(&str, &str); 4] = [
        ("hwmon0/name", "cpu_thermal"),
        ("hwmon0/power1_input", "1"),
        ("hwmon1/name", "ina226"),
        ("hwmon1/power1_input", "6250000"),
    ];

    #[test]
    fn the_only_sensor_of_the_family_is_the_supply() {
        assert_eq!(found(&ONE), Some(("ina226".to_owned(), Some(6_250_000))));
        assert_eq!(found(&ONE[..2]), None, "another chip's power is not the board's");
        assert_eq!(
            found(&[("hwmon0/name", "inaccurate"), ("hwmon0/power1_input", "1")]),
            None
        );
    }

    #[test]
    fn several_are_not_added_up() {
        let mut two = ONE.to_vec();
        two.extend([("hwmon2/name", "ina219"), ("hwmon2/power1_input", "1000000")]);
        assert_eq!(found(&two), None);
        two.push(("hwmon2/power1_label", "VIN"));
        assert_eq!(found(&two), Some(("ina219 (VIN)".to_owned(), Some(1_000_000))));
        two.push(("hwmon1/power1_label", "5V_IN"));
        assert_eq!(found(&two), None, "two inputs are two supplies");
    }

    #[test]
    fn channels_of_an_ina3221_are_volts_and_amperes() {
        let channels = [
            ("hwmon3/name", "ina3221"),
            ("hwmon3/in1_label", "VDD_IN"),
            ("hwmon3/in1_input", "5000"),
            ("hwmon3/curr1_input", "900"),
            ("hwmon3/in2_label", "VDD_CPU"),
            ("hwmon3/in2_input", "5000"),
            ("hwmon3/curr2_input", "300"),
            // The third channel is off, the fourth is the sum.
            ("hwmon3/in3_label", "VDD_SOC"),
            ("hwmon3/in3_input", ""),
            ("hwmon3/curr3_input", ""),
            ("hwmon3/curr4_input", "1200"),
        ];
        assert_eq!(found(&channels), Some(("ina3221 (VDD_IN)".to_owned(), Some(4_500_000))));
        let unlabeled: Vec<_> = channels
            .into_iter()
            .filter(|(path, _)| !path.contains("label"))
            .collect();
        assert_eq!(found(&unlabeled), None);
    }
}
