//! A child process in its own group: its output line by line with a cap, its end with what it used, and its death
//! with whoever holds it.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;

use crate::tool::output::{OutputStream, ProcessExit};

/// Longest line that is passed on; the rest of it is cut.
const LINE_BYTES: usize = 4096;
/// How long output is still read after the process ended. Children of it that live on may hold the pipe open.
const DRAIN: Duration = Duration::from_millis(500);

/// Leaders of the groups that may live, for [`kill_all_now`]: a process that exits at once drops nothing.
static LIVE: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn live() -> MutexGuard<'static, Vec<u32>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Before the process exits: no other child is started or dropped after it.
pub fn kill_all_now() {
    let live = live();
    live.iter().for_each(|pid| signal_group(*pid, libc::SIGKILL));
    std::mem::forget(live);
}

fn signal_group(leader: u32, signal: libc::c_int) {
    // SAFETY: kill is a plain system call; the group has the leader's pid, which is not given to another while a member lives.
    unsafe { libc::kill(-(leader as i32), signal) };
}

pub type OnLine = Arc<dyn Fn(OutputStream, &str) + Send + Sync>;

/// What a process printed, cut at the cap.
#[derive(Debug, Clone, Default)]
pub struct Captured {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub truncated: bool,
}

/// How it ended, and the CPU time of it and of all its descendants that were waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChildEnd {
    pub exit: ProcessExit,
    pub cpu_us: u64,
}

pub struct Child {
    pid: u32,
    /// Kept only for its stdin.
    std: std::process::Child,
    ended: Option<ChildEnd>,
    sigchld: Signal,
    captured: Arc<Mutex<Captured>>,
    readers: Vec<JoinHandle<()>>,
}

impl Child {
    /// The command must have been prepared by a sandbox or by `harden`: the child is the leader of its own group.
    pub fn spawn(command: &mut Command, cap: usize, on_line: OnLine) -> io::Result<Self> {
        // Before the spawn, so that an early end is not missed.
        let sigchld = signal(SignalKind::child())?;
        let command = command.as_std_mut();
        let mut std = {
            let mut live = live();
            let std = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
            live.push(std.id());
            std
        };
        let captured = Arc::new(Mutex::new(Captured::default()));
        let stdout = tokio::process::ChildStdout::from_std(std.stdout.take().expect("stdout is piped"))?;
        let stderr = tokio::process::ChildStderr::from_std(std.stderr.take().expect("stderr is piped"))?;
        let readers = vec![
            tokio::spawn(read(
                stdout,
                OutputStream::Stdout,
                cap,
                captured.clone(),
                on_line.clone(),
            )),
            tokio::spawn(read(stderr, OutputStream::Stderr, cap, captured.clone(), on_line)),
        ];
        Ok(Self {
            pid: std.id(),
            std,
            ended: None,
            sigchld,
            captured,
            readers,
        })
    }

    pub fn pid(&self) -> u32 {
        self.pid
    }

    pub fn take_stdin(&mut self) -> Option<std::process::ChildStdin> {
        self.std.stdin.take()
    }

    /// May be called again and may be dropped in between: an end is never lost.
    pub async fn wait(&mut self) -> ChildEnd {
        loop {
            if let Some(ended) = self.try_wait() {
                return ended;
            }
            self.sigchld.recv().await;
        }
    }

    pub fn try_wait(&mut self) -> Option<ChildEnd> {
        if self.ended.is_none() {
            self.ended = wait4(self.pid, libc::WNOHANG);
        }
        self.ended
    }

    /// Everything that was printed. Call it after the end: it waits for the pipes, but not for ever.
    pub async fn output(&mut self) -> Captured {
        let drained = async {
            for reader in &mut self.readers {
                let _ = reader.await;
            }
        };
        let _ = tokio::time::timeout(DRAIN, drained).await;
        self.readers.drain(..).for_each(|r| r.abort());
        std::mem::take(&mut self.captured.lock().expect("no reader panics"))
    }

    /// SIGTERM, then SIGKILL when the grace is over; the whole group dies in any case. True when SIGTERM was enough.
    pub async fn stop(&mut self, grace: Duration) -> (ChildEnd, bool) {
        if self.try_wait().is_none() {
            self.signal(libc::SIGTERM);
        }
        let polite = tokio::time::timeout(grace, self.wait()).await;
        // What the leader forked and left behind.
        signal_group(self.pid, libc::SIGKILL);
        match polite {
            Ok(ended) => (ended, true),
            Err(_) => (self.wait().await, false),
        }
    }

    fn signal(&self, signal: libc::c_int) {
        // SAFETY: kill is a plain system call; the child was not waited for, so its pid is still its own.
        unsafe { libc::kill(self.pid as i32, signal) };
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        signal_group(self.pid, libc::SIGKILL);
        if self.ended.is_none() {
            self.ended = wait4(self.pid, 0);
        }
        live().retain(|pid| *pid != self.pid);
        self.readers.iter().for_each(JoinHandle::abort);
    }
}

fn wait4(pid: u32, flags: libc::c_int) -> Option<ChildEnd> {
    let mut status = 0;
    // SAFETY: rusage is plain data, for which zero is valid.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to live locals.
        let got = unsafe { libc::wait4(pid as i32, &mut status, flags, &mut usage) };
        if got == pid as i32 {
            break;
        }
        let interrupted = got < 0 && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted;
        if !interrupted {
            return None;
        }
    }
    let micros = |t: libc::timeval| t.tv_sec as u64 * 1_000_000 + t.tv_usec as u64;
    let status = ExitStatus::from_raw(status);
    Some(ChildEnd {
        exit: match (status.code(), status.signal()) {
            (Some(code), _) => ProcessExit::Code(code),
            (None, signal) => ProcessExit::Signal(signal.unwrap_or_default()),
        },
        cpu_us: micros(usage.ru_utime) + micros(usage.ru_stime),
    })
}

async fn read(
    mut from: impl AsyncRead + Unpin,
    which: OutputStream,
    cap: usize,
    captured: Arc<Mutex<Captured>>,
    on_line: OnLine,
) {
    let mut buffer = [0; 8192];
    let mut line = Vec::new();
    // Read to the end whatever was captured: a full pipe would stop the child.
    while let Ok(n) = from.read(&mut buffer).await {
        if n == 0 {
            break;
        }
        {
            let mut captured = captured.lock().expect("no reader panics");
            let to = match which {
                OutputStream::Stdout => &mut captured.stdout,
                OutputStream::Stderr => &mut captured.stderr,
            };
            let room = cap.saturating_sub(to.len()).min(n);
            to.extend_from_slice(&buffer[..room]);
            captured.truncated |= room < n;
        }
        for &byte in &buffer[..n] {
            // Progress bars use carriage returns.
            if byte == b'\n' || byte == b'\r' {
                pass_on(&mut line, which, &on_line);
            } else if line.len() < LINE_BYTES {
                line.push(byte);
            }
        }
    }
    pass_on(&mut line, which, &on_line);
}

fn pass_on(line: &mut Vec<u8>, which: OutputStream, on_line: &OnLine) {
    if !line.is_empty() {
        on_line(which, &String::from_utf8_lossy(line));
        line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::harden;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::null());
        harden(command.as_std_mut());
        command
    }

    fn spawn(script: &str, cap: usize) -> (Child, Arc<Mutex<Vec<String>>>) {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let to = lines.clone();
        let on_line: OnLine = Arc::new(move |_, line| to.lock().unwrap().push(line.to_owned()));
        (Child::spawn(&mut sh(script), cap, on_line).unwrap(), lines)
    }

    #[tokio::test]
    async fn output_is_captured_by_line_and_cut_at_the_cap() {
        let (mut child, lines) = spawn("echo one; printf 'two\\rthree'; echo err >&2; exit 3", 6);
        assert_eq!(child.wait().await.exit, ProcessExit::Code(3));
        // What is read later than half a second after the end is lost, and here that is not the question.
        let until = std::time::Instant::now() + Duration::from_secs(60);
        while lines.lock().unwrap().len() < 4 && std::time::Instant::now() < until {
            tokio::task::yield_now().await;
        }
        let captured = child.output().await;
        assert_eq!(captured.stdout, b"one\ntw");
        assert_eq!(captured.stderr, b"err\n");
        assert!(captured.truncated);
        let mut lines = lines.lock().unwrap().clone();
        lines.sort();
        assert_eq!(lines, ["err", "one", "three", "two"]);
    }

    #[tokio::test]
    async fn the_cpu_of_descendants_counts() {
        let spin = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";
        let (mut child, _) = spawn(&format!("sh -c '{spin}' & wait"), 0);
        let ended = child.wait().await;
        assert!(ended.cpu_us > 5_000, "{ended:?}");
    }

    #[tokio::test]
    async fn one_that_ignores_sigterm_is_killed() {
        let (mut child, lines) = spawn("trap '' TERM; echo armed; while :; do sleep 0.01; done", 0);
        while lines.lock().unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
        let (ended, polite) = child.stop(Duration::from_millis(100)).await;
        assert_eq!((ended.exit, polite), (ProcessExit::Signal(libc::SIGKILL), false));
    }

    /// [`kill_all_now`] would end those of other tests, too.
    #[tokio::test]
    async fn a_process_that_exits_at_once_knows_whom_to_kill() {
        let (mut child, _) = spawn("sleep 60 & wait", 0);
        let pid = child.pid();
        assert!(live().contains(&pid));
        signal_group(pid, libc::SIGKILL);
        assert_eq!(child.wait().await.exit, ProcessExit::Signal(libc::SIGKILL));
        drop(child);
        assert!(!live().contains(&pid));
    }

    #[tokio::test]
    async fn dropping_kills_the_whole_group() {
        let (mut child, lines) = spawn("sleep 60 & echo $!; wait", 100);
        while lines.lock().unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
        let grandchild: i32 = lines.lock().unwrap()[0].parse().unwrap();
        assert!(child.try_wait().is_none());
        drop(child);
        // The signal is sent when drop returns; the kernel may take a moment to act on it, and init to reap.
        let gone = || {
            let state = std::fs::read_to_string(format!("/proc/{grandchild}/stat")).unwrap_or_default();
            let state = state.rsplit(") ").next().unwrap_or_default().to_owned();
            state.is_empty() || state.starts_with(['Z', 'X']) || cfg!(not(target_os = "linux"))
        };
        let within = std::time::Instant::now() + Duration::from_secs(60);
        while !gone() && std::time::Instant::now() < within {
            tokio::task::yield_now().await;
        }
        assert!(gone());
    }
}
