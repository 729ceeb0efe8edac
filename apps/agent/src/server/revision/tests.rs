use std::process::Command;

use super::*;

const MANIFEST: &str = "schema = 1\nname = \"server\"\ntitle = \"s\"\nlanguage = \"C\"\nsummary = \"\"\nlicense = \"MIT\"\n\
                        [run]\ncommand = [\"x\", \"{port}\"]\n";

/// A repository with two commits of the folder `apps/server`; `v1` is the first.
struct Repo {
    dir: tempfile::TempDir,
    state: State,
}

impl Repo {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let state = State::locate(Some(&dir.path().join("state")));
        let repo = Self { dir, state };
        std::fs::create_dir_all(repo.folder()).unwrap();
        repo.git(&["init", "--quiet", "--initial-branch=main", "."]);
        repo.write("server.toml", MANIFEST);
        repo.write("main.c", "one");
        repo.commit("one");
        repo.git(&["tag", "v1"]);
        repo.write("main.c", "two");
        repo.commit("two");
        repo
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("r@po")
    }

    fn folder(&self) -> PathBuf {
        self.root().join("apps/server")
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder().join(name), text).unwrap();
    }

    fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command
            .args([
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@example.org",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(arguments)
            .current_dir(self.root())
            .env("GIT_CONFIG_GLOBAL", "/dev/null");
        OF_OTHERS.iter().for_each(|name| {
            command.env_remove(name);
        });
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "-m", message]);
    }

    fn at(&self, reference: &str) -> Result<Arc<Checkout>, RevisionError> {
        check_out(&self.folder(), reference, &self.state)
    }

    fn refused(&self, reference: &str) -> String {
        self.at(reference).unwrap_err().to_string()
    }
}

const OF_OTHERS: [&str; 3] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"];

#[test]
fn a_folder_is_there_as_it_was_at_a_commit_until_nobody_needs_it() {
    let repo = Repo::new();
    repo.write("main.c", "three, in no commit");
    let first = repo.git(&["rev-parse", "v1"]);
    for reference in ["v1", "main~1", &first, &first[..10], "HEAD@{1}"] {
        let checkout = repo.at(reference).unwrap();
        assert_eq!(std::fs::read_to_string(checkout.folder.join("main.c")).unwrap(), "one");
        assert_eq!(checkout.revision.commit, first);
        assert!(!checkout.revision.dirty);
        assert_eq!(checkout.revision.folder.as_deref(), Some("apps/server"));
        assert!(checkout.folder.ends_with("apps/server"));
    }
    let held = repo.at("v1").unwrap();
    assert!(Arc::ptr_eq(&held, &repo.at("v1").unwrap()), "it is checked out once");
    let folder = held.folder.clone();
    drop(held);
    assert!(!folder.exists());
    // Nothing of it is in the repository: no worktree, no other index.
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1);
    assert_eq!(repo.git(&["status", "--porcelain"]), "M apps/server/main.c");
}

#[test]
fn a_folder_that_is_gone_by_now_is_there_at_its_commit() {
    let repo = Repo::new();
    repo.git(&["rm", "--quiet", "-r", "apps"]);
    repo.commit("gone");
    assert!(!repo.folder().exists());
    let checkout = repo.at("v1").unwrap();
    assert!(checkout.folder.join("server.toml").is_file());
    let refused = repo.refused("main");
    assert!(
        refused.contains("does not exist at main, which is commit "),
        "{refused}"
    );
}

#[test]
fn what_cannot_be_had_is_said_in_one_sentence() {
    let repo = Repo::new();
    for (reference, says) in [
        ("origin/nothing", "has no \"origin/nothing\"; "),
        ("--all", "has no \"--all\"; "),
        ("v1^{tree}", "has no \"v1^{tree}\"; "),
    ] {
        let refused = repo.refused(reference);
        assert!(refused.contains(says), "{refused}");
    }
    repo.git(&["rm", "--quiet", "apps/server/server.toml"]);
    repo.commit("without");
    let refused = repo.refused("main");
    assert!(refused.contains("has no server.toml at main"), "{refused}");
    let outside = tempfile::tempdir().unwrap();
    let refused = check_out(outside.path(), "main", &repo.state).unwrap_err().to_string();
    assert!(
        refused.contains("is in no git repository that can be used (git: "),
        "{refused}"
    );
    assert!(!refused.contains('\n'));
}

#[test]
fn a_commit_from_before_the_manifest_takes_that_of_the_working_tree() {
    let repo = Repo::new();
    repo.git(&["rm", "--quiet", "--cached", "apps/server/server.toml"]);
    repo.git(&["commit", "--quiet", "-m", "before"]);
    repo.git(&["tag", "before"]);
    let now = MANIFEST.replace("\"s\"", "\"now\"");
    repo.write("server.toml", &now);
    repo.write("main.c", "three");
    let manifest = |checkout: &Checkout| std::fs::read_to_string(checkout.folder.join("server.toml")).unwrap();
    let before = repo.at("before").unwrap();
    assert!(before.manifest_borrowed);
    assert_eq!(manifest(&before), now);
    assert_eq!(std::fs::read_to_string(before.folder.join("main.c")).unwrap(), "two");
    // One that is there counts, whatever the other says.
    let first = repo.at("v1").unwrap();
    assert!(!first.manifest_borrowed);
    assert_eq!(manifest(&first), MANIFEST);
    // A link may lead out of the folder, so nothing is read through one.
    std::fs::remove_file(repo.folder().join("server.toml")).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", repo.folder().join("server.toml")).unwrap();
    let refused = repo.refused("before");
    assert!(refused.contains("and none now that could be used instead"), "{refused}");
}

const RUNS_ON: fn() -> bool = || false;

/// A host's clone of `upstream`, in which more is committed since.
struct Cloned {
    upstream: Repo,
    clone: PathBuf,
}

impl Cloned {
    fn new() -> Self {
        let upstream = Repo::new();
        let clone = upstream.dir.path().join("clone");
        upstream.git(&["clone", "--quiet", ".", clone.to_str().unwrap()]);
        upstream.write("main.c", "three");
        upstream.commit("three");
        Self { upstream, clone }
    }

    fn of_clone(&self, arguments: &[&str]) -> String {
        let clone = self.clone.to_str().unwrap();
        self.upstream.git(&[&["-C", clone], arguments].concat())
    }

    fn allow(&self) {
        self.of_clone(&["config", git::FETCH_KEY, "origin"]);
    }

    fn at(&self, reference: &str) -> Result<Arc<Checkout>, RevisionError> {
        check_out_queued(
            &self.clone.join("apps/server"),
            reference,
            &self.upstream.state,
            &RUNS_ON,
        )
    }

    fn main_c(&self, reference: &str) -> String {
        let checkout = self.at(reference).unwrap();
        std::fs::read_to_string(checkout.folder.join("main.c")).unwrap()
    }

    fn refs(&self) -> String {
        self.of_clone(&["for-each-ref"])
    }
}

#[test]
fn a_queued_commit_is_fetched_only_where_the_clones_owner_allowed_it() {
    let host = Cloned::new();
    let third = host.upstream.git(&["rev-parse", "main"]);
    assert_eq!(host.main_c("origin/main"), "two", "as the clone knows it");
    let refused = host.at(&third).unwrap_err().to_string();
    assert!(
        refused.contains(&format!("has no \"{third}\", and its owner lets nothing be fetched; ")),
        "{refused}"
    );
    assert!(refused.contains("config rigmark.fetch origin"), "{refused}");
    // What a commit says of it counts for nothing.
    std::fs::write(host.clone.join(".gitconfig"), "[rigmark]\nfetch = origin\n").unwrap();
    assert!(matches!(host.at(&third), Err(RevisionError::NotFetched { .. })));
    host.allow();
    let before = host.refs();
    assert_eq!(host.main_c(&third), "three");
    assert_eq!(host.main_c("v1"), "one");
    assert_eq!(host.refs(), before, "no branch moved");
    assert!(!host.clone.join(".git/FETCH_HEAD").exists());
}

#[test]
fn a_branch_of_the_remote_is_todays_and_a_pull_request_has_a_name() {
    let host = Cloned::new();
    host.allow();
    assert_eq!(host.main_c("origin/main"), "three");
    let upstream = &host.upstream;
    upstream.git(&["checkout", "--quiet", "-b", "feature"]);
    upstream.write("main.c", "four");
    upstream.commit("four");
    upstream.git(&["update-ref", "refs/pull/7/head", "feature"]);
    upstream.git(&["tag", "-a", "-m", "v4", "v4"]);
    upstream.git(&["checkout", "--quiet", "main"]);
    upstream.git(&["branch", "-D", "feature", "--quiet"]);
    for reference in ["refs/pull/7/head", "pull/7/head", "v4"] {
        assert_eq!(host.main_c(reference), "four", "{reference}");
    }
    let refused = host.at("refs/pull/8/head").unwrap_err().to_string();
    assert!(
        refused.contains("could not be fetched from origin into the clone of"),
        "{refused}"
    );
    assert!(
        refused.ends_with("it has no such branch, tag or pull request."),
        "{refused}"
    );
}

#[test]
fn no_hook_of_the_clone_runs_and_a_fetch_that_fails_is_one_sentence() {
    let host = Cloned::new();
    host.allow();
    let hooks = host.clone.join(".git/hooks");
    std::fs::create_dir_all(&hooks).unwrap();
    for name in ["reference-transaction", "post-checkout", "post-index-change"] {
        use std::os::unix::fs::PermissionsExt;
        std::fs::write(hooks.join(name), "#!/bin/sh\ntouch \"$GIT_DIR/ran\"\n").unwrap();
        std::fs::set_permissions(hooks.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    assert_eq!(host.main_c("origin/main"), "three");
    assert!(!host.clone.join(".git/ran").exists());
    let gone = "0123456789abcdef0123456789abcdef01234567";
    let refused = host.at(gone).unwrap_err().to_string();
    assert!(refused.contains("could not be fetched from origin"), "{refused}");
    assert!(!refused.contains('\n'));
    host.of_clone(&["config", git::FETCH_KEY, "elsewhere"]);
    let refused = host.at(gone).unwrap_err().to_string();
    assert!(refused.contains("it has no remote of that name"), "{refused}");
}

#[test]
fn a_remote_that_does_not_answer_is_left_when_the_run_is_cancelled() {
    let host = Cloned::new();
    host.allow();
    let listening = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("git://{}/x", listening.local_addr().unwrap());
    host.of_clone(&["remote", "set-url", "origin", &url]);
    let asked = std::sync::atomic::AtomicBool::new(false);
    let accepted = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let connection = listening.accept().unwrap().0;
            asked.store(true, std::sync::atomic::Ordering::Relaxed);
            connection
        });
        let stopped = || asked.load(std::sync::atomic::Ordering::Relaxed);
        let folder = host.clone.join("apps/server");
        let refused = check_out_queued(&folder, "origin/main", &host.upstream.state, &stopped);
        let refused = refused.unwrap_err().to_string();
        assert!(refused.ends_with("the run was cancelled."), "{refused}");
        waiting.join().unwrap()
    });
    drop(accepted);
}

#[test]
fn a_folder_has_commits_where_some_of_it_is_under_version_control() {
    let repo = Repo::new();
    assert!(has_commits(&repo.folder()));
    let link = repo.dir.path().join("link");
    std::os::unix::fs::symlink(repo.folder(), &link).unwrap();
    assert!(has_commits(&link));
    let other = repo.root().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("server.toml"), MANIFEST).unwrap();
    assert!(!has_commits(&other) && !has_commits(repo.dir.path()));
}

#[test]
fn a_folder_says_its_commit_and_whether_all_of_it_is_in_there() {
    let repo = Repo::new();
    let head = repo.git(&["rev-parse", "HEAD"]);
    let dirty = || of_folder(&repo.folder()).map(|revision| (revision.commit == head, revision.dirty));
    assert_eq!(dirty(), Some((true, false)));
    // Other folders are no part of the server.
    std::fs::write(repo.root().join("notes.txt"), "x").unwrap();
    assert_eq!(dirty(), Some((true, false)));
    repo.write("more.c", "in no commit");
    assert_eq!(dirty(), Some((true, true)));
    std::fs::remove_file(repo.folder().join("more.c")).unwrap();
    repo.write("main.c", "changed");
    assert_eq!(dirty(), Some((true, true)));
    let ignored = repo.root().join("ignored");
    std::fs::create_dir(&ignored).unwrap();
    std::fs::write(ignored.join("server.toml"), MANIFEST).unwrap();
    assert_eq!(of_folder(&ignored), None);
    assert_eq!(of_folder(repo.state.root().parent().unwrap()), None);
}

#[test]
fn a_submodule_is_there_where_its_commit_is_and_is_named_where_not() {
    let (repo, other) = (Repo::new(), Repo::new());
    let url = other.root().display().to_string();
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &url,
        "apps/server/lib",
    ];
    repo.git(&add);
    repo.commit("lib");
    let checkout = repo.at("main").unwrap();
    assert_eq!(
        std::fs::read_to_string(checkout.folder.join("lib/apps/server/main.c")).unwrap(),
        "two"
    );
    drop(checkout);
    repo.git(&["submodule", "--quiet", "deinit", "--force", "apps/server/lib"]);
    let refused = repo.refused("main");
    assert!(
        refused.contains("the submodule apps/server/lib is not here at commit"),
        "{refused}"
    );
}

#[test]
fn the_last_at_with_a_folder_before_it_begins_the_reference() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().display().to_string();
    for folder in ["s", "a@b"] {
        std::fs::create_dir(dir.path().join(folder)).unwrap();
    }
    let of = |text: &str| {
        let text = format!("{root}/{text}");
        split(&text).map(|(folder, reference)| (folder[root.len() + 1..].to_owned(), reference.to_owned()))
    };
    let cut = |folder: &str, reference: &str| Some((folder.to_owned(), reference.to_owned()));
    assert_eq!(of("s@main"), cut("s", "main"));
    assert_eq!(of("s@origin/main"), cut("s", "origin/main"));
    assert_eq!(of("s@HEAD@{1}"), cut("s", "HEAD@{1}"));
    assert_eq!(of("a@b"), None);
    assert_eq!(of("a@b@v1"), cut("a@b", "v1"));
    // Where nothing is, the first one does.
    assert_eq!(of("gone@v1"), cut("gone", "v1"));
    for no in ["s@", "s", "s@a b", "s@-x"] {
        assert_eq!(of(no), None, "{no}");
    }
}
