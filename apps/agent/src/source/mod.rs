//! Which code a run is about: repository, commit, branch and pull request, from the variables of a CI job or from a git
//! checkout. Sent with a run, so that it can be found by them.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Longest name of a repository or a branch, in characters.
const NAME_CHARS: usize = 200;
/// Forges whose name tells nothing about whoever uses them. The app links to commits and pull requests there.
const PUBLIC_FORGES: [&str; 3] = ["github.com", "gitlab.com", "codeberg.org"];
/// GitHub's description of what started a job.
const EVENT_BYTES: u64 = 4 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// `https://github.com/owner/name` at a public forge, else `owner/name`.
    pub repository: String,
    /// 40 hexadecimal digits. Of a pull request its head, never the merge that CI makes for a test.
    pub commit: String,
    /// `None` for a detached head.
    pub branch: Option<String>,
    pub pull_request: Option<u64>,
    /// Where the pull request would go, 40 hexadecimal digits.
    pub base_commit: Option<String>,
    /// Files that git knows differ from the commit.
    pub dirty: bool,
}

impl Source {
    /// `owner/name` of the repository, also where its address was sent. What is neither stays as it is, to be refused.
    pub fn repository_name(&self) -> String {
        host_and_name(&self.repository)
            .map(|(_, name)| name)
            .or_else(|| repository(&self.repository))
            .unwrap_or_else(|| self.repository.clone())
    }
}

/// From the job where there is one, else from the checkout around `folder`. `None` outside of both, and where the checkout
/// has no remote at a forge.
pub fn find(folder: &Path) -> Option<Source> {
    of_job(&variable, &is_dirty(folder)).or_else(|| of_checkout(folder))
}

/// From the variables of a CI job alone.
pub fn of_this_job(folder: &Path) -> Option<Source> {
    of_job(&variable, &is_dirty(folder))
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

fn of_job(variable: Variables, dirty: &dyn Fn() -> bool) -> Option<Source> {
    let found = github(variable).or_else(|| gitlab(variable))?;
    Some(Source {
        dirty: dirty(),
        ..found
    })
}

fn github(variable: Variables) -> Option<Source> {
    // A workflow that runs after another one is at the default branch, whatever the other one measured.
    if variable("GITHUB_ACTIONS")? != "true" || variable("GITHUB_EVENT_NAME").as_deref() == Some("workflow_run") {
        return None;
    }
    let event = variable("GITHUB_EVENT_PATH").and_then(|path| event(Path::new(&path)));
    let pull = event.as_ref().and_then(|e| e.get("pull_request"));
    let of_pull = |path: &str| pull?.pointer(path)?.as_str().map(str::to_owned);
    let number = || {
        let given = variable("GITHUB_REF")?;
        given.strip_prefix("refs/pull/")?.split('/').next()?.parse().ok()
    };
    let on_branch = || variable("GITHUB_REF_NAME").filter(|_| variable("GITHUB_REF_TYPE").as_deref() != Some("tag"));
    Some(Source {
        repository: repository_of_job(variable, "GITHUB_SERVER_URL", "GITHUB_REPOSITORY")?,
        // The commit of such a job is a merge that exists for it alone.
        commit: commit(&of_pull("/head/sha").or_else(|| variable("GITHUB_SHA"))?)?,
        branch: of_pull("/head/ref")
            .or_else(|| variable("GITHUB_HEAD_REF"))
            .or_else(on_branch)
            .and_then(|b| branch(&b)),
        pull_request: pull.and_then(|p| p.get("number")?.as_u64()).or_else(number),
        base_commit: of_pull("/base/sha").and_then(|c| commit(&c)),
        dirty: false,
    })
}

fn gitlab(variable: Variables) -> Option<Source> {
    variable("GITLAB_CI")?;
    let merge = |name: &str| variable(&format!("CI_MERGE_REQUEST_{name}"));
    Some(Source {
        repository: repository_of_job(variable, "CI_SERVER_URL", "CI_PROJECT_PATH")?,
        // Set in pipelines of merged results, where CI_COMMIT_SHA is a merge made for the test.
        commit: commit(
            &merge("SOURCE_BRANCH_SHA")
                .filter(|sha| commit(sha).is_some())
                .or_else(|| variable("CI_COMMIT_SHA"))?,
        )?,
        branch: merge("SOURCE_BRANCH_NAME")
            .or_else(|| variable("CI_COMMIT_BRANCH"))
            .and_then(|b| branch(&b)),
        pull_request: merge("IID").and_then(|n| n.parse().ok()),
        base_commit: merge("DIFF_BASE_SHA").and_then(|c| commit(&c)),
        dirty: false,
    })
}

fn of_checkout(folder: &Path) -> Option<Source> {
    let remote = git(folder, ["remote", "get-url", "origin"]).or_else(|| {
        let first = git(folder, ["remote"])?.lines().next()?.to_owned();
        git(folder, ["remote", "get-url", &first])
    });
    Some(Source {
        repository: repository_at(&remote?)?,
        commit: commit(&git(folder, ["rev-parse", "--verify", "HEAD^{commit}"])?)?,
        branch: git(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"]).and_then(|b| branch(&b)),
        pull_request: None,
        base_commit: None,
        dirty: is_dirty(folder)(),
    })
}

/// New files that git does not know are no change: result files lie beside the code.
fn is_dirty(folder: &Path) -> impl Fn() -> bool {
    move || git(folder, ["status", "--porcelain", "--untracked-files=no"]).is_some_and(|changed| !changed.is_empty())
}

/// What git prints, without the white space around it; `None` when it fails.
fn git<const N: usize>(folder: &Path, arguments: [&str; N]) -> Option<String> {
    let output = Command::new(OsStr::new("git"))
        .args(arguments)
        .current_dir(folder)
        // Reading must not get in the way of somebody who commits.
        .env("GIT_OPTIONAL_LOCKS", "0")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()
        .filter(|o| o.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// `owner/name` of `https://user:secret@host/owner/name.git` or `git@host:owner/name.git`, with the address where the host
/// is a public forge. A folder on this machine has no such name, and its path is nobody's business.
fn repository_at(url: &str) -> Option<String> {
    let (host, name) = host_and_name(url)?;
    Some(addressed(host, name))
}

/// The host without user and port.
fn host_and_name(url: &str) -> Option<(&str, String)> {
    let (host, path) = match url.split_once("://") {
        Some(("file", _)) => return None,
        Some((_, rest)) => rest.split_once('/')?,
        // `C:\repos` on Windows is a path as well.
        None => url
            .split_once(':')
            .filter(|(host, _)| host.len() > 1 && !host.contains('/'))?,
    };
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = host.split_once(':').map_or(host, |(host, _)| host);
    if host.is_empty() {
        return None;
    }
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    Some((host, repository(path)?))
}

/// The repository's address, so that the app can link to it, where its forge is open to everybody; else its name alone.
fn addressed(host: &str, name: String) -> String {
    let known = PUBLIC_FORGES.iter().find(|forge| forge.eq_ignore_ascii_case(host));
    known.map_or(name.clone(), |forge| format!("https://{forge}/{name}"))
}

fn repository_of_job(variable: Variables, server: &str, name: &str) -> Option<String> {
    let name = repository(&variable(name)?)?;
    let server = variable(server).unwrap_or_default();
    let host = server
        .trim_end_matches('/')
        .strip_prefix("https://")
        .unwrap_or_default();
    Some(addressed(host, name))
}

fn event(path: &Path) -> Option<Value> {
    let mut text = String::new();
    let file = std::fs::File::open(path).ok()?;
    file.take(EVENT_BYTES).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

fn commit(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_lowercase();
    (text.len() == 40 && text.bytes().all(|b| b.is_ascii_hexdigit())).then_some(text)
}

/// `owner/name`, or deeper where groups lie in groups. The app takes no other characters.
fn repository(text: &str) -> Option<String> {
    let text = text.trim();
    let part = |part: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || "_.~-".contains(c);
        !part.is_empty() && part.chars().all(fits) && !part.starts_with(['.', '~', '-'])
    };
    let fits = (2..=6).contains(&text.split('/').count()) && text.split('/').all(part) && text.len() <= NAME_CHARS;
    fits.then(|| text.to_owned())
}

/// A name that the app would refuse is left out: a run must not fail for it.
fn branch(text: &str) -> Option<String> {
    let text = text.trim();
    let odd = |c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c);
    let fits = !text.is_empty() && text.chars().count() <= NAME_CHARS && !text.chars().any(odd);
    fits.then(|| text.to_owned())
}

#[cfg(test)]
mod tests;
