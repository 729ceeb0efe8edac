//! Under a replaced root: what is set, what is kept on disk, and every way in which it is put back.

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

struct Host {
    root: TempDir,
    state: TempDir,
}

impl Host {
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
        files.map(|file| setting::value(&self.sys(), file).unwrap()).collect()
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

#[test]
fn what_was_set_is_said_and_put_back() {
    let host = Host::new();
    let tuning = host.begin();
    assert_eq!(host.now(), DURING);
    assert!(host.has_record() && tuning.refused().is_empty());
    let tuned: Vec<(String, String, String)> = tuning
        .tuned()
        .into_iter()
        .map(|t| (t.name, t.before, t.during))
        .collect();
    let line = |name: &str, before: &str, during: &str| (name.to_owned(), before.to_owned(), during.to_owned());
    assert_eq!(
        tuned,
        [
            line("CPU governor", "ondemand, powersave", "performance"),
            line("turbo", "0", "1"),
            line("address space randomisation", "2", "0"),
            line("transparent huge pages", "madvise", "never"),
        ]
    );
    assert_eq!(tuning.end(), Vec::<String>::new());
    assert_eq!(host.now(), BEFORE);
    assert!(!host.has_record());
}

#[test]
fn what_nobody_could_find_again_is_not_changed() {
    let host = Host::new();
    fs::create_dir_all(host.root.path().join(POINTER)).unwrap();
    let tuning = host.begin();
    assert!(tuning.tuned().is_empty());
    assert!(
        tuning.refused()[0].contains("no command would find the originals"),
        "{:?}",
        tuning.refused()
    );
    host.is_untouched();
}

/// In a thread, because the kernel keeps a thread's rights apart.
fn without_root<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let done = scope.spawn(|| {
            // SAFETY: the raw call concerns this thread alone, which ends after the work; without root it changes nothing.
            unsafe { libc::syscall(libc::SYS_setresuid, -1, 65534, -1) };
            work()
        });
        done.join().unwrap()
    })
}

fn readable(path: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o555)).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn without_roots_rights_each_setting_says_so_and_no_more() {
    let host = Host::new();
    readable(host.root.path());
    readable(&host.root.path().join("run"));
    let state = without_root(|| tempfile::tempdir().unwrap());
    let begin = || Tuning::begin(&host.sys(), state.path(), HugePages::Never).refused();
    let refused = without_root(begin);
    assert_eq!(refused.len(), 4, "{refused:?}");
    for why in &refused {
        assert!(why.ends_with(": it cannot be set without root's rights"), "{why}");
    }
    host.is_untouched();
    assert!(!record::path(state.path()).exists());
}

#[test]
#[cfg(target_os = "linux")]
fn who_may_not_read_anothers_record_is_not_told_that_its_run_was_killed() {
    let host = Host::new();
    let owner = host.begin();
    readable(host.root.path());
    let state = without_root(|| tempfile::tempdir().unwrap());
    // SAFETY: geteuid cannot fail and touches no memory.
    if unsafe { libc::geteuid() } != 0 {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(record::path(host.state.path()), fs::Permissions::from_mode(0o000)).unwrap();
    }
    let found = without_root(|| recover(&host.sys(), state.path())).unwrap();
    let says = found.sentence();
    assert!(
        says.starts_with("Another user's run may have tuned this host: "),
        "{says}"
    );
    assert!(!says.contains("killed"), "{says}");
    let refused = without_root(|| {
        // A setting that the owner did not change, so that there is something to do.
        Tuning::begin(&host.sys(), state.path(), HugePages::Always).refused()
    });
    assert!(refused[0].contains("another user's run may have set it"), "{refused:?}");
    assert_eq!(owner.end(), Vec::<String>::new());
    host.is_untouched();
}

#[test]
fn the_pointer_of_another_folder_stays() {
    let host = Host::new();
    let other = tempfile::tempdir().unwrap();
    let tuning = host.begin();
    host.write(POINTER, other.path().to_str().unwrap());
    drop(tuning);
    assert_eq!(
        host.sys().text(POINTER).as_deref(),
        Some(other.path().to_str().unwrap())
    );
    // Nothing is there, so it holds nobody up; and one's own goes.
    drop(host.begin());
    assert_eq!(host.sys().text(POINTER), None);
}

#[test]
fn nobody_tunes_over_what_a_run_with_another_state_folder_holds() {
    let host = Host::new();
    let owner = host.begin();
    let other = tempfile::tempdir().unwrap();
    let second = Tuning::begin(&host.sys(), other.path(), HugePages::Always);
    assert!(
        second.refused()[0].contains("another run has set it"),
        "{:?}",
        second.refused()
    );
    drop(second);
    drop(owner);
    host.is_untouched();
}

#[test]
fn a_cpu_that_is_gone_keeps_nothing_else_from_being_put_back() {
    let host = Host::new();
    host.killed();
    fs::remove_dir_all(host.root.path().join("sys/devices/system/cpu/cpufreq/policy4")).unwrap();
    let Some(Recovered::PutBack(names)) = host.recover() else {
        panic!("not put back");
    };
    assert_eq!(names.len(), 4, "{names:?}");
    let now = [GOVERNORS[0].0, ASLR, THP, NO_TURBO].map(|file| setting::value(&host.sys(), file).unwrap());
    assert_eq!(now, ["ondemand", "2", "madvise", "0"]);
    assert!(!host.has_record());
    // While a run is on, too.
    let tuning = host.begin();
    fs::remove_dir_all(host.root.path().join("sys/devices/system/cpu/cpufreq/policy0")).unwrap();
    assert_eq!(tuning.end(), Vec::<String>::new());
    assert!(!host.has_record());
}

#[test]
fn only_a_path_of_the_right_shape_is_written() {
    use setting::Kind;
    let cpu = "sys/devices/system/cpu";
    for file in ["cpufreq/policy12/scaling_governor", "cpu3/cpufreq/scaling_governor"] {
        assert!(Kind::Governor.is_file(&format!("{cpu}/{file}")), "{file}");
    }
    for file in [
        "cpufreq/policy/scaling_governor",
        "cpufreq/policy0/../../x/scaling_governor",
        "cpu3/../cpufreq/scaling_governor",
        "cpufreq/policy0/scaling_max_freq",
        "x/scaling_governor",
    ] {
        assert!(!Kind::Governor.is_file(&format!("{cpu}/{file}")), "{file}");
    }
    assert!(Kind::Aslr.is_file(ASLR) && !Kind::Turbo.is_file(ASLR) && !Kind::HugePages.is_file(ASLR));
}

#[test]
fn a_panic_puts_it_back() {
    let host = Host::new();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _tuning = host.begin();
        assert_eq!(host.now(), DURING);
        panic!("in the middle of a run");
    }));
    assert!(panicked.is_err());
    host.is_untouched();
}

#[test]
fn a_living_owner_is_left_alone_and_nobody_tunes_over_it() {
    let host = Host::new();
    let owner = host.begin();
    assert_eq!(host.recover(), None);
    host.write(ASLR, "1");
    let second = host.begin();
    assert!(
        second.refused()[0].contains("another run has set it"),
        "{:?}",
        second.refused()
    );
    drop(second);
    assert!(host.has_record());
    drop(owner);
    assert_eq!(host.now(), BEFORE);
}

#[test]
fn after_a_kill_the_next_command_puts_it_back_once() {
    let host = Host::new();
    host.killed();
    let Some(Recovered::PutBack(names)) = host.recover() else {
        panic!("not put back");
    };
    assert_eq!(names.len(), 4, "{names:?}");
    host.is_untouched();
    assert_eq!(host.recover(), None);
}

/// A child that its owner had just forked has the lock until it is another program.
#[test]
fn the_lock_of_an_owner_that_is_gone_is_waited_for() {
    let host = Host::new();
    host.killed();
    let mut gone = std::process::Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let path = record::path(host.state.path());
    let mut record: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    record["pid"] = gone.id().into();
    fs::write(&path, record.to_string()).unwrap();
    let held = fs::File::open(&path).unwrap();
    held.lock().unwrap();
    let child = std::thread::spawn(|| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        drop(held);
    });
    assert!(matches!(host.recover(), Some(Recovered::PutBack(_))));
    child.join().unwrap();
    host.is_untouched();
}

#[test]
fn a_command_with_another_state_folder_finds_it_too() {
    let host = Host::new();
    host.killed();
    host.write("run/rigmark-tuned", host.state.path().to_str().unwrap());
    let other = tempfile::tempdir().unwrap();
    assert!(matches!(
        recover(&host.sys(), other.path()),
        Some(Recovered::PutBack(_))
    ));
    assert_eq!(host.now(), BEFORE);
}

#[test]
fn the_record_of_another_boot_is_dropped() {
    let host = Host::new();
    host.killed();
    host.write("proc/sys/kernel/random/boot_id", "the next boot");
    assert_eq!(host.recover(), None);
    assert_eq!(
        (host.now(), host.has_record()),
        (DURING.map(str::to_owned).to_vec(), false)
    );
}

#[test]
fn a_record_of_other_files_or_another_root_writes_nothing() {
    let host = Host::new();
    host.killed();
    let path = record::path(host.state.path());
    let kept = fs::read_to_string(&path).unwrap();
    host.write("etc/shadow", "precious");
    fs::write(&path, kept.replace(ASLR, "etc/shadow")).unwrap();
    assert!(matches!(host.recover(), Some(Recovered::Failed(_))));
    assert_eq!(host.sys().text("etc/shadow").as_deref(), Some("precious"));
    let elsewhere = Host::new();
    fs::write(&path, kept).unwrap();
    assert_eq!(recover(&elsewhere.sys(), host.state.path()), None);
    assert!(host.has_record());
    fs::write(&path, "{").unwrap();
    assert!(matches!(host.recover(), Some(Recovered::Failed(_))));
}

#[test]
fn what_is_not_there_or_does_not_take_it_is_named() {
    let host = Host::new();
    host.write(
        "sys/devices/system/cpu/cpufreq/policy0/scaling_available_governors",
        "ondemand powersave",
    );
    fs::remove_file(host.root.path().join(NO_TURBO)).unwrap();
    let tuning = host.begin();
    let refused = tuning.refused();
    assert_eq!(refused.len(), 2, "{refused:?}");
    assert!(refused[0].contains("CPU governor: the kernel has ondemand powersave and no performance"));
    assert!(refused[1].contains("turbo: this machine shows no such setting"));
    // The other group of cores has it.
    assert_eq!(host.sys().text(GOVERNORS[1].0).as_deref(), Some("performance"));
}

#[test]
fn without_a_place_for_the_originals_nothing_is_touched() {
    let host = Host::new();
    let file = host.state.path().join("file");
    fs::write(&file, "").unwrap();
    let tuning = Tuning::begin(&host.sys(), &file, HugePages::Never);
    assert_eq!(tuning.refused().len(), 4);
    assert!(tuning.refused()[0].contains("the originals cannot be kept"));
    assert_eq!(host.now(), BEFORE);
}

#[test]
fn huge_pages_are_a_stated_choice() {
    let host = Host::new();
    let thp = |choice| {
        let _tuning = Tuning::begin(&host.sys(), host.state.path(), choice);
        setting::value(&host.sys(), THP).unwrap()
    };
    assert_eq!(
        (thp(HugePages::Always), thp(HugePages::Keep)),
        ("always".to_owned(), "madvise".to_owned())
    );
    assert_eq!("never".parse(), Ok(HugePages::Never));
    assert!("sometimes".parse::<HugePages>().is_err());
}
