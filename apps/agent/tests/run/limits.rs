//! Who was the limit, where something else was: a busy core, a slow tool.

use std::process::{Child, Stdio};

use rigmark::protocol::result::{Limit, TrialStatus};
use rigmark::runner::cores::Cores;

use crate::SHORT;
use crate::support::{records, run, trials};

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
    let args = [
        "run",
        "--server",
        "epoll",
        "--scenario",
        "static-1k-ab",
        "--repeats",
        "1",
        "--out",
        "r.json",
    ];
    let ran = run(dir.path(), &[args.as_slice(), &SHORT].concat());
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
    let dir = tempfile::tempdir().unwrap();
    let same = ["run", "--server", "epoll", "--scenario", "static-1k-k6"];
    let rest = [
        "--repeats",
        "1",
        "--duration",
        "2s",
        "--warmup",
        "0s",
        "--out",
        "r.json",
    ];
    let shown = |more: &[&str]| {
        let ran = run(dir.path(), &[same.as_slice(), &rest, more].concat());
        if ran.code == Some(2) && ran.stderr.contains("k6") {
            eprintln!("skipped: there is no k6 here");
            return None;
        }
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        let trial = trials(&records(&dir.path().join("r.json"))).remove(0);
        if trial.labels.iter().any(|l| l.code == "busy-host") {
            eprintln!("skipped: other programs had the tool's cores: {:?}", trial.labels);
            return None;
        }
        assert_eq!(trial.limit, Some(Limit::GeneratorBound), "{:?}", trial.resources);
        Some(ran)
    };
    if let Some(ran) = shown(&["--json"]) {
        let entry = ran.json()["summary"]["scenarios"][0]["entries"][0].clone();
        assert_eq!(
            (&entry["lower_bound"], &entry["limit"]),
            (&true.into(), &"generator-bound".into())
        );
    }
    if let Some(ran) = shown(&[]) {
        let row = ran.stdout.lines().find(|l| l.contains("1/1")).unwrap_or_default();
        assert!(row.contains("≥ ") && row.contains("generator"), "{}", ran.stdout);
    }
}
