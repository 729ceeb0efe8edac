//! `rigmark enroll`: trades a single-use key for an identity.

use http::Method;
use serde_json::json;

use super::args::EnrollArgs;
use super::{CliError, Env, Exit};
use crate::protocol::wire::{EnrollRequest, EnrollResponse};
use crate::session::Failure;
use crate::session::client::{Client, Outgoing};
use crate::session::identity::{Identity, IdentityError, pending_secret};
use crate::text::plain;

/// The response to the first try may be lost; the same key pair may ask again.
const TRIES: u32 = 3;
const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(15);

/// Longest name and address in a response.
const NAME_CHARS: usize = 200;
const URL_CHARS: usize = 500;

pub async fn run(args: &EnrollArgs, env: &Env) -> Result<Exit, CliError> {
    let state = env.state.root();
    match Identity::load(state) {
        Ok(known) if !args.replace => {
            return Err(CliError::failed(
                "enrolled",
                format!(
                    "This host is already enrolled at {} as {}; add --replace to enroll it again.",
                    known.url, known.host_name
                ),
            ));
        }
        Err(error @ IdentityError::Io(..)) => return Err(failed(&error)),
        _ => {}
    }
    // Where to before with what: a wrong address would make the right key look wrong.
    let client = Client::new(&args.url, args.allow_http).map_err(|e| CliError::usage("url", e.to_string()))?;
    if !is_key(args.key.trim()) {
        return Err(CliError::failed(
            "key_unknown",
            "This is not an enrollment key (they begin with rgme_ and have 48 characters); copy the whole command from the \
             web app's \"Add a host\" page again.",
        ));
    }
    // Before the key is used up: the folder must take the identity.
    env.state.dir("spool")?;
    let secret = pending_secret(state).map_err(|e| failed(&e))?;
    let request = EnrollRequest {
        key: args.key.trim().to_owned(),
        public_key: secret.public_key().map_err(|why| CliError::failed("identity", why))?,
        hostname: args.name.clone().unwrap_or_else(|| crate::host::facts().hostname),
        agent_version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let response = ask(&client, &request, &args.url).await?;
    let identity = Identity {
        schema: 1,
        host_id: response.host_id,
        host_name: plain(&response.host_name, NAME_CHARS),
        url: args.url.trim().to_owned(),
        allow_http: args.allow_http,
        secret,
    };
    identity.save(state).map_err(|e| failed(&e))?;
    let host_url = plain(&response.host_url, URL_CHARS);
    env.out.object(&json!({
        "host_id": identity.host_id,
        "host_name": identity.host_name,
        "host_url": host_url,
        "url": identity.url,
    }));
    env.out.line(&format!("Enrolled as {}: {host_url}", identity.host_name));
    env.out.line("Start the agent with `rigmark agent`.");
    Ok(Exit::Done)
}

/// Before the network: a cut or mistyped key needs no response from it.
fn is_key(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    text.strip_prefix("rgme_")
        .is_some_and(|rest| rest.len() == 43 && rest.bytes().all(plain))
}

async fn ask(client: &Client, request: &EnrollRequest, url: &str) -> Result<EnrollResponse, CliError> {
    let body = serde_json::to_vec(request).expect("messages are plain data");
    let mut tried = 0;
    loop {
        tried += 1;
        let outgoing = Outgoing {
            method: Method::POST,
            path: "enroll".to_owned(),
            body: body.clone().into(),
            headers: Vec::new(),
            timeout: TIMEOUT,
        };
        match client.send(outgoing, None).await {
            Ok(body) => {
                return serde_json::from_slice(&body).map_err(|error| {
                    CliError::failed(
                        "protocol",
                        format!("{url} did not return an enrollment ({error}); check the address."),
                    )
                });
            }
            Err(Failure::Refused(detail)) => {
                let code = serde_json::to_value(detail.code)
                    .ok()
                    .and_then(|c| c.as_str().map(str::to_owned));
                return Err(CliError::failed(&code.unwrap_or_default(), detail.message));
            }
            Err(Failure::Proxy(sentence) | Failure::TooLarge(sentence)) if tried >= TRIES => {
                return Err(CliError::failed("proxy", sentence));
            }
            Err(Failure::Lost(why)) if tried >= TRIES => {
                return Err(CliError::failed(
                    "unreachable",
                    format!(
                        "{url} does not respond as Rigmark does ({why}); check the address and that the web app runs."
                    ),
                ));
            }
            Err(_) => tokio::time::sleep(std::time::Duration::from_millis(500)).await,
        }
    }
}

fn failed(error: &IdentityError) -> CliError {
    CliError::failed("identity", error.to_string())
}
