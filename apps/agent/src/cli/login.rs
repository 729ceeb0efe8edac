//! `rigmark login`: a token for the commands that talk to an app, by approval in a browser or from stdin.

use std::io::{BufRead, Read};
use std::time::Duration;

use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use super::args::LoginArgs;
use super::output::{Tone, paint};
use super::{CliError, Env, Exit, remote};
use crate::control::login_file::{self, Login};
use crate::control::message::{Device, Me};
use crate::control::remote::{Origin, TOKEN_VARIABLE};
use crate::control::{Api, ApiError, Call, Token};
use crate::text::plain;

const NAME_CHARS: usize = 200;
const URL_CHARS: usize = 500;
/// Between two questions whether somebody approved, whatever the app says.
const INTERVAL_S: (f64, f64) = (1.0, 30.0);
const LONGEST_S: f64 = 3600.0;

#[derive(Deserialize)]
struct Granted {
    token: String,
}

pub async fn run(args: &LoginArgs, env: &Env) -> Result<Exit, CliError> {
    if args.status {
        return status(args, env).await;
    }
    let url = args.url.as_deref().ok_or_else(|| {
        CliError::usage(
            "url",
            "Say where to log in: rigmark login --url https://rigmark.example.com",
        )
    })?;
    // Where to before with what, and a place for the token before it is made.
    let path = login_file::path()?;
    let api = Api::without_token(
        url,
        args.remote.allow_http,
        remote::patience(&args.remote),
        remote::note(),
    )?;
    let token = match args.token.as_deref() {
        Some("-") => from_stdin()?,
        Some(_) => {
            return Err(CliError::usage(
                "token",
                "Other users of this machine can read a program's arguments; pass the token on stdin instead: --token -",
            ));
        }
        None => from_browser(&api, env).await?,
    };
    let api = api.with_token(token.clone());
    let me: Me = api.json(Call::get("me")).await?;
    let name = plain(me.name(), NAME_CHARS);
    let login = Login {
        schema: 1,
        url: api.base().to_owned(),
        allow_http: args.remote.allow_http,
        name: name.clone(),
        token,
    };
    login_file::save(&path, &login)?;
    env.out
        .object(&json!({ "url": login.url, "name": name, "file": path.to_string_lossy(), "me": me }));
    env.out.line(&format!("Logged in at {} as {name}.", login.url));
    if std::env::var_os(TOKEN_VARIABLE).is_some_and(|v| !v.is_empty()) {
        env.out.note(&format!(
            "{TOKEN_VARIABLE} is set and takes precedence over this login."
        ));
    }
    Ok(Exit::Done)
}

fn from_stdin() -> Result<Token, CliError> {
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .take(1024)
        .read_line(&mut line)
        .map_err(|e| CliError::failed("token", format!("No token could be read from stdin ({e}).")))?;
    Token::parse(&line).map_err(|sentence| CliError::failed("token", sentence))
}

/// Prints an address and a code, and waits until somebody has approved or denied it there.
async fn from_browser(api: &Api, env: &Env) -> Result<Token, CliError> {
    let client = format!("rigmark on {}", crate::host::facts().hostname);
    let body = json!({ "client": plain(&client, 100) });
    let device: Device = api.json(Call::post("device", &body).repeatable()).await?;
    env.out.note(&format!(
        "Open this page in a browser, and approve the code {}:\n  {}",
        paint(Tone::Bold, &plain(&device.user_code, 20)),
        plain(&device.verification_url, URL_CHARS)
    ));
    let every = Duration::from_secs_f64(device.interval_s.clamp(INTERVAL_S.0, INTERVAL_S.1));
    let until = Instant::now() + Duration::from_secs_f64(device.expires_in_s.clamp(1.0, LONGEST_S));
    let body = json!({ "device_code": device.device_code });
    while Instant::now() < until {
        tokio::time::sleep(every).await;
        // Not sent again by itself: the token is given out once.
        match api.send(Call::post("device/token", &body)).await {
            Ok(response) if response.status == StatusCode::ACCEPTED => {}
            Ok(response) => {
                let granted: Granted = serde_json::from_slice(&response.body).map_err(|_| {
                    CliError::failed(
                        "not-rigmark",
                        format!("{} sent no token; check the address.", api.base()),
                    )
                })?;
                return Token::parse(&granted.token).map_err(|sentence| CliError::failed("token", sentence));
            }
            Err(ApiError::Unreachable(_)) => {}
            Err(error) if error.status() == Some(410) => {
                return Err(CliError::failed(
                    "denied",
                    "The login was denied, or its code has expired; run `rigmark login` again.",
                ));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(CliError::failed(
        "expired",
        "Nobody approved the login in time; run `rigmark login` again.",
    ))
}

async fn status(args: &LoginArgs, env: &Env) -> Result<Exit, CliError> {
    let (api, at) = remote::api(&args.remote)?;
    let me: Me = api.json(Call::get("me")).await?;
    let from = match &at.origin {
        Origin::Variables => format!("The token comes from {TOKEN_VARIABLE}."),
        Origin::File(path) => format!("The token is kept in {}.", path.display()),
    };
    env.out.object(&json!({
        "url": api.base(),
        "name": me.name(),
        "origin": match &at.origin { Origin::Variables => "variables", Origin::File(_) => "file" },
        "me": me,
    }));
    let workspaces: Vec<String> = me.workspaces.iter().map(|w| plain(&w.slug, NAME_CHARS)).collect();
    env.out.line(&format!(
        "Logged in at {} as {}.",
        api.base(),
        plain(me.name(), NAME_CHARS)
    ));
    env.out.line(&from);
    let until = me.token.expires_at.as_deref().map_or_else(
        || "It does not expire.".to_owned(),
        |at| format!("It expires on {}.", plain(at.split('T').next().unwrap_or_default(), 40)),
    );
    env.out
        .line(&format!("It may: {}. {until}", me.token.scopes.join(", ")));
    env.out.line(&format!(
        "Workspaces: {}",
        if workspaces.is_empty() {
            "none".to_owned()
        } else {
            workspaces.join(", ")
        }
    ));
    Ok(Exit::Done)
}
