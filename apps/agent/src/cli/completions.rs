//! `rigmark completions`: what a shell needs to complete the commands and options.

use std::io::Write;

use clap::CommandFactory;

use super::args::{Cli, CompletionsArgs};
use super::output::result_written;
use super::{CliError, Exit};

pub fn run(args: &CompletionsArgs) -> Result<Exit, CliError> {
    // Drawn in memory: the crate panics where its writer fails, as a closed pipe does.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "rigmark", &mut text);
    let mut stdout = std::io::stdout().lock();
    result_written(stdout.write_all(&text).and_then(|()| stdout.flush()));
    Ok(Exit::Done)
}
