//! What this machine does not have: a governor, a board that slows itself down, and settings that `--tune` holds still. Files in
//! a folder stand in the machine's place (`RIGMARK_SYSROOT`), and the runs say so.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{environment, labels, once, ran, records, rigmark, trials};
use rigmark::protocol::journal::{Record, Trial};
use rigmark::protocol::result::TrialStatus;

const GOVERNOR: &str = "sys/devices/system/cpu/cpufreq/policy0/scaling_governor";
const ASLR: &str = "proc/sys/kernel/randomize_va_space";
const THP: &str = "sys/kernel/mm/transparent_hugepage/enabled";
const BOOST: &str = "sys/devices/system/cpu/cpufreq/boost";
const THROTTLED: &str = "sys/devices/platform/soc/soc:firmware/get_throttled";

/// A folder with the machine, the state and the result of a run in it.
struct SimulatedHost(tempfile::TempDir);

impl SimulatedHost {
    fn new() -> Self {
        let host = Self(tempfile::tempdir().unwrap());
        host.write("proc/sys/kernel/random/boot_id", "one boot");
        host.write(GOVERNOR, "ondemand");
        host.write(BOOST, "1");
        host.write(ASLR, "2");
        host.write(THP, "madvise");
        host
    }

    fn dir(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.dir().join("root").join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("{text}\n")).unwrap();
    }

    fn settings(&self) -> [String; 4] {
        [GOVERNOR, BOOST, ASLR, THP].map(|file| {
            let text = std::fs::read_to_string(self.dir().join("root").join(file)).unwrap();
            text.trim().to_owned()
        })
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = rigmark(self.dir(), args);
        command
            .env("RIGMARK_SYSROOT", self.dir().join("root"))
            .env("RIGMARK_STATE", self.dir().join("state"));
        command
    }

    /// Returns when there is load: the first sample is taken after the look at governor and flags.
    fn start(&self, duration: &str, more: &[&str]) -> Child {
        self.started("\"window\":\"measure\"", duration, more)
    }

    /// Returns when the records have this in them.
    fn started(&self, until: &str, duration: &str, more: &[&str]) -> Child {
        let rest = [&["--warmup", "0s", "--duration", duration], more].concat();
        let mut command = self.command(&once("epoll", "static-1k-ab", &rest));
        command.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let child = command.spawn().unwrap();
        self.until(1, until);
        child
    }

    /// Returns when so many samples more were taken.
    fn sampled(&self, more: usize) {
        let sample = "\"kind\":\"sample\"";
        self.until(self.written().matches(sample).count() + more, sample);
    }

    fn written(&self) -> String {
        std::fs::read_to_string(self.dir().join("r.json")).unwrap_or_default()
    }

    fn until(&self, times: usize, text: &str) {
        let deadline = Instant::now() + Duration::from_secs(240);
        while self.written().matches(text).count() < times {
            assert!(Instant::now() < deadline, "the run did not come as far as {text}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn records(&self) -> Vec<Record> {
        records(&self.dir().join("r.json"))
    }
}

/// A window in which a test that has to wait for a processor is in time.
const LONG: &str = "5s";
const BEFORE: [&str; 4] = ["ondemand", "1", "2", "madvise"];
const DURING: [&str; 4] = ["performance", "0", "0", "never"];

/// The block does not count, and the trial says what the host did.
fn disturbed_by(trial: &Trial, code: &str) {
    let codes: Vec<&str> = trial.reasons.iter().map(|r| r.code.as_str()).collect();
    assert_eq!(
        (trial.status, codes),
        (TrialStatus::Invalid, vec!["host-disturbed", code])
    );
}

#[test]
fn a_governor_that_changes_half_way_makes_the_trial_invalid() {
    let host = SimulatedHost::new();
    host.write(GOVERNOR, "performance");
    let mut child = host.start(LONG, &[]);
    host.write(GOVERNOR, "powersave");
    // No trial counts.
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let records = host.records();
    let trial = trials(&records).remove(0);
    disturbed_by(&trial, "governor-changed");
    assert!(
        trial.reasons[1].message.contains("from performance to powersave"),
        "{:?}",
        trial.reasons
    );
    let simulated = labels(&records).into_iter().find(|l| l.code == "simulated");
    assert!(simulated.unwrap().message.contains("RIGMARK_SYSROOT"));
    // Nothing of what the folder lacks is invented.
    let facts = environment(&records).facts;
    assert_eq!(
        (facts.memory_bytes, facts.cpu_model, facts.temperature_millic),
        (None, None, None)
    );
}

#[test]
fn a_governor_that_was_set_before_the_trial_began_makes_it_invalid() {
    let host = SimulatedHost::new();
    host.write(GOVERNOR, "performance");
    // The server has to be built first.
    let mut child = host.started("\"kind\":\"environment\"", "1s", &[]);
    host.write(GOVERNOR, "powersave");
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let records = host.records();
    assert_eq!(environment(&records).facts.governor.as_deref(), Some("performance"));
    let trial = trials(&records).remove(0);
    disturbed_by(&trial, "governor-changed");
    let message = &trial.reasons[1].message;
    assert!(
        message.contains("was performance when the run began and powersave in this trial"),
        "{message}"
    );
}

#[test]
fn a_board_that_throttles_makes_the_trial_invalid() {
    let host = SimulatedHost::new();
    host.write(THROTTLED, "0");
    let mut child = host.start(LONG, &[]);
    // Over already, and only the sticky bits tell: under-voltage and throttled.
    host.write(THROTTLED, "50000");
    child.wait().unwrap();
    let trial = trials(&host.records()).remove(0);
    disturbed_by(&trial, "throttled");
    assert!(
        trial.reasons[1].message.contains("under-voltage, throttled"),
        "{:?}",
        trial.reasons
    );
}

#[test]
fn a_board_that_throttles_for_a_moment_long_after_it_first_did_makes_the_trial_invalid() {
    let host = SimulatedHost::new();
    host.write(THROTTLED, "50000");
    let mut child = host.start("10s", &[]);
    // Over by the end, and the sticky bits were set long before.
    host.write(THROTTLED, "50004");
    host.sampled(2);
    host.write(THROTTLED, "50000");
    child.wait().unwrap();
    let trial = trials(&host.records()).remove(0);
    disturbed_by(&trial, "throttled");
}

#[test]
fn a_boards_power_sensor_becomes_energy_and_the_run_says_where_it_is_from() {
    let host = SimulatedHost::new();
    host.write("sys/class/hwmon/hwmon2/name", "ina219");
    host.write("sys/class/hwmon/hwmon2/power1_input", "5000000");
    host.start("2s", &[]).wait().unwrap();
    let records = host.records();
    let resources = trials(&records).remove(0).resources.unwrap();
    // Five watts for as long as there was load; the edges of a slice are not at the very moments of its counters.
    let watts = resources.energy_uj.unwrap() as f64 / resources.window_us as f64;
    assert!((2.5..10.0).contains(&watts), "{watts}");
    let source = labels(&records).into_iter().find(|l| l.code == "energy-source");
    assert!(source.unwrap().message.contains("the power sensor ina219"));
    let checks = environment(&records).facts.checks;
    let check = checks.iter().find(|check| check.id == "energy").unwrap();
    assert!(check.found.contains("ina219"), "{}", check.found);
}

#[test]
fn what_tune_set_is_put_back_by_the_next_command_after_a_kill() {
    let host = SimulatedHost::new();
    let mut child = host.start("60s", &["--tune"]);
    assert_eq!(host.settings(), DURING);
    // SAFETY: a process group of our own.
    unsafe { libc::kill(-(child.id() as i32), libc::SIGKILL) };
    child.wait().unwrap();
    assert_eq!(host.settings(), DURING);
    let next = ran(host.command(&["scenarios"]));
    assert_eq!(next.code, Some(0), "{}", next.stderr);
    assert!(
        next.stderr.contains("what it had changed is restored"),
        "{}",
        next.stderr
    );
    assert_eq!(host.settings(), BEFORE);
    // Once.
    assert!(!ran(host.command(&["scenarios"])).stderr.contains("restored"));
}

#[test]
fn version_help_and_a_mistyped_command_put_it_back_too() {
    for (args, code) in [(["--version"], 0), (["--help"], 0), (["frobnicate"], 2)] {
        let host = SimulatedHost::new();
        let root = host.dir().join("root");
        host.write(ASLR, "0");
        let record = serde_json::json!({
            "schema": 1, "boot_id": "one boot", "pid": 1, "root": root.join(""),
            "settings": [{ "kind": "aslr", "file": ASLR, "before": "2", "during": "0" }],
        });
        let state = host.dir().join("state");
        std::fs::create_dir(&state).unwrap();
        std::fs::write(state.join("tuned.json"), record.to_string()).unwrap();
        let ran = ran(host.command(&args));
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        assert!(ran.stderr.contains("is restored: address space"), "{}", ran.stderr);
        assert_eq!(host.settings(), BEFORE);
    }
}

#[test]
fn an_interrupt_puts_back_what_tune_set_and_the_run_says_what_it_was() {
    let host = SimulatedHost::new();
    let mut child = host.start("60s", &["--tune=always"]);
    assert_eq!(host.settings(), ["performance", "0", "0", "always"]);
    // While its owner lives the next command leaves it alone.
    assert_eq!(ran(host.command(&["scenarios"])).code, Some(0));
    assert_eq!(host.settings()[0], "performance");
    // SAFETY: the child is ours and was not waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGTERM) };
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(host.settings(), BEFORE);
    let records = host.records();
    let environment = environment(&records);
    let tuned: Vec<(&str, &str, &str)> = environment
        .tuned
        .iter()
        .map(|t| (t.name.as_str(), t.before.as_str(), t.during.as_str()))
        .collect();
    assert_eq!(
        tuned,
        [
            ("CPU governor", "ondemand", "performance"),
            ("turbo", "1", "0"),
            ("address space randomization", "2", "0"),
            ("transparent huge pages", "madvise", "always"),
        ]
    );
    // The environment is the one that the trials met.
    let facts = &environment.facts;
    assert_eq!(
        (facts.governor.as_deref(), facts.aslr, facts.turbo),
        (Some("performance"), Some(0), Some(false))
    );
    assert_eq!(environment.fingerprint.as_ref().map(String::len), Some(64));
    assert!(labels(&records).iter().any(|l| l.code == "tuned"));
}

#[test]
fn a_machine_that_shows_nothing_is_described_by_nulls() {
    let host = SimulatedHost(tempfile::tempdir().unwrap());
    std::fs::create_dir_all(host.dir().join("root")).unwrap();
    let doctor = ran(host.command(&["doctor", "--quick", "--json"]));
    let json = doctor.json();
    for unknown in [
        "governor",
        "turbo",
        "smt",
        "thp",
        "aslr",
        "throttle_flags",
        "temperature_millic",
        "memory_bytes",
        "cpu_model",
        "noise",
    ] {
        assert!(
            json["facts"][unknown].is_null(),
            "{unknown}: {}",
            json["facts"][unknown]
        );
    }
    assert_eq!(json["fingerprint"].as_str().map(str::len), Some(64));
}

#[test]
fn what_cannot_be_tuned_is_a_label() {
    let host = SimulatedHost::new();
    std::fs::remove_file(host.dir().join("root").join(BOOST)).unwrap();
    let mut child = host.start("500ms", &["--tune"]);
    child.wait().unwrap();
    let labels = labels(&host.records());
    let said: Vec<&str> = labels
        .iter()
        .filter(|l| l.code == "not-tuned")
        .map(|l| l.message.as_str())
        .collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].contains("turbo: this machine shows no such setting"),
        "{said:?}"
    );
}
