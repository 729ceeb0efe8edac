//! Where this host's energy can be read.
//!
//! RAPL counts it for the processor packages. A board has power at best, which has to be added up over time: of a sensor between
//! the supply and the board (hwmon), or of the rails of a Raspberry Pi 5 (its PMIC). What is added up is an estimate, and a run
//! says which of the three it has.

mod pmic;
mod supply;

use self::pmic::Pmic;
use self::supply::Supply;
use super::sysroot::SysRoot;

pub const POWERCAP: &str = "sys/class/powercap";

/// More than any host takes: a sensor that says so is broken.
const MOST_UW: u64 = 10_000_000_000;

/// Something that tells the power of now.
#[derive(Debug)]
pub enum PowerMeter {
    Supply(Supply),
    Rails(Pmic),
}

impl PowerMeter {
    /// A sensor of the supply goes before the rails, which leave a part out.
    pub fn find(sys: &SysRoot) -> Option<Self> {
        let works = |meter: &Self| meter.microwatts(sys).is_some();
        let supply = Supply::find(sys).map(Self::Supply).filter(works);
        supply.or_else(|| Pmic::open(sys).map(Self::Rails).filter(works))
    }

    pub fn microwatts(&self, sys: &SysRoot) -> Option<u64> {
        let now = match self {
            Self::Supply(supply) => supply.microwatts(sys),
            Self::Rails(pmic) => pmic.microwatts(),
        };
        now.filter(|uw| *uw <= MOST_UW)
    }

    fn words(&self) -> String {
        match self {
            Self::Supply(supply) => format!(
                "the power sensor {}, added up over time: an estimate of what passes it",
                supply.name()
            ),
            Self::Rails(_) => {
                "the rails of the Raspberry Pi's PMIC, added up over time: an estimate without the 5 V of USB \
                 and the regulators' losses"
                    .to_owned()
            }
        }
    }
}

/// The folders of the packages' counters; empty where RAPL is not there.
pub fn packages(sys: &SysRoot) -> Vec<String> {
    let is_package = |name: &String| {
        // `intel-rapl:0` is a package, `intel-rapl:0:1` a part of it, and `psys` has the packages in it.
        let number = name.strip_prefix("intel-rapl:").and_then(|n| n.parse::<u32>().ok());
        let called = sys.text(&format!("{POWERCAP}/{name}/name")).unwrap_or_default();
        number.is_some() && called.starts_with("package")
    };
    sys.names(POWERCAP).into_iter().filter(is_package).collect()
}

/// What a trial's energy is made of on this host, in words; `None` where it is null.
pub fn source(sys: &SysRoot) -> Option<String> {
    let packages = packages(sys);
    let read = |name: &String, file: &str| sys.number(&format!("{POWERCAP}/{name}/{file}")).is_some();
    let counted = |name: &String| read(name, "energy_uj") && read(name, "max_energy_range_uj");
    if !packages.is_empty() && packages.iter().all(counted) {
        return Some("the counters of the processor packages (RAPL): the rest of the machine is not in it".to_owned());
    }
    PowerMeter::find(sys).map(|meter| meter.words())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_go_before_sensors_and_a_sensor_that_cannot_be_true_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let source = || source(&SysRoot::at(dir.path()));
        assert_eq!(source(), None);
        put("sys/class/hwmon/hwmon0/name", "ina219\n");
        put("sys/class/hwmon/hwmon0/power1_input", "4500000\n");
        assert!(source().unwrap().contains("ina219"));
        put("sys/class/powercap/intel-rapl:0/name", "package-0\n");
        put("sys/class/powercap/intel-rapl:0/max_energy_range_uj", "1000\n");
        assert!(source().unwrap().contains("ina219"), "only root may read the counter");
        put("sys/class/powercap/intel-rapl:0/energy_uj", "7\n");
        assert!(source().unwrap().contains("RAPL"));
        std::fs::remove_dir_all(dir.path().join("sys/class/powercap")).unwrap();
        for wrong in ["99000000000000\n", "-3\n", "\n"] {
            put("sys/class/hwmon/hwmon0/power1_input", wrong);
            assert_eq!(source(), None);
        }
    }
}
