//! `rigmark run` with real servers and the real ab.

mod ends;
#[cfg(target_os = "linux")]
mod escapes;
mod faults;
mod limits;
mod precision;
mod repeat;
mod sandbox;
mod slices;
mod suite;
#[path = "../support/mod.rs"]
mod support;
mod tool_runs;
mod warm_up;
mod words;

use rigmark::protocol::journal::{Event, RunStatus};
use rigmark::protocol::result::TrialStatus;
use rigmark::runner::plan::order;
use support::{all_measured, plan, records, run, trials};

const SHORT: [&str; 4] = ["--duration", "1s", "--warmup", "0s"];

#[test]
fn three_servers_are_compared_with_no_account_and_no_network() {
    let dir = tempfile::tempdir().unwrap();
    let servers = ["--server", "epoll", "--server", "io-uring", "--server", "nginx"];
    let rest = [
        "--scenario",
        "static-1k-ab",
        "--repeats",
        "2",
        "--seed",
        "42",
        "--out",
        "r.json",
        "--json",
    ];
    let ran = run(dir.path(), &[&["run"], servers.as_slice(), &rest, &SHORT].concat());
    let records = records(&dir.path().join("r.json"));
    let trials = trials(&records);
    all_measured(&ran, &trials);
    let json = ran.json();
    let valid = trials.iter().filter(|t| t.status == TrialStatus::Valid).count();
    let status = if valid > 0 { "succeeded" } else { "failed" };
    assert_eq!(
        (&json["status"], &json["trials_valid"]),
        (&status.into(), &valid.into()),
        "{json}"
    );
    let entries = json["summary"]["scenarios"][0]["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 3);
    // Two blocks give no verdict, so nobody has a rank.
    assert!(entries.iter().all(|entry| entry["rank"].is_null()), "{entries:?}");
    // Not a TTY: one line a trial.
    let lines = ran.stderr.lines().filter(|l| l.contains("requests/s")).count();
    assert!(lines <= trials.len() && lines >= valid, "{}", ran.stderr);
    for stream in rigmark::protocol::wire::StreamName::ALL {
        let seqs: Vec<u64> = records
            .iter()
            .filter(|r| r.event.stream() == stream)
            .map(|r| r.seq)
            .collect();
        assert_eq!(seqs, (0..seqs.len() as u64).collect::<Vec<_>>());
    }
    assert!(records.windows(2).all(|pair| pair[0].t_us <= pair[1].t_us));
    assert!(matches!(records[0].event, Event::Begin(_)));
    assert!(
        matches!(&records.last().unwrap().event, Event::Result(r) if (r.status == RunStatus::Succeeded) == (valid > 0))
    );

    let plan = plan(&records);
    let planned: Vec<&str> = plan.trials.iter().take(6).map(|t| t.entry_key.as_str()).collect();
    let expected: Vec<&str> = order(42, 3, 1, 2)
        .iter()
        .map(|s| plan.entries[s.entry].key.as_str())
        .collect();
    assert_eq!(planned, expected);

    // SAFETY: geteuid cannot fail.
    let as_root = unsafe { libc::geteuid() } == 0;
    let privileged =
        |r: &&rigmark::protocol::journal::Record| matches!(&r.event, Event::Label(l) if l.code == "privileged");
    assert_eq!(records.iter().any(|r| privileged(&r)), as_root);

    for trial in &trials {
        // The time for verification may be too little on a host that is very busy; then nothing was measured.
        let Some(resources) = &trial.resources else {
            assert_ne!(trial.status, TrialStatus::Valid);
            continue;
        };
        assert!(resources.server_cpu_us.unwrap() > 0 && resources.tool_cpu_us.unwrap() > 0);
        let result = trial.result.as_ref().unwrap();
        assert!(result.requests > 0 || trial.status != TrialStatus::Valid);
        // Null where the kernel allows no namespace.
        assert!(
            resources
                .loopback_bytes
                .is_none_or(|bytes| bytes > result.requests * 1024)
        );
        let slice = &trial.slices[0];
        assert!(slice.end_us - slice.begin_us >= 900_000);
        let samples = records
            .iter()
            .filter(|r| matches!(&r.event, Event::Sample(s) if s.trial_id == trial.trial_id));
        assert!(samples.count() >= 2);
    }
    let raw = records
        .iter()
        .filter(|r| matches!(&r.event, Event::Raw(raw) if raw.name == "ab.stdout"))
        .count();
    assert!(raw >= trials.iter().filter(|t| t.result.is_some()).count(), "{raw}");
}
