//! A host with other runs and other users.

use super::*;

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
    let host = TunedHost::new();
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
fn who_has_not_the_rights_is_told_of_which_file() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &std::path::Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let host = TunedHost::new();
    readable(host.root.path());
    readable(&host.root.path().join("run"));
    let reach = || without_root(|| within_reach(&host.sys()));
    let nothing = reach();
    assert!(nothing.sets.is_empty());
    assert!(nothing.missing[0].starts_with("nothing can be set: ") && nothing.missing.len() == 1);
    // As an owner lends it: the pointer, and all but one file.
    host.write(POINTER, "");
    mode(&host.root.path().join(POINTER), 0o666);
    for (file, _) in GOVERNORS {
        mode(&host.root.path().join(file), 0o666);
    }
    mode(&host.root.path().join(THP), 0o666);
    mode(&host.root.path().join(NO_TURBO), 0o666);
    mode(&host.root.path().join(ASLR), 0o444);
    let lent = reach();
    assert_eq!(lent.sets, ["CPU governor", "turbo", "transparent huge pages"]);
    assert_eq!(
        lent.missing,
        ["address space randomization: /proc/sys/kernel/randomize_va_space cannot be written"]
    );
    let state = without_root(|| tempfile::tempdir().unwrap());
    let tuning = without_root(|| Tuning::begin(&host.sys(), state.path(), HugePages::Never));
    assert_eq!(tuning.tuned().len(), 3);
    assert_eq!(without_root(|| tuning.end()), Vec::<String>::new());
    host.is_untouched();
}

#[test]
#[cfg(target_os = "linux")]
fn who_may_not_read_anothers_record_is_not_told_that_its_run_was_killed() {
    let host = TunedHost::new();
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
    let host = TunedHost::new();
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
    let host = TunedHost::new();
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
fn a_living_owner_is_left_alone_and_nobody_tunes_over_it() {
    let host = TunedHost::new();
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
