//! Loads given as a count.

use rigmark::protocol::journal::{Event, Record};

use crate::SHORT;
use crate::support::{all_measured, checkout, labels, once, plan, records, rigmark, run, through, trials};

/// Of what was kept of a tool's own words.
fn raw_names(records: &[Record]) -> Vec<String> {
    let name = |r: &Record| match &r.event {
        Event::Raw(raw) if raw.part == 0 => Some(raw.name.clone()),
        _ => None,
    };
    records.iter().filter_map(name).collect()
}

#[test]
fn shots_are_repeated_until_the_seconds_were_measured() {
    let dir = tempfile::tempdir().unwrap();
    let rest = ["--duration", "1s", "--warmup", "0.2s"];
    let ran = run(dir.path(), &once("epoll", "reuse-kept-ab", &rest));
    let records = records(&dir.path().join("r.json"));
    let trial = trials(&records).remove(0);
    let whole = all_measured(&ran, std::slice::from_ref(&trial));
    let (all, first) = (trial.result.unwrap(), trial.single_shot.unwrap());
    assert!(!whole || all.duration_us >= 1_000_000, "{}", all.duration_us);
    assert_eq!(first.requests, 10_000);
    let runs = trial.slices.len() as u64;
    assert_eq!(all.requests, runs * 10_000);
    assert!(trial.slices.windows(2).all(|w| w[0].end_us <= w[1].begin_us));
    // The window is that of the slices; what lies between them is in no figure.
    let sliced: u64 = trial.slices.iter().map(|s| s.end_us - s.begin_us).sum();
    let resources = trial.resources.unwrap();
    assert_eq!(resources.window_us, sliced);
    assert!(resources.server_cpu_us.unwrap() <= 2 * sliced);
    // Of all these runs one was kept, and few samples were taken.
    let names = raw_names(&records);
    assert_eq!(names.iter().filter(|n| *n == "ab.stdout").count(), 1, "{names:?}");
    assert!(names.iter().all(|n| !n.contains("shot-")), "{names:?}");
    let label = trial.labels.iter().find(|l| l.code == "shots");
    let said = label.is_some_and(|l| l.message.contains("of the first only"));
    assert_eq!(said, runs > 1, "{label:?}");
    assert!(ran.stdout.contains("Single tool run"), "{}", ran.stdout);
}

#[test]
fn what_a_server_does_not_claim_is_left_out_and_said_once() {
    let dir = tempfile::tempdir().unwrap();
    let copy = dir.path().join("epoll");
    rigmark::server::content::copy(&checkout().join("servers/epoll"), &copy).unwrap();
    let manifest = copy.join("server.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace(r#"["plaintext", "static"]"#, r#"["static"]"#)).unwrap();
    let args = [
        "run",
        "--server",
        "epoll",
        "--server",
        "files only=./epoll",
        "--scenario",
        "plaintext-ab",
        "--repeats",
        "2",
        "--duration",
        "1s",
        "--warmup",
        "0s",
        "--out",
        "r.json",
    ];
    let ran = run(dir.path(), &args);
    let records = records(&dir.path().join("r.json"));
    let trials = trials(&records);
    all_measured(&ran, &trials);
    let keys: Vec<String> = trials.into_iter().map(|t| t.entry_key).collect();
    assert_eq!((keys.len(), keys[0] == keys[1]), (2, true));
    let labels: Vec<_> = labels(&records)
        .into_iter()
        .filter(|l| l.code == "not-claimed")
        .collect();
    assert_eq!(labels.len(), 1);
    assert_eq!(
        labels[0].message,
        "files only does not claim plaintext: plaintext-ab was not run. If it meets that contract, say so under `workloads` in its server.toml."
    );
    assert!(labels[0].entry_key.as_ref().is_some_and(|k| *k != keys[0]));
}

/// Its hard limit is what a server or a tool may raise its own to.
#[test]
#[cfg(target_os = "linux")]
fn connections_are_cut_to_the_open_files_that_a_host_allows() {
    let dir = tempfile::tempdir().unwrap();
    let plain = rigmark(dir.path(), &once("epoll", "files-stress-ab", &SHORT));
    let mut few_files = std::process::Command::new("sh");
    few_files.args(["-c", "ulimit -n 512 && exec \"$0\" \"$@\""]);
    let ran = crate::support::ran(through(few_files, &plain));
    let records = records(&dir.path().join("r.json"));
    all_measured(&ran, &trials(&records));
    assert_eq!(plan(&records).scenarios[0].load.connections(), 224);
    let labels = labels(&records);
    let capped = labels.iter().find(|l| l.code == "connections-capped").unwrap();
    assert!(capped.message.contains("prlimit"), "{}", capped.message);
    assert!(
        ran.stdout.contains("1000 connections were asked for, 224 are used"),
        "{}",
        ran.stdout
    );
}
