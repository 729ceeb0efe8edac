//! Servers of which a process leaves the tree.

use std::path::Path;
use std::process::Command;

use rigmark::protocol::journal::{Event, Record, Trial, Window};
use rigmark::protocol::result::TrialStatus;

use crate::support::{Ran, checkout, processes_with, ran, records, rigmark, trials};

/// The server's processes while there was load, with those that had left.
fn processes(records: &[Record], trial: &Trial) -> (u64, u64) {
    let counted = records.iter().filter_map(|r| match &r.event {
        Event::Sample(s) if s.trial_id == trial.trial_id && s.window == Window::Measure => {
            s.server.as_ref().and_then(|server| server.processes)
        }
        _ => None,
    });
    let counted: Vec<u64> = counted.collect();
    (counted[0], *counted.last().unwrap())
}

fn fixture(dir: &Path) -> String {
    let to = dir.join("forks-away");
    std::fs::create_dir(&to).unwrap();
    let own = checkout().join("apps/agent/tests/run/forks-away");
    for name in ["forks_away.c", "Makefile", "server.toml"] {
        std::fs::copy(own.join(name), to.join(name)).unwrap();
    }
    let right = checkout().join("servers/conformance/fixtures/half-file/cheat.c");
    std::fs::copy(right, to.join("cheat.c")).unwrap();
    to.display().to_string()
}

/// At once and in the middle of the load, each with and without the server as its orphans' new parent.
fn escapes(dir: &Path, scenario: &str, outside: bool) -> (Ran, Vec<Record>, String) {
    let (server, tag) = (fixture(dir), std::process::id());
    let of = |label: &str, after: u32, reaper: u32| {
        format!(
            "{label}={server}:after={after},reaper={reaper},tag={tag}{}",
            u8::from(outside)
        )
    };
    let servers = [
        of("first-kept", 0, 1),
        of("first-lost", 0, 0),
        of("middle-kept", 16, 1),
        of("middle-lost", 16, 0),
    ];
    let mut args = vec!["run"];
    servers.iter().for_each(|server| args.extend(["--server", server]));
    args.extend(["--scenario", scenario, "--repeats", "1", "--out", "r.json"]);
    args.extend(["--duration", "2s", "--warmup", "0s"]);
    let plain = rigmark(dir, &args);
    let ran = if outside {
        let mut command = Command::new("setpriv");
        command
            .args(["--bounding-set=-sys_admin", "--inh-caps=-sys_admin"])
            .arg(plain.get_program())
            .args(plain.get_args())
            .current_dir(dir)
            .envs(plain.get_envs().filter_map(|(k, v)| Some((k, v?))));
        ran(command)
    } else {
        ran(plain)
    };
    let records = records(&dir.join("r.json"));
    (ran, records, format!("--tag {tag}{} ", u8::from(outside)))
}

fn are_counted_or_said(ran: &Ran, records: &[Record], tag: &str) {
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let labels: std::collections::BTreeMap<String, String> = records
        .iter()
        .find_map(|r| match &r.event {
            Event::Plan(plan) => Some(plan.entries.iter().map(|e| (e.key.clone(), e.label.clone())).collect()),
            _ => None,
        })
        .unwrap();
    let trials = trials(records);
    assert_eq!(trials.len(), 4);
    for trial in &trials {
        let label = labels[&trial.entry_key].as_str();
        assert_eq!(trial.status, TrialStatus::Valid, "{label}: {:?}", trial.reasons);
        let resources = trial.resources.as_ref().unwrap();
        let known = [
            resources.server_cpu_us,
            resources.server_rss_peak_bytes,
            resources.server_threads_max,
            resources.server_context_switches,
        ]
        .map(|n| n.is_some());
        let said: Vec<&str> = trial.labels.iter().map(|l| l.code.as_str()).collect();
        let seen = (known, said.contains(&"escaped-process"), processes(records, trial));
        let expected = match label {
            "first-kept" | "first-lost" => ([true; 4], false, (2, 2)),
            // The one that waits for its moment is there all the time.
            "middle-kept" => ([true; 4], false, (2, 3)),
            _ => ([false; 4], true, (2, 2)),
        };
        assert_eq!(seen, expected, "{label}: {:?}", trial.labels);
    }
    assert_eq!(processes_with(tag), Vec::<String>::new());
}

#[test]
fn one_that_leaves_the_tree_is_counted_or_all_is_null_and_it_ends_with_the_trial() {
    let dir = tempfile::tempdir().unwrap();
    let (ran, records, tag) = escapes(dir.path(), "static-1k-ab", false);
    are_counted_or_said(&ran, &records, &tag);
}

#[test]
fn so_it_is_in_slices_and_without_a_namespace() {
    // SAFETY: geteuid cannot fail.
    if unsafe { libc::geteuid() } != 0 {
        eprintln!("skipped: only root can give up the right to make namespaces");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (ran, records, tag) = escapes(dir.path(), "plaintext-loadgen", true);
    assert!(
        records
            .iter()
            .any(|r| matches!(&r.event, Event::Label(l) if l.code == "unsandboxed"))
    );
    are_counted_or_said(&ran, &records, &tag);
    assert!(trials(&records).iter().all(|trial| trial.slices.len() == 4));
}
