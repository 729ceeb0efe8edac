//! Checks of what the system allows and of what is free.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::check::Check;
use crate::host::lock::{self, LockedBy};
use crate::host::{Machine, limits};
use crate::protocol::facts::DoctorCheck;
use crate::sandbox::most_open_files;

/// A server and a tool with a few thousand connections.
const FILES: u64 = 16_384;
const DISK_LOW: u64 = 1 << 30;
const DISK_FULL: u64 = 100 << 20;
const MEMORY_LOW: u64 = 256 << 20;
const SWAP_USED: u64 = 64 << 20;

pub fn checks(m: &Machine, unsandboxed_reason: Option<&str>, state: &Path) -> Vec<DoctorCheck> {
    vec![
        lock(lock::holder().as_ref()),
        sandbox(unsandboxed_reason),
        files(limits::nofile()),
        disk(state, free_bytes(state)),
        memory(m),
        swap(m),
    ]
}

pub(super) fn lock(holder: Option<&LockedBy>) -> DoctorCheck {
    let check = Check::new("lock", "Other measurements");
    match holder {
        // An agent that looks at its own host while it measures is not in its own way.
        Some(LockedBy::Other { pid, .. }) if *pid == Some(std::process::id()) => check.ok("only this agent's own"),
        Some(LockedBy::Other { pid, what }) => {
            let process = pid.map(|p| format!(", process {p}")).unwrap_or_default();
            check.warn(
                format!("{what}{process}"),
                "One measurement at a time: a second would disturb the first.",
                "Wait until it has finished.",
            )
        }
        Some(LockedBy::Unusable { .. }) | None => check.ok("none"),
    }
}

pub(super) fn sandbox(unsandboxed_reason: Option<&str>) -> DoctorCheck {
    let check = Check::new("sandbox", "Network namespace for each trial");
    let Some(reason) = unsandboxed_reason else {
        return check.ok("allowed");
    };
    if cfg!(target_os = "macos") {
        return check.unknown(reason);
    }
    let why = "Ports, closing connections and byte counters are then shared with the host, and reports say so.";
    check.warn(reason, why, allowing_namespaces())
}

fn allowing_namespaces() -> String {
    // Each distribution has its own switch: its name, what turns namespaces off, and what turns them on.
    let switches = [
        ("user.max_user_namespaces", "0", "15000"),
        ("kernel.unprivileged_userns_clone", "0", "1"),
        ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
    ];
    let is_off = |(name, off, _): &(&str, &str, &str)| {
        let file = Path::new("/proc/sys").join(name.replace('.', "/"));
        std::fs::read_to_string(file).is_ok_and(|value| value.trim() == *off)
    };
    let in_container = ["/.dockerenv", "/run/.containerenv"]
        .iter()
        .any(|file| Path::new(file).exists());
    match switches.iter().find(|switch| is_off(switch)) {
        _ if in_container => "The engine of this container forbids it; start the container with --security-opt \
                              seccomp=unconfined --security-opt apparmor=unconfined."
            .to_owned(),
        Some((name, _, on)) => {
            format!("echo {name}={on} | sudo tee -a /etc/sysctl.d/60-rigmark.conf && sudo sysctl --system")
        }
        None => "Run the agent as root.".to_owned(),
    }
}

pub(super) fn files(limit: Option<(u64, u64)>) -> DoctorCheck {
    let check = Check::new("nofile", "Open files");
    let Some((soft, hard)) = limit else {
        return check.unknown("the system does not say");
    };
    // A limit of the system may be below what the process is told.
    let hard = most_open_files(hard);
    let found = format!("{soft}, can be raised to {hard}");
    // The agent raises it to the hard limit for what it starts.
    if hard >= FILES {
        return check.ok(found);
    }
    check.warn(
        found,
        "Each connection is an open file on both sides, so scenarios with thousands of them will fail.",
        if cfg!(target_os = "macos") {
            "sudo sysctl -w kern.maxfiles=524288 kern.maxfilesperproc=262144"
        } else {
            "echo '* hard nofile 1048576' | sudo tee /etc/security/limits.d/rigmark.conf"
        },
    )
}

pub(super) fn disk(state: &Path, free: Option<u64>) -> DoctorCheck {
    let check = Check::new("disk", "Free disk");
    let Some(free) = free else {
        return check.unknown("the system does not say");
    };
    let found = format!("{} for {}", size(free), state.display());
    let why = "Builds and records of runs need space; a run that cannot write stops.";
    let fix = format!("du -sh {}/* | sort -h", state.display());
    match free {
        0..DISK_FULL => check.fail(found, why, fix),
        DISK_FULL..DISK_LOW => check.warn(found, why, fix),
        _ => check.ok(found),
    }
}

fn memory(m: &Machine) -> DoctorCheck {
    let check = Check::new("memory", "Free memory");
    match m.memory_available_bytes {
        None => check.unknown("the system does not say"),
        Some(free) if free < MEMORY_LOW => check.warn(
            size(free),
            "Files under test no longer fit into the page cache, so the disk is measured too.",
            if cfg!(target_os = "macos") {
                "top -o mem"
            } else {
                "ps aux --sort=-rss | head"
            },
        ),
        Some(free) => check.ok(size(free)),
    }
}

fn swap(m: &Machine) -> DoctorCheck {
    let check = Check::new("swap", "Swap in use");
    match m.swap_used_bytes {
        None => check.unknown("the system does not say"),
        Some(used) if used > SWAP_USED && !cfg!(target_os = "macos") => check.warn(
            size(used),
            "A page that comes back from the disk in the middle of a trial costs milliseconds.",
            // `swapon -a` brings back only what is in /etc/fstab, and a Raspberry Pi's swap is not.
            "sudo sh -c 's=$(swapon --noheadings --show=NAME); swapoff -a; for d in $s; do swapon \"$d\"; done'",
        ),
        Some(used) => check.ok(size(used)),
    }
}

/// Of the folder, or of the nearest one above it that is there.
fn free_bytes(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|p| p.exists())?;
    let path = CString::new(there.as_os_str().as_bytes()).ok()?;
    let mut stat = std::mem::MaybeUninit::<libc::statvfs>::zeroed();
    // SAFETY: `path` is a C string and `stat` has space for the result.
    if unsafe { libc::statvfs(path.as_ptr(), stat.as_mut_ptr()) } != 0 {
        return None;
    }
    // SAFETY: zeroed at first and filled in by the call that succeeded.
    let stat = unsafe { stat.assume_init() };
    // The width of these fields differs from system to system.
    #[allow(clippy::unnecessary_cast)]
    (stat.f_bavail as u64).checked_mul(stat.f_frsize as u64)
}

/// `1.5 GiB`
pub(super) fn size(bytes: u64) -> String {
    let gib = bytes as f64 / f64::from(1 << 30);
    if gib >= 1.0 {
        format!("{gib:.1} GiB")
    } else {
        format!("{:.0} MiB", gib * 1024.0)
    }
}
