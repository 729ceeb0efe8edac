//! `rigmark wait`: until a run of a workspace is over, with its verdict at the end.

mod gate;
mod journal;
mod table;

use std::time::{Duration, Instant};

use serde_json::json;
use uuid::Uuid;

use super::args::{FollowArgs, WaitArgs};
use super::output::{Tone, paint};
use super::{CliError, Env, Exit, format, remote, signals};
use crate::control::message::{Results, Run};
use crate::control::{Api, Call};
use crate::session::client::base_of;
use crate::text::plain;

/// Changes of the state are seen within so many seconds; the end at once.
const HELD_S: u32 = 5;
/// Between two questions, whatever the app does.
const PAUSE: Duration = Duration::from_secs(1);
const TEXT_CHARS: usize = 600;
const NAME_CHARS: usize = 80;
const URL_CHARS: usize = 500;

pub async fn run(args: &WaitArgs, env: &Env) -> Result<Exit, CliError> {
    let (api, _) = remote::api(&args.remote)?;
    let id = run_id(&args.run, api.base())?;
    follow(&api, id, &args.follow, env).await
}

/// `0198…` or `https://rigmark.example/w/ada/runs/0198…`, as the browser has it.
pub(super) fn run_id(text: &str, base: &str) -> Result<Uuid, CliError> {
    let text = text.trim();
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let wrong = || {
        let text = plain(text, NAME_CHARS);
        CliError::usage(
            "run",
            format!("{text:?} is not a run; give its id, or the address of its page."),
        )
    };
    let (place, rest) = text.rsplit_once("/runs/").ok_or_else(wrong)?;
    let id = rest
        .split(['/', '?', '#'])
        .next()
        .and_then(|id| id.parse().ok())
        .ok_or_else(wrong)?;
    let app = place.rsplit_once("/w/").ok_or_else(wrong)?.0;
    match base_of(app, true) {
        Ok(app) if app.eq_ignore_ascii_case(base) => Ok(id),
        _ => Err(CliError::usage(
            "run",
            format!(
                "This run is at {}, and you are logged in at {base}.",
                plain(app, URL_CHARS)
            ),
        )),
    }
}

/// Says each change of the state on stderr, and at the end what came out. What a signal does to the run is up to `follow`.
pub async fn follow(api: &Api, id: Uuid, follow: &FollowArgs, env: &Env) -> Result<Exit, CliError> {
    let mut stopped = signals::listen()?.stopped;
    let whole = async {
        let run = until_over(api, id, env).await?;
        if let Some(out) = &follow.out {
            journal::write(api, id, out, env).await?;
        }
        Ok::<_, CliError>(run)
    };
    let run = tokio::select! {
        done = whole => done?,
        () = crate::runner::execute::cancelled(&mut stopped) => return interrupted(api, id, follow, env).await,
    };
    let results = match run.verdict {
        Some(_) => Some(api.json(Call::get(format!("runs/{id}/results"))).await?),
        None => None,
    };
    Ok(show(&run, results.as_ref(), follow, env))
}

async fn until_over(api: &Api, id: Uuid, env: &Env) -> Result<Run, CliError> {
    let begun = Instant::now();
    let mut shown = String::new();
    loop {
        let asked = Instant::now();
        let call = match shown.is_empty() {
            // The first answer says at once whether there is such a run.
            true => Call::get(format!("runs/{id}")),
            false => Call::held(format!("runs/{id}?wait_s={HELD_S}")),
        };
        let run: Run = api.json(call).await?;
        if run.state != shown {
            shown.clone_from(&run.state);
            env.out.note(&format!(
                "{} {} on {}",
                paint(Tone::Dim, &format::duration(begun.elapsed().as_secs_f64())),
                in_words(&run.state),
                plain(&run.host.name, NAME_CHARS)
            ));
        }
        if run.is_over() {
            return Ok(run);
        }
        tokio::time::sleep(PAUSE.saturating_sub(asked.elapsed())).await;
    }
}

fn in_words(state: &str) -> String {
    plain(state, NAME_CHARS).replace('_', " ")
}

async fn interrupted(api: &Api, id: Uuid, follow: &FollowArgs, env: &Env) -> Result<Exit, CliError> {
    if !follow.cancel_on_interrupt {
        return Err(CliError::new(
            Exit::Interrupted,
            "interrupted",
            format!(
                "Interrupted; the run continues. `rigmark wait {id}` waits again, and with --cancel-on-interrupt Ctrl-C cancels the \
                 run too."
            ),
        ));
    }
    env.out.note("Cancelling the run.");
    let call = Call::post(format!("runs/{id}/cancel"), &json!({})).repeatable();
    match api.send(call).await {
        Ok(_) => Err(CliError::new(
            Exit::Interrupted,
            "interrupted",
            "Interrupted; the run was cancelled.",
        )),
        Err(error) => Err(CliError::new(
            Exit::Interrupted,
            "interrupted",
            format!("Interrupted, and the run could not be cancelled: {error} Cancel it on its page."),
        )),
    }
}

fn show(run: &Run, results: Option<&Results>, follow: &FollowArgs, env: &Env) -> Exit {
    let broken = follow
        .fail_on
        .as_ref()
        .zip(results)
        .and_then(|(gate, results)| gate::broken(gate, results));
    env.out
        .object(&json!({ "run": run, "results": results, "gate": broken }));
    if let Some(results) = results {
        table::print(&env.out, results);
    }
    env.out.line(&plain(&run.url, URL_CHARS));
    if run.state != "succeeded" {
        let why = run.failure.as_deref().map(|f| plain(f, TEXT_CHARS));
        let why = why.unwrap_or_else(|| "Its page says why.".to_owned());
        let text = format!("The run did not succeed: {}. {why}", in_words(&run.state));
        env.out
            .note(&format!("{} {}", paint(Tone::Bad, "error:"), text.trim_end()));
        return Exit::Failed;
    }
    match broken {
        Some(sentence) => {
            env.out.note(&sentence);
            Exit::GateNotMet
        }
        None => Exit::Done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0198b7a6-0000-7000-8000-000000000001";

    #[test]
    fn a_run_is_named_by_its_id_or_its_page() {
        let base = "https://rigmark.example";
        for text in [
            ID.to_owned(),
            format!("https://rigmark.example/w/ada/runs/{ID}"),
            format!("https://rigmark.example/w/ada/runs/{ID}?tab=trials#top"),
        ] {
            assert_eq!(run_id(&text, base).unwrap().to_string(), ID, "{text}");
        }
        for wrong in [
            "",
            "42",
            "https://rigmark.example/w/ada/runs/",
            "https://rigmark.example/r/abc",
        ] {
            assert_eq!(run_id(wrong, base).unwrap_err().exit, Exit::Usage, "{wrong}");
        }
        let other = run_id(&format!("https://other.example/w/ada/runs/{ID}"), base).unwrap_err();
        assert!(
            other.message.contains("logged in at https://rigmark.example"),
            "{}",
            other.message
        );
    }
}
