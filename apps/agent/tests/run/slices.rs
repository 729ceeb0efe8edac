//! Load that alternates between the servers of a block.

use rigmark::protocol::journal::{Event, PhaseName, PhaseStatus, Record, Sample, Trial, Window};
use rigmark::protocol::result::TrialStatus;

use crate::support::{Ran, all_measured, faulty, measured, records, run, trials};

fn compare(dir: &std::path::Path, servers: [&str; 2], scenario: &str, rest: &[&str]) -> (Ran, Vec<Record>) {
    let args = [
        "run",
        "--server",
        servers[0],
        "--server",
        servers[1],
        "--scenario",
        scenario,
        "--repeats",
        "1",
        "--out",
        "r.json",
    ];
    let ran = run(dir, &[args.as_slice(), rest].concat());
    let records = records(&dir.join("r.json"));
    (ran, records)
}

fn samples(records: &[Record], trial: &Trial) -> Vec<Sample> {
    let own = |r: &Record| match &r.event {
        Event::Sample(s) if s.trial_id == trial.trial_id && s.window == Window::Measure => Some(s.clone()),
        _ => None,
    };
    records.iter().filter_map(own).collect()
}

#[test]
fn two_servers_take_turns_and_each_pays_for_its_own_slices_only() {
    let dir = tempfile::tempdir().unwrap();
    // Of slices of a second each one is recorded.
    let rest = ["--duration", "4s", "--slice", "1s", "--warmup", "0.2s"];
    let (ran, records) = compare(dir.path(), ["epoll", "io-uring"], "plaintext-loadgen", &rest);
    let trials = trials(&records);
    all_measured(&ran, &trials);
    assert_eq!(trials.len(), 2);
    let mut turns: Vec<(u64, u64, usize)> = Vec::new();
    for (at, trial) in trials.iter().enumerate() {
        assert_eq!(trial.slices.len(), 4);
        turns.extend(trial.slices.iter().map(|s| (s.begin_us, s.end_us, at)));
    }
    turns.sort();
    let whose: Vec<usize> = turns.iter().map(|t| t.2).collect();
    assert_eq!(whose, [0, 1, 1, 0].repeat(2));
    assert!(turns.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{turns:?}");

    for trial in &trials {
        let (result, resources) = (trial.result.clone().unwrap(), trial.resources.clone().unwrap());
        let sliced: u64 = trial.slices.iter().map(|s| s.end_us - s.begin_us).sum();
        assert_eq!(resources.window_us, sliced);
        assert!((1..=sliced).contains(&result.duration_us), "{}", result.duration_us);
        assert_eq!(result.connections, Some(64));
        let latency = result.latency.clone().unwrap();
        assert!(latency.source.ends_with("4 slices") && !latency.percentiles.is_empty());
        // All slices' latencies are in the one histogram.
        let counts = records.iter().filter_map(|r| match &r.event {
            Event::Histogram(h) if h.trial_id == trial.trial_id => Some(h.count),
            _ => None,
        });
        assert_eq!(counts.collect::<Vec<_>>(), [result.requests]);
        assert!(trial.warmup_us.unwrap() >= 200_000, "{:?}", trial.warmup_us);
        assert_eq!(trial.warmup_steady, None);
        // Where the kernel allows a namespace: each request of the other's would be in these bytes too.
        let bytes = resources.loopback_bytes.unwrap_or(result.requests * 500);
        assert!(
            (result.requests * 13..result.requests * 1000).contains(&bytes),
            "{bytes}"
        );

        // From the end of a slice to the begin of its next one, while the other works, a server uses little.
        let samples = samples(&records, trial);
        let cpu = |s: &Sample| s.server.as_ref().unwrap().cpu_us.unwrap();
        let (mut idle, mut busy) = (0, 0);
        for pair in samples.windows(2) {
            let grown = cpu(&pair[1]) - cpu(&pair[0]);
            *(if pair[1].tool.is_none() { &mut idle } else { &mut busy }) += grown;
        }
        let used = resources.server_cpu_us.unwrap();
        assert_eq!((samples.iter().filter(|s| s.tool.is_none()).count(), busy), (4, used));
        assert!(idle <= used / 4, "{idle} beside {used}");
    }
    // Both are measured from the first slice to the last.
    let measuring = |status: PhaseStatus| {
        let of =
            |r: &Record| matches!(&r.event, Event::Phase(p) if p.phase == PhaseName::Measure && p.status == status);
        records
            .iter()
            .enumerate()
            .filter(|(_, r)| of(r))
            .map(|(at, _)| at)
            .collect::<Vec<_>>()
    };
    let (begun, ended) = (measuring(PhaseStatus::Begin), measuring(PhaseStatus::End));
    assert!(
        begun.len() == 2 && ended.len() == 2 && begun[1] < ended[0],
        "{begun:?} {ended:?}"
    );
}

#[test]
fn one_that_crashes_ends_alone() {
    let dir = tempfile::tempdir().unwrap();
    let crash = faulty("crash-midway") + ",after=2000";
    let rest = ["--duration", "2s", "--warmup", "0s"];
    let (ran, records) = compare(dir.path(), [&crash, "epoll"], "plaintext-loadgen", &rest);
    let (crashed, fine): (Vec<Trial>, Vec<Trial>) = trials(&records)
        .into_iter()
        .partition(|t| t.status == TrialStatus::Failed);
    assert_eq!(crashed[0].reasons[0].code, "server-crash");
    // The other one counts unless the host disturbed it, and then none does.
    let counts = measured(&fine[0]);
    assert_eq!(ran.code, Some(i32::from(!counts)), "{}", ran.stderr);
    assert_eq!(fine[0].slices.len(), 4);
}

#[test]
fn ab_is_given_counts_that_take_as_long_and_percentiles_are_not_averaged() {
    let dir = tempfile::tempdir().unwrap();
    let rest = ["--duration", "2s", "--warmup", "0s", "--slice", "500ms"];
    let (ran, records) = compare(dir.path(), ["epoll", "again=epoll"], "plaintext-ab", &rest);
    let trials = trials(&records);
    all_measured(&ran, &trials);
    for trial in trials {
        assert_eq!(trial.slices.len(), 4);
        let result = trial.result.unwrap();
        // One count for each slice.
        assert_eq!(result.requests % 4, 0);
        assert!(result.latency.unwrap().percentiles.is_empty());
        // What it takes to know the count is no part of what is measured.
        assert!(trial.warmup_us.unwrap() >= 900_000);
    }
}
