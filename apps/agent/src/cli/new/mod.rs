//! `rigmark new`: writes the file that describes what somebody wants measured.

mod fixed_port;
mod listening;
mod manifest_text;
mod project;
mod scenario;
mod server;
mod server_name;
mod sources;
mod subcommand;

use super::args::{NewArgs, NewCommand};
use super::{CliError, Env, Exit};

pub fn run(args: &NewArgs, env: &Env) -> Result<Exit, CliError> {
    match &args.what {
        NewCommand::Server(args) => server::run(args, env),
        NewCommand::Scenario(args) => scenario::run(args, env),
    }
}
