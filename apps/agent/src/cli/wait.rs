//! `rigmark wait`: until a run of a workspace is over, with its verdict at the end.

mod gate;
mod journal;
mod table;

use std::cell::Cell;
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
/// The app writes the verdict after the end of the run; where it cannot, it tries again much later.
const VERDICT_WITHIN: Duration = Duration::from_mins(1);
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
    // Whether the run is over, and whether its records still have to be saved.
    let (over, unsaved) = (Cell::new(false), Cell::new(follow.out.is_some()));
    let whole = async {
        let run = until_over(api, id, &over, env).await?;
        // What becomes of the file hides neither the results nor the gate.
        let unwritten = match &follow.out {
            Some(out) => journal::write(api, id, out, env).await.err(),
            None => None,
        };
        unsaved.set(unwritten.is_some());
        let results: Option<Results> = match run.verdict {
            Some(_) => Some(api.json(Call::get(format!("runs/{id}/results"))).await?),
            None => None,
        };
        Ok::<_, CliError>((run, results, unwritten))
    };
    let (run, results, unwritten) = tokio::select! {
        done = whole => done?,
        () = crate::runner::execute::cancelled(&mut stopped) => {
            return match over.get() {
                true => Err(interrupted_after(id, unsaved.get())),
                false => interrupted(api, id, follow, env).await,
            };
        }
    };
    Ok(show(&run, results.as_ref(), unwritten.as_ref(), follow, env))
}

/// The end of a run that succeeded is that of its verdict. Without any trial that ended, no run succeeds, so all get one.
async fn until_over(api: &Api, id: Uuid, over: &Cell<bool>, env: &Env) -> Result<Run, CliError> {
    let begun = Instant::now();
    let mut ended: Option<Instant> = None;
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
            over.set(true);
            let waited = ended.get_or_insert_with(Instant::now).elapsed();
            if run.verdict.is_some() || run.state != "succeeded" || waited >= VERDICT_WITHIN {
                return Ok(run);
            }
        }
        tokio::time::sleep(PAUSE.saturating_sub(asked.elapsed())).await;
    }
}

fn in_words(state: &str) -> String {
    plain(state, NAME_CHARS).replace('_', " ")
}

/// The run is over, so there is nothing to cancel.
fn interrupted_after(id: Uuid, unsaved: bool) -> CliError {
    let text = match unsaved {
        true => "Interrupted. The run is over; its records were not saved.".to_owned(),
        false => format!("Interrupted. The run is over; `rigmark wait {id}` shows its verdict."),
    };
    CliError::new(Exit::Interrupted, "interrupted", text)
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

fn show(run: &Run, results: Option<&Results>, unwritten: Option<&CliError>, follow: &FollowArgs, env: &Env) -> Exit {
    let gate = match follow.fail_on.as_ref().zip(results) {
        Some((gate, results)) => gate::broken(gate, results),
        None => Ok(None),
    };
    let broken = match &gate {
        Ok(broken) => broken.as_deref(),
        Err(unread) => Some(*unread),
    };
    env.out.object(&json!({
        "run": run,
        "results": results,
        "gate": broken,
        "out_error": unwritten.map(|error| json!({ "code": error.code, "message": error.message })),
    }));
    if let Some(results) = results {
        table::print(&env.out, results);
    }
    env.out.line(&plain(&run.url, URL_CHARS));
    let exit = said(run, gate, follow, env);
    let Some(error) = unwritten else { return exit };
    wrong(&error.message, env);
    if exit == Exit::Done { Exit::Failed } else { exit }
}

/// How the run ended and what the gate says of it.
fn said(run: &Run, gate: Result<Option<String>, &str>, follow: &FollowArgs, env: &Env) -> Exit {
    if run.state != "succeeded" {
        let why = run.failure.as_deref().map(|f| plain(f, TEXT_CHARS));
        let why = why.unwrap_or_else(|| "Its page says why.".to_owned());
        let text = format!("The run did not succeed: {}. {why}", in_words(&run.state));
        wrong(text.trim_end(), env);
        return Exit::Failed;
    }
    if run.verdict.is_none() {
        let text = format!(
            "The run ended, but its verdict is not there yet; run `rigmark wait {}` again.",
            run.id
        );
        if follow.fail_on.is_some() {
            wrong(&text, env);
            return Exit::Failed;
        }
        env.out.note(&text);
    }
    match gate {
        Ok(broken) => super::gate::exit(broken.as_deref(), &env.out),
        Err(unread) => {
            wrong(unread, env);
            Exit::Failed
        }
    }
}

fn wrong(text: &str, env: &Env) {
    env.out.note(&format!("{} {text}", paint(Tone::Bad, "error:")));
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
