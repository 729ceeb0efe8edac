//! Servers of which a process leaves the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rigmark::protocol::journal::{Event, Record, Trial, Window};

use crate::support::{
    Ran, all_gone, all_measured, checkout, plan, processes_with, ran, records, rigmark, through, trials,
};

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
    let right = checkout().join("servers/conformance/fixtures/faulty-files/main.c");
    std::fs::copy(right, to.join("right.c")).unwrap();
    to.display().to_string()
}

const LABELS: [&str; 4] = ["first-kept", "first-lost", "middle-kept", "middle-lost"];

/// Each server's processes have a number in their command line.
fn tag(label: &str, outside: bool) -> String {
    let at = LABELS.iter().position(|l| *l == label).unwrap();
    format!("{}{at}{}", std::process::id(), u8::from(outside))
}

/// At once and in the middle of the load, each with and without the server as its orphans' new parent.
fn escapes(dir: &Path, scenario: &str, duration: &str, outside: bool) -> (Ran, Vec<Record>) {
    let server = fixture(dir);
    let servers = LABELS.map(|label| {
        let (signaled, reaper) = (u8::from(label.starts_with("middle")), u8::from(label.ends_with("kept")));
        let tag = tag(label, outside);
        format!("{label}={server}:signaled={signaled},reaper={reaper},tag={tag}")
    });
    let mut args = vec!["run"];
    servers.iter().for_each(|server| args.extend(["--server", server]));
    args.extend(["--scenario", scenario, "--repeats", "1", "--out", "r.json"]);
    args.extend(["--duration", duration, "--warmup", "0s"]);
    let plain = rigmark(dir, &args);
    let command = if outside {
        let mut command = Command::new("setpriv");
        command.args(["--bounding-set=-sys_admin,-setfcap", "--inh-caps=-sys_admin,-setfcap"]);
        through(command, &plain)
    } else {
        plain
    };
    let (out, over) = (dir.join("r.json"), AtomicBool::new(false));
    let ran = std::thread::scope(|scope| {
        scope.spawn(|| signal_when_loaded(&out, outside, &over));
        let ran = ran(command);
        over.store(true, Ordering::Relaxed);
        ran
    });
    let records = records(&out);
    (ran, records)
}

/// The first sample of a trial says that its load has begun.
fn signal_when_loaded(out: &Path, outside: bool, over: &AtomicBool) {
    let mut signaled = BTreeSet::new();
    while !over.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(10));
        let text = std::fs::read_to_string(out).unwrap_or_default();
        // The last line may be half of one.
        let records: Vec<Record> = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        for record in &records {
            let Event::Sample(sample) = &record.event else { continue };
            if sample.window == Window::Measure && signaled.insert(sample.trial_id) {
                let plan = plan(&records);
                let planned = plan.trials.iter().find(|t| t.trial_id == sample.trial_id).unwrap();
                let entry = plan.entries.iter().find(|e| e.key == planned.entry_key).unwrap();
                signal(&tag(&entry.label, outside));
            }
        }
    }
}

/// The server itself has become another program.
fn signal(tag: &str) {
    let waits = |process: &&String| process.contains("/forks-away --signaled 1 ");
    for process in processes_with(&format!("--tag {tag} ")).iter().filter(waits) {
        let pid = process.split(':').next().unwrap().parse().unwrap();
        // SAFETY: one of this test's own processes, which waits for the signal.
        unsafe { libc::kill(pid, libc::SIGUSR1) };
    }
}

fn labels(records: &[Record]) -> BTreeMap<String, String> {
    plan(records).entries.into_iter().map(|e| (e.key, e.label)).collect()
}

/// Were those that were to leave in the middle of the load gone when it ended?
fn left_in_time(records: &[Record]) -> bool {
    let labels = labels(records);
    let left = |trial: &Trial| match labels[&trial.entry_key].as_str() {
        "middle-kept" => processes(records, trial).1 == 3,
        "middle-lost" => trial.labels.iter().any(|l| l.code == "escaped-process"),
        _ => true,
    };
    trials(records).iter().all(left)
}

fn are_counted_or_said(ran: &Ran, records: &[Record], outside: bool) {
    let labels = labels(records);
    let trials = trials(records);
    assert_eq!(trials.len(), 4);
    all_measured(ran, &trials);
    for trial in &trials {
        let label = labels[&trial.entry_key].as_str();
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
    LABELS
        .iter()
        .for_each(|label| all_gone(&format!("--tag {} ", tag(label, outside))));
}

#[test]
fn one_that_leaves_the_tree_is_counted_or_all_is_null_and_it_ends_with_the_trial() {
    let within = |duration| escapes(tempfile::tempdir().unwrap().path(), "static-1k-ab", duration, false);
    let (mut ran, mut records) = within("2s");
    // On a busy host so short a load may be over before they have left.
    if !left_in_time(&records) {
        (ran, records) = within("20s");
    }
    are_counted_or_said(&ran, &records, false);
}

#[test]
fn so_it_is_in_slices_and_without_a_namespace() {
    // SAFETY: geteuid cannot fail.
    if unsafe { libc::geteuid() } != 0 {
        eprintln!("skipped: only root can give up the right to make namespaces");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (ran, records) = escapes(dir.path(), "plaintext-loadgen", "2s", true);
    assert!(
        records
            .iter()
            .any(|r| matches!(&r.event, Event::Label(l) if l.code == "unsandboxed"))
    );
    are_counted_or_said(&ran, &records, true);
    assert!(trials(&records).iter().all(|trial| trial.slices.len() == 4));
}
