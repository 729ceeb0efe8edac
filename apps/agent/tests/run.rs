//! `rigmark run` with real servers and the real ab.

mod support;

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use rigmark::protocol::journal::{Event, Phase, PhaseName, PhaseStatus, RunStatus};
use rigmark::protocol::result::TrialStatus;
use rigmark::runner::plan::order;
use support::{fixture, processes_with, ran, records, rigmark, run, trials};

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
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let json = ran.json();
    assert_eq!(
        (&json["status"], &json["trials_valid"]),
        (&"succeeded".into(), &6.into()),
        "{json}"
    );
    let entries = json["summary"]["scenarios"][0]["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 3);
    for entry in entries {
        assert!(entry["requests_per_s"]["median"].as_f64().unwrap() > 1000.0, "{entry}");
        assert!(entry["rank"].is_number(), "{entry}");
    }
    // Not a TTY: one line a trial.
    assert_eq!(
        ran.stderr.lines().filter(|l| l.contains("requests/s")).count(),
        6,
        "{}",
        ran.stderr
    );

    let records = records(&dir.path().join("r.json"));
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
    assert!(matches!(&records.last().unwrap().event, Event::Result(r) if r.status == RunStatus::Succeeded));

    let plan = records.iter().find_map(|r| {
        if let Event::Plan(plan) = &r.event {
            Some(plan.clone())
        } else {
            None
        }
    });
    let plan = plan.unwrap();
    let planned: Vec<&str> = plan.trials.iter().map(|t| t.entry_key.as_str()).collect();
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

    for trial in trials(&records) {
        assert_eq!(trial.status, TrialStatus::Valid, "{:?}", trial.reasons);
        let resources = trial.resources.unwrap();
        assert!(resources.server_cpu_us.unwrap() > 0 && resources.tool_cpu_us.unwrap() > 0);
        let result = trial.result.unwrap();
        assert!(result.requests > 1000);
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
    assert!(raw >= 6, "{raw}");
}

#[test]
fn a_server_that_cuts_files_is_not_ranked_and_the_others_go_on() {
    let dir = tempfile::tempdir().unwrap();
    let half = fixture("half-file");
    let servers = ["--server", "epoll", "--server", &half];
    let rest = [
        "--scenario",
        "static-1k-ab",
        "--scenario",
        "static-1k-autocannon",
        "--repeats",
        "1",
        "--out",
        "r.json",
        "--json",
    ];
    let ran = run(dir.path(), &[&["run"], servers.as_slice(), &rest, &SHORT].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let json = ran.json();
    assert_eq!((&json["trials_valid"], &json["trials_invalid"]), (&2.into(), &2.into()));
    let entries = json["summary"]["scenarios"][0]["entries"].as_array().unwrap();
    assert_eq!(entries.iter().filter(|e| e["rank"].is_null()).count(), 1);
    let records = records(&dir.path().join("r.json"));
    // It is tried once, under one of the scenarios.
    let failed = records.iter().filter(|r| matches!(&r.event, Event::Verify(v) if v.checks.iter().any(|c| c.id == "body-10m" && c.actual_bytes == Some(5242880))));
    assert_eq!(failed.count(), 1);
    for trial in trials(&records).iter().filter(|t| t.status == TrialStatus::Failed) {
        assert_eq!(trial.reasons[0].code, "verification");
        assert!(
            trial.reasons[0].message.contains("bytes arrived"),
            "{:?}",
            trial.reasons
        );
    }
}

#[test]
fn a_crash_half_way_is_said_with_how_it_ended() {
    let dir = tempfile::tempdir().unwrap();
    let crash = fixture("crash-midway");
    let args = [
        "run",
        "--server",
        &crash,
        "--scenario",
        "static-1k-ab",
        "--repeats",
        "1",
        "--out",
        "r.json",
    ];
    let ran = run(dir.path(), &[args.as_slice(), &SHORT].concat());
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
    let never = fixture("never-ready");
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

/// Starts a long run and returns when the load has begun, with a word that only its processes have.
fn long_run(dir: &std::path::Path, server: &str) -> (std::process::Child, String) {
    let state = dir.join("state");
    let args = [
        "run",
        "--server",
        server,
        "--scenario",
        "static-1k-ab",
        "--repeats",
        "1",
        "--out",
        "r.json",
    ];
    let mut command = rigmark(
        dir,
        &[args.as_slice(), &["--duration", "60s", "--warmup", "0s"]].concat(),
    );
    command
        .env("RIGMARK_STATE", &state)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
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
fn an_interrupt_ends_everything_within_two_seconds_and_keeps_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let (mut child, word) = long_run(dir.path(), "epoll");
    let begin = Instant::now();
    // SAFETY: the child is ours and was not waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    let code = child.wait().unwrap().code();
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
    assert_eq!(code, Some(130));
    assert_eq!(processes_with(&word), Vec::<String>::new());
    let records = records(&dir.path().join("r.json"));
    assert_eq!(trials(&records)[0].status, TrialStatus::Cancelled);
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
    let (mut child, word) = long_run(dir.path(), "nginx");
    assert!(!processes_with(&word).is_empty());
    child.kill().unwrap();
    child.wait().unwrap();
    let deadline = Instant::now() + Duration::from_secs(5);
    while !processes_with(&word).is_empty() {
        assert!(Instant::now() < deadline, "{:?}", processes_with(&word));
        std::thread::sleep(Duration::from_millis(20));
    }
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
        "100",
        "--out",
        &out,
    ];
    let ran = run(dir.path(), &[args.as_slice(), &SHORT].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("is full; free some space"), "{}", ran.stderr);
}

struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    fn mount(at: &std::path::Path) -> Option<Self> {
        std::fs::create_dir(at).ok()?;
        let mounted = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=16k", "tmpfs"])
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

#[test]
fn labels_options_and_paths_make_entries_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let copy = dir.path().join("epoll");
    let original = support::checkout().join("servers/epoll");
    rigmark::server::content::copy(&original, &copy).unwrap();
    let makefile = copy.join("Makefile");
    std::fs::write(
        &makefile,
        std::fs::read_to_string(&makefile).unwrap() + "# another commit\n",
    )
    .unwrap();
    let servers = [
        "--server",
        "one=epoll:workers=1",
        "--server",
        "epoll",
        "--server",
        "other=./epoll",
    ];
    let rest = [
        "--scenario",
        "static-1k-ab",
        "--repeats",
        "1",
        "--baseline",
        "epoll",
        "--json",
    ];
    let mut command = rigmark(dir.path(), &[&["run"], servers.as_slice(), &rest, &SHORT].concat());
    command.stderr(Stdio::null());
    let ran = ran(command);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    let json = ran.json();
    let entries = json["plan"]["entries"].as_array().unwrap();
    let of = |i: usize, key: &str| entries[i][key].as_str().unwrap().to_owned();
    assert_eq!(
        (of(0, "label"), of(1, "label"), of(2, "label")),
        ("one".into(), "epoll".into(), "other".into())
    );
    assert_eq!(of(0, "content_hash"), of(1, "content_hash"));
    assert_ne!(of(1, "content_hash"), of(2, "content_hash"));
    assert_eq!(
        entries.iter().map(|e| e["baseline"] == true).collect::<Vec<_>>(),
        [false, true, false]
    );
    assert_eq!(entries[0]["options"]["workers"], 1);
    // Where no file was named, one is kept all the same.
    assert!(std::path::Path::new(json["out"].as_str().unwrap()).is_file());
}

#[test]
fn the_text_ends_with_table_verdict_and_the_next_command() {
    let dir = tempfile::tempdir().unwrap();
    let args = [
        "run",
        "--server",
        "epoll",
        "--scenario",
        "static-1k-ab",
        "--scenario",
        "plaintext-ab",
        "--repeats",
        "1",
        "--out",
        "r.json",
    ];
    let mut command = rigmark(dir.path(), &[args.as_slice(), &SHORT].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let lines: Vec<String> = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap)
        .collect();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let table = lines
        .iter()
        .position(|l| l.contains("REQUESTS/S") && l.contains("P99 ms"))
        .unwrap();
    assert!(lines[table + 1].contains("epoll"), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "Every record is in r.json");
    // Why the cells say little, and a sentence for each scenario.
    let has = |part: &str| lines.iter().any(|l| l.contains(part));
    assert!(
        has("P50, P99 of epoll: from closed-loop load: shown, not ranked."),
        "{lines:?}"
    );
    for scenario in ["static-1k-ab: ", "plaintext-ab: "] {
        assert!(lines.iter().any(|l| l.starts_with(scenario)), "{lines:?}");
    }
    assert!(!lines.iter().any(|l| l.contains('\u{1b}')), "{lines:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn where_the_kernel_refuses_a_namespace_the_run_says_so() {
    // SAFETY: geteuid cannot fail.
    if unsafe { libc::geteuid() } != 0 {
        eprintln!("skipped: only root can give up the right to make namespaces");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
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
    let plain = rigmark(dir.path(), &[args.as_slice(), &SHORT].concat());
    let mut command = std::process::Command::new("setpriv");
    command
        .args(["--bounding-set=-sys_admin", "--inh-caps=-sys_admin"])
        .arg(plain.get_program());
    command.args(plain.get_args()).current_dir(dir.path());
    command.envs(plain.get_envs().filter_map(|(k, v)| Some((k, v?))));
    let ran = ran(command);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout
            .contains("unsandboxed The kernel refused a network namespace"),
        "{}",
        ran.stdout
    );
    let records = records(&dir.path().join("r.json"));
    assert!(
        records
            .iter()
            .any(|r| matches!(&r.event, Event::Environment(e) if !e.sandboxed))
    );
    assert!(
        records
            .iter()
            .any(|r| matches!(&r.event, Event::Label(l) if l.code == "unsandboxed"))
    );
    let trial = &trials(&records)[0];
    assert_eq!(
        (trial.status, trial.resources.as_ref().unwrap().loopback_bytes),
        (TrialStatus::Valid, None)
    );
}

#[test]
fn the_agent_starts_itself_through_an_emulator_where_one_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("emulated");
    let emulator = dir.path().join("emulator");
    std::fs::write(
        &emulator,
        format!("#!/bin/sh\necho \"$@\" >> {}\nexec \"$@\"\n", log.display()),
    )
    .unwrap();
    std::fs::set_permissions(&emulator, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = rigmark(dir.path(), &["verify", "epoll", "--workload", "plaintext"]);
    command.env("RIGMARK_EXEC_PREFIX", format!("{}", emulator.display()));
    let ran = ran(command);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("internal verify"), "{log}");
}

/// The tool's counts are up to a second old when a sample is taken: only their own time gives a rate without a spike.
#[test]
fn the_rate_over_time_is_of_the_moments_when_the_tool_counted() {
    let dir = tempfile::tempdir().unwrap();
    let rest = [
        "--scenario",
        "static-1k-autocannon",
        "--repeats",
        "1",
        "--duration",
        "3s",
        "--warmup",
        "0s",
    ];
    let ran = run(
        dir.path(),
        &[&["run", "--server", "epoll", "--out", "r.json"], rest.as_slice()].concat(),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let records = records(&dir.path().join("r.json"));
    let counts: Vec<(u64, u64, u64)> = records
        .iter()
        .filter_map(|r| match &r.event {
            Event::Sample(s) => Some((r.t_us, s.requests_t_us.unwrap(), s.requests.unwrap())),
            _ => None,
        })
        .collect();
    let trial = trials(&records).remove(0);
    assert_eq!((counts[0].2, counts.len() >= 3), (0, true), "{counts:?}");
    assert!(counts[0].1.abs_diff(trial.slices[0].begin_us) < 100_000, "{counts:?}");
    assert!(counts.iter().all(|(t, said, _)| said <= t), "{counts:?}");
    // The last sample has no newer count than the one before: the total of the result is none.
    assert!(counts.last().unwrap().2 < trial.result.unwrap().requests, "{counts:?}");
}
