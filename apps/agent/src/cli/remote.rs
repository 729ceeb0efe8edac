//! What the commands that talk to an app have in common.

use std::time::Duration;

use super::args::{RemoteArgs, WorkspaceArgs};
use super::output::stderr_line;
use super::{CliError, Env, Exit};
use crate::control::login_file::LoginFileError;
use crate::control::message::Me;
use crate::control::remote::RemoteError;
use crate::control::{Api, ApiError, Call, Remote};
use crate::session::client::ClientError;

/// The app that we are logged in at.
pub fn api(args: &RemoteArgs) -> Result<(Api, Remote), CliError> {
    let remote = Remote::find()?;
    let api = Api::new(&remote, args.allow_http, patience(args), note())?;
    Ok((api, remote))
}

pub fn patience(args: &RemoteArgs) -> Duration {
    Duration::try_from_secs_f64(args.retry_for).unwrap_or(Duration::MAX)
}

pub fn note() -> Box<dyn Fn(&str) + Send + Sync> {
    Box::new(stderr_line)
}

/// The one that was named, or the only one.
pub async fn workspace(api: &Api, asked: &WorkspaceArgs) -> Result<String, CliError> {
    let asked = asked.workspace.as_deref().map(str::trim).filter(|w| !w.is_empty());
    if let Some(name) = asked {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_".contains(&b);
        return match name.bytes().all(plain) {
            true => Ok(name.to_owned()),
            false => Err(CliError::usage(
                "workspace",
                format!("{name:?} is not a workspace; give the part of its address after /w/."),
            )),
        };
    }
    let me: Me = api.json(Call::get("me")).await?;
    match me.workspaces.as_slice() {
        [only] => Ok(only.slug.clone()),
        [] => Err(CliError::failed(
            "workspace",
            format!("{} has no workspace at {}.", me.name(), api.base()),
        )),
        several => {
            let names: Vec<&str> = several.iter().map(|w| w.slug.as_str()).collect();
            let text = format!(
                "You have several workspaces; name one with --workspace: {}.",
                names.join(", ")
            );
            Err(CliError::usage("workspace", text))
        }
    }
}

/// Drops the work when a signal comes; `said` is what to do then.
pub async fn until_interrupted<T>(
    env: &Env,
    work: impl Future<Output = Result<T, CliError>>,
    said: &str,
) -> Result<T, CliError> {
    let _ = env;
    let mut stopped = super::signals::listen()?.stopped;
    tokio::select! {
        done = work => done,
        () = crate::runner::execute::cancelled(&mut stopped) => Err(CliError::new(Exit::Interrupted, "interrupted", said)),
    }
}

impl From<RemoteError> for CliError {
    fn from(error: RemoteError) -> Self {
        let code = match error {
            RemoteError::NotLoggedIn => "not-logged-in",
            RemoteError::NoUrl | RemoteError::Elsewhere(..) => "url",
            RemoteError::Token(_) => "token",
            RemoteError::File(_) => "login-file",
        };
        Self::failed(code, error.to_string())
    }
}

impl From<LoginFileError> for CliError {
    fn from(error: LoginFileError) -> Self {
        Self::failed("login-file", error.to_string())
    }
}

impl From<ClientError> for CliError {
    fn from(error: ClientError) -> Self {
        Self::usage("url", error.to_string())
    }
}

impl From<ApiError> for CliError {
    fn from(error: ApiError) -> Self {
        Self::failed(error.code(), error.to_string())
    }
}
