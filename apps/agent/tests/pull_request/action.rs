//! The Action's own scripts. A program that stands in for `rigmark run` hands over a recorded result; all else is the real one.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use crate::comment::COMMIT;
use crate::forge::{Forge, PULL_REQUEST, TOKEN};
use crate::recorded;
use crate::support::{Ran, checkout, ran};

/// The one that is queued.
const RUN: &str = "0198b7a6-0000-7000-8000-000000000001";

/// A runner: a checkout with two commits, and a PATH whose `rigmark run` has been recorded.
pub struct Runner {
    dir: tempfile::TempDir,
    pub base: String,
}

impl Runner {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let runner = Self {
            dir,
            base: String::new(),
        };
        std::fs::create_dir_all(runner.path("repository/server")).unwrap();
        std::fs::write(runner.path("repository/.gitignore"), "rigmark-result\n").unwrap();
        runner.git(&["init", "--quiet", "--initial-branch=main"]);
        for text in ["one", "two"] {
            std::fs::write(runner.path("repository/server/server.toml"), text).unwrap();
            runner.commit(text);
        }
        let base = runner.git(&["rev-parse", "HEAD~1"]);
        Self { base, ..runner }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn git(&self, args: &[&str]) -> String {
        let mut git = Command::new("git");
        git.args(args)
            .current_dir(self.path("repository"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null");
        let said = ran(git);
        assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
        said.stdout.trim().to_owned()
    }

    /// All that is in the checkout.
    pub fn commit(&self, message: &str) {
        self.git(&["add", "."]);
        let author = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
        self.git(&[author.as_slice(), &["commit", "--quiet", "-m", message]].concat());
    }

    /// `rigmark run` really measures.
    pub fn measures(&self) {
        let program = self.path("bin/rigmark");
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_rigmark"), program).unwrap();
    }

    /// In the checkout.
    pub fn rigmark(&self, args: &[&str]) -> Ran {
        let mut command = crate::support::on_this_host(crate::support::rigmark(self.dir.path(), args));
        command.current_dir(self.path("repository"));
        ran(command)
    }

    /// What was measured, here or on a host, is the recording; the arguments of `run`, `queue` and `wait` are kept in `arguments`.
    pub fn records(&self, name: &str, code: i32) {
        let program = self.path("bin/rigmark");
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        let script = format!(
            "#!/bin/sh\nif [ \"$1\" = publish ]; then echo 'Report: https://rigmark.example/r/abc'; exit; fi\ncase $1 in run | queue | wait) ;; *) exec '{}' \"$@\" ;; esac\n\
             printf '%s\\n' \"$@\" >>'{}'\nif [ \"$1\" = queue ]; then echo 'Queued on pi 4: https://rigmark.example/w/ada/runs/{RUN}'; exit; fi\n\
             for word in \"$@\"; do case $word in --out=*) cp '{}' \"${{word#--out=}}\" ;; esac; done\nexit {code}\n",
            env!("CARGO_BIN_EXE_rigmark"),
            self.path("arguments").display(),
            recorded(name).display(),
        );
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn script(&self, name: &str, env: &[(&str, &str)]) -> Ran {
        let mut script = Command::new(checkout().join("deploy/action").join(name));
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        script
            .current_dir(self.path("repository"))
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.dir.path())
            .env("GITHUB_OUTPUT", self.path("output"))
            .env("GITHUB_STEP_SUMMARY", self.path("summary.md"))
            .env("GITHUB_REPOSITORY", "o/r")
            .env("RIGMARK_ASSETS", checkout())
            .env("RIGMARK_STATE", self.path("state"))
            .env("RIGMARK_LOCK", self.path("lock"))
            .envs(env.iter().copied());
        ran(script)
    }

    pub fn measure(&self, more: &[(&str, &str)]) -> Ran {
        let number = PULL_REQUEST.to_string();
        let inputs = [
            ("RIGMARK_SERVER", "./server"),
            ("RIGMARK_BASE", self.base.as_str()),
            ("RIGMARK_SCENARIOS", "plaintext-loadgen\n  static-1k-ab"),
            ("RIGMARK_FAIL_ON", "slower:3%"),
            ("RIGMARK_PULL_REQUEST", &number),
        ];
        self.script("measure.sh", &[&inputs, more].concat())
    }

    pub fn comment(&self, forge: &Forge, commit: &str) -> Ran {
        self.comment_with(forge, commit, &[])
    }

    pub fn comment_with(&self, forge: &Forge, commit: &str, more: &[(&str, &str)]) -> Ran {
        let env = [
            ("GITHUB_API_URL", forge.url.as_str()),
            ("RIGMARK_FORGE_TOKEN", TOKEN),
            ("RIGMARK_COMMIT", commit),
            ("RIGMARK_FAIL_ON", "slower:3%"),
            ("RIGMARK_ONLY_ON", "change"),
        ];
        self.script("comment.sh", &[&env, more].concat())
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }
}

#[test]
fn measured_summed_up_and_commented() {
    let runner = Runner::new();
    let forge = Forge::start(COMMIT);
    runner.records("slower", 3);
    let measured = runner.measure(&[("RIGMARK_BLOCKS", "7"), ("RIGMARK_ARGUMENTS", "--seed=1\n--title=a b")]);
    assert_eq!(measured.code, Some(3), "{}", measured.stderr);
    let arguments = runner.read("arguments");
    let base = format!("--server=base=./server@{}", runner.base);
    let wanted = [
        "run",
        &base,
        "--server=head=./server",
        "--baseline=base",
        "--scenario=plaintext-loadgen",
        "--scenario=static-1k-ab",
        "--repeats=7",
        "--seed=1",
        "--title=a b",
        "--fail-on=slower:3%",
        "--out=rigmark-result/result.jsonl",
    ];
    assert_eq!(arguments.lines().collect::<Vec<_>>(), wanted);
    assert!(runner.read("summary.md").contains("| slower |"));
    assert!(runner.read("output").contains("result=rigmark-result/result.jsonl"));
    assert!(runner.path("repository/rigmark-result/report.html").exists());

    let commented = runner.comment(&forge, COMMIT);
    assert_eq!(commented.code, Some(3), "{}", commented.stderr);
    assert!(forge.state().comments[0].body.contains("slower than base"));
    assert_eq!(forge.state().checks[0].conclusion, "failure");

    runner.records("same", 0);
    assert_eq!(runner.measure(&[]).code, Some(0));
    assert_eq!(runner.comment(&forge, COMMIT).code, Some(0));
    assert_eq!(forge.state().comments.len(), 1);
    assert!(forge.state().comments[0].body.contains("No difference was shown"));
    assert_eq!(forge.state().checks[0].conclusion, "success");
}

/// As GitHub's checkout of a pull request, whose event may name an older base.
#[test]
fn the_base_is_what_the_head_was_merged_into_and_else_that_of_the_event() {
    let runner = Runner::new();
    runner.records("same", 0);
    let newest = runner.git(&["rev-parse", "HEAD"]);
    runner.git(&["checkout", "--quiet", "-b", "change", "HEAD~1"]);
    std::fs::write(runner.path("repository/server/main.c"), "").unwrap();
    runner.commit("change");
    let head = runner.git(&["rev-parse", "HEAD"]);
    runner.git(&["checkout", "--quiet", "main"]);
    let author = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    let merge = ["merge", "--quiet", "--no-ff", "-m", "parent 1", "change"];
    runner.git(&[&author[..], &merge].concat());
    let event = runner.base.clone();
    let of_event = [
        ("RIGMARK_BASE", ""),
        ("RIGMARK_EVENT_BASE", event.as_str()),
        ("RIGMARK_HEAD", head.as_str()),
    ];
    for (checkout, typed, wanted) in [
        ("main", "", &newest),
        // Typed is typed, and the head alone is no merge of it.
        ("main", "change", &head),
        ("change", "", &event),
    ] {
        runner.git(&["checkout", "--quiet", checkout]);
        let _ = std::fs::remove_file(runner.path("arguments"));
        let said = runner.measure(&[&of_event[..], &[("RIGMARK_BASE", typed)]].concat());
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let base = format!("--server=base=./server@{wanted}\n");
        assert!(runner.read("arguments").contains(&base), "{checkout} {typed}");
    }
}

#[test]
fn a_branch_that_cannot_be_fetched_is_what_the_checkout_fetched() {
    let runner = Runner::new();
    runner.records("same", 0);
    runner.git(&["update-ref", "refs/remotes/origin/release", &runner.base]);
    let said = runner.measure(&[("RIGMARK_BASE", "release")]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let base = format!("--server=base=./server@{}\n", runner.base);
    assert!(runner.read("arguments").contains(&base));
}

#[test]
fn a_host_of_the_workspace_measures_instead_of_the_runner() {
    let runner = Runner::new();
    let forge = Forge::start(COMMIT);
    runner.records("slower", 3);
    let (gone, head) = ("1".repeat(40), "2".repeat(40));
    let inputs = [
        ("RIGMARK_HOST", "pi 4"),
        ("RIGMARK_URL", "https://rigmark.example"),
        ("RIGMARK_TOKEN", "rgm_x"),
        ("RIGMARK_WORKSPACE", ""),
        ("RIGMARK_SERVER", "hello"),
        // The runner's checkout has neither; it may have none at all.
        ("RIGMARK_BASE", gone.as_str()),
        ("RIGMARK_HEAD", head.as_str()),
    ];
    let measured = runner.measure(&inputs);
    assert_eq!(measured.code, Some(3), "{}", measured.stderr);
    let servers = [
        format!("--server=base=hello@{gone}"),
        format!("--server=head=hello@{head}"),
    ];
    let wanted = [
        &["queue", "--host=pi 4", &servers[0], &servers[1], "--baseline=base"],
        &["--scenario=plaintext-loadgen", "--scenario=static-1k-ab"][..],
        &["--fail-on=slower:3%", "wait", RUN, "--cancel-on-interrupt"],
        &["--fail-on=slower:3%", "--out=rigmark-result/result.jsonl"],
    ];
    assert_eq!(runner.read("arguments").lines().collect::<Vec<_>>(), wanted.concat());
    assert_eq!(runner.read("repository/rigmark-result/run"), format!("{RUN}\n"));
    assert!(
        runner.read("output").contains(&format!("run={RUN}\nresult=")),
        "{}",
        runner.read("output")
    );
    assert!(runner.read("summary.md").contains("| slower |"));
    let commented = runner.comment(&forge, COMMIT);
    assert_eq!(commented.code, Some(3), "{}", commented.stderr);
    assert!(forge.state().comments[0].body.contains("slower than base"));

    for (input, wanted) in [
        (("RIGMARK_TOKEN", ""), "url and token are missing"),
        (("RIGMARK_URL", ""), "url and token are missing"),
        (("RIGMARK_SERVER", "./server"), "it is the name of a server there"),
        (("RIGMARK_HEAD", ""), "head is missing"),
    ] {
        let said = runner.measure(&[&inputs[..], &[input]].concat());
        assert_eq!(said.code, Some(2), "{input:?}: {}", said.stderr);
        assert!(said.stderr.contains(wanted), "{input:?}: {}", said.stderr);
    }
}

#[test]
fn a_published_result_has_its_link_and_picture() {
    let runner = Runner::new();
    let forge = Forge::start(COMMIT);
    runner.records("slower", 3);
    runner.measure(&[]);
    let publish = [("RIGMARK_URL", "https://rigmark.example"), ("RIGMARK_TOKEN", "rgm_x")];
    let said = runner.comment_with(&forge, COMMIT, &publish);
    assert_eq!(said.code, Some(3), "{}", said.stderr);
    assert!(
        forge.state().comments[0]
            .body
            .contains("[Full report](https://rigmark.example/r/abc)")
    );
}

#[test]
fn a_refactoring_stays_silent() {
    let runner = Runner::new();
    let forge = Forge::start(COMMIT);
    runner.records("same", 0);
    assert_eq!(runner.measure(&[]).code, Some(0));
    assert_eq!(runner.comment(&forge, COMMIT).code, Some(0));
    assert!(forge.state().comments.is_empty());
    assert_eq!(forge.state().checks[0].conclusion, "success");
}

#[test]
fn an_artifact_that_lies_about_its_pull_request_writes_nothing() {
    let runner = Runner::new();
    let forge = Forge::start(COMMIT);
    runner.records("slower", 3);
    runner.measure(&[]);
    let claim = runner.path("repository/rigmark-result/pull-request");
    for (lie, wanted) in [
        ("8\n", "404"),
        ("7; rm -rf /\n", "does not say which"),
        ("", "does not say which"),
        ("../7", "does not say which"),
    ] {
        std::fs::write(&claim, lie).unwrap();
        let said = runner.comment(&forge, COMMIT);
        assert_eq!(said.code, Some(1), "{lie:?}: {}", said.stderr);
        assert!(said.stderr.contains(wanted), "{lie:?}: {}", said.stderr);
    }
    std::fs::write(&claim, "7\n").unwrap();
    let other = runner.comment(&forge, &"f".repeat(40));
    assert!(other.stderr.contains("nothing was written"), "{}", other.stderr);
    assert!(forge.state().comments.is_empty() && forge.state().checks.is_empty());
}

#[test]
fn without_a_result_there_is_nothing_to_say() {
    let runner = Runner::new();
    let forge = Forge::start(COMMIT);
    runner.records("slower", 0);
    let said = runner.comment(&forge, COMMIT);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stderr.contains("nothing to comment on") && forge.state().requests.is_empty());
}

#[test]
fn inputs_that_are_missing_or_wrong_are_one_sentence() {
    let runner = Runner::new();
    runner.records("same", 0);
    let gone = "0".repeat(40);
    for (input, wanted, code) in [
        (("RIGMARK_SERVER", ""), "server is missing", 2),
        (("RIGMARK_SCENARIOS", ""), "scenarios is missing", 2),
        (("RIGMARK_BASE", gone.as_str()), "base is missing", 2),
        (("RIGMARK_BASE", "--upload-pack=x"), "is no commit and no branch", 2),
        (("RIGMARK_BASE", "nowhere"), "git has no nowhere", 1),
    ] {
        let said = runner.measure(&[input]);
        assert_eq!(said.code, Some(code), "{input:?}: {}", said.stderr);
        assert!(said.stderr.contains(wanted), "{input:?}: {}", said.stderr);
    }
    assert!(!runner.path("arguments").exists());
}
