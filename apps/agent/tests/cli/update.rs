//! What an update restarts the agent with: never in a measurement.

use std::process::{Command, Stdio};

use crate::support::{ran, rigmark};

fn when_idle(dir: &std::path::Path, within: &str, command: &[&str]) -> Command {
    let mut idle = rigmark(dir, &["internal", "when-idle", "--within", within]);
    idle.args(command);
    idle
}

#[test]
fn it_waits_for_the_measurement_and_passes_the_lock_on_when_done() {
    let dir = tempfile::tempdir().unwrap();
    // Holds the lock as a measurement does, until its stdin closes.
    let mut measuring = when_idle(dir.path(), "60", &["sh", "-c", "echo has it; cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = std::io::BufReader::new(measuring.stdout.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut said, &mut line).unwrap();
    assert_eq!(line, "has it\n");

    let now = ran(when_idle(dir.path(), "0", &["echo", "restarted"]));
    assert_eq!((now.code, now.stdout.as_str()), (Some(3), ""), "{}", now.stderr);
    assert!(now.stderr.contains("already measuring"), "{}", now.stderr);

    let later = when_idle(dir.path(), "60", &["echo", "restarted"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(measuring.stdin.take());
    let later = later.wait_with_output().unwrap();
    assert_eq!(
        (later.status.code(), later.stdout.as_slice()),
        (Some(0), &b"restarted\n"[..])
    );
    assert!(measuring.wait().unwrap().success());
}

#[test]
fn what_the_command_could_not_do_is_1() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(ran(when_idle(dir.path(), "0", &["sh", "-c", "exit 3"])).code, Some(1));
    assert_eq!(ran(when_idle(dir.path(), "0", &["no-such-program"])).code, Some(1));
}
