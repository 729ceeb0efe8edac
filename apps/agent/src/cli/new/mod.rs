//! `rigmark new`: writes the file that describes what somebody wants measured.

mod listening;
mod manifest_text;
mod project;
mod scenario;
mod server;
mod sources;

use clap::{Args, Subcommand};

use super::{CliError, Env, Exit};
pub use scenario::NewScenarioArgs;
pub use server::NewServerArgs;

#[derive(Debug, Args)]
pub struct NewArgs {
    #[command(subcommand)]
    pub what: NewCommand,
}

#[derive(Debug, Subcommand)]
pub enum NewCommand {
    /// Write a server.toml for the server in a folder
    Server(NewServerArgs),
    /// Write a scenario file with requests of your own
    Scenario(NewScenarioArgs),
}

pub fn run(args: &NewArgs, env: &Env) -> Result<Exit, CliError> {
    match &args.what {
        NewCommand::Server(args) => server::run(args, env),
        NewCommand::Scenario(args) => scenario::run(args, env),
    }
}
