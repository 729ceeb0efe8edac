//! Who was the limit, where something else was: a busy core, a slow tool.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use rigmark::protocol::result::{Limit, TrialStatus};
use rigmark::runner::cores::Cores;

use crate::SHORT;
use crate::support::{Ran, once, ran, records, rigmark, run, trials};

/// Programs that do nothing but turn, one for each of the server's cores.
struct Stress(Vec<Child>);

impl Stress {
    fn on_the_servers_cores() -> Self {
        let cores = Cores::of_this_host();
        let one = |_| {
            let mut command = tokio::process::Command::new("sh");
            command.args(["-c", "while :; do :; done"]).stdin(Stdio::null());
            cores.pin_server(&mut command);
            command.as_std_mut().spawn().unwrap()
        };
        Self((0..cores.server()).map(one).collect())
    }
}

impl Drop for Stress {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn a_trial_beside_a_busy_program_is_labelled_and_has_no_limit() {
    let dir = tempfile::tempdir().unwrap();
    let stress = Stress::on_the_servers_cores();
    let ran = run(dir.path(), &once("epoll", "static-1k-ab", &SHORT));
    drop(stress);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let trial = trials(&records(&dir.path().join("r.json"))).remove(0);
    let label = trial.labels.iter().find(|l| l.code == "busy-host");
    let label = label.unwrap_or_else(|| panic!("{:?}", trial.labels));
    assert!(label.message.starts_with("Other programs used "), "{}", label.message);
    // The server had what was left of its cores; whether that was its limit nobody can say.
    assert_eq!((trial.status, trial.limit), (TrialStatus::Valid, None));
    assert!(ran.stdout.contains("busy-host"), "{}", ran.stdout);
}

/// k6 makes a fraction of what the server can answer: what it measures is itself.
#[test]
fn a_rate_that_the_tool_was_the_limit_of_is_a_lower_bound() {
    let Some(ran) = bound_by_k6(&["--json"]) else { return };
    let entry = ran.json()["summary"]["scenarios"][0]["entries"][0].clone();
    assert_eq!(
        (&entry["lower_bound"], &entry["limit"]),
        (&true.into(), &"generator-bound".into())
    );
    let Some(ran) = bound_by_k6(&[]) else { return };
    let row = ran.stdout.lines().find(|l| l.contains("1/1")).unwrap_or_default();
    assert!(row.contains("≥ ") && row.contains("generator"), "{}", ran.stdout);
    let progress = ran.stderr.lines().find(|l| l.ends_with(" requests/s, generator-bound"));
    assert!(progress.is_some_and(|line| line.contains(": ≥ ")), "{}", ran.stderr);
}

/// Of how many runs one has to find k6 with its core to itself.
const ATTEMPTS: usize = 8;

/// A run that k6 was the limit of. Beside other programs it may get less than its core in one run, and then nobody can say
/// who was the limit; not in all of them. `None` where there is no k6.
fn bound_by_k6(more: &[&str]) -> Option<Ran> {
    let mut seen = Vec::new();
    for _ in 0..ATTEMPTS {
        let dir = tempfile::tempdir().unwrap();
        let rest = [&["--duration", "2s", "--warmup", "0s"], more].concat();
        let mut command = rigmark(dir.path(), &once("epoll", "static-1k-k6", &rest));
        go_first(&mut command);
        let ran = ran(command);
        if ran.code == Some(2) && ran.stderr.contains("k6") {
            assert!(std::env::var_os("CI").is_none(), "k6 has to be there: {}", ran.stderr);
            eprintln!("skipped: there is no k6 here");
            return None;
        }
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        let trial = trials(&records(&dir.path().join("r.json"))).remove(0);
        if trial.limit == Some(Limit::GeneratorBound) {
            return Some(ran);
        }
        let busy = trial.labels.iter().any(|l| l.code == "busy-host");
        assert!(
            busy,
            "a host that was not busy gave k6 less than its core: {:?}",
            trial.resources
        );
        seen.push(trial.resources);
    }
    panic!("in {ATTEMPTS} runs other programs had k6's core: {seen:?}")
}

/// Before other programs' work, where this may be asked for; servers and tools inherit it. In a session of its own, because
/// Linux shares the CPU between sessions first (`autogroup`) and by niceness within each.
fn go_first(command: &mut Command) {
    let ask = || {
        // SAFETY: system calls only, as between fork and exec they have to be. Refused, the run is one like any other.
        unsafe {
            libc::setsid();
            libc::setpriority(libc::PRIO_PROCESS, 0, -20);
            let group = libc::open(c"/proc/self/autogroup".as_ptr(), libc::O_WRONLY);
            if group >= 0 {
                libc::write(group, c"-20".as_ptr().cast(), 3);
                libc::close(group);
            }
        }
        Ok(())
    };
    // SAFETY: it makes system calls only.
    unsafe { command.pre_exec(ask) };
}
