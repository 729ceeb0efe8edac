//! Who was the bottleneck, where something else was: a busy core, a slow tool.

use std::process::{Child, Stdio};

use rigmark::host::cores::Cores;
use rigmark::protocol::result::Limit;

use crate::SHORT;
use crate::support::{all_measured, on_this_host, once, ran, records, rigmark, run, trials};

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
fn a_trial_beside_a_busy_program_is_labeled_and_has_no_limit() {
    let dir = tempfile::tempdir().unwrap();
    let stress = Stress::on_the_servers_cores();
    let ran = ran(on_this_host(rigmark(
        dir.path(),
        &once("epoll", "static-1k-ab", &SHORT),
    )));
    drop(stress);
    let trials = trials(&records(&dir.path().join("r.json")));
    all_measured(&ran, &trials);
    let trial = &trials[0];
    let label = trial.labels.iter().find(|l| l.code == "busy-host");
    let label = label.unwrap_or_else(|| panic!("{:?}", trial.labels));
    assert!(label.message.starts_with("Other programs used "), "{}", label.message);
    // The server had what was left of its cores; that nothing was the bottleneck nobody can say.
    assert_ne!(trial.limit, Some(Limit::NothingSaturated));
    assert!(ran.stdout.contains("busy-host"), "{}", ran.stdout);
}

/// k6 makes a fraction of what the server can answer, so most hosts find it the limit. Beside other programs nobody may know:
/// what is said has to be of one piece.
#[test]
fn a_rate_is_a_lower_bound_exactly_where_the_tool_was_the_limit() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(
        dir.path(),
        &once("epoll", "static-1k-k6", &["--duration", "2s", "--warmup", "0s"]),
    );
    if ran.code == Some(77) && ran.stderr.contains("k6 is not installed") {
        assert!(std::env::var_os("CI").is_none(), "k6 has to be there: {}", ran.stderr);
        eprintln!("skipped: there is no k6 here");
        return;
    }
    let trials = trials(&records(&dir.path().join("r.json")));
    if !all_measured(&ran, &trials) {
        return;
    }
    let bound = trials[0].limit == Some(Limit::GeneratorBound);
    let row = ran.stdout.lines().find(|l| l.contains("1/1")).unwrap_or_default();
    assert_eq!(
        (row.contains("≥ "), row.contains(" tool ")),
        (bound, bound),
        "{}",
        ran.stdout
    );
    let progress = ran.stderr.lines().find(|l| l.contains(" requests/s"));
    let (at_least, why) = (": ≥ ", " requests/s, tool-bound");
    let said = progress.map(|line| (line.contains(at_least), line.ends_with(why)));
    assert_eq!(said, Some((bound, bound)), "{}", ran.stderr);
}
