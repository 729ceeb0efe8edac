//! The commands: one file each. [`main`] parses, calls one of them and turns what it returns into an exit code.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

pub mod agent;
pub mod args;
pub mod build;
pub mod calibrate;
pub mod comment;
pub mod compare;
pub mod completions;
pub mod doctor;
pub mod enroll;
mod env;
pub mod error;
pub mod format;
pub mod gate;
pub mod internal;
pub mod login;
pub mod logout;
pub mod man;
pub mod new;
pub mod output;
pub mod plan;
pub mod publish;
pub mod queue;
pub mod remote;
pub mod report;
pub mod run;
pub mod scenarios;
pub mod servers;
pub mod signals;
pub mod suites;
pub mod verify;
pub mod wait;

pub use env::Env;
pub use error::{CliError, Exit};
pub use output::Output;

use crate::host::sysroot::SysRoot;
use crate::host::tune;
use crate::state::{State, StateError};
use args::{Cli, ColorArg, Command, STATE_VARIABLE};

pub fn main(argv: impl IntoIterator<Item = OsString>) -> ExitCode {
    // Kept for whoever asks later, when an update may have changed what the path leads to.
    let _ = crate::program::own_program();
    let argv: Vec<OsString> = argv.into_iter().collect();
    let cli = match Cli::try_parse_from(&argv) {
        Ok(cli) => cli,
        Err(error) => {
            // Any command puts back what a killed run left, and these are commands to whoever typed them.
            let state = std::env::var_os(STATE_VARIABLE).map(PathBuf::from);
            let _ = recover(&State::locate(state.as_deref()), &Output::new(false, ColorArg::Auto));
            return usage(&argv, &error);
        }
    };
    if let Command::Internal(args) = &cli.command {
        // Before the runtime: a user namespace can only be made by a process with one thread.
        return internal::run(args).into();
    }
    crate::sandbox::raise_own_limit();
    let env = Env::new(cli.global);
    if let Err(error) = recover(&env.state, &env.out) {
        env.out.error(&error.into());
        return Exit::Failed.into();
    }
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            env.out.error(&CliError::failed(
                "runtime",
                format!("The agent could not start: {error}."),
            ));
            return Exit::Failed.into();
        }
    };
    let exit = runtime.block_on(dispatch(&cli.command, &env)).unwrap_or_else(|error| {
        env.out.error(&error);
        error.exit
    });
    unless_unwritten(&env.out, exit).into()
}

/// What could not be written is said, and a result that nobody got is no success.
fn unless_unwritten(out: &Output, exit: Exit) -> Exit {
    let Some(why) = output::unwritten() else { return exit };
    out.note(&format!(
        "The output could not be written ({why}); check that there is space for it."
    ));
    if exit == Exit::Done { Exit::Failed } else { exit }
}

fn recover(state: &State, out: &Output) -> Result<(), StateError> {
    state.refuse_foreign()?;
    state.sweep();
    if let Some(recovered) = tune::recover(&SysRoot::host(), state.root()) {
        out.note(&recovered.sentence());
    }
    Ok(())
}

async fn dispatch(command: &Command, env: &Env) -> Result<Exit, CliError> {
    match command {
        Command::Doctor(args) => doctor::run(args, env).await,
        Command::Servers(args) => servers::run(args, env).await,
        Command::Scenarios(args) => scenarios::run(args, env).await,
        Command::Suites(args) => suites::run(args, env).await,
        Command::Build(args) => interruptible(build::run(args, env)).await,
        Command::Verify(args) => interruptible(verify::run(args, env)).await,
        Command::New(args) => new::run(args, env),
        Command::Run(args) => run::run(args, env).await,
        Command::Plan(args) => interruptible(plan::run(args, env)).await,
        Command::Calibrate(args) => calibrate::run(args, env).await,
        Command::Enroll(args) => enroll::run(args, env).await,
        Command::Agent(args) => agent::run(args, env).await,
        Command::Login(args) => interruptible(login::run(args, env)).await,
        Command::Logout(args) => interruptible(logout::run(args, env)).await,
        Command::Report(args) => report::run(args, env).await,
        Command::Compare(args) => compare::run(args, env).await,
        Command::Comment(args) => comment::run(args, env).await,
        Command::Publish(args) => publish::run(args, env).await,
        Command::Queue(args) => queue::run(args, env).await,
        Command::Wait(args) => wait::run(args, env).await,
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args, env),
        Command::Internal(_) => unreachable!("handled before the runtime starts"),
    }
}

/// A signal drops the work, which stops its processes and removes its files; the rest of the commands see to it themselves.
async fn interruptible(work: impl Future<Output = Result<Exit, CliError>>) -> Result<Exit, CliError> {
    let mut stopped = signals::listen()?.stopped;
    tokio::select! {
        done = work => done,
        () = crate::runner::execute::cancelled(&mut stopped) => {
            Err(CliError::new(Exit::Interrupted, "interrupted", "Interrupted; nothing was left behind."))
        }
    }
}

/// Help and version go to stdout with 0; what was typed wrong goes to stderr with 2, as JSON where asked for.
fn usage(argv: &[OsString], error: &clap::Error) -> ExitCode {
    let talk = Output::new(false, ColorArg::Auto);
    if !error.use_stderr() {
        output::result_written(error.print());
        return unless_unwritten(&talk, Exit::Done).into();
    }
    if argv.iter().any(|a| a == "--json") {
        let text = error.render().to_string();
        let message = text
            .trim_start_matches("error: ")
            .split("\n\n")
            .next()
            .unwrap_or_default();
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        Output::new(true, ColorArg::Never).error(&CliError::usage("usage", message));
    } else {
        let _ = error.print();
    }
    unless_unwritten(&talk, Exit::Usage).into()
}
