//! Somebody's own server: described by `rigmark new server`, kept in an owner's folder, measured at a commit beside the folder as
//! it is.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Ran, all_measured, checkout, plan, ran, records, rigmark, run, trials};

/// A server in C of Rigmark's own, under another name, in a git repository with one commit.
struct Repository {
    dir: tempfile::TempDir,
}

impl Repository {
    fn new() -> Self {
        let repository = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        let folder = repository.folder();
        std::fs::create_dir_all(&folder).unwrap();
        let epoll = checkout().join("servers/epoll");
        let copied = Command::new("cp")
            .arg("-R")
            .arg(epoll.join("."))
            .arg(&folder)
            .status()
            .unwrap();
        assert!(copied.success());
        let _ = std::fs::remove_dir_all(folder.join("build"));
        let manifest = std::fs::read_to_string(folder.join("server.toml")).unwrap();
        std::fs::write(
            folder.join("server.toml"),
            manifest.replacen("name = \"epoll\"", "name = \"mine\"", 1),
        )
        .unwrap();
        repository.git(&["init", "--quiet", "--initial-branch=main", "."]);
        repository.commit();
        repository
    }

    fn folder(&self) -> PathBuf {
        self.dir.path().join("repo/apps/mine")
    }

    fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        let who = [
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "commit.gpgsign=false",
        ];
        command
            .args(who)
            .args(arguments)
            .current_dir(self.dir.path().join("repo"));
        ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"].iter().for_each(|name| {
            command.env_remove(name);
        });
        let output = command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn commit(&self) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "-m", "x"]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        run(self.dir.path(), arguments)
    }
}

#[test]
fn a_folder_at_a_commit_is_measured_beside_the_folder_as_it_is() {
    let repository = Repository::new();
    let first = repository.git(&["rev-parse", "HEAD"]);
    let note = repository.folder().join("NOTES");
    std::fs::write(&note, "more").unwrap();
    let second = repository.commit();
    std::fs::write(&note, "in no commit").unwrap();
    let arguments = [
        "run",
        "--server",
        "base=repo/apps/mine@main~1",
        "--server",
        "repo/apps/mine@main",
        "--server",
        "head=repo/apps/mine",
        "--scenario",
        "plaintext-loadgen",
        "--repeats",
        "1",
        "--duration",
        "300ms",
        "--warmup",
        "0s",
        "--out",
        "r.jsonl",
    ];
    let ran = repository.run(&arguments);
    let records = records(&repository.dir.path().join("r.jsonl"));
    all_measured(&ran, &trials(&records));
    let plan = plan(&records);
    let found: Vec<_> = plan
        .entries
        .iter()
        .map(|entry| {
            let revision = entry.revision.clone().unwrap();
            (
                entry.label.as_str(),
                revision.commit,
                revision.reference,
                revision.dirty,
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("base", first.clone(), Some("main~1".to_owned()), false),
            ("mine@main", second.clone(), Some("main".to_owned()), false),
            ("head", second.clone(), None, true),
        ]
    );
    let says = format!("base: commit {} (main~1).", &first[..12]);
    assert!(ran.stdout.contains(&says), "{}", ran.stdout);
    let says = format!("head: commit {}, with changes that are in no commit.", &second[..12]);
    assert!(ran.stdout.contains(&says), "{}", ran.stdout);
    // The repository is as it was.
    assert_eq!(repository.git(&["status", "--porcelain"]), "M apps/mine/NOTES");
    assert_eq!(repository.git(&["worktree", "list"]).lines().count(), 1);
    assert!(checkouts_of(&first).is_empty(), "{:?}", checkouts_of(&first));
}

/// Of this commit, in the state folder that all tests share.
fn checkouts_of(commit: &str) -> Vec<String> {
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join("state/work");
    let entries = std::fs::read_dir(work).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.contains(&commit[..12])).collect()
}

#[test]
fn a_commit_that_cannot_be_had_is_one_sentence_and_bad_usage() {
    let repository = Repository::new();
    let outside = repository.dir.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    for (server, says) in [
        ("repo/apps/mine@nothing", "has no \"nothing\""),
        ("repo/apps/other@main", "does not exist at main"),
        ("repo/apps@main", "has no server.toml at main"),
        ("./outside@main", "is in no git repository"),
        ("nowhere/at/all@main", "is in no git repository"),
    ] {
        let ran = repository.run(&["plan", "-s", server, "-c", "plaintext-loadgen"]);
        assert_eq!(ran.code, Some(2), "{server}: {}", ran.stderr);
        assert!(ran.stderr.contains(says), "{server}: {}", ran.stderr);
        assert_eq!(ran.stderr.trim().lines().count(), 1, "{}", ran.stderr);
    }
    let mut command = rigmark(repository.dir.path(), &["build", "repo/apps/mine@main"]);
    command.env("PATH", "/nonexistent");
    let without = crate::support::ran(command);
    // Programs are looked for in these without a PATH too.
    let more = ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin", "/usr/local/bin"];
    if !more.iter().any(|folder| Path::new(folder).join("git").exists()) {
        assert_eq!(without.code, Some(2));
        assert!(
            without
                .stderr
                .contains("git is not installed, and repo/apps/mine@main needs it"),
            "{}",
            without.stderr
        );
    }
}

#[test]
fn the_change_that_adds_the_manifest_is_measured_beside_a_base_without_one() {
    let repository = Repository::new();
    repository.git(&["rm", "--quiet", "--cached", "apps/mine/server.toml"]);
    repository.git(&["commit", "--quiet", "--amend", "-m", "without"]);
    let base = repository.git(&["rev-parse", "HEAD"]);
    repository.commit();
    let arguments = [
        &[
            "run",
            "-s",
            "base=repo/apps/mine@main~1",
            "-s",
            "head=repo/apps/mine",
            "-c",
            "plaintext-loadgen",
        ],
        &[
            "--repeats",
            "1",
            "--duration",
            "300ms",
            "--warmup",
            "0s",
            "--out",
            "r.jsonl",
        ][..],
    ];
    let ran = repository.run(&arguments.concat());
    let records = records(&repository.dir.path().join("r.jsonl"));
    all_measured(&ran, &trials(&records));
    let says = format!(
        "base has no server.toml at commit {}; it is built and run with the one of the working tree.",
        &base[..12]
    );
    assert_eq!(ran.stderr.matches(&says).count(), 1, "{}", ran.stderr);
    assert!(
        ran.stdout.contains(&format!("manifest-borrowed {says}")),
        "{}",
        ran.stdout
    );
    let plan = plan(&records);
    assert_eq!(plan.entries[0].revision.as_ref().unwrap().commit, base);
    assert_eq!(plan.entries[0].content_hash, plan.entries[1].content_hash);
    let report = repository.run(&["report", "r.jsonl", "--md"]);
    assert!(
        report
            .stdout
            .contains(&format!("no server.toml at commit {}", &base[..12])),
        "{}",
        report.stdout
    );
}

#[test]
fn a_path_with_the_sign_in_it_is_that_path() {
    let repository = Repository::new();
    let odd = repository.dir.path().join("mine@main");
    std::fs::rename(repository.folder(), &odd).unwrap();
    let ran = repository.run(&["plan", "-s", "./mine@main", "-c", "plaintext-loadgen", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let entry = &ran.json()["plan"]["entries"][0];
    assert_eq!(
        (&entry["label"], &entry["revision"]),
        (&"mine".into(), &serde_json::Value::Null)
    );
}

#[test]
fn an_owners_server_is_listed_with_its_folder_and_used_by_its_name() {
    let repository = Repository::new();
    let dir = repository.dir.path();
    let servers = dir.join("config/rigmark/servers");
    std::fs::create_dir_all(servers.join("bad")).unwrap();
    std::fs::rename(repository.folder(), servers.join("mine")).unwrap();
    std::fs::write(
        servers.join("bad/server.toml"),
        "schema = 1\nname = \"bad\"\ntitle = 7\n",
    )
    .unwrap();
    std::fs::create_dir(servers.join("epoll")).unwrap();
    std::fs::copy(servers.join("mine/server.toml"), servers.join("epoll/server.toml")).unwrap();
    let listed = repository.run(&["servers", "--json"]).json();
    let of = |name: &str| {
        let all = listed["servers"].as_array().unwrap();
        all.iter()
            .find(|server| server["name"] == name)
            .unwrap_or_else(|| panic!("{name}: {listed}"))
    };
    assert_eq!(of("mine")["owned"], true);
    assert!(
        of("mine")["folder"]
            .as_str()
            .unwrap()
            .ends_with("config/rigmark/servers/mine")
    );
    assert_eq!(of("epoll")["owned"], false);
    assert_eq!(of("bad")["supported"], false);
    let reason = of("bad")["reason"].as_str().unwrap();
    assert!(reason.contains("bad/server.toml:3:9: title: "), "{reason}");
    let hidden = listed["hidden"].as_array().unwrap();
    assert_eq!(hidden.len(), 1);
    assert!(
        hidden[0]
            .as_str()
            .unwrap()
            .contains("the bundled server epoll has that name"),
        "{listed}"
    );

    let ran = repository.run(&[
        "plan",
        "-s",
        "mine",
        "-s",
        "epoll",
        "-s",
        "b=epoll",
        "-c",
        "plaintext-loadgen",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let says = "the bundled server epoll has that name";
    assert_eq!(ran.stderr.matches(says).count(), 1, "{}", ran.stderr);
    let bad = repository.run(&["build", "bad"]);
    assert_eq!(bad.code, Some(2));
    assert!(bad.stderr.contains("bad/server.toml:3:9: title: "), "{}", bad.stderr);
}

/// A server that answers everything alike and knows nothing of Rigmark.
const PYTHON: &str = r#"
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Hello(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Hello).serve_forever()
"#;

#[test]
fn a_server_that_knows_nothing_of_rigmark_is_described_and_started() {
    if !has_python() {
        eprintln!("python3 is not here.");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("My Hello");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("server.py"), PYTHON).unwrap();
    let made = run(dir.path(), &["new", "server", "My Hello"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    for says in [
        "server.py reads PORT from the environment",
        "rigmark verify './My Hello'",
    ] {
        assert!(made.stdout.contains(says), "{}", made.stdout);
    }
    let again = run(dir.path(), &["new", "server", "My Hello"]);
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("already exists"), "{}", again.stderr);
    assert_eq!(run(dir.path(), &["new", "server", "My Hello", "--force"]).code, Some(0));
    let verified = run(dir.path(), &["verify", "./My Hello", "--json"]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.stdout, verified.stderr);
    let one = &verified.json()["verified"][0];
    assert_eq!(
        (&one["server"], &one["status"]),
        (&"my-hello".into(), &"passed".into()),
        "{one}"
    );
    // It has no handler, so signal 15 ends it.
    let stop = one["checks"].as_array().unwrap().iter().find(|c| c["id"] == "stop");
    assert_eq!(stop.unwrap()["status"], "passed", "{one}");

    let manifest = std::fs::read_to_string(folder.join("server.toml")).unwrap();
    let untold = manifest.replace("env = { PORT = \"{port}\" }", "env = {}\nready = { within_s = 10 }");
    std::fs::write(folder.join("server.toml"), untold.replace("server.py", "other.py")).unwrap();
    std::fs::write(
        folder.join("other.py"),
        PYTHON.replace("int(os.environ[\"PORT\"])", "0"),
    )
    .unwrap();
    let failed = run(dir.path(), &["verify", "./My Hello"]);
    assert_eq!(failed.code, Some(1), "{}", failed.stdout);
    for says in [
        "it listens at 127.0.0.1:",
        ", not at 127.0.0.1:",
        " is hard-coded, write `port = ",
        "has {port}, so it was not told where to listen",
    ] {
        assert!(failed.stdout.contains(says), "{says}: {}", failed.stdout);
    }
}

/// As the first page of most documentation has one: a port of its own, at whatever `localhost` is first. Each has a network of its
/// own.
const QUICKSTART: &str = r#"
import socket
PORT = 8000
family, _, _, _, address = socket.getaddrinfo("localhost", PORT, type=socket.SOCK_STREAM)[0]
ThreadingHTTPServer.address_family = family
ThreadingHTTPServer(address[:2], Hello).serve_forever()
"#;

#[test]
fn two_that_always_listen_on_the_same_port_are_measured_together() {
    if !has_python() || rigmark::sandbox::unsandboxed_reason().is_some() {
        eprintln!("python3 or a network of its own is not here.");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("hello");
    std::fs::create_dir(&folder).unwrap();
    let (handler, _) = PYTHON.split_once("ThreadingHTTPServer((").unwrap();
    std::fs::write(folder.join("server.py"), format!("{handler}{QUICKSTART}")).unwrap();
    let made = run(dir.path(), &["new", "server", "hello"]);
    assert!(
        made.stdout.contains("server.py always listens on port 8000"),
        "{}",
        made.stdout
    );
    std::fs::write(
        dir.path().join("load.toml"),
        "title = \"Nothing\"\ntool = \"loadgen\"\nconnections = 2\nduration = \"2s\"\n[[request]]\npath = \"/\"\n",
    )
    .unwrap();
    let servers = ["-s", "base=./hello", "-s", "head=./hello"];
    let short = [
        "--repeats",
        "1",
        "--duration",
        "2s",
        "--warmup",
        "0s",
        "--out",
        "r.json",
    ];
    let measured = run(
        dir.path(),
        &[&["run", "-c", "./load.toml"][..], &servers, &short].concat(),
    );
    assert!(all_measured(&measured, &trials(&records(&dir.path().join("r.json")))));
}

fn has_python() -> bool {
    let asked = Command::new("python3").arg("--version").output();
    asked.is_ok_and(|asked| asked.status.success())
}

#[test]
fn a_folder_with_nothing_to_build_is_bad_usage_and_the_schema_is_json() {
    let dir = tempfile::tempdir().unwrap();
    let nothing = run(dir.path(), &["new", "server"]);
    assert_eq!(nothing.code, Some(2));
    assert!(nothing.stderr.contains("says how it is built"), "{}", nothing.stderr);
    assert_eq!(run(dir.path(), &["new", "server", "no/where"]).code, Some(2));
    assert!(
        std::fs::read_dir(dir.path())
            .unwrap()
            .flatten()
            .all(|e| e.file_name() != "server.toml")
    );
    let schema = ran(rigmark(dir.path(), &["new", "server", "--schema"])).json();
    assert!(schema["properties"]["run"].is_object());
}
