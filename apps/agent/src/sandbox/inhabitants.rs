//! Processes of a trial, whoever their parents are: a server may fork away from its tree.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is being killed may be forking.
const ROUNDS: u32 = 10;
const BETWEEN: Duration = Duration::from_millis(5);

/// Those that live in the network namespace with this inode.
pub fn of_namespace(inode: u64) -> Vec<u32> {
    let lives_there = |pid: &u32| std::fs::metadata(format!("/proc/{pid}/ns/net")).is_ok_and(|m| m.ino() == inode);
    all().filter(lives_there).collect()
}

/// Those that were given this folder as their home ([`scrub`](super::scrub)): children have it too, in whatever session.
pub fn at_home(home: &Path) -> Vec<u32> {
    let is_there = |pid: &u32| home_of(*pid).is_some_and(|other| other == home);
    all().filter(is_there).collect()
}

/// Those of the process group of this leader.
pub fn of_group(leader: u32) -> Vec<u32> {
    let is_in = |pid: &u32| group_of(*pid) == Some(leader);
    all().filter(is_in).collect()
}

/// As it was when its program began.
pub fn home_of(pid: u32) -> Option<PathBuf> {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let home = environment
        .split(|byte| *byte == 0)
        .find_map(|pair| pair.strip_prefix(b"HOME="))?;
    Some(OsString::from_vec(home.to_vec()).into())
}

/// Kills what is found, until nothing is.
pub fn end(find: impl Fn() -> Vec<u32>) {
    for _ in 0..ROUNDS {
        let found = find();
        if found.is_empty() {
            return;
        }
        for pid in found.into_iter().filter_map(|pid| i32::try_from(pid).ok()) {
            // SAFETY: kill is a plain system call.
            unsafe { libc::kill(pid, libc::SIGKILL) };
        }
        std::thread::sleep(BETWEEN);
    }
}

fn all() -> impl Iterator<Item = u32> {
    let own = std::process::id();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(move |pid| *pid != own)
}

fn group_of(pid: u32) -> Option<u32> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything.
    let fields = &stat[stat.iter().rposition(|byte| *byte == b')')? + 1..];
    let fields = std::str::from_utf8(fields).ok()?;
    fields.split_ascii_whitespace().nth(2)?.parse().ok()
}
