//! Under a replaced root: what is set, what is kept on disk, and every way in which it is put back.

mod recovered;
mod set;
mod shared;

use std::fs;

use tempfile::TempDir;

use super::*;

const GOVERNORS: [(&str, &str); 2] = [
    ("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "ondemand"),
    ("sys/devices/system/cpu/cpufreq/policy4/scaling_governor", "powersave"),
];
const ASLR: &str = "proc/sys/kernel/randomize_va_space";
const THP: &str = "sys/kernel/mm/transparent_hugepage/enabled";
const NO_TURBO: &str = "sys/devices/system/cpu/intel_pstate/no_turbo";

struct TunedHost {
    root: TempDir,
    state: TempDir,
}

impl TunedHost {
    fn new() -> Self {
        let host = Self {
            root: tempfile::tempdir().unwrap(),
            state: tempfile::tempdir().unwrap(),
        };
        for (file, text) in GOVERNORS
            .into_iter()
            .chain([(ASLR, "2"), (THP, "always [madvise] never"), (NO_TURBO, "0")])
        {
            host.write(file, text);
        }
        host.write("proc/sys/kernel/random/boot_id", "this boot");
        host.write("run/keep", "");
        host
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.root.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{text}\n")).unwrap();
    }

    fn sys(&self) -> SysRoot {
        SysRoot::at(self.root.path())
    }

    fn begin(&self) -> Tuning {
        Tuning::begin(&self.sys(), self.state.path(), HugePages::Never)
    }

    fn recover(&self) -> Option<Recovered> {
        recover(&self.sys(), self.state.path())
    }

    /// Governors, ASLR, huge pages, turbo's switch.
    fn now(&self) -> Vec<String> {
        let files = GOVERNORS.map(|(file, _)| file).into_iter().chain([ASLR, THP, NO_TURBO]);
        files.map(|file| self.sys().value(file).unwrap()).collect()
    }

    fn is_untouched(&self) {
        assert_eq!(
            (self.now(), self.has_record()),
            (BEFORE.map(str::to_owned).to_vec(), false)
        );
    }

    fn has_record(&self) -> bool {
        record::path(self.state.path()).exists()
    }

    /// As after a kill: the settings are changed, the record is there, nobody holds it.
    fn killed(&self) {
        let tuning = self.begin();
        let path = record::path(self.state.path());
        let kept = fs::read(&path).unwrap();
        let changed = self.now();
        drop(tuning);
        fs::write(&path, kept).unwrap();
        let files = GOVERNORS.map(|(file, _)| file).into_iter().chain([ASLR, THP, NO_TURBO]);
        files.zip(changed).for_each(|(file, text)| self.write(file, &text));
        assert_eq!(self.now(), DURING);
    }
}

const BEFORE: [&str; 5] = ["ondemand", "powersave", "2", "madvise", "0"];
const DURING: [&str; 5] = ["performance", "performance", "0", "never", "1"];
