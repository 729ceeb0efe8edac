//! What is typed wrong, and what the host lacks: one sentence and the right exit code, before anything is measured.

use std::os::unix::fs::{PermissionsExt, symlink};

use crate::support::{checkout, fixture, ran, rigmark, run};

const GOOD: [&str; 5] = ["run", "--server", "epoll", "--scenario", "static-1k-ab"];

/// Exit code, error code and sentence of a command that must fail.
fn refused(args: &[&str]) -> (Option<i32>, String, String) {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(dir.path(), &[args, &["--json"]].concat());
    let error = ran.json()["error"].clone();
    let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
    let message = text("message");
    assert!(!message.contains('\n') && !message.is_empty(), "{message}");
    (ran.code, text("code"), message)
}

#[test]
fn bad_usage_is_2_with_one_sentence() {
    let with = |more: &[&'static str]| [&GOOD, more].concat();
    for (args, code, says) in [
        (
            vec!["run", "--server", "epol", "--scenario", "static-1k-ab"],
            "unknown-server",
            "did you mean epoll?",
        ),
        (
            vec!["run", "--server", "epoll", "--scenario", "static-1k"],
            "unknown-scenario",
            "static-1k-ab",
        ),
        (
            vec!["run", "--server", "./nothing", "--scenario", "static-1k-ab"],
            "unknown-server",
            "not a folder",
        ),
        (
            vec!["run", "--server", "epoll:workers=999", "--scenario", "static-1k-ab"],
            "option",
            "between 1 and 64",
        ),
        (vec!["run", "--suite", "no-such"], "unknown-suite", "no-such"),
        (with(&["--duration", "0s"]), "out-of-range", "between 200 ms and 3600 s"),
        (
            with(&["--duration", "9999m"]),
            "out-of-range",
            "between 200 ms and 3600 s",
        ),
        (with(&["--duration", "-3s"]), "usage", "not a length of time"),
        (with(&["--duration", "soon"]), "usage", "not a length of time"),
        (with(&["--warmup", "700s"]), "out-of-range", "between 0 s and 600 s"),
        (with(&["--repeats", "0"]), "out-of-range", "between 1 and 100"),
        (with(&["--fail-on", "faster"]), "usage", "slower"),
        (
            with(&["--fail-on", "slower", "--repeats", "3"]),
            "fail-on",
            "a verdict needs 5 blocks, but --repeats is 3",
        ),
        (
            with(&["--precision", "60%"]),
            "out-of-range",
            "between 0.1 % and 50 %, and 60 %",
        ),
        (with(&["--precision", "some"]), "usage", "write it like 2% or 0.02"),
        (with(&["--precision", "2%"]), "out-of-range", "name another server"),
        (
            with(&["--max-repeats", "20"]),
            "out-of-range",
            "give one with --precision",
        ),
        (
            with(&["--slice", "50ms"]),
            "out-of-range",
            "between 200 ms and 1 s, or 0",
        ),
        (with(&["--expect", "epoll"]), "expect", "label=hash"),
        (with(&["--expect", "epol=00000000"]), "expect", "did you mean epoll?"),
        (with(&["--baseline", "nginx"]), "baseline", "not one of the servers"),
        (with(&["--server", "epoll"]), "out-of-range", "have the label"),
        (vec!["run", "--server", "epoll"], "usage", "--scenario <C>|--suite <X>"),
        (vec!["run"], "usage", "--server <S>|--suite <X>"),
        (vec!["verify"], "usage", "--all"),
        (
            vec!["run", "--suite", "quick", "--scenario", "static-1k-ab"],
            "usage",
            "cannot be used with",
        ),
        (vec!["verify", "--all", "epoll"], "usage", "cannot be used with"),
        (vec!["enroll", "--url", "nonsense"], "usage", "not the address"),
        (
            vec!["enroll", "--url", "http://192.0.2.1", "--key", "nonsense"],
            "url",
            "--allow-http",
        ),
        (vec!["verify", "ngnix"], "unknown-server", "did you mean nginx?"),
        (vec!["frobnicate"], "usage", "frobnicate"),
    ] {
        let (exit, said, message) = refused(&args);
        assert_eq!((exit, said.as_str()), (Some(2), code), "{args:?}: {message}");
        assert!(message.contains(says), "{args:?}: {message}");
    }
}

#[test]
fn help_and_version_are_results() {
    let dir = tempfile::tempdir().unwrap();
    let help = run(dir.path(), &["--help"]);
    assert_eq!(help.code, Some(0));
    for command in [
        "doctor",
        "servers",
        "scenarios",
        "suites",
        "plan",
        "build",
        "verify",
        "run",
        "enroll",
        "agent",
        "login",
        "logout",
        "publish",
        "queue",
        "wait",
        "completions",
    ] {
        assert!(help.stdout.contains(command), "{command}");
    }
    assert!(!help.stdout.contains("internal"));
    assert!(run(dir.path(), &["--version"]).stdout.starts_with("rigmark "));
}

/// Every write to it fails as on a disk without room.
#[cfg(target_os = "linux")]
const FULL: &str = "/dev/full";

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_could_not_be_written_is_no_success() {
    let dir = tempfile::tempdir().unwrap();
    for args in [
        ["servers", "--json"].as_slice(),
        &["servers"],
        &["--help"],
        &["--version"],
    ] {
        let mut command = rigmark(dir.path(), args);
        command.stdout(std::fs::OpenOptions::new().write(true).open(FULL).unwrap());
        let ran = ran(command);
        assert_eq!(ran.code, Some(1), "{args:?}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("could not be written"), "{args:?}: {}", ran.stderr);
    }
    // Another exit code says more.
    let mut command = rigmark(dir.path(), &["verify", "ngnix", "--json"]);
    command.stdout(std::fs::OpenOptions::new().write(true).open(FULL).unwrap());
    assert_eq!(ran(command).code, Some(2));
}

#[test]
fn a_reader_that_went_away_has_what_it_wanted() {
    let dir = tempfile::tempdir().unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = rigmark(dir.path(), &["servers", "--json"]);
    command.stdout(writer);
    let ran = ran(command);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn the_servers_are_listed_with_their_hashes() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(dir.path(), &["servers", "--json"]);
    assert_eq!(ran.code, Some(0));
    let json = ran.json();
    let servers = json["servers"].as_array().unwrap();
    for name in ["epoll", "io-uring", "libuv", "nginx"] {
        let server = servers
            .iter()
            .find(|s| s["name"] == name)
            .unwrap_or_else(|| panic!("{name}"));
        assert_eq!(server["content_hash"].as_str().unwrap().len(), 64);
    }
    assert!(run(dir.path(), &["servers"]).stdout.contains("epoll"));
}

#[test]
fn a_missing_compiler_is_named_with_the_command_that_installs_it() {
    let dir = tempfile::tempdir().unwrap();
    let bin = dir.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    symlink("/bin/sh", bin.join("sh")).unwrap();
    for args in [["build", "epoll"].as_slice(), &GOOD] {
        let mut command = rigmark(dir.path(), args);
        command.env("PATH", &bin).arg("--json");
        let ran = ran(command);
        assert_eq!(ran.code, Some(77), "{}{}", ran.stdout, ran.stderr);
        let message = ran.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains("cc and make are not installed."), "{message}");
        assert!(message.contains("sudo apt install build-essential"), "{message}");
    }
    // What no build would find, the doctor does not find either.
    let mut doctor = rigmark(dir.path(), &["doctor", "--quick"]);
    doctor.env("PATH", &bin);
    let ran = ran(doctor);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    let line = ran.stdout.lines().find(|l| l.contains("C compiler and make"));
    let line = line.unwrap_or_default();
    assert!(
        line.starts_with("fail") && line.contains("cc and make not found"),
        "{line}"
    );
    assert!(ran.stdout.contains("This host is not fit to measure"), "{}", ran.stdout);
}

#[test]
fn what_no_server_claims_is_unsupported_and_leaves_no_file() {
    for command in ["run", "plan"] {
        let dir = tempfile::tempdir().unwrap();
        let args = [
            "--server",
            "epoll",
            "--scenario",
            "ws-rate",
            "--out",
            "r.jsonl",
            "--json",
        ];
        let ran = run(dir.path(), &[[command].as_slice(), &args].concat());
        assert_eq!(ran.code, Some(77), "{command}: {}{}", ran.stdout, ran.stderr);
        let error = ran.json()["error"].clone();
        assert_eq!(error["code"], "not-claimed", "{command}");
        assert!(!dir.path().join("r.jsonl").exists(), "{command}");
    }
}

#[test]
fn a_build_that_fails_says_why_and_keeps_its_log() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("broken");
    std::fs::create_dir(&folder).unwrap();
    let half = std::fs::read_to_string(format!("{}/server.toml", fixture("faulty-files"))).unwrap();
    std::fs::write(folder.join("server.toml"), half.replace("faulty-files", "broken")).unwrap();
    std::fs::write(folder.join("Makefile"), "all:\n\tcc -o $(BUILD)/broken main.c\n").unwrap();
    std::fs::write(folder.join("main.c"), "int main(void) { return nothing; }\n").unwrap();
    let ran = run(dir.path(), &["build", "./broken", "--json"]);
    assert_eq!(ran.code, Some(1));
    let message = ran.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(
        message.contains("exit code 2") && message.contains("nothing"),
        "{message}"
    );
    let log = message.rsplit_once("log is ").unwrap().1.trim_end_matches('.');
    assert!(std::fs::read_to_string(log).unwrap().contains("main.c"), "{log}");
}

#[test]
fn a_faulty_manifest_is_named_with_its_key() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("odd");
    std::fs::create_dir(&folder).unwrap();
    let half = std::fs::read_to_string(format!("{}/server.toml", fixture("faulty-files"))).unwrap();
    std::fs::write(
        folder.join("server.toml"),
        half.replace("faulty-files", "odd").replace("{port}", "{prot}"),
    )
    .unwrap();
    let ran = run(dir.path(), &["verify", "./odd", "--json"]);
    assert_eq!(ran.code, Some(2));
    let message = ran.json()["error"]["message"].as_str().unwrap().to_owned();
    let (place, problem) = message.split_once(": run.command[").unwrap_or_default();
    let place = place.rsplit_once("odd/server.toml:").map_or("", |(_, place)| place);
    assert!(
        place.split(':').all(|number| number.parse::<u32>().is_ok()),
        "{message}"
    );
    assert!(problem.contains("]: {prot} means nothing"), "{message}");
}

#[test]
fn a_result_file_that_cannot_be_written_is_said_before_anything_is_measured() {
    let dir = tempfile::tempdir().unwrap();
    let args = [&GOOD, ["--out", "no/such/folder/r.json"].as_slice()].concat();
    let (exit, code, message) = refused(&args);
    assert_eq!((exit, code.as_str()), (Some(1), "out"), "{message}");
    assert!(message.contains("no/such/folder/r.json"), "{message}");
    drop(dir);
}

#[test]
fn a_result_file_in_a_folder_that_is_measured_is_refused_unless_the_hash_leaves_it_out() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("mine");
    rigmark::server::content::copy(&checkout().join("servers/epoll"), &folder).unwrap();
    std::fs::create_dir(folder.join("rigmark-result")).unwrap();
    // Nothing is measured here.
    let held = rigmark::host::lock::HostLock::acquire_at(&dir.path().join("lock"), "another run").unwrap();
    for (out, exit, code) in [
        ("mine/r.jsonl", 2, "out"),
        ("mine/rigmark-result/../r.jsonl", 2, "out"),
        ("mine/rigmark-result/r.jsonl", 1, "locked"),
        ("r.jsonl", 1, "locked"),
    ] {
        let args = ["run", "--server", "x=./mine", "--scenario", "plaintext-loadgen"];
        let ran = run(dir.path(), &[&args[..], &["--json", "--out", out]].concat());
        let error = ran.json()["error"].clone();
        assert_eq!(
            (ran.code, error["code"].as_str()),
            (Some(exit), Some(code)),
            "{out}: {error}"
        );
        let message = error["message"].as_str().unwrap();
        assert_eq!(
            message.contains("lies in the folder of x, which must not change"),
            code == "out",
            "{message}"
        );
        assert!(!dir.path().join(out).exists());
    }
    drop(held);
}

#[test]
fn a_run_that_could_not_begin_leaves_no_result_file() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state");
    std::fs::create_dir(&state).unwrap();
    std::fs::write(state.join("work"), "").unwrap();
    let mut command = rigmark(dir.path(), &[&GOOD, ["--out", "r.jsonl"].as_slice()].concat());
    command.env("RIGMARK_STATE", &state);
    let ran = ran(command);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: "), "{}", ran.stderr);
    assert!(!ran.stdout.contains("r.jsonl"), "{}", ran.stdout);
    assert!(!dir.path().join("r.jsonl").exists());
}

#[test]
fn a_state_folder_that_cannot_be_used_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let mut command = rigmark(dir.path(), &["build", "epoll", "--json"]);
    command.env("RIGMARK_STATE", &file);
    let ran = ran(command);
    assert_eq!(ran.code, Some(1));
    assert!(ran.json()["error"]["message"].as_str().unwrap().contains("--state-dir"));
}

#[test]
fn one_measurement_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let lock = dir.path().join("lock");
    let held = rigmark::host::lock::HostLock::acquire_at(&lock, "another run").unwrap();
    let ran = run(dir.path(), &[&GOOD, ["--json"].as_slice()].concat());
    assert_eq!(ran.code, Some(1));
    assert!(ran.json()["error"]["message"].as_str().unwrap().contains("another run"));
    drop(held);
}

#[test]
fn a_readable_program_is_not_needed_for_the_list_to_be_whole() {
    // A folder with a fault is listed with the fault, and the others stay.
    let dir = tempfile::tempdir().unwrap();
    let assets = dir.path().join("assets");
    std::fs::create_dir_all(assets.join("scenarios")).unwrap();
    std::fs::create_dir_all(assets.join("servers/bad")).unwrap();
    std::fs::write(assets.join("servers/bad/server.toml"), "schema = 1\n").unwrap();
    std::fs::set_permissions(&assets, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = rigmark(dir.path(), &["servers", "--json"]);
    command.env("RIGMARK_ASSETS", &assets);
    let ran = ran(command);
    assert_eq!(ran.code, Some(0));
    let json = ran.json();
    assert_eq!(json["servers"][0]["supported"], false);
    assert!(json["servers"][0]["reason"].as_str().unwrap().contains("missing field"));
}

#[test]
fn a_tool_that_is_not_there_is_said_with_what_fixes_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = rigmark(dir.path(), &["run", "--server", "epoll", "--scenario", "static-1k-ab"]);
    command.env("RIGMARK_AB", "/nonexistent");
    let ran = ran(command);
    assert_eq!(ran.code, Some(77), "{}", ran.stderr);
    let message = "RIGMARK_AB names /nonexistent, which is no program. To fix it, run `unset RIGMARK_AB`.";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
}
