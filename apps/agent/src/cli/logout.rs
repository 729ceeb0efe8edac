//! `rigmark logout`: revokes the token, and forgets it.

use serde_json::json;

use super::args::LogoutArgs;
use super::{CliError, Env, Exit, remote};
use crate::control::remote::{Origin, TOKEN_VARIABLE};
use crate::control::{Api, Call, Remote, login_file};

pub async fn run(args: &LogoutArgs, env: &Env) -> Result<Exit, CliError> {
    let path = login_file::path()?;
    // One that others could read is forgotten as well; what it holds cannot be asked for.
    let login = login_file::load(&path);
    let revoked = match &login {
        Ok(Some(login)) => {
            let at = Remote {
                url: login.url.clone(),
                token: login.token.clone(),
                allow_http: login.allow_http,
                origin: Origin::File(path.clone()),
            };
            revoke(args, &at).await
        }
        Ok(None) => Ok(()),
        Err(error) => Err(error.to_string()),
    };
    let removed = login_file::remove(&path)?;
    env.out
        .object(&json!({ "logged_out": removed, "revoked": removed && revoked.is_ok() }));
    if !removed {
        env.out.line("You were not logged in.");
    } else {
        env.out.line("Logged out.");
        if let Err(why) = revoked {
            env.out.note(&format!(
                "The token is forgotten here, but it was not revoked: {why} Revoke it on the app's page of tokens."
            ));
        }
    }
    if std::env::var_os(TOKEN_VARIABLE).is_some_and(|v| !v.is_empty()) {
        env.out.note(&format!("{TOKEN_VARIABLE} is still set."));
    }
    Ok(Exit::Done)
}

/// A token that the app does not take any more is revoked already.
async fn revoke(args: &LogoutArgs, at: &Remote) -> Result<(), String> {
    let patience = remote::patience(&args.remote);
    let api = Api::new(at, args.remote.allow_http, patience, remote::note()).map_err(|e| e.to_string())?;
    match api.send(Call::delete("me/token")).await {
        Ok(_) => Ok(()),
        Err(error) if error.status() == Some(401) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}
