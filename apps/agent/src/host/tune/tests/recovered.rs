//! Put back after a panic, a kill or a change of the machine, and only what is one's own.

use super::*;

#[test]
fn a_cpu_that_is_gone_keeps_nothing_else_from_being_put_back() {
    let host = TunedHost::new();
    host.killed();
    fs::remove_dir_all(host.root.path().join("sys/devices/system/cpu/cpufreq/policy4")).unwrap();
    let Some(Recovered::PutBack(names)) = host.recover() else {
        panic!("not put back");
    };
    assert_eq!(names.len(), 4, "{names:?}");
    let now = [GOVERNORS[0].0, ASLR, THP, NO_TURBO].map(|file| host.sys().value(file).unwrap());
    assert_eq!(now, ["ondemand", "2", "madvise", "0"]);
    assert!(!host.has_record());
    // While a run is on, too.
    let tuning = host.begin();
    fs::remove_dir_all(host.root.path().join("sys/devices/system/cpu/cpufreq/policy0")).unwrap();
    assert_eq!(tuning.end(), Vec::<String>::new());
    assert!(!host.has_record());
}

#[test]
fn a_panic_puts_it_back() {
    let host = TunedHost::new();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _tuning = host.begin();
        assert_eq!(host.now(), DURING);
        panic!("in the middle of a run");
    }));
    assert!(panicked.is_err());
    host.is_untouched();
}

#[test]
fn after_a_kill_the_next_command_puts_it_back_once() {
    let host = TunedHost::new();
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
    let host = TunedHost::new();
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
    let host = TunedHost::new();
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
    let host = TunedHost::new();
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
    let host = TunedHost::new();
    host.killed();
    let path = record::path(host.state.path());
    let kept = fs::read_to_string(&path).unwrap();
    host.write("etc/shadow", "precious");
    fs::write(&path, kept.replace(ASLR, "etc/shadow")).unwrap();
    assert!(matches!(host.recover(), Some(Recovered::Failed(_))));
    assert_eq!(host.sys().text("etc/shadow").as_deref(), Some("precious"));
    let elsewhere = TunedHost::new();
    fs::write(&path, kept).unwrap();
    assert_eq!(recover(&elsewhere.sys(), host.state.path()), None);
    assert!(host.has_record());
    fs::write(&path, "{").unwrap();
    assert!(matches!(host.recover(), Some(Recovered::Failed(_))));
}
