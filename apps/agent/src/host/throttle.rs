//! Does the machine slow itself down, and how does it say so?
//!
//! A Raspberry Pi has flags: from its firmware driver, else from `vcgencmd` where that may open its device; otherwise the driver
//! of the supply's sensor (`rpi_volt`) tells under-voltage alone. The firmware driver's file holds what the sensor's driver asked
//! for, which it does every two seconds, clearing what is remembered: there the upper bits are as good as "now". x86 counts how
//! often each core and each package was slowed by heat. Most virtual machines say nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::sensor::{CPUS, cpu_folders};
use super::sysroot::SysRoot;
use crate::program;

const PLATFORM: &str = "sys/devices/platform";
const HWMON: &str = "sys/class/hwmon";

/// Where the flags of a Raspberry Pi come from on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Flags {
    Firmware(String),
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
    /// The files of each counter: the threads of a core show one, and so do all CPUs of a package.
    counters: Vec<Vec<String>>,
}

impl Throttle {
    pub fn find(sys: &SysRoot) -> Self {
        Self {
            flags: flags(sys),
            counters: counters(sys),
            sys: sys.clone(),
        }
    }

    /// Bit 0 under-voltage, 1 frequency capped, 2 throttled, 3 soft temperature limit, all now; the same 16 bits higher: since
    /// the start of the machine.
    pub fn flags(&self) -> Option<u64> {
        match self.flags.as_ref()? {
            Flags::Firmware(file) => hexadecimal(&self.sys.text(file)?).map(|raw| raw | ((raw >> 16) & 0xf)),
            Flags::Vcgencmd(program) => ask_vcgencmd(program),
            Flags::Supply(file) => u64::try_from(self.sys.number(file)?).ok().map(|now| now.min(1)),
        }
    }

    /// The same where a file has them: while there is load no program is started.
    pub fn flags_in_file(&self) -> Option<u64> {
        match self.flags {
            Some(Flags::Vcgencmd(_)) => None,
            _ => self.flags(),
        }
    }

    /// How often cores and packages were slowed by heat since the machine was started; `None` where nothing counts that.
    pub fn count(&self) -> Option<u64> {
        let read = |file: &String| u64::try_from(self.sys.number(file)?).ok();
        // A CPU that was off for a while has counted less than those beside it.
        let counted = |files: &Vec<String>| files.iter().filter_map(read).max();
        let sum = || self.counters.iter().filter_map(counted).fold(0, u64::saturating_add);
        (!self.counters.is_empty()).then(sum)
    }
}

fn counters(sys: &SysRoot) -> Vec<Vec<String>> {
    let mut counters: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for cpu in cpu_folders(sys) {
        let topology = |name: &str| sys.text(&format!("{CPUS}/{cpu}/topology/{name}"));
        let core = topology("thread_siblings_list").unwrap_or_else(|| cpu.clone());
        let package = topology("physical_package_id").unwrap_or_default();
        for (name, whose) in [("core_throttle_count", core), ("package_throttle_count", package)] {
            let file = format!("{CPUS}/{cpu}/thermal_throttle/{name}");
            if sys.number(&file).is_some() {
                counters.entry(format!("{name} {whose}")).or_default().push(file);
            }
        }
    }
    counters.into_values().collect()
}

fn flags(sys: &SysRoot) -> Option<Flags> {
    if let Some(file) = firmware(sys) {
        return Some(Flags::Firmware(file));
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
    vcgencmd().and_then(tried).or_else(|| supply().map(Flags::Supply))
}

/// The chip is `soc` up to a Raspberry Pi 4, and `soc@107c000000` on a 5.
fn firmware(sys: &SysRoot) -> Option<String> {
    let chips = sys.names(PLATFORM).into_iter();
    chips
        .filter(|name| name == "soc" || name.starts_with("soc@"))
        .map(|soc| format!("{PLATFORM}/{soc}/{soc}:firmware/get_throttled"))
        .find(|file| sys.text(file).is_some())
}

/// `vcgencmd` is installed for everybody, and only some may open the device that it asks.
fn tried(vcgencmd: PathBuf) -> Option<Flags> {
    ask_vcgencmd(&vcgencmd).map(|_| Flags::Vcgencmd(vcgencmd))
}

fn ask_vcgencmd(program: &Path) -> Option<u64> {
    vcgencmd_flags(&program::ask(program, &["get_throttled"])?)
}

fn hexadecimal(text: &str) -> Option<u64> {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).ok()
}

/// `throttled=0x50005`
fn vcgencmd_flags(text: &str) -> Option<u64> {
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
        for soc in ["soc", "soc@107c000000"] {
            let file = format!("{PLATFORM}/{soc}/{soc}:firmware/get_throttled");
            let (_dir, sys) = root(&[sensor[0], sensor[1], (file.as_str(), "50004\n")]);
            // What was remembered is not older than two seconds.
            assert_eq!(Throttle::find(&sys).flags(), Some(0x5_0005));
        }
    }

    #[test]
    fn vcgencmd_is_used_only_if_it_has_flags() {
        let dir = tempfile::tempdir().unwrap();
        // A shell writes it: a child of another test may still hold what this process opens for writing.
        let vcgencmd = |name: &str, line: &str| {
            let path = dir.path().join(name);
            let write = format!(
                "printf '#!/bin/sh\n%s\n' '{line}' >'{0}' && chmod +x '{0}'",
                path.display()
            );
            assert!(program::ask(Path::new("/bin/sh"), &["-c", write.as_str()]).is_some());
            tried(path)
        };
        assert_eq!(
            vcgencmd("good", "echo throttled=0x50005"),
            Some(Flags::Vcgencmd(dir.path().join("good")))
        );
        assert_eq!(vcgencmd("closed", "echo no /dev/vcio; exit 255"), None);
        assert_eq!(vcgencmd("other", "echo error=1"), None);
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
    fn a_counter_that_several_cpus_show_is_added_once() {
        // Two cores of two threads each, of which the last was off for a while, and a package of one core.
        let cpus = [
            ("0,2", "0", "3", "40"),
            ("1,3", "0", "5", "40"),
            ("0,2", "0", "3", "40"),
            ("1,3", "0", "4", "38"),
            ("4", "1", "1", "7"),
        ];
        let files = cpus
            .iter()
            .enumerate()
            .flat_map(|(cpu, (siblings, package, of_core, of_package))| {
                let folder = format!("sys/devices/system/cpu/cpu{cpu}");
                [
                    (format!("{folder}/topology/thread_siblings_list"), *siblings),
                    (format!("{folder}/topology/physical_package_id"), *package),
                    (format!("{folder}/thermal_throttle/core_throttle_count"), *of_core),
                    (format!("{folder}/thermal_throttle/package_throttle_count"), *of_package),
                ]
            });
        let files: Vec<(String, &str)> = files.collect();
        let count = |files: Vec<(&str, &str)>| Throttle::find(&root(&files).1).count();
        let all = files.iter().map(|(path, text)| (path.as_str(), *text));
        assert_eq!(count(all.clone().collect()), Some(3 + 5 + 1 + 40 + 7));
        // Where no CPU says what it is part of, each is a core and all are one package.
        let bare = all.filter(|(path, _)| !path.contains("topology"));
        assert_eq!(count(bare.collect()), Some(3 + 5 + 3 + 4 + 1 + 40));
    }

    #[test]
    fn a_machine_that_says_nothing_is_null() {
        let (_dir, sys) = root(&[]);
        let throttle = Throttle::find(&sys);
        assert_eq!((throttle.flags(), throttle.count()), (None, None));
    }

    #[test]
    fn what_vcgencmd_prints() {
        assert_eq!(vcgencmd_flags("throttled=0x50005\n"), Some(0x5_0005));
        assert_eq!(vcgencmd_flags("error=1"), None);
    }
}
