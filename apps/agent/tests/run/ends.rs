//! However a run ends, nothing is left behind.

use std::process::Stdio;
use std::time::{Duration, Instant};

use rigmark::protocol::journal::{Event, RunStatus};
use rigmark::protocol::result::TrialStatus;

use crate::support::{Ran, all_gone, all_measured, processes_with, records, rigmark, trials};

/// So much longer than an end takes that no host needs it for one.
const LOAD: Duration = Duration::from_secs(300);

/// Starts a long run and returns when the load has begun, with a word that only its processes have.
fn long_run(dir: &std::path::Path, servers: &[&str], scenario: &str) -> (std::process::Child, String) {
    let state = dir.join("state");
    let args = ["run", "--scenario", scenario, "--repeats", "1", "--out", "r.json"];
    let duration = format!("{}s", LOAD.as_secs());
    let seconds = ["--duration", &duration, "--warmup", "0s"];
    let servers: Vec<&str> = servers.iter().flat_map(|s| ["--server", *s]).collect();
    let mut command = rigmark(dir, &[args.as_slice(), &servers, &seconds].concat());
    command
        .env("RIGMARK_STATE", &state)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(240);
    let word = state.join("work").display().to_string();
    while !std::fs::read_to_string(dir.join("r.json"))
        .unwrap_or_default()
        .contains("\"window\":\"measure\"")
    {
        assert!(Instant::now() < deadline, "the load did not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    (child, word)
}

#[test]
fn an_interrupt_ends_everything_in_the_middle_of_the_load_and_keeps_the_file() {
    interrupted(&["epoll"], "static-1k-ab");
}

#[test]
fn an_interrupt_ends_servers_that_take_turns() {
    interrupted(&["epoll", "io-uring", "again=epoll"], "plaintext-loadgen");
}

fn interrupted(servers: &[&str], scenario: &str) {
    let dir = tempfile::tempdir().unwrap();
    let (mut child, word) = long_run(dir.path(), servers, scenario);
    let begin = Instant::now();
    // SAFETY: the child is ours and was not waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    let code = child.wait().unwrap().code();
    assert!(begin.elapsed() < LOAD / 5, "{:?}", begin.elapsed());
    assert_eq!(code, Some(130));
    all_gone(&word);
    let records = records(&dir.path().join("r.json"));
    let ended: Vec<TrialStatus> = trials(&records).iter().map(|t| t.status).collect();
    assert_eq!(ended, vec![TrialStatus::Cancelled; servers.len()]);
    assert!(matches!(&records.last().unwrap().event, Event::Result(r) if r.status == RunStatus::Cancelled));
    assert!(
        std::fs::read_dir(dir.path().join("state/work"))
            .unwrap()
            .next()
            .is_none(),
        "work is left behind"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_outlives_an_agent_that_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    // nginx forks: its workers are no children of the agent.
    let (mut child, word) = long_run(dir.path(), &["nginx"], "static-1k-ab");
    assert!(!processes_with(&word).is_empty());
    child.kill().unwrap();
    child.wait().unwrap();
    all_gone(&word);
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_goes_on_when_an_update_replaces_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let args = [
        "run",
        "--server",
        "epoll",
        "--scenario",
        "plaintext-loadgen",
        "--repeats",
        "1",
    ];
    let brief = ["--duration", "0.3s", "--warmup", "0s", "--out", "r.json"];
    let command = rigmark(dir.path(), &[args.as_slice(), &brief].concat());
    let program = dir.path().join("rigmark");
    std::fs::copy(command.get_program(), &program).unwrap();
    let mut copy = std::process::Command::new(&program);
    copy.args(command.get_args()).current_dir(dir.path());
    for (name, value) in command.get_envs() {
        copy.env(name, value.unwrap_or_default());
    }
    let mut child = copy.stderr(Stdio::piped()).spawn().unwrap();
    // It speaks, so it runs: from here on the file is another one.
    let mut stderr = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    std::io::BufRead::read_line(&mut stderr, &mut said).unwrap();
    std::fs::write(dir.path().join("new"), "the next version").unwrap();
    std::fs::rename(dir.path().join("new"), &program).unwrap();
    std::io::Read::read_to_string(&mut stderr, &mut said).unwrap();
    let ran = Ran {
        code: child.wait().unwrap().code(),
        stdout: String::new(),
        stderr: said,
    };
    all_measured(&ran, &trials(&records(&dir.path().join("r.json"))));
}
