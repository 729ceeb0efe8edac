//! Energy of the processor packages, from RAPL. The counter of each package starts anew at `max_energy_range_uj`, after some
//! minutes under load; it is read once a second while a trial runs, so no turn is missed.

use crate::host::power::{POWERCAP, packages};
use crate::host::sysroot::SysRoot;
use crate::sample::linux::reader::{Buffer, Reader, buffer};

struct Package {
    energy: Reader,
    range_uj: u64,
    last_uj: u64,
}

pub struct Rapl {
    packages: Vec<Package>,
    sum_uj: u64,
    buffer: Box<Buffer>,
}

impl Rapl {
    /// `None` where there is no package that can be read.
    pub fn find(sys: &SysRoot) -> Option<Self> {
        let mut buffer = buffer();
        let mut open = |name: String| {
            let energy = Reader::open(&sys.path(&format!("{POWERCAP}/{name}/energy_uj"))).ok()?;
            let range = sys.number(&format!("{POWERCAP}/{name}/max_energy_range_uj"))?;
            let last_uj = u64::try_from(energy.number(&mut buffer)?).ok()?;
            Some(Package {
                energy,
                range_uj: u64::try_from(range).ok()?,
                last_uj,
            })
        };
        let names = packages(sys);
        let found = names.len();
        let packages: Vec<Package> = names.into_iter().filter_map(&mut open).collect();
        // A part of the packages would be a part of the energy.
        (found > 0 && packages.len() == found).then_some(Self {
            packages,
            sum_uj: 0,
            buffer,
        })
    }

    /// Since this was made; it only grows. `None` from the first look on that failed.
    pub fn uj(&mut self) -> Option<u64> {
        for package in &mut self.packages {
            let now = u64::try_from(package.energy.number(&mut self.buffer)?).ok()?;
            let grown = match now.checked_sub(package.last_uj) {
                Some(grown) => grown,
                None => package.range_uj.checked_sub(package.last_uj)?.checked_add(now)?,
            };
            package.last_uj = now;
            self.sum_uj = self.sum_uj.checked_add(grown)?;
        }
        Some(self.sum_uj)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counters(tempfile::TempDir);

    impl Counters {
        fn new() -> Self {
            let rapl = Self(tempfile::tempdir().unwrap());
            for (name, called, energy) in [
                ("intel-rapl:0", "package-0", "900"),
                ("intel-rapl:1", "package-1", "10"),
                ("intel-rapl:0:0", "core", "77"),
                ("intel-rapl:2", "psys", "5000"),
            ] {
                rapl.write(name, "name", called);
                rapl.write(name, "energy_uj", energy);
                rapl.write(name, "max_energy_range_uj", "1000");
            }
            rapl
        }

        fn write(&self, name: &str, file: &str, text: &str) {
            let folder = self.0.path().join(POWERCAP).join(name);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(file), format!("{text}\n")).unwrap();
        }

        fn energy(&self) -> Option<Rapl> {
            Rapl::find(&SysRoot::at(self.0.path()))
        }
    }

    #[test]
    fn packages_are_added_and_a_counter_that_started_anew_goes_on() {
        let rapl = Counters::new();
        let mut energy = rapl.energy().unwrap();
        assert_eq!(energy.uj(), Some(0));
        rapl.write("intel-rapl:0", "energy_uj", "950");
        rapl.write("intel-rapl:1", "energy_uj", "40");
        assert_eq!(energy.uj(), Some(80));
        rapl.write("intel-rapl:0", "energy_uj", "20");
        assert_eq!(energy.uj(), Some(80 + 70));
    }

    #[test]
    fn what_cannot_be_read_is_null() {
        let none = tempfile::tempdir().unwrap();
        assert!(Rapl::find(&SysRoot::at(none.path())).is_none());
        let rapl = Counters::new();
        rapl.write("intel-rapl:1", "energy_uj", "much");
        assert!(rapl.energy().is_none(), "a part of the packages is no sum");
        rapl.write("intel-rapl:1", "energy_uj", "10");
        let mut energy = rapl.energy().unwrap();
        rapl.write("intel-rapl:1", "energy_uj", "");
        assert_eq!(energy.uj(), None);
    }
}
