//! What goes wrong is said, and the others go on.

use std::process::Stdio;

use rigmark::protocol::journal::{Event, Phase, PhaseName, PhaseStatus};
use rigmark::protocol::result::{Reason, TrialStatus};

use crate::SHORT;
use crate::support::{faulty, measured, once, records, run, trials};

#[test]
fn a_server_that_cuts_files_is_not_ranked_and_the_others_go_on() {
    let dir = tempfile::tempdir().unwrap();
    let half = faulty("half-file") + ",cut=500";
    let servers = ["--server", "epoll", "--server", &half];
    let rest = [
        "--scenario",
        "static-1m-ab",
        "--scenario",
        "static-1k-ab",
        "--repeats",
        "1",
        "--out",
        "r.json",
        "--json",
    ];
    let ran = run(dir.path(), &[&["run"], servers.as_slice(), &rest, &SHORT].concat());
    let json = ran.json();
    let cut = &json["summary"]["scenarios"][0]["entries"][1];
    assert!(cut["rank"].is_null() && cut["requests_per_s"].is_null(), "{cut}");
    let records = records(&dir.path().join("r.json"));
    // Small files arrive whole: it is left out where the load asks for the large one.
    let failed = records.iter().filter(|r| matches!(&r.event, Event::Verify(v) if v.checks.iter().any(|c| c.id == "body" && c.actual_bytes == Some(524_288))));
    assert_eq!(failed.count(), 1);
    // A host may fail another one.
    let was_cut = |r: &Reason| r.code == "verification" && r.message.contains("bytes arrived");
    let (failed, others): (Vec<_>, Vec<_>) = trials(&records)
        .into_iter()
        .partition(|t| t.reasons.first().is_some_and(was_cut));
    assert_eq!((failed.len(), others.len()), (1, 3));
    // It was measured where it is right.
    let counting = others.iter().filter(|trial| measured(trial)).count();
    assert_eq!(ran.code, Some(i32::from(counting == 0)), "{}", ran.stderr);
    assert_eq!(failed[0].status, TrialStatus::Failed, "{:?}", failed[0].reasons);
}

#[test]
fn a_crash_half_way_is_said_with_how_it_ended() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(dir.path(), &once(&faulty("crash-midway"), "static-1k-ab", &SHORT));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let trials = trials(&records(&dir.path().join("r.json")));
    let reason = &trials[0].reasons[0];
    assert_eq!(
        (trials[0].status, reason.code.as_str()),
        (TrialStatus::Failed, "server-crash")
    );
    assert!(reason.message.contains("crashed: it ended with"), "{}", reason.message);
    assert!(ran.stderr.contains("crashed: it ended with"), "{}", ran.stderr);
}

#[test]
fn one_that_never_gets_ready_is_tried_once() {
    let dir = tempfile::tempdir().unwrap();
    let never = faulty("never-ready");
    let args = [
        "run",
        "--server",
        &never,
        "--scenario",
        "static-1k-ab",
        "--repeats",
        "3",
        "--out",
        "r.json",
    ];
    let ran = run(dir.path(), &[args.as_slice(), &SHORT].concat());
    assert_eq!(ran.code, Some(1));
    let records = records(&dir.path().join("r.json"));
    let trials = trials(&records);
    assert_eq!(trials.len(), 3);
    assert!(trials.iter().all(|t| t.reasons[0].code == "server-start"), "{trials:?}");
    let start = |p: &Phase| p.phase == PhaseName::Start && p.status == PhaseStatus::Begin;
    assert_eq!(
        records
            .iter()
            .filter(|r| matches!(&r.event, Event::Phase(p) if start(p)))
            .count(),
        1
    );
}

#[test]
fn a_full_disk_ends_the_run_with_one_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let Some(small) = SmallDisk::mount(&dir.path().join("small")) else {
        eprintln!("skipped: only root can mount a small disk");
        return;
    };
    let out = small.0.join("r.json").display().to_string();
    let args = [
        "run",
        "--server",
        "epoll",
        "--scenario",
        "static-1k-ab",
        "--repeats",
        "40",
        "--out",
        &out,
    ];
    let ran = run(dir.path(), &[args.as_slice(), &SHORT].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("is full; free some space"), "{}", ran.stderr);
    // What was measured until then is shown, and what shows it again is said.
    let trials = trials(&records(std::path::Path::new(&out)));
    assert!(!trials.is_empty(), "{}", ran.stdout);
    if trials.iter().any(measured) {
        assert!(ran.stdout.contains("REQUESTS/S"), "{}", ran.stdout);
    }
    let again = format!("`rigmark report {out}` shows what it holds");
    assert!(ran.stdout.contains(&again), "{}", ran.stdout);
}

struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    fn mount(at: &std::path::Path) -> Option<Self> {
        std::fs::create_dir(at).ok()?;
        let mounted = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=96k", "tmpfs"])
            .arg(at)
            .stderr(Stdio::null())
            .status();
        mounted.is_ok_and(|s| s.success()).then(|| Self(at.to_owned()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).status();
    }
}
