//! Does the machine slow itself down, and how does it say so?
//!
//! A Raspberry Pi has flags: from its firmware driver, else from `vcgencmd`; where there is neither, the driver of the supply's
//! sensor (`rpi_volt`) tells under-voltage alone. x86 counts how often each core was slowed by heat. Most virtual machines say
//! nothing.

use std::path::PathBuf;

use super::sensor::{CPUS, cpu_folders};
use super::sysroot::SysRoot;
use crate::tool::program;

const FIRMWARE: &str = "sys/devices/platform/soc/soc:firmware/get_throttled";
const HWMON: &str = "sys/class/hwmon";

/// Where the flags of a Raspberry Pi come from on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Flags {
    Firmware,
    /// A program, started once for each look.
    Vcgencmd(PathBuf),
    /// A file that says 1 while the supply is too weak.
    Supply(String),
}

/// Looked for once; reading it again and again is cheap.
#[derive(Debug, Clone)]
pub struct Throttle {
    sys: SysRoot,
    flags: Option<Flags>,
    counts: Vec<String>,
}

impl Throttle {
    pub fn find(sys: &SysRoot) -> Self {
        let counters = ["core_throttle_count", "package_throttle_count"];
        let file = |cpu: &String, name: &str| format!("{CPUS}/{cpu}/thermal_throttle/{name}");
        let cpus = cpu_folders(sys);
        let counts = cpus.iter().flat_map(|cpu| counters.map(|name| file(cpu, name)));
        Self {
            flags: flags(sys),
            counts: counts.filter(|file| sys.number(file).is_some()).collect(),
            sys: sys.clone(),
        }
    }

    /// Bit 0 under-voltage, 1 frequency capped, 2 throttled, 3 soft temperature limit, all now; the same 16 bits higher: since
    /// the start of the machine.
    pub fn flags(&self) -> Option<u64> {
        match self.flags.as_ref()? {
            Flags::Firmware => hexadecimal(&self.sys.text(FIRMWARE)?),
            Flags::Vcgencmd(program) => said(&program::ask(program, &["get_throttled"])?),
            Flags::Supply(file) => u64::try_from(self.sys.number(file)?).ok().map(|now| now.min(1)),
        }
    }

    /// How often cores were slowed by heat since the machine was started; `None` where nothing counts that.
    pub fn count(&self) -> Option<u64> {
        let read = |file: &String| u64::try_from(self.sys.number(file)?).ok();
        let sum = || self.counts.iter().filter_map(read).fold(0, u64::saturating_add);
        (!self.counts.is_empty()).then(sum)
    }
}

fn flags(sys: &SysRoot) -> Option<Flags> {
    if sys.text(FIRMWARE).is_some() {
        return Some(Flags::Firmware);
    }
    let is_pi = sys
        .text("proc/device-tree/model")
        .is_some_and(|m| m.contains("Raspberry Pi"));
    let vcgencmd = || program::on_path("vcgencmd").filter(|_| is_pi && sys.is_host());
    let supply = || {
        let chip = |name: &String| sys.text(&format!("{HWMON}/{name}/name")).as_deref() == Some("rpi_volt");
        let name = sys.names(HWMON).into_iter().find(chip)?;
        Some(format!("{HWMON}/{name}/in0_lcrit_alarm"))
    };
    vcgencmd().map(Flags::Vcgencmd).or_else(|| supply().map(Flags::Supply))
}

fn hexadecimal(text: &str) -> Option<u64> {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).ok()
}

/// `throttled=0x50005`
fn said(text: &str) -> Option<u64> {
    hexadecimal(text.trim().strip_prefix("throttled=")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(files: &[(&str, &str)]) -> (tempfile::TempDir, SysRoot) {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let sys = SysRoot::at(dir.path());
        (dir, sys)
    }

    #[test]
    fn the_firmware_goes_before_the_supplys_sensor() {
        let sensor = [
            ("sys/class/hwmon/hwmon1/name", "rpi_volt\n"),
            ("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n"),
        ];
        let (_dir, sys) = root(&sensor);
        assert_eq!(Throttle::find(&sys).flags(), Some(1));
        let (_dir, sys) = root(&[sensor[0], sensor[1], (FIRMWARE, "50004\n")]);
        assert_eq!(Throttle::find(&sys).flags(), Some(0x5_0004));
    }

    #[test]
    fn what_x86_counts_is_added() {
        let (_dir, sys) = root(&[
            (
                "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count",
                "3\n",
            ),
            (
                "sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count",
                "4\n",
            ),
            (
                "sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count",
                "5\n",
            ),
        ]);
        assert_eq!(Throttle::find(&sys).count(), Some(12));
    }

    #[test]
    fn a_machine_that_says_nothing_is_null() {
        let (_dir, sys) = root(&[]);
        let throttle = Throttle::find(&sys);
        assert_eq!((throttle.flags(), throttle.count()), (None, None));
    }

    #[test]
    fn what_vcgencmd_prints() {
        assert_eq!(said("throttled=0x50005\n"), Some(0x5_0005));
        assert_eq!(said("error=1"), None);
    }
}
