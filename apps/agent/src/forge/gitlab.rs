//! GitLab's REST API, version 4: merge requests, their notes, commit statuses.

use async_trait::async_trait;
use http::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use super::http::{Http, Purpose};
use super::patience::Patience;
use super::{Check, Checked, Comment, Conclusion, Forge, ForgeError, PAGES, PER_PAGE};

/// Longest `description` of a status, in characters.
const DESCRIPTION_CHARS: usize = 255;
/// The only scope that may write notes and statuses.
const SCOPE: &str = "scope api, with the role Developer";

pub(super) struct GitLab {
    http: Http,
    /// The path of the project, encoded as one segment.
    project: String,
}

#[derive(Deserialize)]
struct User {
    id: u64,
}

#[derive(Deserialize)]
struct Note {
    id: u64,
    body: String,
    author: User,
    #[serde(default)]
    system: bool,
}

#[derive(Deserialize)]
struct MergeRequest {
    sha: String,
}

fn purpose(what: impl Into<String>) -> Purpose {
    Purpose {
        what: what.into(),
        scope: SCOPE,
    }
}

impl GitLab {
    pub fn new(http: Http, repository: &str) -> Self {
        Self {
            http,
            project: encoded(repository),
        }
    }

    fn notes(&self, merge_request: u64, rest: &str) -> String {
        format!("projects/{}/merge_requests/{merge_request}/notes{rest}", self.project)
    }
}

#[async_trait]
impl Forge for GitLab {
    async fn head_of(&self, merge_request: u64) -> Result<String, ForgeError> {
        let path = format!("projects/{}/merge_requests/{merge_request}", self.project);
        let what = purpose(format!("show merge request {merge_request}"));
        let found: MergeRequest = self.http.retrying(Method::GET, &path, None, &what).await?;
        Ok(found.sha)
    }

    async fn find_comment(&self, merge_request: u64, marker: &str) -> Result<Option<Comment>, ForgeError> {
        let own: User = self
            .http
            .retrying(Method::GET, "user", None, &purpose("say whose token this is"))
            .await?;
        for page in 1..=PAGES {
            let path = self.notes(
                merge_request,
                &format!("?sort=asc&order_by=created_at&per_page={PER_PAGE}&page={page}"),
            );
            let notes: Vec<Note> = self
                .http
                .retrying(Method::GET, &path, None, &purpose("list the notes"))
                .await?;
            let last = notes.len() < PER_PAGE;
            let ours = |note: &Note| !note.system && note.author.id == own.id && note.body.starts_with(marker);
            if let Some(found) = notes.into_iter().find(ours) {
                return Ok(Some(Comment {
                    id: found.id,
                    body: found.body,
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

    async fn create_comment(&self, merge_request: u64, body: &str) -> Result<(), ForgeError> {
        let path = self.notes(merge_request, "");
        self.http
            .once::<Value>(
                Method::POST,
                &path,
                Some(&json!({ "body": body })),
                &purpose("write the note"),
            )
            .await
            .map(drop)
    }

    async fn update_comment(&self, merge_request: u64, id: u64, body: &str) -> Result<(), ForgeError> {
        let path = self.notes(merge_request, &format!("/{id}"));
        self.http
            .once::<Value>(
                Method::PUT,
                &path,
                Some(&json!({ "body": body })),
                &purpose("update the note"),
            )
            .await
            .map(drop)
    }

    async fn set_check(&self, commit: &str, check: &Check) -> Result<Checked, ForgeError> {
        let body = json!({
            "state": if check.conclusion == Conclusion::Failure { "failed" } else { "success" },
            "name": check.name,
            "target_url": check.url,
            "description": check.title.chars().take(DESCRIPTION_CHARS).collect::<String>(),
        });
        let path = format!("projects/{}/statuses/{commit}", self.project);
        let set = self
            .http
            .retrying::<Value>(Method::POST, &path, Some(&body), &purpose("set the commit's status"))
            .await;
        match set {
            // The status has that state already.
            Err(ForgeError::Refused { status: 400, said, .. }) if said.contains("Cannot transition status") => {
                Ok(Checked::CommitStatus)
            }
            other => other.map(|_| Checked::CommitStatus),
        }
    }

    fn patience(&self) -> Patience {
        self.http.patience
    }
}

/// Percent-encoded, so that it is one segment of a path or one value of a query.
pub(super) fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_project_is_one_segment() {
        assert_eq!(
            super::encoded("group/sub group/näme"),
            "group%2Fsub%20group%2Fn%C3%A4me"
        );
    }
}
