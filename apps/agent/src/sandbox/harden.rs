//! What every child of the agent gets, wherever it runs.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::program;
#[cfg(not(target_os = "linux"))]
pub use libc::{getrlimit, rlimit, setrlimit};
/// Of 64 bits, also where a plain one has 32.
#[cfg(target_os = "linux")]
pub use libc::{getrlimit64 as getrlimit, rlimit64 as rlimit, setrlimit64 as setrlimit};

/// No one file may fill the disk, such as a log that a server writes for each request.
const FILE_BYTES: u64 = 4 << 30;

/// More than a million only makes programs that close every possible descriptor slow.
#[cfg(not(target_os = "macos"))]
fn open_files() -> u64 {
    1 << 20
}

/// macOS says "unlimited" and then refuses more than this.
#[cfg(target_os = "macos")]
fn open_files() -> u64 {
    /// What setrlimit(2) takes on every Mac.
    const ALWAYS: u64 = 10_240;
    let mut most: libc::c_int = 0;
    let mut bytes = size_of::<libc::c_int>();
    // SAFETY: the name is a C string, and `most` has room for the `bytes` that are asked for.
    let got = unsafe {
        libc::sysctlbyname(
            c"kern.maxfilesperproc".as_ptr(),
            (&raw mut most).cast(),
            &mut bytes,
            std::ptr::null_mut(),
            0,
        )
    };
    let most = u64::try_from(most).ok().filter(|_| got == 0);
    most.map_or(ALWAYS, |most| most.max(ALWAYS))
}

/// Its own process group, no core dumps, no file beyond 4 GiB, as many open files as the host allows; on Linux also death with the agent
/// and no new privileges, and where memory runs out the kernel ends it before the agent. Call it after whatever changes the child's credentials: that would clear the death signal.
pub fn harden(command: &mut Command) {
    command.process_group(0);
    let parent = std::process::id();
    let files = open_files();
    // SAFETY: only async-signal-safe calls between fork and exec, and nothing is allocated.
    unsafe {
        command.pre_exec(move || {
            first_to_go();
            limits(files).and_then(|()| tie_to(parent))
        })
    };
}

/// A server that takes all memory should end its own trial, not the agent or the app beside it. 500 counts like half of the
/// host's memory on top of its own (proc_pid_oom_score_adj(5)). A container may refuse this.
#[cfg(target_os = "linux")]
fn first_to_go() {
    const MORE: &[u8] = b"500";
    // SAFETY: plain system calls on a descriptor of its own.
    unsafe {
        let file = libc::open(c"/proc/self/oom_score_adj".as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        if file >= 0 {
            libc::write(file, MORE.as_ptr().cast(), MORE.len());
            libc::close(file);
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn first_to_go() {}

/// Descendants that lose their parents become this child's own, as they do in a container: a worker that forks away stays in
/// the server's process tree, where it is measured and ended. The attribute stays over exec and is not inherited.
#[cfg(target_os = "linux")]
pub fn keep_orphans(command: &mut Command) {
    // SAFETY: one plain system call between fork and exec. An old kernel may refuse; then they are looked for.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
            Ok(())
        })
    };
}

#[cfg(not(target_os = "linux"))]
pub fn keep_orphans(_command: &mut Command) {}

fn limits(files: u64) -> io::Result<()> {
    set_limit(libc::RLIMIT_CORE as _, |limit| {
        limit.rlim_cur = 0;
        limit.rlim_max = 0;
    })?;
    set_limit(libc::RLIMIT_FSIZE as _, |limit| {
        limit.rlim_cur = limit.rlim_max.min(FILE_BYTES).min(limit.rlim_cur);
        limit.rlim_max = limit.rlim_cur;
    })?;
    set_limit(libc::RLIMIT_NOFILE as _, |limit| {
        limit.rlim_cur = limit.rlim_max.min(files).max(limit.rlim_cur);
    })
}

/// As many open files as the host allows for the agent itself: it holds two for each thread of a server that it measures.
pub fn raise_own_limit() {
    /// What the service is given.
    const FILES: u64 = 65_536;
    // Where it is refused, what cannot be opened is said there.
    let _ = set_limit(libc::RLIMIT_NOFILE as _, |limit| {
        limit.rlim_cur = limit.rlim_max.min(open_files()).min(FILES).max(limit.rlim_cur);
    });
}

/// Files that a child may have open, where the host's hard limit is this.
pub fn most_open_files(hard: u64) -> u64 {
    hard.min(open_files())
}

fn set_limit(which: libc::c_int, change: impl FnOnce(&mut rlimit)) -> io::Result<()> {
    let mut limit = rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is a valid rlimit and outlives both calls.
    unsafe {
        if getrlimit(which as _, &mut limit) != 0 {
            return Err(io::Error::last_os_error());
        }
        change(&mut limit);
        if setrlimit(which as _, &limit) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn tie_to(parent: u32) -> io::Result<()> {
    // SAFETY: plain system calls with integer arguments.
    unsafe {
        if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0
            || libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        {
            return Err(io::Error::last_os_error());
        }
        // The agent may have died between fork and prctl.
        if libc::getppid() as u32 != parent {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn tie_to(_parent: u32) -> io::Result<()> {
    Ok(())
}

/// A clean environment: nothing of the agent's own (keys, tokens, loader variables) reaches a server or a tool.
pub fn scrub(command: &mut Command, home: &Path) {
    command.env_clear();
    // macOS 13 and older do not know C.UTF-8, and shells complain.
    let locale = if cfg!(target_os = "macos") {
        "en_US.UTF-8"
    } else {
        "C.UTF-8"
    };
    let path = program::child_path()
        .or_else(|| std::env::var_os("PATH"))
        .unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    command
        .env("PATH", path)
        .env("HOME", home)
        .env("TMPDIR", home)
        .env("LC_ALL", locale);
    for name in ["JAVA_HOME", "TZ"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
}

/// This program once more, and no other version of it: an update may replace the file while a run goes on, which Linux's
/// `/proc/self/exe` does not follow. An emulator such as qemu-user cannot be started by the emulated program's path, so
/// RIGMARK_EXEC_PREFIX may name what to put before it.
pub fn self_command() -> io::Result<Command> {
    let prefix = std::env::var("RIGMARK_EXEC_PREFIX").unwrap_or_default();
    let mut words = prefix.split_whitespace();
    let program = program::own_program()?;
    Ok(match words.next() {
        None if cfg!(target_os = "linux") => Command::new("/proc/self/exe"),
        None => Command::new(program),
        Some(first) => {
            let mut command = Command::new(first);
            command.args(words).arg(program);
            command
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_child_goes_before_the_agent_where_memory_runs_out() {
        let mut command = Command::new("cat");
        command.arg("/proc/self/oom_score_adj");
        harden(&mut command);
        let said = command.output().unwrap().stdout;
        assert_eq!(String::from_utf8(said).unwrap().trim(), "500");
    }

    #[test]
    fn a_child_writes_no_file_that_fills_the_disk() {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -f; ulimit -c"]);
        harden(&mut command);
        let said = String::from_utf8(command.output().unwrap().stdout).unwrap();
        // In blocks of 512 bytes or of 1024, as the shell likes it.
        let mut lines = said.lines();
        let blocks: u64 = lines.next().unwrap().parse().unwrap();
        assert!(blocks > 0 && blocks <= FILE_BYTES / 512, "{said}");
        assert_eq!(lines.next(), Some("0"));
    }
}
