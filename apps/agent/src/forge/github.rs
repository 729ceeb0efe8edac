//! GitHub's REST API, version 2022-11-28: pull requests, issue comments, check runs, commit statuses.

use async_trait::async_trait;
use http::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use super::http::{Http, Purpose};
use super::patience::Patience;
use super::{Check, Checked, Comment, Conclusion, Forge, ForgeError, PAGES, PER_PAGE};

/// Longest `description` of a status, in characters.
const DESCRIPTION_CHARS: usize = 140;

pub(super) struct GitHub {
    http: Http,
    /// `owner/name`
    repository: String,
}

#[derive(Deserialize)]
struct User {
    login: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct IssueComment {
    id: u64,
    /// Of a deleted account.
    user: Option<User>,
    body: Option<String>,
}

#[derive(Deserialize)]
struct PullRequest {
    head: Head,
}

#[derive(Deserialize)]
struct Head {
    sha: String,
}

#[derive(Deserialize)]
struct CheckRuns {
    check_runs: Vec<CheckRun>,
}

#[derive(Deserialize)]
struct CheckRun {
    id: u64,
    external_id: Option<String>,
}

const COMMENTS: &str = "pull-requests: write";
const CHECKS: &str = "checks: write, or statuses: write";

fn purpose(what: impl Into<String>, scope: &'static str) -> Purpose {
    Purpose {
        what: what.into(),
        scope,
    }
}

impl GitHub {
    pub fn new(http: Http, repository: String) -> Self {
        Self { http, repository }
    }

    fn path(&self, rest: &str) -> String {
        format!("repos/{}/{rest}", self.repository)
    }

    /// `None` for the token of an installation, such as that of a workflow: it is nobody's, and GitHub answers 403.
    async fn login(&self) -> Result<Option<String>, ForgeError> {
        let what = purpose("say whose token this is", "read:user");
        let asked = self.http.retrying::<User>(Method::GET, "user", None, &what);
        match asked.await {
            Ok(user) => Ok(Some(user.login)),
            Err(ForgeError::Forbidden { .. } | ForgeError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn own_check(&self, commit: &str, check: &Check) -> Result<Option<u64>, ForgeError> {
        let name = super::gitlab::encoded(&check.name);
        let path = self.path(&format!(
            "commits/{commit}/check-runs?check_name={name}&filter=latest&per_page=100"
        ));
        let found: CheckRuns = self
            .http
            .retrying(
                Method::GET,
                &path,
                None,
                &purpose("list the checks of the commit", CHECKS),
            )
            .await?;
        let own = found
            .check_runs
            .into_iter()
            .find(|run| run.external_id.as_deref() == Some(&check.key));
        Ok(own.map(|run| run.id))
    }

    /// One attempt: in the place of `own`, where there is one.
    async fn check_run(&self, commit: &str, check: &Check, own: Option<u64>) -> Result<(), ForgeError> {
        let body = json!({
            "name": check.name,
            "head_sha": commit,
            "external_id": check.key,
            "details_url": check.url,
            "status": "completed",
            "conclusion": match check.conclusion {
                Conclusion::Success => "success",
                Conclusion::Failure => "failure",
                Conclusion::Neutral => "neutral",
            },
            "output": { "title": check.title, "summary": check.summary },
        });
        let (method, path) = match own {
            Some(id) => (Method::PATCH, self.path(&format!("check-runs/{id}"))),
            None => (Method::POST, self.path("check-runs")),
        };
        self.http
            .once::<Value>(method, &path, Some(&body), &purpose("make the check", CHECKS))
            .await
            .map(drop)
    }

    /// A status of the same context takes the place of the one before.
    async fn status(&self, commit: &str, check: &Check) -> Result<(), ForgeError> {
        let body = json!({
            "state": if check.conclusion == Conclusion::Failure { "failure" } else { "success" },
            "target_url": check.url,
            "description": check.title.chars().take(DESCRIPTION_CHARS).collect::<String>(),
            "context": check.name,
        });
        let path = self.path(&format!("statuses/{commit}"));
        self.http
            .retrying::<Value>(
                Method::POST,
                &path,
                Some(&body),
                &purpose("set the commit's status", CHECKS),
            )
            .await
            .map(drop)
    }
}

#[async_trait]
impl Forge for GitHub {
    async fn head_of(&self, pull_request: u64) -> Result<String, ForgeError> {
        let what = purpose(format!("show pull request {pull_request}"), "pull-requests: read");
        let path = self.path(&format!("pulls/{pull_request}"));
        let found: PullRequest = self.http.retrying(Method::GET, &path, None, &what).await?;
        Ok(found.head.sha)
    }

    async fn find_comment(&self, pull_request: u64, marker: &str) -> Result<Option<Comment>, ForgeError> {
        let login = self.login().await?;
        let own = |user: &User| match &login {
            Some(login) => user.login.eq_ignore_ascii_case(login),
            None => user.kind == "Bot",
        };
        let what = purpose("list the comments", COMMENTS);
        for page in 1..=PAGES {
            let path = self.path(&format!(
                "issues/{pull_request}/comments?per_page={PER_PAGE}&page={page}"
            ));
            let comments: Vec<IssueComment> = self.http.retrying(Method::GET, &path, None, &what).await?;
            let last = comments.len() < PER_PAGE;
            let found = comments.into_iter().find(|comment| {
                comment.user.as_ref().is_some_and(own) && comment.body.as_deref().is_some_and(|b| b.starts_with(marker))
            });
            if let Some(found) = found {
                return Ok(Some(Comment {
                    id: found.id,
                    body: found.body.unwrap_or_default(),
                }));
            }
            if last {
                return Ok(None);
            }
        }
        Err(ForgeError::TooManyComments {
            comments: PAGES as usize * PER_PAGE,
        })
    }

    async fn create_comment(&self, pull_request: u64, body: &str) -> Result<(), ForgeError> {
        let path = self.path(&format!("issues/{pull_request}/comments"));
        let body = json!({ "body": body });
        self.http
            .once::<Value>(
                Method::POST,
                &path,
                Some(&body),
                &purpose("write the comment", COMMENTS),
            )
            .await
            .map(drop)
    }

    async fn update_comment(&self, _pull_request: u64, id: u64, body: &str) -> Result<(), ForgeError> {
        let path = self.path(&format!("issues/comments/{id}"));
        let body = json!({ "body": body });
        self.http
            .once::<Value>(
                Method::PATCH,
                &path,
                Some(&body),
                &purpose("update the comment", COMMENTS),
            )
            .await
            .map(drop)
    }

    async fn set_check(&self, commit: &str, check: &Check) -> Result<Checked, ForgeError> {
        let mut attempt = 0;
        loop {
            let made = match self.own_check(commit, check).await {
                Ok(own) => self.check_run(commit, check, own).await,
                Err(error @ ForgeError::Forbidden { .. }) => Err(error),
                Err(error) => return Err(error),
            };
            match made {
                Ok(()) => return Ok(Checked::CheckRun),
                // Only an app's token makes checks, and only with that right.
                Err(ForgeError::Forbidden { .. }) => {
                    return self.status(commit, check).await.map(|()| Checked::CommitStatus);
                }
                Err(failed) => super::sticky::pause(failed, &mut attempt, self.http.patience).await?,
            }
        }
    }

    fn patience(&self) -> Patience {
        self.http.patience
    }
}
