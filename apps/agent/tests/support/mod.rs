//! Starts the real program on a state folder that all tests share, so that each server is built once.
#![allow(dead_code)] // Each test file uses its part.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rigmark::protocol::journal::{Environment, Event, Plan, Record, RunLabel, Trial};
use rigmark::protocol::result::{Reason, TrialStatus};
use serde_json::Value;

pub fn checkout() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// The folder of a test server that is correct, until an option gives it a fault.
pub fn fixture(name: &str) -> String {
    checkout()
        .join("servers/conformance/fixtures")
        .join(name)
        .display()
        .to_string()
}

/// The test server that has this option, with the option set: `PATH:half-file=1`. More options may follow.
pub fn faulty(fault: &str) -> String {
    let has = |name: &&str| {
        let manifest = std::fs::read_to_string(format!("{}/server.toml", fixture(name))).unwrap();
        manifest.contains(&format!("\n{fault} = "))
    };
    let name = ["faulty-files", "faulty-bodies"].into_iter().find(has);
    let name = name.unwrap_or_else(|| panic!("no test server has the fault {fault}"));
    format!("{}:{fault}=1", fixture(name))
}

/// A lock of its own: these tests may run beside each other, a host's measurements may not. And the counters of a host that
/// stand still: what else goes on here decides nothing. [`on_this_host`] takes them away.
pub fn rigmark(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rigmark"));
    command
        .args(args)
        .env("RIGMARK_ASSETS", checkout())
        .env("RIGMARK_STATE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("state"))
        .env("RIGMARK_LOCK", dir.join("lock"))
        .env("XDG_CONFIG_HOME", dir.join("config"))
        .env(SYSROOT, quiet_host(dir))
        .env("NO_COLOR", "1")
        .current_dir(dir)
        .stdin(Stdio::null());
    command
}

const SYSROOT: &str = "RIGMARK_SYSROOT";

fn quiet_host(dir: &Path) -> PathBuf {
    let root = dir.join("quiet-host");
    std::fs::create_dir_all(root.join("proc")).unwrap();
    std::fs::write(root.join("proc/stat"), "cpu  1000 0 1000 1000 0 0 0 0 0 0\n").unwrap();
    root
}

/// With this host's own counters. Whatever it does meanwhile, the test has to hold.
pub fn on_this_host(mut command: Command) -> Command {
    command.env_remove(SYSROOT);
    command
}

/// Why a trial may not count on any host: what the host did, and what little time on a processor makes of a tool's figures.
/// The server and the load are no part of it.
const OF_THE_HOST: [&str; 8] = [
    "steal",
    "throttled",
    "governor-changed",
    "clock",
    "clock-jumped",
    "host-disturbed",
    "shots-unfinished",
    "errors",
];

/// The trial was measured to its end: whether it counts is the host's business alone. Says whether it does.
pub fn measured(trial: &Trial) -> bool {
    let valid = trial.status == TrialStatus::Valid;
    // A server that completes no response within a whole window, without a failure, got too little processor time as well.
    let too_slow = |r: &Reason| r.code == "no-requests" && r.message.starts_with("No response was complete");
    let unverified = |r: &Reason| r.message.contains("the time for verification is over");
    let of_the_host = |r: &Reason| OF_THE_HOST.contains(&r.code.as_str()) || too_slow(r) || unverified(r);
    let host_alone = !trial.reasons.is_empty() && trial.reasons.iter().all(of_the_host);
    assert!(valid || host_alone, "{:?}: {:?}", trial.status, trial.reasons);
    valid
}

/// The same of all trials of a run, and that its exit code fits them. Says whether every entry has one that counts under
/// each of its scenarios.
pub fn all_measured(ran: &Ran, trials: &[Trial]) -> bool {
    assert!(!trials.is_empty(), "{}{}", ran.stdout, ran.stderr);
    let of = |trial: &Trial| (trial.entry_key.clone(), trial.scenario.clone());
    let counting: BTreeSet<_> = trials.iter().filter(|trial| measured(trial)).map(of).collect();
    let whole = counting.len() == trials.iter().map(of).collect::<BTreeSet<_>>().len();
    let fits = match ran.code {
        Some(0) => !counting.is_empty(),
        Some(1) => counting.is_empty(),
        _ => false,
    };
    assert!(fits, "{:?} {}{}", ran.code, ran.stdout, ran.stderr);
    whole
}

/// One trial whose records are in `r.json`, and more arguments.
pub fn once<'a>(server: &'a str, scenario: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let one = ["run", "--server", server, "--scenario", scenario, "--repeats", "1"];
    [&one, ["--out", "r.json"].as_slice(), more].concat()
}

/// The same command, started by another program whose arguments come first.
pub fn through(mut starter: Command, command: &Command) -> Command {
    starter.arg(command.get_program()).args(command.get_args());
    starter.envs(command.get_envs().filter_map(|(k, v)| Some((k, v?))));
    starter.current_dir(command.get_current_dir().unwrap());
    starter
}

pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {}\n{}", self.stdout, self.stderr))
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub fn ran(mut command: Command) -> Ran {
    command.output().unwrap().into()
}

pub fn run(dir: &Path, args: &[&str]) -> Ran {
    ran(rigmark(dir, args))
}

pub fn records(path: &Path) -> Vec<Record> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect()
}

pub fn trials(records: &[Record]) -> Vec<Trial> {
    let trial = |record: &Record| {
        if let Event::Trial(trial) = &record.event {
            Some(trial.clone())
        } else {
            None
        }
    };
    records.iter().filter_map(trial).collect()
}

pub fn labels(records: &[Record]) -> Vec<RunLabel> {
    let label = |record: &Record| match &record.event {
        Event::Label(label) => Some(label.clone()),
        _ => None,
    };
    records.iter().filter_map(label).collect()
}

pub fn environment(records: &[Record]) -> Environment {
    let environment = |record: &Record| match &record.event {
        Event::Environment(environment) => Some(environment.clone()),
        _ => None,
    };
    records.iter().find_map(environment).unwrap()
}

pub fn plan(records: &[Record]) -> Plan {
    let plan = |record: &Record| match &record.event {
        Event::Plan(plan) => Some(plan.clone()),
        _ => None,
    };
    records.iter().find_map(plan).unwrap()
}

/// Returns when none is left. What a kernel ends is gone when it was scheduled once more.
pub fn all_gone(text: &str) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !processes_with(text).is_empty() {
        assert!(Instant::now() < deadline, "{:?}", processes_with(text));
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Processes whose command line has the text in it, this one left out.
pub fn processes_with(text: &str) -> Vec<String> {
    let own = std::process::id().to_string();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_string_lossy().into_owned();
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        // A zombie has no command line.
        if pid != own && pid.parse::<u32>().is_ok() && line.contains(text) {
            found.push(format!("{pid}: {line}"));
        }
    }
    found
}
