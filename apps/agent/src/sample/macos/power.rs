//! `powermetrics` beside the trial: only root may start it. It prints a sample when it is asked by a signal, over the time since
//! the one before, so their sum is the energy of all that time, and nothing is done between two looks.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::powermetrics::{Found, Text};

/// It does not hear what is asked before it is ready, so it is asked again.
const ASK_AGAIN: Duration = Duration::from_millis(250);
/// The first sample comes after the tool has looked at the machine.
const FIRST: Duration = Duration::from_secs(3);
const NEXT: Duration = Duration::from_secs(1);
/// An older temperature is not that of now.
const FRESH: Duration = Duration::from_secs(5);
/// Longer than any line of the tool.
const LINE_BYTES: u64 = 64 << 10;

#[derive(Debug, Default)]
struct Seen {
    samples: u64,
    energy_uj: u64,
    temperature: Option<(Instant, i64)>,
    ended: bool,
}

pub struct Power {
    child: Child,
    /// The signal that asks for a sample.
    ask: libc::c_int,
    seen: Arc<(Mutex<Seen>, Condvar)>,
}

impl Power {
    /// `None` where it does not start or says nothing.
    pub fn start(program: &Path, arguments: &[&str], ask: libc::c_int) -> Option<Self> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().ok()?;
        let stdout = child.stdout.take()?;
        let seen = Arc::new((Mutex::new(Seen::default()), Condvar::new()));
        let to = seen.clone();
        let mut power = Self { child, ask, seen };
        std::thread::spawn(move || read(BufReader::new(stdout), &to));
        power.sample(FIRST)?;
        Some(power)
    }

    /// Since this was started; `None` when the tool does not say it any more.
    pub fn energy_uj(&mut self) -> Option<u64> {
        self.sample(NEXT)
    }

    /// As last seen; `None` where the tool does not tell, or told it too long ago.
    pub fn temperature_millic(&self) -> Option<i64> {
        let (at, millic) = lock(&self.seen.0).temperature?;
        (at.elapsed() < FRESH).then_some(millic)
    }

    /// Asks for a sample, and again, until one has come.
    fn sample(&mut self, patience: Duration) -> Option<u64> {
        let until = Instant::now() + patience;
        let (state, came) = &*self.seen;
        let mut seen = lock(state);
        let before = seen.samples;
        while seen.samples == before && !seen.ended && Instant::now() < until {
            // SAFETY: kill is a plain system call; the child was not waited for, so its pid is still its own.
            unsafe { libc::kill(self.child.id() as libc::pid_t, self.ask) };
            let waiting = |seen: &mut Seen| seen.samples == before && !seen.ended;
            seen = came
                .wait_timeout_while(seen, ASK_AGAIN, waiting)
                .unwrap_or_else(|poisoned| poisoned.into_inner())
                .0;
        }
        (seen.samples > before).then_some(seen.energy_uj)
    }
}

impl Drop for Power {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(mut from: impl BufRead, to: &(Mutex<Seen>, Condvar)) {
    let mut text = Text::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        let limited = std::io::Read::take(&mut from, LINE_BYTES).read_until(b'\n', &mut line);
        if !limited.is_ok_and(|n| n > 0) {
            break;
        }
        match text.line(&String::from_utf8_lossy(&line)) {
            None => {}
            Some(Found::TemperatureMillic(millic)) => lock(&to.0).temperature = Some((Instant::now(), millic)),
            Some(Found::EnergyUj(uj)) => {
                let mut seen = lock(&to.0);
                seen.energy_uj = seen.energy_uj.saturating_add(uj);
                seen.samples += 1;
                to.1.notify_all();
            }
        }
    }
    lock(&to.0).ended = true;
    to.1.notify_all();
}

fn lock(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell that prints a sample of 100 µJ each time it is asked, as the tool does; like the tool's, its signal does nothing
    /// before it is listened to.
    const TOOL: &str = r#"
        sample() { echo '*** Sampled system activity (x) (10.00ms elapsed) ***'; echo 'CPU die temperature: 50.5 C'
            echo 'Combined Power (CPU + GPU + ANE): 10 mW'; }
        trap sample WINCH
        while :; do sleep 0.01; done"#;

    fn start(script: &str) -> Option<Power> {
        Power::start(Path::new("/bin/sh"), &["-c", script], libc::SIGWINCH)
    }

    #[test]
    fn each_look_brings_the_energy_since_the_one_before() {
        // On a busy host the shell may say nothing within a look's patience: then it is asked once more.
        let mut power = (0..20).find_map(|_| start(TOOL)).unwrap();
        let mut look = || (0..20).find_map(|_| power.energy_uj()).unwrap();
        let (first, second) = (look(), look());
        assert!(first >= 200 && second >= first + 100, "{first} {second}");
        assert_eq!(second % 100, 0);
        assert_eq!(power.temperature_millic(), Some(50_500));
    }

    #[test]
    fn a_tool_that_ends_or_does_not_start_is_null() {
        assert!(start("echo powermetrics must be invoked as the superuser >&2; exit 1").is_none());
        assert!(Power::start(Path::new("/nowhere/powermetrics"), &[], libc::SIGWINCH).is_none());
    }
}
