use std::collections::HashMap;

use super::*;

const A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const B: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
const C: &str = "cccccccccccccccccccccccccccccccccccccccc";

fn job(variables: &[(&str, &str)]) -> Option<Source> {
    let variables: HashMap<String, String> = variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    of_job(&|name| variables.get(name).cloned(), &|| false)
}

#[test]
fn a_pull_request_on_github_is_its_head_and_not_the_merge() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("event.json");
    let event = format!(
        r#"{{"number":7,"pull_request":{{"number":7,"head":{{"sha":"{A}","ref":"quick"}},"base":{{"sha":"{B}"}}}}}}"#
    );
    std::fs::write(&path, event).unwrap();
    let mut variables = vec![
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_REPOSITORY", "ana/web"),
        ("GITHUB_SHA", C),
        ("GITHUB_REF", "refs/pull/7/merge"),
        ("GITHUB_REF_NAME", "7/merge"),
        ("GITHUB_HEAD_REF", "quick"),
        ("GITHUB_EVENT_PATH", path.to_str().unwrap()),
    ];
    let expected = Source {
        repository: "ana/web".into(),
        commit: A.into(),
        branch: Some("quick".into()),
        pull_request: Some(7),
        base_commit: Some(B.into()),
        dirty: false,
    };
    assert_eq!(job(&variables), Some(expected.clone()));
    // Without the event its number and branch are known all the same.
    variables.pop();
    let less = Source {
        commit: C.into(),
        base_commit: None,
        ..expected
    };
    assert_eq!(job(&variables), Some(less));
}

#[test]
fn a_workflow_that_runs_after_another_one_does_not_know_what_that_measured() {
    let variables = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_EVENT_NAME", "workflow_run"),
        ("GITHUB_REPOSITORY", "ana/web"),
        ("GITHUB_SHA", A),
        ("GITHUB_REF", "refs/heads/main"),
        ("GITHUB_REF_NAME", "main"),
    ];
    assert_eq!(job(&variables), None);
}

#[test]
fn a_push_and_a_merge_request() {
    let push = job(&[
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_REPOSITORY", "ana/web"),
        ("GITHUB_SHA", A),
        ("GITHUB_REF", "refs/heads/main"),
        ("GITHUB_REF_NAME", "main"),
    ])
    .unwrap();
    assert_eq!((push.branch.as_deref(), push.pull_request), (Some("main"), None));
    let merge = job(&[
        ("GITLAB_CI", "true"),
        ("CI_PROJECT_PATH", "group/sub/web"),
        ("CI_COMMIT_SHA", A),
        ("CI_MERGE_REQUEST_IID", "12"),
        ("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "quick"),
        ("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", ""),
        ("CI_MERGE_REQUEST_DIFF_BASE_SHA", B),
    ])
    .unwrap();
    assert_eq!(
        (merge.repository.as_str(), merge.commit.as_str(), merge.pull_request),
        ("group/sub/web", A, Some(12))
    );
    assert_eq!(merge.base_commit.as_deref(), Some(B));
}

#[test]
fn what_is_no_commit_or_no_job_is_no_source() {
    assert_eq!(job(&[]), None);
    assert_eq!(job(&[("GITHUB_REPOSITORY", "ana/web"), ("GITHUB_SHA", A)]), None);
    let of = |sha| job(&[("GITLAB_CI", "1"), ("CI_PROJECT_PATH", "a/b"), ("CI_COMMIT_SHA", sha)]);
    assert_eq!(of("HEAD"), None);
    assert_eq!(of(&A.to_ascii_uppercase()).unwrap().commit, A);
}

#[test]
fn no_password_and_no_folder_of_this_machine_is_in_a_repository() {
    for url in [
        "https://ana:secret@github.com/ana/web.git",
        "git@github.com:ana/web.git",
        "ssh://git@github.com:22/ana/web",
        "https://GitHub.com/ana/web/",
    ] {
        let address = "https://github.com/ana/web";
        assert_eq!(repository_at(url).as_deref(), Some(address), "{url}");
        let elsewhere = url.to_ascii_lowercase().replace("github.com", "forge.example");
        assert_eq!(repository_at(&elsewhere).as_deref(), Some("ana/web"), "{elsewhere}");
    }
    for path in ["/home/ana/web", "../web", "file:///home/ana/web", "C:\\web", ""] {
        assert_eq!(repository_at(path), None, "{path}");
    }
}

#[test]
fn a_checkout_says_its_commit_branch_and_changes() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let did = |arguments: &[&str]| {
        let identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com"];
        let done = Command::new("git")
            .args(identity)
            .args(arguments)
            .current_dir(folder)
            .output();
        done.unwrap().status.success()
    };
    assert!(did(&["init", "-q", "-b", "main"]));
    std::fs::write(folder.join("a"), "1").unwrap();
    assert!(did(&["add", "a"]) && did(&["commit", "-q", "-m", "first"]));
    assert_eq!(of_checkout(folder), None, "no remote");
    assert!(did(&["remote", "add", "origin", "git@example.com:ana/web.git"]));
    std::fs::write(folder.join("new"), "").unwrap();
    let clean = of_checkout(folder).unwrap();
    assert_eq!(
        (clean.repository.as_str(), clean.branch.as_deref(), clean.dirty),
        ("ana/web", Some("main"), false)
    );
    std::fs::write(folder.join("a"), "2").unwrap();
    assert!(did(&["checkout", "-q", "--detach"]));
    let dirty = of_checkout(folder).unwrap();
    assert_eq!((dirty.branch, dirty.dirty), (None, true));
}

/// The repository in a job of either forge that says it is at `server`.
fn repositories_at(server: &str) -> [String; 2] {
    let github = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_SERVER_URL", server),
        ("GITHUB_REPOSITORY", "ana/web"),
        ("GITHUB_SHA", A),
    ];
    let gitlab = [
        ("GITLAB_CI", "true"),
        ("CI_SERVER_URL", server),
        ("CI_PROJECT_PATH", "ana/web"),
        ("CI_COMMIT_SHA", A),
    ];
    [job(&github), job(&gitlab)].map(|found| found.unwrap().repository)
}

#[test]
fn a_job_at_a_public_forge_gives_the_address_of_its_repository() {
    for (server, wanted) in [
        ("https://github.com", "https://github.com/ana/web"),
        ("https://gitlab.com/", "https://gitlab.com/ana/web"),
    ] {
        assert_eq!(repositories_at(server), [wanted; 2]);
    }
    // What a forge of their own is called is nobody's business.
    for server in [
        "",
        "github.com",
        "http://github.com",
        "https://forge.example",
        "https://github.com.example",
    ] {
        assert_eq!(repositories_at(server), ["ana/web"; 2], "{server}");
    }
}

#[test]
fn a_repository_has_one_name_however_it_is_written() {
    let named = |written: &str| {
        let source = Source {
            repository: written.to_owned(),
            commit: A.to_owned(),
            branch: None,
            pull_request: None,
            base_commit: None,
            dirty: false,
        };
        source.repository_name()
    };
    for written in [
        "ana/web",
        "https://forge.example/ana/web",
        "https://forge.example:8443/ana/web.git",
        "ssh://git@forge.example/ana/web",
        "git@forge.example:ana/web",
    ] {
        assert_eq!(named(written), "ana/web", "{written}");
    }
    for odd in ["", "web", "https://forge.example", "https://forge.example/../web"] {
        assert_eq!(named(odd), odd);
    }
}
