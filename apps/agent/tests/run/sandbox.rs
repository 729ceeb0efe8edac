//! Where a run runs.

use crate::SHORT;
use crate::support::{all_measured, environment, labels, once, ran, records, rigmark, through, trials};

#[test]
#[cfg(target_os = "linux")]
fn where_the_kernel_refuses_a_namespace_the_run_says_so() {
    // SAFETY: geteuid cannot fail.
    if unsafe { libc::geteuid() } != 0 {
        eprintln!("skipped: only root can give up the right to make namespaces");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut unprivileged = std::process::Command::new("setpriv");
    // The second is what root needs for a user namespace of its own.
    unprivileged.args(["--bounding-set=-sys_admin,-setfcap", "--inh-caps=-sys_admin,-setfcap"]);
    let plain = rigmark(dir.path(), &once("epoll", "static-1k-ab", &SHORT));
    let ran = ran(through(unprivileged, &plain));
    let records = records(&dir.path().join("r.json"));
    let trials = trials(&records);
    all_measured(&ran, &trials);
    assert!(
        ran.stdout
            .contains("unsandboxed The kernel refused a network namespace"),
        "{}",
        ran.stdout
    );
    assert!(!environment(&records).sandboxed);
    assert!(labels(&records).iter().any(|l| l.code == "unsandboxed"));
    assert_eq!(trials[0].resources.as_ref().unwrap().loopback_bytes, None);
}

/// As in a container of Podman's.
#[test]
#[cfg(target_os = "linux")]
fn root_without_the_right_to_a_network_has_one_in_a_user_namespace() {
    // SAFETY: geteuid cannot fail.
    if unsafe { libc::geteuid() } != 0 {
        eprintln!("skipped: only root can give up the right to make namespaces");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut unprivileged = std::process::Command::new("setpriv");
    unprivileged.args(["--bounding-set=-sys_admin", "--inh-caps=-sys_admin"]);
    let plain = rigmark(dir.path(), &once("epoll", "static-1k-ab", &SHORT));
    let ran = ran(through(unprivileged, &plain));
    let records = records(&dir.path().join("r.json"));
    all_measured(&ran, &trials(&records));
    assert!(environment(&records).sandboxed, "{}", ran.stdout);
}

#[test]
fn the_agent_starts_itself_through_an_emulator_where_one_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("emulated");
    let emulator = dir.path().join("emulator");
    std::fs::write(
        &emulator,
        format!("#!/bin/sh\necho \"$@\" >> {}\nexec \"$@\"\n", log.display()),
    )
    .unwrap();
    std::fs::set_permissions(&emulator, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = rigmark(dir.path(), &["verify", "epoll", "--workload", "plaintext"]);
    command.env("RIGMARK_EXEC_PREFIX", format!("{}", emulator.display()));
    let ran = ran(command);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("internal verify"), "{log}");
}
